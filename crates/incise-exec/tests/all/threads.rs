//! Programs with threads whose traces and errors are known.

use incise_exec::{
    Config, ErrorKind, EventKind, Exploration, LimitKind, Outcome, Races, Schedules, ThreadConfig, explore,
};
use incise_testing::{hooks, program};
use std::collections::BTreeSet;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
                    #include <stdlib.h>\n#include <threads.h>\n";

/// Starts threads that execute `t0`, `t1`, ..., and waits for them.
fn main_of(count: usize) -> String {
    let mut text = format!("int main(void) {{ pthread_t t[{count}];\n");
    for number in 0..count {
        text.push_str(&format!("pthread_create(&t[{number}], 0, t{number}, 0);\n"));
    }
    text.push_str(&format!("for (int i = 0; i < {count}; i++) pthread_join(t[i], 0); return 0; }}\n"));
    text
}

fn explored_with(text: &str, threads: ThreadConfig) -> Exploration {
    let program = program(&format!("{HEAD}{text}"));
    let mut config = Config::new("main");
    config.threads = Some(threads);
    explore(&program, &config, &hooks()).expect("it is explored")
}

fn explored(text: &str) -> Exploration {
    explored_with(text, ThreadConfig::default())
}

fn errors(exploration: &Exploration) -> BTreeSet<ErrorKind> {
    let kind = |path: &incise_exec::Path| match &path.outcome {
        Outcome::Error(error) => Some(error.kind),
        _ => None,
    };
    exploration.paths.iter().filter_map(kind).collect()
}

#[track_caller]
fn has_traces(text: &str, traces: usize) -> Exploration {
    let found = explored(text);
    assert_eq!((found.paths.len(), found.blocked), (traces, 0), "{:?}", errors(&found));
    found
}

/// The program has these errors and no others, and data races or not.
#[track_caller]
fn has_errors(text: &str, expected: &[ErrorKind], races: bool) -> Exploration {
    let found = explored(text);
    assert_eq!(errors(&found), expected.iter().copied().collect(), "{} paths", found.paths.len());
    assert_eq!(!found.races.is_empty(), races, "{:?}", found.races);
    found
}

#[test]
fn one_writer_and_readers_have_as_many_traces_as_sets_of_readers() {
    for readers in [2, 5, 8] {
        let mut text = "atomic_int x;\nstatic void *t0(void *u) { x = 42; return u; }\n".to_owned();
        for reader in 1..=readers {
            text.push_str(&format!("static void *t{reader}(void *u) {{ (void)x; return u; }}\n"));
        }
        has_traces(&format!("{text}{}", main_of(readers + 1)), 1 << readers);
    }
}

#[test]
fn an_exchange_that_fails_is_a_read() {
    for (count, traces) in [(2, 2), (3, 5), (4, 14), (5, 43)] {
        let mut text = "atomic_int x;\n".to_owned();
        for number in 0..count {
            text.push_str(&format!(
                "static void *t{number}(void *u) {{ int from = {number}; \
                 atomic_compare_exchange_strong(&x, &from, {}); return u; }}\n",
                number + 1
            ));
        }
        has_traces(&format!("{text}{}", main_of(count)), traces);
    }
}

#[test]
fn threads_that_take_one_lock_have_as_many_traces_as_orders_of_taking_it() {
    for (rounds, traces) in [(1, 2), (2, 6), (3, 20), (4, 70)] {
        let take = format!(
            "for (int i = 0; i < {rounds}; i++) {{ pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }}"
        );
        let text = format!(
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;\n\
             static void *t0(void *u) {{ {take} return u; }}\nstatic void *t1(void *u) {{ {take} return u; }}\n{}",
            main_of(2)
        );
        let found = has_traces(&text, traces);
        assert!(found.races.is_empty() && found.complete());
    }
}

fn philosophers(count: usize, careful: bool) -> String {
    let mut text = format!("pthread_mutex_t fork_[{count}];\n");
    for number in 0..count {
        let (mut first, mut second) = (number, (number + 1) % count);
        if careful && first > second {
            (first, second) = (second, first);
        }
        text.push_str(&format!(
            "static void *t{number}(void *u) {{ pthread_mutex_lock(&fork_[{first}]); \
             pthread_mutex_lock(&fork_[{second}]); pthread_mutex_unlock(&fork_[{second}]); \
             pthread_mutex_unlock(&fork_[{first}]); return u; }}\n"
        ));
    }
    text + &main_of(count)
}

#[test]
fn philosophers_have_one_deadlock_unless_they_are_careful() {
    for (count, traces) in [(3, 6), (4, 14)] {
        let found = has_traces(&philosophers(count, false), traces + 1);
        let stuck: Vec<_> =
            found.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error(_))).collect();
        let [stuck] = &stuck[..] else { panic!("{} deadlocks", stuck.len()) };
        let Outcome::Error(error) = &stuck.outcome else { unreachable!() };
        assert_eq!(error.kind, ErrorKind::Deadlock);
        assert_eq!(error.message.matches("holds").count(), count, "{}", error.message);
        assert!(has_errors(&philosophers(count, true), &[], false).complete());
    }
}

#[test]
fn known_litmus_programs() {
    let two = "static void *t0(void *u) { x = 1; (void)y; return u; }\n\
               static void *t1(void *u) { y = 1; (void)x; return u; }\n";
    has_traces(&format!("atomic_int x, y;\n{two}{}", main_of(2)), 3);
    let four = "static void *t0(void *u) { x = 1; return u; }\nstatic void *t1(void *u) { y = 1; return u; }\n\
                static void *t2(void *u) { (void)x; (void)y; return u; }\n\
                static void *t3(void *u) { (void)y; (void)x; return u; }\n";
    has_traces(&format!("atomic_int x, y;\n{four}{}", main_of(4)), 15);
}

fn peterson(broken: bool) -> String {
    let mut text = "atomic_int flag[2], turn; int inside;\n".to_owned();
    for me in 0..2 {
        let other = 1 - me;
        let enter = match broken {
            false => format!("flag[{me}] = 1; turn = {other};"),
            true => format!("turn = {other}; flag[{me}] = 1;"),
        };
        text.push_str(&format!(
            "static void *t{me}(void *u) {{ {enter} while (flag[{other}] == 1 && turn == {other}) ; \
             inside++; assert(inside == 1); inside--; flag[{me}] = 0; return u; }}\n"
        ));
    }
    text + &main_of(2)
}

#[test]
fn peterson_waits_without_executions_of_its_own() {
    let found = has_traces(&peterson(false), 4);
    assert!(errors(&found).is_empty() && found.races.is_empty());
    has_errors(&peterson(true), &[ErrorKind::Assertion], true);
}

#[test]
fn a_wait_for_what_nobody_writes_is_an_error() {
    let text = format!(
        "atomic_int go;\nstatic void *t0(void *u) {{ while (!go) ; return u; }}\n\
         static void *t1(void *u) {{ return u; }}\n{}",
        main_of(2)
    );
    has_errors(&text, &[ErrorKind::EndlessWait], false);
}

fn lost_wakeup(correct: bool) -> String {
    let wait = match correct {
        true => "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
        false => {
            "pthread_mutex_lock(&m); int seen = ready; pthread_mutex_unlock(&m); \
             if (!seen) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); }"
        }
    };
    format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;\n\
         static void *t0(void *u) {{ {wait} return u; }}\n\
         static void *t1(void *u) {{ pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); \
         pthread_mutex_unlock(&m); return u; }}\n{}",
        main_of(2)
    )
}

#[test]
fn a_lost_wakeup_is_found() {
    assert!(has_errors(&lost_wakeup(true), &[], false).complete());
    has_errors(&lost_wakeup(false), &[ErrorKind::EndlessWait], false);
}

#[test]
fn a_lost_update_and_its_race_are_found() {
    let text = |kind: &str| {
        format!(
            "{kind} x;\nstatic void *t0(void *u) {{ int a = x; x = a + 1; return u; }}\n\
             static void *t1(void *u) {{ int a = x; x = a + 1; return u; }}\n\
             int main(void) {{ pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);\n\
             pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); return 0; }}\n"
        )
    };
    has_errors(&text("atomic_int"), &[ErrorKind::Assertion], false);
    let found = has_errors(&text("int"), &[ErrorKind::Assertion], true);
    for race in &found.races {
        let [one, two] = &race.accesses;
        assert_ne!(one.thread, two.thread);
        assert!([one, two].iter().any(|access| access.kind == EventKind::Write));
        assert_eq!((one.size, two.size), (4, 4));
        assert!(one.position.is_some() && !one.stack.is_empty() && one.locks.is_empty());
        let last: Vec<u32> = race.schedule.iter().rev().take(2).map(|step| step.thread).collect();
        assert_eq!(last, [two.thread, one.thread], "both are last, next to each other");
    }
    let quiet = explored_with(&text("int"), ThreadConfig { races: Races::Off, ..ThreadConfig::default() });
    assert!(quiet.races.is_empty());
}

#[test]
fn a_lock_around_one_of_two_accesses_does_not_help() {
    let text = format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;\n\
         static void *t0(void *u) {{ pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return u; }}\n\
         static void *t1(void *u) {{ x = 2; return u; }}\n{}",
        main_of(2)
    );
    let found = has_errors(&text, &[], true);
    let [race] = &found.races[..] else { panic!("{:?}", found.races) };
    let mut locks: Vec<usize> = race.accesses.iter().map(|access| access.locks.len()).collect();
    locks.sort_unstable();
    assert_eq!(locks, [0, 1]);
}

#[test]
fn release_and_acquire_order_what_they_are_about() {
    let text = |order: &str, seen: &str| {
        format!(
            "atomic_int ready; int data;\n\
             static void *t0(void *u) {{ data = 7; atomic_store_explicit(&ready, 1, {order}); return u; }}\n\
             static void *t1(void *u) {{ if (atomic_load_explicit(&ready, {seen})) assert(data == 7); return u; }}\n{}",
            main_of(2)
        )
    };
    let found = has_errors(&text("memory_order_release", "memory_order_acquire"), &[], false);
    assert!(found.limits.contains(&LimitKind::WeakMemory) && !found.complete());
    has_errors(&text("memory_order_relaxed", "memory_order_relaxed"), &[], true);
    let strong = has_errors(&text("memory_order_seq_cst", "memory_order_seq_cst"), &[], false);
    assert!(strong.complete());
}

#[test]
fn wrong_use_is_an_error_of_its_own() {
    let misuses = [
        ("pthread_mutex_unlock(&m);", ErrorKind::BadUnlock),
        ("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_rwlock_unlock(&l);", ErrorKind::BadUnlock),
        ("pthread_spinlock_t s; pthread_spin_init(&s, 0); pthread_spin_unlock(&s);", ErrorKind::BadUnlock),
        ("pthread_cond_t c; pthread_cond_init(&c, 0); pthread_cond_wait(&c, &m);", ErrorKind::BadUnlock),
        ("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);", ErrorKind::DestroyedInUse),
        ("pthread_mutex_lock(&m); pthread_mutex_init(&m, 0);", ErrorKind::DestroyedInUse),
        (
            "pthread_t t; pthread_create(&t, 0, idle, 0); pthread_join(t, 0); pthread_join(t, 0);",
            ErrorKind::BadJoin,
        ),
        (
            "pthread_t t; pthread_create(&t, 0, idle, 0); pthread_detach(t); pthread_join(t, 0);",
            ErrorKind::BadJoin,
        ),
        (
            "pthread_t t; pthread_create(&t, 0, idle, 0); pthread_detach(t); pthread_detach(t);",
            ErrorKind::BadJoin,
        ),
        ("pthread_join(77, 0);", ErrorKind::BadJoin),
        ("pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_lock(p);", ErrorKind::NotInitialised),
        ("pthread_mutex_destroy(&m); pthread_mutex_lock(&m);", ErrorKind::NotInitialised),
        ("pthread_barrier_t *b = calloc(1, sizeof *b); pthread_barrier_wait(b);", ErrorKind::NotInitialised),
        ("__VERIFIER_atomic_end();", ErrorKind::ThreadMisuse),
        ("pthread_key_delete(7);", ErrorKind::ThreadMisuse),
    ];
    for (misuse, kind) in misuses {
        let text = format!(
            "void __VERIFIER_atomic_end(void);\n\
             pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *idle(void *u) {{ return u; }}\n\
             int main(void) {{ (void)idle; {misuse} return 0; }}\n"
        );
        let found = explored(&text);
        assert_eq!(errors(&found), BTreeSet::from([kind]), "{misuse}");
    }
    let relock = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                  int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }\n";
    has_errors(relock, &[ErrorKind::Deadlock], false);
    let freed = "int main(void) { pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_init(p, 0); free(p); \
                 pthread_mutex_lock(p); return 0; }\n";
    has_errors(freed, &[ErrorKind::UseAfterFree], false);
    let nothing = "int main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); return 0; }\n";
    assert_eq!(explored(nothing).paths.len(), 1);
}

#[test]
fn what_is_used_too_late_may_have_been_in_use_before() {
    let wait = "static void *t0(void *u) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return u; }\n";
    let text = format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n{wait}\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, t0, 0); pthread_cond_destroy(&c);\n\
         pthread_join(t, 0); return 0; }}\n"
    );
    let found = has_errors(&text, &[ErrorKind::DestroyedInUse, ErrorKind::NotInitialised], false);
    let message = |path: &incise_exec::Path| match &path.outcome {
        Outcome::Error(error) => error.message.clone(),
        other => format!("{other:?}"),
    };
    let messages: BTreeSet<String> = found.paths.iter().map(message).collect();
    assert_eq!((messages.len(), found.blocked), (2, 0), "{messages:?}");
}

#[test]
fn kinds_of_mutexes() {
    let text = "int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);\n\
                pthread_mutex_t r, e; pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);\n\
                pthread_mutex_init(&r, &a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);\n\
                pthread_mutex_init(&e, &a);\n\
                assert(!pthread_mutex_lock(&r) && !pthread_mutex_lock(&r) && !pthread_mutex_trylock(&r));\n\
                for (int i = 0; i < 3; i++) assert(!pthread_mutex_unlock(&r));\n\
                assert(!pthread_mutex_lock(&e) && pthread_mutex_lock(&e) == 35 && pthread_mutex_trylock(&e) == 16);\n\
                assert(!pthread_mutex_unlock(&e) && pthread_mutex_unlock(&e) == 1);\n\
                assert(!pthread_mutex_destroy(&r) && !pthread_mutex_destroy(&e)); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
}

#[test]
fn barriers_semaphores_rwlocks_once_and_keys() {
    let barrier = format!(
        "pthread_barrier_t b; int x;\nstatic void *t0(void *u) {{ x = 5; pthread_barrier_wait(&b); return u; }}\n\
         static void *t1(void *u) {{ pthread_barrier_wait(&b); assert(x == 5); return u; }}\n{}",
        main_of(2).replace("pthread_t t", "pthread_barrier_init(&b, 0, 2); pthread_t t")
    );
    assert!(has_errors(&barrier, &[], false).complete());
    has_traces(&barrier, 1);
    let semaphore = format!(
        "sem_t s; int x;\nstatic void *t0(void *u) {{ x = 5; sem_post(&s); return u; }}\n\
         static void *t1(void *u) {{ sem_wait(&s); assert(x == 5); return u; }}\n{}",
        main_of(2).replace("pthread_t t", "sem_init(&s, 0, 0); pthread_t t")
    );
    has_traces(&semaphore, 1);
    assert!(has_errors(&semaphore, &[], false).complete());
    let readers = format!(
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;\n\
         static void *t0(void *u) {{ pthread_rwlock_rdlock(&l); (void)x; pthread_rwlock_unlock(&l); return u; }}\n\
         static void *t1(void *u) {{ pthread_rwlock_rdlock(&l); (void)x; pthread_rwlock_unlock(&l); return u; }}\n\
         static void *t2(void *u) {{ pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l); return u; }}\n{}",
        main_of(3)
    );
    // Each of the readers comes before or after the writer.
    assert!(has_traces(&readers, 4).races.is_empty());
    let once = format!(
        "pthread_once_t o = PTHREAD_ONCE_INIT; int n;\nstatic void first(void) {{ n++; }}\n\
         static void *t0(void *u) {{ pthread_once(&o, first); assert(n == 1); return u; }}\n\
         static void *t1(void *u) {{ pthread_once(&o, first); assert(n == 1); return u; }}\n{}",
        main_of(2)
    );
    assert!(has_errors(&once, &[], false).complete());
    let keys = "pthread_key_t k; atomic_int gone; static void end(void *p) { gone += *(int *)p; }\n\
         static void *t0(void *u) { int *p = malloc(4); *p = 3; pthread_setspecific(k, p); \
         assert(pthread_getspecific(k) == p); return u; }\n\
         int main(void) { pthread_key_create(&k, end); pthread_t t; pthread_create(&t, 0, t0, 0); \
         pthread_join(t, 0); assert(gone == 3 && pthread_getspecific(k) == 0); return 0; }\n";
    assert!(has_errors(keys, &[], false).complete());
}

#[test]
fn threads_of_the_language() {
    let text = "mtx_t m; cnd_t c; int ready; _Thread_local int own = 1;\n\
                static int work(void *u) { (void)u; own++; mtx_lock(&m); ready = own; cnd_signal(&c); mtx_unlock(&m); \
                return 9; }\n\
                int main(void) { thrd_t t; int r; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, work, 0);\n\
                mtx_lock(&m); while (!ready) cnd_wait(&c, &m); assert(ready == 2 && own == 1); mtx_unlock(&m);\n\
                thrd_join(t, &r); assert(r == 9); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
}

#[test]
fn what_is_done_in_one_step_is_not_interrupted() {
    let text = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n\
         void __VERIFIER_atomic_add(void) { int a = x; x = a + 1; }\n\
         static void *t0(void *u) { __VERIFIER_atomic_add(); return u; }\n\
         static void *t1(void *u) { __VERIFIER_atomic_begin(); int a = x; x = a + 1; __VERIFIER_atomic_end(); \
         return u; }\n\
         int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); return 0; }\n";
    let found = explored_with(text, ThreadConfig { races: Races::Off, ..ThreadConfig::default() });
    assert_eq!((found.paths.len(), errors(&found)), (2, BTreeSet::new()));
}

#[test]
fn symbolic_data_and_symbolic_locks() {
    let text = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); atomic_int x; int in;\n\
                static void *t0(void *u) { x = in > 3; return u; }\n\
                static void *t1(void *u) { if (in > 3) assert(x != 2); else x = 2; return u; }\n\
                int main(void) { in = __VERIFIER_nondet_int(); pthread_t a, b; pthread_create(&a, 0, t0, 0);\n\
                pthread_create(&b, 0, t1, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    // Above three: the write before or after the read. Else: both orders of the two writes.
    assert_eq!(errors(&has_traces(text, 4)), BTreeSet::new());
    let locks = "int __VERIFIER_nondet_int(void); pthread_mutex_t m[2]; int n;\n\
                 static void *t0(void *u) { pthread_mutex_lock(&m[0]); n++; pthread_mutex_unlock(&m[0]); return u; }\n\
                 int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i > 1) return 0; pthread_t a;\n\
                 pthread_mutex_init(&m[0], 0); pthread_mutex_init(&m[1], 0); pthread_create(&a, 0, t0, 0);\n\
                 pthread_mutex_lock(&m[i]); n++; pthread_mutex_unlock(&m[i]); pthread_join(a, 0); return 0; }\n";
    let found = explored(locks);
    assert!(!found.races.is_empty(), "with the other lock nothing orders the accesses");
    assert!(found.paths.iter().all(|path| matches!(path.outcome, Outcome::Exited { .. })));
}

#[test]
fn a_thread_may_do_something_before_another_ends_the_program() {
    let text = "atomic_int x; static void *t0(void *u) { x = 1; x = 2; return u; }\n\
                int main(void) { pthread_t a; pthread_create(&a, 0, t0, 0); return 0; }\n";
    has_traces(text, 3);
    let wrong = "int *p; atomic_int go; static void *t0(void *u) { go = 1; return (void *)(long)*p; }\n\
                 int main(void) { pthread_t a; pthread_create(&a, 0, t0, 0); assert(!go); return 0; }\n";
    has_errors(wrong, &[ErrorKind::Assertion, ErrorKind::NullPointer], false);
}

#[test]
fn every_order_with_few_interruptions_is_less_than_every_order() {
    let text = format!(
        "atomic_int x;\nstatic void *t0(void *u) {{ x = 1; (void)x; return u; }}\n\
         static void *t1(void *u) {{ x = 2; (void)x; return u; }}\n{}",
        main_of(2)
    );
    let with = |schedules, preemptions| {
        let found = explored_with(&text, ThreadConfig { schedules, preemptions, ..ThreadConfig::default() });
        (found.paths.len(), found.limits.contains(&LimitKind::Preemptions))
    };
    // The first thread may see the end of one before the other begins.
    assert_eq!(with(Schedules::Optimal, Some(0)), (3, true));
    let (all, cut) = with(Schedules::All, None);
    assert!(!cut && all > with(Schedules::Optimal, Some(1)).0);
}

#[test]
fn every_order_of_accesses_is_one_path() {
    let text = "atomic_int x; static void *t0(void *u) { x = 2; (void)x; return u; }\n\
                int main(void) { pthread_t a; pthread_create(&a, 0, t0, 0); x = 1; int seen = x; return seen; }\n";
    let all = ThreadConfig { schedules: Schedules::All, ..ThreadConfig::default() };
    let found = explored_with(text, all);
    // None, one or both of the accesses of the thread before the end, in every place.
    assert_eq!(found.paths.len(), 1 + 3 + 6);
    let status: BTreeSet<String> = found.paths.iter().map(|path| format!("{:?}", path.outcome)).collect();
    assert_eq!(status.len(), 2, "{status:?}");
    let decisions: BTreeSet<_> = found.paths.iter().map(|path| path.decisions.clone()).collect();
    assert_eq!(decisions.len(), found.paths.len());
}

#[test]
fn a_loop_that_does_not_end_is_cut() {
    let text = format!(
        "atomic_int x;\nstatic void *t0(void *u) {{ for (;;) x++; return u; }}\n\
         static void *t1(void *u) {{ (void)x; return u; }}\n{}",
        main_of(2)
    );
    let mut config = Config::new("main");
    config.threads = Some(ThreadConfig::default());
    config.limits.loop_iterations = 20;
    config.limits.paths = 200;
    let found = explore(&program(&format!("{HEAD}{text}")), &config, &hooks()).expect("it is explored");
    assert!(found.limits.contains(&LimitKind::Loop) && !found.complete());
    assert!(found.paths.iter().all(|path| path.outcome.is_cut()));
}

#[test]
fn the_result_is_the_same_for_any_number_of_workers() {
    let text = "int __VERIFIER_nondet_int(void); atomic_int x;\n\
                static void *t0(void *u) { x = 1; return u; }\nstatic void *t1(void *u) { (void)x; return u; }\n\
                int main(void) { int n = __VERIFIER_nondet_int(), k = 0; if (n > 3) k++; if (n > 9) k += 2;\n\
                pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); pthread_join(a, 0);\n\
                pthread_join(b, 0); return k; }\n";
    let program = program(&format!("{HEAD}{text}"));
    let with = |workers| {
        let mut config = Config::new("main");
        config.threads = Some(ThreadConfig::default());
        config.workers = workers;
        let found = explore(&program, &config, &hooks()).expect("it is explored");
        let told =
            |path: &incise_exec::Path| format!("{:?} {:?} {:?}", path.decisions, path.outcome, path.schedule);
        found.paths.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(with(1).len(), 6);
    assert_eq!(with(1), with(3));
}

#[test]
fn without_threads_in_the_configuration_a_path_ends_there() {
    let text = format!("{HEAD}static void *t0(void *u) {{ return u; }}\n{}", main_of(1));
    let found = explore(&program(&text), &Config::new("main"), &hooks()).expect("it is explored");
    assert!(!found.complete());
    assert!(found.paths.iter().all(|path| path.outcome.is_cut()), "{:?}", found.paths[0].outcome);
}

#[test]
fn what_is_symbolic_about_threads_themselves_is_said_to_be_unsupported() {
    let uses = [
        "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, in);",
        "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, in);",
        "mtx_t m; mtx_init(&m, in);",
        "pthread_getspecific(in);",
        "sem_t s; sem_init(&s, 0, in);",
        "pthread_barrier_t b; pthread_barrier_init(&b, 0, in);",
    ];
    for each in uses {
        let text = format!(
            "int __VERIFIER_nondet_int(void); static void *t0(void *u) {{ return u; }}\n\
             int main(void) {{ int in = __VERIFIER_nondet_int(); pthread_t t; pthread_create(&t, 0, t0, 0);\n\
             pthread_join(t, 0); {each} return 0; }}\n"
        );
        let found = explored_with(&text, ThreadConfig::default());
        assert!(!found.complete(), "{each}");
        let unsupported = |path: &incise_exec::Path| matches!(path.outcome, Outcome::Unsupported(_));
        assert!(found.paths.iter().any(unsupported), "{each}");
    }
}

/// A writer of `x` and then `y`, and a reader that reads both until a condition holds, and then checks.
fn two_reads(until: &str, then: &str) -> String {
    format!(
        "atomic_int x, y;\nstatic void *t0(void *u) {{ x = 1; y = 1; return u; }}\n\
         static void *t1(void *u) {{ int a, b; do {{ a = x; b = y; }} while (!({until})); {then} return u; }}\n{}",
        main_of(2)
    )
}

#[test]
fn a_loop_that_waits_may_have_read_the_first_thing_before_the_second_changes() {
    let found =
        has_errors(&two_reads("a || b", "assert(!(a == 0 && b == 1));"), &[ErrorKind::Assertion], false);
    assert!(found.complete());
    has_errors(&two_reads("a || b", "assert(!(a == 1 && b == 0));"), &[ErrorKind::Assertion], false);
    let only = two_reads("a == 0 && b == 1", "assert(0);");
    has_errors(&only, &[ErrorKind::Assertion, ErrorKind::EndlessWait], false);
    let twice = format!(
        "atomic_int x;\nstatic void *t0(void *u) {{ x = 1; return u; }}\n\
         static void *t1(void *u) {{ int a, b; do {{ a = x; b = x; }} while (a == b); assert(0); return u; }}\n{}",
        main_of(2)
    );
    has_errors(&twice, &[ErrorKind::Assertion, ErrorKind::EndlessWait], false);
}

#[test]
fn a_loop_that_reads_two_things_need_not_go_on_where_what_it_waits_for_comes_later() {
    // If `a` is seen, nobody writes `y`, and the first thread waits for ever.
    let text = format!(
        "atomic_int x, y, a;\nstatic void *t0(void *u) {{ while (x == y) ; return u; }}\n\
         static void *t1(void *u) {{ if (!a) y = 2; return u; }}\n\
         static void *t2(void *u) {{ (void)x; a = 1; return u; }}\n{}",
        main_of(3)
    );
    let found = has_errors(&text, &[ErrorKind::EndlessWait], false);
    assert_eq!((found.paths.len(), found.complete()), (2, true));
}

#[test]
fn a_loop_that_reads_two_things_may_be_in_time_for_the_second_alone() {
    // The flag is there before and after the turn changes: the reader may be in its loop in between.
    let text = format!(
        "atomic_int flag, turn;\nstatic void *t0(void *u) {{ flag = 1; turn = 1; flag = 0; return u; }}\n\
         static void *t1(void *u) {{ while (flag) if (!turn) assert(0); return u; }}\n{}",
        main_of(2)
    );
    has_errors(&text, &[ErrorKind::Assertion], false);
}

#[test]
fn who_waits_when_the_program_ends_could_have_come_before_what_keeps_it_waiting() {
    let text = format!(
        "sem_t s; atomic_int first;\n\
         static void *t0(void *u) {{ int got = sem_trywait(&s) == 0; assert(first || got); exit(0); return u; }}\n\
         static void *t1(void *u) {{ sem_wait(&s); return u; }}\n{}",
        main_of(2).replace("{ pthread_t", "{ sem_init(&s, 0, 1); pthread_t")
    );
    has_errors(&text, &[ErrorKind::Assertion], false);
}

#[test]
fn who_comes_late_to_a_barrier_is_in_the_next_round() {
    let arrive = |number: usize, then: &str| {
        format!("static void *t{number}(void *u) {{ pthread_barrier_wait(&b); {then} return u; }}\n")
    };
    let threads = [arrive(0, ""), arrive(1, "assert(!late);"), arrive(2, "")].concat();
    let text = format!(
        "pthread_barrier_t b; atomic_int late;\n{threads}{}",
        main_of(3).replace("{ pthread_t", "{ pthread_barrier_init(&b, 0, 2); pthread_t")
    );
    // Any of the three is left alone at the barrier.
    assert_eq!(has_errors(&text, &[ErrorKind::EndlessWait], false).paths.len(), 3);
}

#[test]
fn who_fails_to_lock_or_only_reads_under_a_lock_orders_nothing() {
    let failing = format!(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int p; atomic_int tried;\n\
         static void *t0(void *u) {{ pthread_mutex_lock(&m); while (!tried) ; pthread_mutex_unlock(&m); \
         pthread_mutex_lock(&m); p = 2; pthread_mutex_unlock(&m); return u; }}\n\
         static void *t1(void *u) {{ p = 1; if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); \
         atomic_store_explicit(&tried, 1, memory_order_relaxed); return u; }}\n{}",
        main_of(2)
    );
    assert_eq!(explored(&failing).races.len(), 1);
    let reading = format!(
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int p;\n\
         static void *t0(void *u) {{ p = 1; pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); return u; }}\n\
         static void *t1(void *u) {{ pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); p = 2; return u; }}\n{}",
        main_of(2)
    );
    assert_eq!(explored(&reading).races.len(), 1);
}

#[test]
fn a_symbolic_number_of_a_few_is_followed_to_each() {
    let text = "int __VERIFIER_nondet_int(void); sem_t s; int got;\n\
                static void *t0(void *u) { if (sem_trywait(&s) == 0) got++; return u; }\n\
                int main(void) { int in = __VERIFIER_nondet_int(); if (in < 0 || in > 2) return 0;\n\
                sem_init(&s, 0, in); pthread_t t; pthread_create(&t, 0, t0, 0); pthread_join(t, 0);\n\
                assert(got == (in > 0)); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
}

#[test]
fn blocks_that_nobody_interrupts_do_not_race_with_each_other() {
    let both = |two: &str| {
        format!(
            "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n\
             static void *t0(void *u) {{ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return u; }}\n\
             static void *t1(void *u) {{ {two} return u; }}\n{}",
            main_of(2)
        )
    };
    has_errors(&both("__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();"), &[], false);
    has_errors(&both("x = 5;"), &[], true);
}

#[test]
fn a_loop_that_tries_a_lock_waits_for_it() {
    let turn = "while (pthread_mutex_trylock(&m)) sched_yield(); n++; pthread_mutex_unlock(&m); return u;";
    let text = format!(
        "#include <sched.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;\n\
         static void *t0(void *u) {{ {turn} }}\nstatic void *t1(void *u) {{ {turn} }}\n{}",
        main_of(2)
    );
    assert!(has_traces(&text, 2).complete());
}

#[test]
fn a_loop_that_counts_or_writes_does_not_wait() {
    // Each round reads another element, or leaves something: all orders are there, and none is given up.
    let text = format!(
        "atomic_int a[3], x;\nstatic void *t0(void *u) {{ for (int i = 0; i < 3; i++) (void)a[i]; return u; }}\n\
         static void *t1(void *u) {{ for (int i = 0; i < 2; i++) a[i] = 1; return u; }}\n{}",
        main_of(2)
    );
    has_traces(&text, 4);
    let text = format!(
        "atomic_int x, y;\nstatic void *t0(void *u) {{ for (int i = 0; i < 2; i++) {{ int r = x; y = r; }} return u; }}\n\
         static void *t1(void *u) {{ x = 1; return u; }}\n{}",
        main_of(2)
    );
    has_traces(&text, 3);
}

#[test]
fn a_lock_beside_data_is_found_by_a_symbolic_index() {
    let text = "unsigned __VERIFIER_nondet_uint(void);\n\
                struct account { pthread_mutex_t lock; int balance; };\n\
                static struct account all[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 6}};\n\
                static void add(struct account *a, int by) {\n\
                pthread_mutex_lock(&a->lock); a->balance += by; pthread_mutex_unlock(&a->lock); }\n\
                static void *t0(void *u) { add(u, 1); return 0; }\n\
                int main(void) { unsigned i = __VERIFIER_nondet_uint(); pthread_t t;\n\
                pthread_create(&t, 0, t0, &all[i % 2]); add(&all[0], -1); pthread_join(t, 0);\n\
                assert(all[0].balance + all[1].balance == 11); return 0; }\n";
    let found = has_errors(text, &[], false);
    assert!(
        found.complete() && found.paths.iter().all(|path| matches!(path.outcome, Outcome::Exited { .. }))
    );
}

#[test]
fn atomic_objects_that_no_instruction_has_are_one_step() {
    let text = "struct big { long a, b; }; static _Atomic(struct big) g; static _Atomic __int128 n; static int data;\n\
                static void *t0(void *u) { data = 1; struct big x = {1, 1}; atomic_store(&g, x); n++; return u; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, t0, 0);\n\
                struct big x = g; assert(x.a == x.b); if (x.a == 1) assert(data == 1);\n\
                struct big e = {1, 1}, w = {2, 2};\n\
                if (atomic_compare_exchange_strong(&g, &e, w)) { x = atomic_exchange(&g, e); assert(x.b == 2); }\n\
                else assert(e.a == 0 && e.b == 0);\n\
                n++; pthread_join(t, 0); assert(n == 2); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
}

#[test]
fn attributes_can_be_asked_for_and_keys_are_destroyed_in_order() {
    let text = "int main(void) { pthread_attr_t a; int d; size_t s; pthread_mutexattr_t m;\n\
                assert(!pthread_attr_init(&a) && !pthread_attr_getdetachstate(&a, &d) && d == 0);\n\
                assert(!pthread_attr_setdetachstate(&a, 1) && !pthread_attr_getdetachstate(&a, &d) && d == 1);\n\
                assert(pthread_attr_setdetachstate(&a, 7) == 22 && pthread_attr_setstacksize(&a, 5) == 22);\n\
                assert(!pthread_attr_setstacksize(&a, 65536) && !pthread_attr_getstacksize(&a, &s) && s == 65536);\n\
                assert(!pthread_mutexattr_init(&m) && !pthread_mutexattr_settype(&m, 1));\n\
                assert(!pthread_mutexattr_gettype(&m, &d) && d == 1);\n\
                assert(!pthread_setcancelstate(1, &d) && d == 0); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
    let text = "static pthread_key_t one, two; static int seen; \n\
                static void second(void *p) { (void)p; seen = seen * 10 + 2; }\n\
                static void first(void *p) { (void)p; seen = seen * 10 + 1;\n\
                if (seen < 1000) pthread_setspecific(one, &seen); }\n\
                static void *t0(void *u) { pthread_setspecific(two, &seen); pthread_setspecific(one, &seen); return u; }\n\
                int main(void) { pthread_t t; pthread_key_create(&one, first); pthread_key_create(&two, second);\n\
                pthread_create(&t, 0, t0, 0); pthread_join(t, 0); assert(seen == 1211); return 0; }\n";
    assert!(has_errors(text, &[], false).complete());
}

#[test]
fn bad_programs_end_in_words() {
    let idle = "static void *idle(void *u) { return u; }\n";
    let outcome = |text: &str| {
        let found = explored(text);
        let outcomes: Vec<Outcome> = found.paths.iter().map(|path| path.outcome.clone()).collect();
        (outcomes, found.complete())
    };
    let null = "int main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); return 0; }\n";
    has_errors(null, &[ErrorKind::NullPointer], false);
    let many = format!(
        "{idle}int main(void) {{ pthread_t t; for (int i = 0; i < 1001; i++) pthread_create(&t, 0, idle, 0); \
         return 0; }}\n"
    );
    let (outcomes, complete) = outcome(&many);
    assert!(outcomes.contains(&Outcome::Limit(LimitKind::Threads)) && !complete, "{outcomes:?}");
    let recursive = "static void *again(void *u) { pthread_t t; pthread_create(&t, 0, again, 0); return u; }\n\
                     int main(void) { pthread_t t; pthread_create(&t, 0, again, 0); pthread_join(t, 0); return 0; }\n";
    let (outcomes, complete) = outcome(recursive);
    assert!(outcomes.contains(&Outcome::Limit(LimitKind::Threads)) && !complete, "{outcomes:?}");
    let waits = "int main(void) { sem_t s; sem_init(&s, 0, 0); sem_wait(&s); return 0; }\n";
    has_errors(waits, &[ErrorKind::EndlessWait], false);
    let freed = "static void *use(void *m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return 0; }\n\
         int main(void) { pthread_t t; pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_init(m, 0);\n\
         pthread_create(&t, 0, use, m); free(m); pthread_join(t, 0); return 0; }\n";
    has_errors(freed, &[ErrorKind::UseAfterFree], false);
    let robust = "int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);\n\
                  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); return 0; }\n";
    let (outcomes, complete) = outcome(robust);
    assert!(matches!(&outcomes[..], [Outcome::Unsupported(what)] if what.contains("robust")) && !complete);
}

#[test]
fn locks_of_inputs_begin_free() {
    let text = "#include <pthread.h>\nstruct account { pthread_mutex_t lock; pthread_spinlock_t spin; int balance; };\n\
                static struct account all[2]; static pthread_once_t once = PTHREAD_ONCE_INIT; int done;\n\
                static void init(void) { done = 1; }\n\
                int f(struct account *mine) { pthread_once(&once, init); pthread_mutex_lock(&all[1].lock);\n\
                all[1].balance = 1; pthread_mutex_unlock(&all[1].lock); if (!mine) return 0;\n\
                pthread_mutex_lock(&mine->lock); pthread_spin_lock(&mine->spin); mine->balance = 2;\n\
                pthread_spin_unlock(&mine->spin); pthread_mutex_unlock(&mine->lock); return 1; }\n";
    let mut config = Config::new("f");
    config.threads = Some(ThreadConfig::default());
    let found = explore(&program(text), &config, &hooks()).expect("it is explored");
    let returned = |path: &incise_exec::Path| path.outcome == Outcome::Returned;
    let ends: Vec<&Outcome> = found.paths.iter().map(|path| &path.outcome).collect();
    assert!(found.paths.len() == 2 && found.paths.iter().all(returned), "{ends:?}");
    // A count that nobody knows is not taken for one that was forgotten.
    let text = "#include <semaphore.h>\nint g(sem_t *s) { if (!s) return 0; sem_wait(s); return 1; }\n";
    let mut config = Config::new("g");
    config.threads = Some(ThreadConfig::default());
    let found = explore(&program(text), &config, &hooks()).expect("it is explored");
    assert!(errors(&found).is_empty() && !found.complete(), "{:?}", errors(&found));
}
