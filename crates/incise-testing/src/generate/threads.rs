//! Random programs with threads, as text: shared variables, locks, waiting, output, inputs. Most have errors: races,
//! deadlocks, failing assertions.

use crate::Random;
use std::fmt::Write;

const HEAD: &str = "\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
int klee_range(int, int, const char *);
int p0, p1 = 1;
atomic_int a0, a1;
int array[4];
int in0, in1;
_Thread_local int own = 2;
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t b;
sem_t s;
";

/// The program of a seed. It ends on all orders, or its threads wait for ever.
pub fn program_with_threads(seed: u64) -> String {
    let mut random = Random::new(seed, 81);
    let count = 2 + random.below(2);
    let mut text = HEAD.to_owned();
    for number in 0..count {
        let _ = write!(text, "static void *t{number}(void *given) {{\n    int r = *(int *)given;\n");
        let length = 1 + random.below(if count == 2 { 4 } else { 2 });
        for _ in 0..length {
            let line = statement(&mut random, 2);
            let _ = writeln!(text, "    {line}");
        }
        text.push_str("    return (void *)(long)r;\n}\n");
    }
    let _ = write!(
        text,
        "int main(void) {{\n    pthread_t t[{count}];\n    int given[{count}];\n    void *result;\n    int sum = 0;\n    \
         in0 = klee_range(0, 4, \"in0\");\n    in1 = klee_range(0, 8, \"in1\");\n    pthread_mutex_init(&m1, 0);\n    \
         sem_init(&s, 0, {});\n    pthread_barrier_init(&b, 0, {count});\n",
        random.below(2)
    );
    for number in 0..count {
        let _ = write!(
            text,
            "    given[{number}] = {number};\n    pthread_create(&t[{number}], 0, t{number}, &given[{number}]);\n"
        );
    }
    if random.percent(30) {
        let _ = writeln!(text, "    {{ int r = 5; {} (void)r; }}", statement(&mut random, 1));
    }
    for number in 0..count {
        let _ = write!(text, "    pthread_join(t[{number}], &result);\n    sum += (int)(long)result;\n");
    }
    text.push_str("    printf(\"%d %d\\n\", sum, own);\n    return sum & 7;\n}\n");
    text
}

fn statement(random: &mut Random, depth: usize) -> String {
    let variable = random.below(2);
    let number = random.below(3);
    let deeper = depth > 0;
    match random.below(26) {
        0 => format!("r = p{variable};"),
        1 => format!("p{variable} = {};", number + 1),
        2 => format!("p{variable} = r + {number};"),
        3 | 4 => format!("r = a{variable};"),
        5 => format!("a{variable} = {};", number + 1),
        6 => format!("r = atomic_fetch_add(&a{variable}, {});", number + 1),
        7 => format!(
            "{{ int e = {number}; r = atomic_compare_exchange_strong(&a{variable}, &e, {}); }}",
            number + 1
        ),
        8..=11 if deeper => {
            let inner = statement(random, depth - 1);
            format!("pthread_mutex_lock(&m{variable}); {inner} pthread_mutex_unlock(&m{variable});")
        }
        12 => format!(
            "if (pthread_mutex_trylock(&m{variable}) == 0) {{ r++; pthread_mutex_unlock(&m{variable}); }}"
        ),
        13 if deeper => {
            let (one, two) = (statement(random, depth - 1), statement(random, depth - 1));
            format!("if (r == {number}) {{ {one} }} else {{ {two} }}")
        }
        14 if deeper => {
            let inner = statement(random, depth - 1);
            format!("for (int i = 0; i < 2; i++) {{ {inner} }}")
        }
        15 if deeper => {
            let inner = statement(random, depth - 1);
            format!("if (in1 > {}) {{ {inner} }}", 2 * number)
        }
        16 => "array[in0] = r + 1;".to_owned(),
        17 => "r = array[r & 3];".to_owned(),
        18 => "printf(\"%d\\n\", r);".to_owned(),
        19 => "sem_post(&s);".to_owned(),
        20 => match number {
            0 => "sem_wait(&s);".to_owned(),
            _ => "r += sem_trywait(&s) == 0;".to_owned(),
        },
        21 => format!("pthread_rwlock_rdlock(&l); r += p{variable}; pthread_rwlock_unlock(&l);"),
        22 => match number {
            0 => "pthread_barrier_wait(&b);".to_owned(),
            1 => "pthread_rwlock_wrlock(&l); p0 = r; pthread_rwlock_unlock(&l);".to_owned(),
            _ => "own += r; r = own;".to_owned(),
        },
        23 => match number {
            0 => "pthread_mutex_lock(&m0); while (!p0) pthread_cond_wait(&c, &m0); r = p0; \
                  pthread_mutex_unlock(&m0);"
                .to_owned(),
            1 => "pthread_mutex_lock(&m0); p0 = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m0);"
                .to_owned(),
            _ => "pthread_mutex_lock(&m0); p0 = 2; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m0);"
                .to_owned(),
        },
        24 => format!("{{ int *h = malloc(8); h[0] = r; r = h[0] + {number}; free(h); }}"),
        _ if random.percent(20) => format!("assert(r != {});", number + 1),
        _ => format!("r = r * 2 + {number};"),
    }
}
