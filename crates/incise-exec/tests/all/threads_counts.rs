//! Well-known programs with threads, and how many traces they have.

use incise_exec::{Config, Detail, ThreadConfig, explore};
use incise_testing::{hooks_with, program};

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

#[track_caller]
fn has_traces(text: &str, traces: usize) {
    let program = program(&format!("{HEAD}{text}"));
    let mut config = Config::new("main");
    config.threads = Some(ThreadConfig::default());
    let found = explore(&program, &config, &hooks_with(Detail::First(0))).expect("it is explored");
    assert_eq!((found.paths.len(), found.blocked), (traces, 0));
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
    for (rounds, traces) in [(1, 11), (2, 140), (3, 1698)] {
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
    for (count, traces) in [(4, 28), (5, 64), (10, 3328)] {
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
    for (count, traces) in [(3, 6), (5, 120), (6, 720)] {
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
