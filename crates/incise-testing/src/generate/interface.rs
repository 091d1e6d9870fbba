//! Random programs that use the functions for threads in all ways: locks of every kind, taken again by who has them,
//! tried, and with a time; semaphores, barriers whose last thread is told, keys with destructors, threads that start
//! threads. What a thread reads goes into a number that it leaves behind, so that different orders end differently.

use crate::Random;
use std::fmt::Write;

const HEAD: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static atomic_int a0, a1;
static int q0, q1, out[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static mtx_t plain;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t s, one;
static pthread_barrier_t b;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local int own;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static void init(void) { a0 += 1; }
static void destroyed(void *p) { a1 += (int)(long)p; }
#define R(x) r = (r * 5 + (x)) & 0xffff
static void *extra(void *p) { int r = 1; R(a0); a1 = 3; return (void *)(long)r; }
";

/// Statements that synchronise: a program has a few kinds of them, so that its threads meet. `@` is a number, `#` a
/// variable, `$` another statement.
const SYNCHRONISING: [&str; 47] = [
    "pthread_mutex_lock(&m); $ pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m) == 0) { $ pthread_mutex_unlock(&m); } else R(1);",
    "pthread_mutex_lock(&again); $ pthread_mutex_lock(&again); R(q0); q0 = @; pthread_mutex_unlock(&again); \
     pthread_mutex_unlock(&again);",
    "if (pthread_mutex_trylock(&again) == 0) { $ R(pthread_mutex_trylock(&again)); q1++; \
     pthread_mutex_unlock(&again); pthread_mutex_unlock(&again); } else R(2);",
    "if (pthread_mutex_lock(&checked) == 0) { R(pthread_mutex_lock(&checked)); $ \
     R(pthread_mutex_unlock(&checked)); }",
    "R(pthread_mutex_unlock(&checked));",
    "mtx_lock(&plain); $ mtx_lock(&plain); mtx_unlock(&plain); q0 = @; mtx_unlock(&plain);",
    "pthread_rwlock_rdlock(&w); R(q0); pthread_rwlock_unlock(&w);",
    "pthread_rwlock_rdlock(&w); R(q0); if (pthread_rwlock_tryrdlock(&w) == 0) { R(q1); pthread_rwlock_unlock(&w); } \
     pthread_rwlock_unlock(&w);",
    "pthread_rwlock_wrlock(&w); q0 = @; $ pthread_rwlock_unlock(&w);",
    "if (pthread_rwlock_trywrlock(&w) == 0) { q1++; pthread_rwlock_unlock(&w); } else R(3);",
    "if (pthread_rwlock_tryrdlock(&w) == 0) { R(q1); pthread_rwlock_unlock(&w); } else R(3);",
    "pthread_spin_lock(&spin); $ pthread_spin_unlock(&spin);",
    "if (pthread_spin_trylock(&spin) == 0) { R(q1); pthread_spin_unlock(&spin); } else R(4);",
    "sem_post(&s);",
    "sem_wait(&s);",
    "R(sem_trywait(&s) == 0);",
    "{ struct timespec t = {0}; R(sem_timedwait(&s, &t) == 0); }",
    "{ int v; sem_getvalue(&s, &v); R(v); }",
    "sem_post(&one);",
    "sem_wait(&one); q0++; sem_post(&one);",
    "pthread_cond_signal(&c);",
    "pthread_cond_broadcast(&c);",
    "pthread_mutex_lock(&m); q0 = @ + 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); q0 = @ + 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); while (!q0) pthread_cond_wait(&c, &m); R(q0); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); R(q0); pthread_mutex_unlock(&m);",
    "{ struct timespec t = {0}; pthread_mutex_lock(&m); R(pthread_cond_timedwait(&c, &m, &t)); q1++; \
     pthread_mutex_unlock(&m); }",
    "pthread_mutex_lock(&again); while (!q0) pthread_cond_wait(&c, &again); R(q0); pthread_mutex_unlock(&again);",
    "R(pthread_barrier_wait(&b) != 0);",
    "pthread_barrier_wait(&b);",
    "pthread_once(&once, init); R(a0);",
    "pthread_setspecific(key, (void *)(long)(@ + 1)); R(pthread_getspecific(key) != 0);",
    "own += r & 3; R(own);",
    "while (a# == @) ;",
    "while (atomic_load(&a0) != @) sched_yield();",
    "while (atomic_flag_test_and_set(&flag)) ; q0 = @; R(q1); atomic_flag_clear(&flag);",
    "while (pthread_mutex_trylock(&m)) ; $ pthread_mutex_unlock(&m);",
    "{ int e = a0; while (!atomic_compare_exchange_weak(&a0, &e, e + 1)) ; R(e); }",
    "{ pthread_t u; void *v; pthread_create(&u, 0, extra, 0); R(a1); pthread_join(u, &v); R((long)v); }",
    "{ pthread_t u; pthread_create(&u, 0, extra, 0); pthread_detach(u); R(a1); }",
    "if (r == 3) pthread_exit((void *)9L);",
    "if (r == @ + 5) exit(3);",
    "assert(r != @ + 1);",
    "{ int *h = malloc(4); if (h) *h = r; R(h ? *h : 0); free(h); }",
    "pthread_mutex_lock(&checked); R(pthread_mutex_trylock(&checked)); q1 = r; pthread_mutex_unlock(&checked);",
    "while (a0 == @ && a1 != 2) ;",
];

/// Statements that do not.
const PLAIN: [&str; 11] = [
    "R(a#);",
    "a# = @ + 1;",
    "R(atomic_fetch_add(&a#, @ + 1));",
    "{ int e = @; R(atomic_compare_exchange_strong(&a#, &e, @ + 1)); R(e); }",
    "R(q#);",
    "q# = @ + 1;",
    "q#++;",
    "if (r & 1) { $ } else { $ }",
    "for (int i = 0; i < 2; i++) { $ }",
    "__VERIFIER_atomic_begin(); R(a0); a1 = r & 7; __VERIFIER_atomic_end();",
    "__sync_fetch_and_add(&q0, 1);",
];

fn filled(random: &mut Random, text: &str, kinds: &[&str], depth: usize) -> String {
    let mut filled = String::new();
    for character in text.chars() {
        match character {
            '@' => filled.push_str(&random.below(3).to_string()),
            '#' => filled.push_str(&random.below(2).to_string()),
            '$' if depth == 0 => filled.push_str("R(a0);"),
            '$' => filled.push_str(&statement(random, kinds, depth - 1)),
            other => filled.push(other),
        }
    }
    filled
}

fn statement(random: &mut Random, kinds: &[&str], depth: usize) -> String {
    let text = match random.percent(50) {
        true => PLAIN[random.below(PLAIN.len())],
        false => kinds[random.below(kinds.len())],
    };
    filled(random, text, kinds, depth)
}

/// The program of a seed. It ends on all orders, or its threads wait for ever, or what they do is wrong.
pub fn program_of_the_interface(seed: u64) -> String {
    let mut random = Random::new(seed, 118);
    let kinds: Vec<&str> =
        (0..1 + random.below(4)).map(|_| SYNCHRONISING[random.below(SYNCHRONISING.len())]).collect();
    let count = if random.percent(75) { 2 } else { 3 };
    let mut text = HEAD.to_owned();
    for number in 0..count {
        let _ = writeln!(text, "static void *t{number}(void *p) {{\n    int r = {number};");
        for _ in 0..1 + random.below(if count == 2 { 3 } else { 2 }) {
            let _ = writeln!(text, "    {}", statement(&mut random, &kinds, 1));
        }
        let _ = writeln!(text, "    out[{number}] = r;\n    return (void *)(long)r;\n}}");
    }
    let _ = writeln!(
        text,
        "int main(void) {{\n    pthread_t t[{count}];\n    int r = 0;\n    sem_init(&s, 0, {});\n    \
         sem_init(&one, 0, 1);\n    pthread_barrier_init(&b, 0, {count});\n    \
         mtx_init(&plain, mtx_plain | mtx_recursive);\n    pthread_spin_init(&spin, 0);\n    \
         pthread_key_create(&key, destroyed);",
        random.below(3)
    );
    for number in 0..count {
        let _ = writeln!(text, "    pthread_create(&t[{number}], 0, t{number}, 0);");
    }
    if random.percent(25) {
        let _ = writeln!(text, "    {}", statement(&mut random, &kinds, 1));
    }
    let joined = if random.percent(90) { count } else { 1 };
    for number in 0..joined {
        let _ = writeln!(text, "    pthread_join(t[{number}], 0);");
    }
    text.push_str("    out[3] = r;\n    return 0;\n}\n");
    text
}
