//! The impact of changes on programs with threads: what goes from thread to thread, what cannot, and what
//! synchronisation orders.

use incise_change::{Entries, Impact, Rule, Rules, Versions, WholeImpact};
use incise_ir::Program;
use incise_testing::Compiler;
use std::collections::BTreeSet;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n";

/// `main` starts threads of these functions and waits for them.
fn starting(functions: &[&str]) -> String {
    let mut text = "int main(void) {\n".to_owned();
    for name in functions {
        text += &format!("pthread_t of_{name};\npthread_create(&of_{name}, 0, {name}, 0);\n");
    }
    for name in functions {
        text += &format!("pthread_join(of_{name}, 0);\n");
    }
    text + "return 0;\n}\n"
}

/// Finds the impact, and hands it over with the new program.
fn impact_of(old: &str, new: &str, check: impl FnOnce(&Program, &WholeImpact<'_>)) {
    let (old, new) = (Compiler::default().program(old), Compiler::default().program(new));
    let versions = Versions::compare(&old, &new);
    let changed_old = versions.functions.iter().filter_map(|pair| pair.old).collect();
    let (before, after) = (Entries::of(&old, &changed_old), Entries::of(&new, &versions.changed_new()));
    let functions = (before.functions.as_slice(), after.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(&old, &new, versions, functions, Rules::Closed, false);
    check(&new, &WholeImpact::new(&impact, &mirrored, &after, &before, Rules::Closed));
}

/// The source lines of the new version with an affected statement that is none of those which only start or wait for
/// threads or return.
fn affected(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (format!("{HEAD}{old}"), format!("{HEAD}{new}"));
    let mut found = BTreeSet::new();
    impact_of(&old, &new, |program, whole| {
        for each in &whole.functions {
            let graph = &each.impact.alignment.new_graph;
            for node in each.impact.affected.nodes() {
                let location = graph.node(node).location;
                found.insert(location.map_or(0, |location| program.locations[location].line));
            }
        }
    });
    let text: Vec<&str> = new.lines().collect();
    let lines = found.into_iter().filter_map(|line| text.get((line as usize).checked_sub(1)?));
    let shown = |line: &&&str| {
        !["pthread_create", "pthread_join", "return"].iter().any(|word| line.trim().starts_with(word))
    };
    lines.filter(shown).map(|line| line.trim().to_owned()).collect()
}

/// The same of versions that are written as one: lines that begin with `-` and `+` are in one of them alone.
fn affected_by(text: &str) -> Vec<String> {
    let version = |other: char| {
        let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with(other));
        lines.map(|line| line.trim_start_matches(['-', '+']).to_owned() + "\n").collect::<String>()
    };
    affected(&version('+'), &version('-'))
}

fn with_threads(text: &str, functions: &[&str]) -> String {
    format!("{text}{}", starting(functions))
}

#[test]
fn figure_2_of_the_paper_leaves_the_other_variable_alone() {
    let found = affected_by(
        "int x = 15, y = 5, a, b;
        void *t1(void *u) {
        a = x;
        y = 10;
        return 0; }
        void *t2(void *u) {
        -x = 10;
        +x = 5;
        b = y;
        return 0; }
        int main(void) {
        pthread_t one, two;
        pthread_create(&one, 0, t1, 0);
        pthread_create(&two, 0, t2, 0);
        pthread_join(one, 0);
        pthread_join(two, 0);
        assert(b >= 5);
        assert(a >= 10);
        return 0; }",
    );
    assert_eq!(found, ["a = x;", "x = 5;", "assert(a >= 10);"]);
}

const FIGURE_6: &str = "int x, y, z;
    void *t1(void *u) {
    x += 2;
    z = x + 1;
    y = x - 1;
    if (z > 0)
    z = 0;
    else
    z--;
    return 0; }
    void *t2(void *u) {
    z++;
    x -= 2;
    if (x == 0)
    -y += 1;
    +y += 2;
    else
    z++;
    assert(y != 2);
    return 0; }\n";

#[test]
fn figure_6_of_the_paper_has_its_forward_set_and_what_competes() {
    // The paper prints lines 11 and 14. Line 3 writes `y` in the other thread (rule 8), and line 1 gives what it
    // writes (rule 4).
    let found = affected_by(&with_threads(FIGURE_6, &["t1", "t2"]));
    assert_eq!(found, ["x += 2;", "y = x - 1;", "y += 2;", "assert(y != 2);"]);
}

#[test]
fn figure_7_of_the_paper_has_no_false_dependence() {
    let found = affected_by(
        "int x, t1;
        void *thread2(void *u) {
        -x = 5;
        +x = 6;
        return 0; }
        int main(void) {
        pthread_t two;
        t1 = x;
        pthread_create(&two, 0, thread2, 0);
        int after = x;
        return after; }",
    );
    assert_eq!(found, ["x = 6;", "int after = x;"]);
}

#[test]
fn a_lock_that_is_taken_away_affects_what_it_guarded_in_all_threads() {
    let found = affected_by(&with_threads(
        "int x, other; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *t1(void *u) {
        pthread_mutex_lock(&m);
        int a = x;
        int b = x;
        pthread_mutex_unlock(&m);
        other = 3;
        assert(a == b);
        return 0; }
        void *t2(void *u) {
        -pthread_mutex_lock(&m);
        x = 1;
        -pthread_mutex_unlock(&m);
        return 0; }\n",
        &["t1", "t2"],
    ));
    let expected = [
        "pthread_mutex_lock(&m);",
        "int a = x;",
        "int b = x;",
        "pthread_mutex_unlock(&m);",
        "assert(a == b);",
        "x = 1;",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_critical_section_that_is_made_smaller_affects_what_was_in_it() {
    let found = affected_by(&with_threads(
        "int balance; int apart; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *pay(void *u) {
        pthread_mutex_lock(&m);
        int before = balance;
        +pthread_mutex_unlock(&m);
        balance = before - 30;
        -pthread_mutex_unlock(&m);
        return 0; }
        void *idle(void *u) {
        apart = 1;
        return 0; }\n",
        &["pay", "idle"],
    ));
    assert!(found.contains(&"balance = before - 30;".to_owned()), "{found:?}");
    assert!(!found.contains(&"apart = 1;".to_owned()), "{found:?}");
}

#[test]
fn an_unlock_that_moves_is_seen_where_the_lock_was_taken_before_the_thread_was_there() {
    let found = affected_by(
        "int y, a; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *t(void *u) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        a = y;
        return 0; }
        int main(void) {
        pthread_t one;
        pthread_mutex_lock(&m);
        pthread_create(&one, 0, t, 0);
        +pthread_mutex_unlock(&m);
        y = 1;
        -pthread_mutex_unlock(&m);
        return 0; }",
    );
    assert!(found.contains(&"a = y;".to_owned()), "{found:?}");
}

#[test]
fn what_waits_for_a_changed_signal_is_affected_with_all_that_follows() {
    let found = affected_by(&with_threads(
        "int x, before; sem_t s;
        void *t1(void *u) {
        +sem_post(&s);
        x = 1;
        -sem_post(&s);
        return 0; }
        void *t2(void *u) {
        before = 1;
        sem_wait(&s);
        int a = x;
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert_eq!(found, ["sem_post(&s);", "x = 1;", "sem_wait(&s);", "int a = x;"]);
}

#[test]
fn a_loop_that_another_thread_ends_orders_what_follows() {
    let found = affected_by(&with_threads(
        "volatile int flag; int x;
        void *t1(void *u) {
        +flag = 1;
        x = 1;
        -flag = 1;
        return 0; }
        void *t2(void *u) {
        int own = 2;
        while (!flag)
        ;
        int a = x;
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert!(found.contains(&"int a = x;".to_owned()), "{found:?}");
    assert!(!found.contains(&"int own = 2;".to_owned()), "{found:?}");
}

#[test]
fn a_barrier_and_a_join_order_what_follows_them_in_the_version_that_has_them() {
    let found = affected_by(&with_threads(
        "int y, a; pthread_barrier_t b;
        void *t1(void *u) {
        -pthread_barrier_wait(&b);
        y = 1;
        +pthread_barrier_wait(&b);
        return 0; }
        void *t2(void *u) {
        a = y;
        pthread_barrier_wait(&b);
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert!(found.contains(&"y = 1;".to_owned()) && found.contains(&"a = y;".to_owned()), "{found:?}");
    let joined = affected_by(
        "int y, a;
        void *t(void *u) {
        a = y;
        return 0; }
        int main(void) {
        pthread_t one;
        pthread_create(&one, 0, t, 0);
        -pthread_join(one, 0);
        y = 1;
        +pthread_join(one, 0);
        return 0; }",
    );
    assert_eq!(joined, ["a = y;", "y = 1;"]);
}

#[test]
fn a_thread_that_is_started_later_is_affected_as_a_whole() {
    let found = affected_by(
        "int x, a, z;
        void *t(void *u) {
        a = x;
        z = 3;
        return 0; }
        int main(void) {
        pthread_t one;
        -pthread_create(&one, 0, t, 0);
        x = 5;
        +pthread_create(&one, 0, t, 0);
        return 0; }",
    );
    assert!(found.contains(&"a = x;".to_owned()), "{found:?}");
}

#[test]
fn what_is_waited_for_cannot_read_what_comes_later() {
    // The first thread has ended when the second is started.
    let found = affected_by(
        "int x, a, b;
        void *first(void *u) {
        a = x;
        return 0; }
        void *second(void *u) {
        -x = 1;
        +x = 2;
        b = x;
        return 0; }
        int main(void) {
        pthread_t one, two;
        pthread_create(&one, 0, first, 0);
        pthread_join(one, 0);
        pthread_create(&two, 0, second, 0);
        pthread_join(two, 0);
        return 0; }",
    );
    assert_eq!(found, ["x = 2;", "b = x;"]);
}

#[test]
fn threads_that_one_statement_starts_several_times_run_beside_each_other() {
    let found = affected_by(
        "int x, a;
        void *t(void *u) {
        a = x;
        -x = 1;
        +x = 2;
        return 0; }
        int main(void) {
        pthread_t all[2];
        for (int i = 0; i < 2; i++)
        pthread_create(&all[i], 0, t, 0);
        return 0; }",
    );
    assert_eq!(found, ["a = x;", "x = 2;"]);
}

#[test]
fn what_a_thread_returns_is_there_where_it_is_waited_for() {
    let found = affected_by(
        "int other;
        void *t(void *u) {
        -return (void *)1;
        +return (void *)2;
        }
        void *ends(void *u) {
        pthread_exit((void *)3);
        }
        int main(void) {
        pthread_t one, two; void *result;
        pthread_create(&one, 0, t, 0);
        pthread_create(&two, 0, ends, 0);
        pthread_join(one, &result);
        other = 4;
        int sum = (int)(long)result;
        return sum; }",
    );
    assert_eq!(found, ["int sum = (int)(long)result;"]);
}

#[test]
fn arguments_of_threads_carry_impact_by_themselves() {
    let found = affected_by(
        "int a, b;
        void *t(void *given) {
        a = *(int *)given;
        b = 1;
        return 0; }
        int main(void) {
        pthread_t one; int value;
        -value = 1;
        +value = 2;
        pthread_create(&one, 0, t, &value);
        return 0; }",
    );
    assert_eq!(found, ["a = *(int *)given;", "value = 2;"]);
}

#[test]
fn what_another_thread_writes_is_passed_on_by_arguments() {
    let found = affected_by(&with_threads(
        "int x, a; static void keep(int value) {
        a = value;
        }
        void *t1(void *u) {
        keep(x);
        return 0; }
        void *t2(void *u) {
        -x = 1;
        +x = 2;
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert_eq!(found, ["a = value;", "keep(x);", "x = 2;"]);
}

#[test]
fn thread_functions_are_found_in_tables_and_tasks_in_queues() {
    let found = affected_by(
        "int x, a; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        struct task { void (*run)(int *); int *on; };
        struct task queue[4]; int first, last;
        static void put(void (*run)(int *), int *on) {
        pthread_mutex_lock(&m);
        queue[last].run = run; queue[last].on = on; last++;
        pthread_mutex_unlock(&m);
        }
        static void increase(int *on) {
        -*on += 1;
        +*on += 2;
        }
        static void *worker(void *u) {
        pthread_mutex_lock(&m);
        struct task next = queue[first++];
        pthread_mutex_unlock(&m);
        next.run(next.on);
        return 0; }
        static void *reader(void *u) {
        a = x;
        return 0; }
        static void *(*const table[])(void *) = { worker, reader };
        int main(void) {
        pthread_t threads[2];
        put(increase, &x);
        for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, table[i], 0);
        return 0; }",
    );
    assert_eq!(found, ["*on += 2;", "struct task next = queue[first++];", "next.run(next.on);", "a = x;"]);
}

#[test]
fn sections_end_in_functions_that_give_the_lock_back() {
    let found = affected_by(&with_threads(
        "int x, after; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        static void enter(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
        static void leave(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }
        void *t1(void *u) {
        enter(&m);
        x = 1;
        leave(&m);
        after = 2;
        return 0; }
        void *t2(void *u) {
        +pthread_mutex_lock(&m);
        +pthread_mutex_unlock(&m);
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert!(found.contains(&"x = 1;".to_owned()), "{found:?}");
    assert!(!found.contains(&"after = 2;".to_owned()), "{found:?}");
}

#[test]
fn variables_of_a_thread_are_no_others() {
    let found = affected_by(&with_threads(
        "_Thread_local int own; int a;
        void *t1(void *u) {
        a = own;
        return 0; }
        void *t2(void *u) {
        -own = 1;
        +own = 2;
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert_eq!(found, ["own = 2;"]);
}

#[test]
fn what_is_assumed_of_another_thread_orders_what_follows() {
    let found = affected_by(&with_threads(
        "void __VERIFIER_assume(int); int flag, x, a;
        void *t1(void *u) {
        +flag = 1;
        x = 1;
        -flag = 1;
        return 0; }
        void *t2(void *u) {
        __VERIFIER_assume(flag);
        a = x;
        return 0; }\n",
        &["t1", "t2"],
    ));
    assert!(found.contains(&"a = x;".to_owned()), "{found:?}");
}

#[test]
fn it_is_told_which_thread_passed_impact_on() {
    let (old, new) = (
        format!(
            "{HEAD}int x, a; void *t(void *u) {{\nx = 1;\nreturn 0; }}\nvoid *s(void *u) {{\na = x;\nreturn 0; }}\n"
        ),
        format!(
            "{HEAD}int x, a; void *t(void *u) {{\nx = 2;\nreturn 0; }}\nvoid *s(void *u) {{\na = x;\nreturn 0; }}\n"
        ),
    );
    let main = starting(&["t", "s"]);
    impact_of(&(old + &main), &(new + &main), |program, whole| {
        let reader = whole.function("s").expect("it is affected");
        let (_, cause) = (reader.ways.threads.iter())
            .find(|((_, rule), _)| *rule == Rule::OtherThread)
            .expect("another thread passed it on");
        assert_eq!(cause.thread, program.function_named("t"));
        assert_eq!(cause.site.0, program.function_named("t").expect("it is there"));
        let started: Vec<(&str, bool)> = (whole.threads.iter())
            .map(|each| (program.functions[each.function].name.as_str(), each.several))
            .collect();
        assert_eq!(started, [("t", false), ("s", false)]);
        assert!(whole.unresolved.is_empty(), "{:?}", whole.unresolved);
    });
}
