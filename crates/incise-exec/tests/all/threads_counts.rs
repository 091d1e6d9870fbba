//! Well-known programs with threads, and how many traces they have: by formulas, by brute force, and as other explorers
//! count them. Large sizes are for the long run.

use incise_exec::{Config, Detail, Outcome, ThreadConfig, explore};
use incise_testing::{hooks_with, program, shorter};

const HEAD: &str = "#include <pthread.h>\n#include <stdatomic.h>\n";

/// Starts so many threads that execute `t`, each with its number, and others that execute `t0`, `t1`, ....
fn main_of(count: usize, others: usize) -> String {
    let all = count + others;
    let mut text = format!("int main(void) {{ pthread_t t_[{all}];\n");
    for number in 0..others {
        text.push_str(&format!("pthread_create(&t_[{number}], 0, t{number}, 0);\n"));
    }
    for number in 0..count {
        let at = others + number;
        text.push_str(&format!("pthread_create(&t_[{at}], 0, t, (void *){number}L);\n"));
    }
    text + &format!("for (int i = 0; i < {all}; i++) pthread_join(t_[i], 0); return 0; }}\n")
}

/// The sizes, of which those behind the first few are for the long run.
fn sizes<T>(short: usize, all: &[T]) -> &[T] {
    &all[..shorter(short as u64, all.len() as u64) as usize]
}

/// The threads `t0`, `t1`, ... and the one that starts them.
fn threads(shared: &str, bodies: &[String]) -> String {
    let each = |(number, body)| format!("static void *t{number}(void *u) {{ {body} return u; }}\n");
    let all: String = bodies.iter().enumerate().map(each).collect();
    format!("{shared}\n{all}{}", main_of(0, bodies.len()))
}

#[track_caller]
fn has_traces(text: &str, traces: usize) {
    has_traces_and_errors(text, traces, 0);
}

/// So many executions, of which some end with an error, and none is given up half-way.
#[track_caller]
fn has_traces_and_errors(text: &str, traces: usize, errors: usize) {
    let program = program(&format!("{HEAD}{text}"));
    let mut config = Config::new("main");
    config.threads = Some(ThreadConfig::default());
    let found = explore(&program, &config, &hooks_with(Detail::First(0))).expect("it is explored");
    let wrong = found.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error(_))).count();
    assert_eq!((found.paths.len(), wrong, found.blocked), (traces, errors, 0), "{text}");
}

/// Each thread adds one number to the other, reading both before it writes, in rounds; a third one reads both.
fn fib_bench(rounds: usize) -> String {
    format!(
        "atomic_int i = 1, j = 1;\n\
         static void *t0(void *u) {{ for (int k = 0; k < {rounds}; k++) {{ int a = i; int b = j; i = a + b; }} return u; }}\n\
         static void *t1(void *u) {{ for (int k = 0; k < {rounds}; k++) {{ int a = j; int b = i; j = a + b; }} return u; }}\n\
         static void *t2(void *u) {{ (void)i; (void)j; return u; }}\n{}",
        main_of(0, 3)
    )
}

#[test]
fn fib_bench_has_the_traces_that_are_known() {
    for &(rounds, traces) in sizes(3, &[(1, 11), (2, 140), (3, 1698), (4, 19605)]) {
        has_traces(&fib_bench(rounds), traces);
    }
}

/// Each thread makes its element one more than the one before it, and one looks for the last that is zero.
fn last_zero(count: usize) -> String {
    format!(
        "atomic_int array[{0} + 1];\n\
         static void *t0(void *u) {{ int i = {0}; while (array[i] != 0) i--; return u; }}\n\
         static void *t(void *u) {{ int j = (int)(long)u + 1; array[j] = array[j - 1] + 1; return 0; }}\n{1}",
        count,
        main_of(count, 1)
    )
}

#[test]
fn last_zero_has_the_traces_that_are_known() {
    for &(count, traces) in sizes(3, &[(4, 28), (5, 64), (10, 3328), (15, 147_456)]) {
        has_traces(&last_zero(count), traces);
    }
}

#[test]
fn increments_have_the_traces_that_are_known() {
    let text = |count: usize, add: &str| {
        format!("atomic_int x;\nstatic void *t(void *u) {{ {add} return u; }}\n{}", main_of(count, 0))
    };
    for (count, traces) in [(2, 4), (3, 36), (4, 576)] {
        has_traces(&text(count, "int a = x; x = a + 1;"), traces);
    }
    for &(count, traces) in sizes(3, &[(3, 6), (5, 120), (6, 720), (7, 5040)]) {
        has_traces(&text(count, "atomic_fetch_add(&x, 1);"), traces);
    }
}

/// Flanagan and Godefroid: inodes and blocks with a lock each. Threads meet only if there are more than thirteen.
fn file_system(count: usize) -> String {
    format!(
        "pthread_mutex_t locki[32], lockb[26]; int inode[32], busy[26];\n\
         static void *t(void *u) {{ int i = (int)(long)u % 32;\n\
         pthread_mutex_lock(&locki[i]);\n\
         if (inode[i] == 0) {{ int b = (i * 2) % 26;\n\
         for (;;) {{ pthread_mutex_lock(&lockb[b]);\n\
         if (!busy[b]) {{ busy[b] = 1; inode[i] = b + 1; pthread_mutex_unlock(&lockb[b]); break; }}\n\
         pthread_mutex_unlock(&lockb[b]); b = (b + 1) % 26; }} }}\n\
         pthread_mutex_unlock(&locki[i]); return 0; }}\n{}",
        main_of(count, 0)
    )
}

#[test]
fn the_file_system_has_the_traces_that_are_known() {
    for (count, traces) in [(4, 1), (13, 1), (14, 2), (15, 4), (17, 16)] {
        has_traces(&file_system(count), traces);
    }
}

#[test]
fn readers_of_one_variable_come_before_or_after_its_writer() {
    for &readers in sizes(2, &[2, 8, 13]) {
        let mut bodies = vec!["x = 42;".to_owned()];
        bodies.extend((0..readers).map(|_| "(void)x;".to_owned()));
        has_traces(&threads("atomic_int x;", &bodies), 1 << readers);
    }
}

#[test]
fn exchanges_that_may_fail_have_the_traces_that_are_known() {
    let known = [(2, 2), (3, 5), (4, 14), (5, 43), (6, 144), (7, 523), (8, 2048), (9, 8597)];
    for &(count, traces) in sizes(5, &known) {
        let turn =
            |from| format!("int from = {from}; atomic_compare_exchange_strong(&x, &from, {});", from + 1);
        let bodies: Vec<String> = (0..count).map(turn).collect();
        has_traces(&threads("atomic_int x;", &bodies), traces);
    }
}

#[test]
fn two_who_take_a_lock_in_turns_have_as_many_traces_as_paths_through_a_grid() {
    let known = [(1, 2), (2, 6), (3, 20), (4, 70), (5, 252), (7, 3432), (9, 48_620)];
    for &(rounds, traces) in sizes(5, &known) {
        let take = format!(
            "for (int i = 0; i < {rounds}; i++) {{ pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }}"
        );
        let shared = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;";
        has_traces(&threads(shared, &[take.clone(), take]), traces);
    }
}

#[test]
fn philosophers_have_the_traces_that_are_known_and_one_deadlock() {
    for &(count, traces) in sizes(2, &[(3, 6), (4, 14), (5, 30), (6, 62)]) {
        let dine = |number| {
            let other = (number + 1) % count;
            format!(
                "pthread_mutex_lock(&f[{number}]); pthread_mutex_lock(&f[{other}]); \
                 pthread_mutex_unlock(&f[{other}]); pthread_mutex_unlock(&f[{number}]);"
            )
        };
        let bodies: Vec<String> = (0..count).map(dine).collect();
        let text = threads(&format!("static pthread_mutex_t f[{count}];"), &bodies);
        has_traces_and_errors(&text, traces + 1, 1);
    }
}

/// A deposit and a withdrawal as a read and a write each, beside others; a check reads.
#[test]
fn account_has_the_traces_that_are_known() {
    for &(count, traces) in sizes(3, &[(2, 4), (3, 36), (4, 576), (5, 14_400)]) {
        let pay = |by| format!("int seen = balance; balance = seen + {by};");
        let bodies: Vec<String> = (1..=count).map(pay).collect();
        has_traces(&threads("atomic_int balance = 100;", &bodies), traces);
    }
}

#[test]
fn the_figure_of_concise_has_four_traces() {
    let bodies = ["a = x; y = 10;".to_owned(), "x = 10; b = y;".to_owned()];
    has_traces(&threads("static atomic_int x = 15, y = 5; static int a, b;", &bodies), 4);
}

#[test]
fn litmus_programs_have_the_traces_that_are_known() {
    let bodies = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let known: [(&[&str], usize); 7] = [
        // Store buffering, load buffering, message passing, and coherence of reads.
        (&["x = 1; (void)y;", "y = 1; (void)x;"], 3),
        (&["(void)y; x = 1;", "(void)x; y = 1;"], 3),
        (&["x = 1; y = 1;", "(void)y; (void)x;"], 3),
        (&["x = 1; x = 2;", "(void)x; (void)x;"], 6),
        // Independent reads of independent writes, and two and two writes.
        (&["x = 1;", "y = 1;", "(void)x; (void)y;", "(void)y; (void)x;"], 15),
        (&["x = 1; y = 2;", "y = 1; x = 2;"], 3),
        // Three in a circle: all orders of six accesses but the one that is a cycle.
        (&["x = 1; (void)y;", "y = 1; (void)z;", "z = 1; (void)x;"], 7),
    ];
    for (texts, traces) in known {
        has_traces(&threads("atomic_int x, y, z;", &bodies(texts)), traces);
    }
}

fn factorial(number: usize) -> usize {
    (1..=number).product()
}

#[test]
fn writers_and_updates_of_one_variable_have_as_many_traces_as_orders() {
    for &count in sizes(4, &[1, 2, 4, 5, 7]) {
        for write in
            ["x = 1;", "x = 2 - (int)(long)u;", "atomic_fetch_add(&x, 1);", "atomic_exchange(&x, 3);"]
        {
            let bodies = vec![write.to_owned(); count];
            has_traces(&threads("atomic_int x;", &bodies), factorial(count));
        }
    }
}

#[test]
fn threads_that_share_nothing_have_one_trace() {
    for count in [2, 5, 12] {
        let own = |number| format!("a[{number}] = 1; a[{number}]++; pthread_mutex_lock(&m[{number}]);");
        let bodies: Vec<String> = (0..count).map(own).collect();
        let shared = format!("static atomic_int a[{count}]; static pthread_mutex_t m[{count}];");
        has_traces(&threads(&shared, &bodies), 1);
    }
}

/// Each waits for the one before it: nothing is left to choose.
#[test]
fn a_chain_of_messages_has_one_trace() {
    for count in [2, 4, 8] {
        let pass = |number: usize| match number {
            0 => "go[0] = 1;".to_owned(),
            _ => format!("while (!go[{}]) ; go[{number}] = 1;", number - 1),
        };
        let bodies: Vec<String> = (0..count).map(pass).collect();
        has_traces(&threads(&format!("static atomic_int go[{count}];"), &bodies), 1);
    }
}

#[test]
fn locks_by_hand_have_as_many_traces_as_orders_of_taking_them() {
    for count in [2, 3, 4] {
        let ticket = "int mine = atomic_fetch_add(&next, 1); while (served != mine) ; n++; served++;";
        let text = threads("static atomic_int next, served; static int n;", &vec![ticket.to_owned(); count]);
        has_traces(&text, factorial(count));
    }
    for (count, traces) in [(2, 2), (3, 6)] {
        let spin = "pthread_spin_lock(&s); n++; pthread_spin_unlock(&s);";
        let text = threads("static pthread_spinlock_t s; static int n;", &vec![spin.to_owned(); count]);
        let text = text.replace("{ pthread_t t_", "{ pthread_spin_init(&s, 0); pthread_t t_");
        has_traces(&text, traces);
    }
}

/// Two threads that write one variable some times: as many as ways to mix them.
#[test]
fn two_who_write_in_turns_have_as_many_traces_as_ways_to_mix_them() {
    for (one, two, traces) in [(1, 1, 2), (2, 2, 6), (3, 2, 10), (3, 3, 20), (1, 6, 7), (4, 4, 70)] {
        let write = |times| format!("for (int i = 0; i < {times}; i++) x = i;");
        has_traces(&threads("atomic_int x;", &[write(one), write(two)]), traces);
    }
}

/// Szymanski's lock with all waits on both sides, as others have it: six executions come to their end, and in the
/// others both wait for ever. Lamport's and Peterson's locks are in the corpus.
#[test]
fn szymanski_has_the_traces_that_are_known() {
    let enter = |me: usize| {
        let other = 1 - me;
        format!(
            "f[{me}] = 1; while (f[{other}] >= 3) ; f[{me}] = 3; \
             if (f[{other}] == 1) {{ f[{me}] = 2; while (f[{other}] != 4) ; }} f[{me}] = 4; \
             while (f[{other}] >= 2) ; int k; do k = f[{other}]; while (k == 2 || k == 3); f[{me}] = 0;"
        )
    };
    has_traces_and_errors(&threads("static atomic_int f[2];", &[enter(0), enter(1)]), 6 + 25, 25);
}
