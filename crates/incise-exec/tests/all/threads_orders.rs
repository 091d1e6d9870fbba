//! Which orders of threads are explored and shown: none given up half-way, limits, wakeups without a signal.

use incise_exec::{Config, Exploration, LimitKind, Outcome, Schedules, ThreadConfig, explore};
use incise_testing::{hooks, program};

const HEAD: &str = "#include <pthread.h>\n#include <stdatomic.h>\n";

fn explored_with(text: &str, threads: ThreadConfig) -> Exploration {
    let program = program(&format!("{HEAD}{text}"));
    let mut config = Config::new("main");
    config.threads = Some(threads);
    explore(&program, &config, &hooks()).expect("it is explored")
}

/// Inputs that one thread has branched on may leave another only the side that was explored before.
#[test]
fn branches_of_several_threads_on_one_input_give_nothing_up_half_way() {
    let shared = "extern int __VERIFIER_nondet_int(void); atomic_int x, y; static int i;";
    let known: [&[&str]; 3] = [
        &["y = 1;", "x = 1; if (i) (void)x;", "if (i) (void)x; else (void)y; x = 1;"],
        &["x = 1; if (i) y = 1;", "if (i) (void)x; else (void)y;", "if (i > 1) x = 2; else y = 2;"],
        &[
            "y = 1; if (i) x = 1; else (void)x;",
            "x = 1; if (!i) y = 2;",
            "if (i) (void)x; else x = 3; (void)y;",
        ],
    ];
    for bodies in known {
        let threads: String = bodies
            .iter()
            .enumerate()
            .map(|(number, body)| format!("static void *t{number}(void *u) {{ {body} return u; }}\n"))
            .collect();
        let starts = "pthread_t t[3]; pthread_create(&t[0], 0, t0, 0); pthread_create(&t[1], 0, t1, 0); \
                      pthread_create(&t[2], 0, t2, 0); for (int k = 0; k < 3; k++) pthread_join(t[k], 0);";
        let text = format!(
            "{shared}\n{threads}int main(void) {{ i = __VERIFIER_nondet_int(); {starts} return 0; }}\n"
        );
        let with = |schedules| explored_with(&text, ThreadConfig { schedules, ..ThreadConfig::default() });
        let optimal = with(Schedules::Optimal);
        assert_eq!(optimal.blocked, 0, "{bodies:?}");
        let traces = |found: &Exploration| found.paths.len();
        assert!(traces(&optimal) <= traces(&with(Schedules::All)), "{bodies:?}");
    }
}

/// Whoever came first in the execution need not come first for people.
#[test]
fn an_error_is_shown_in_the_order_with_the_fewest_switches() {
    let text = "atomic_int x, y, z;
        static void *t0(void *u) { x = 1; if (y == 1) z = 1; return u; }
        static void *t1(void *u) { y = 1; if (z == 1) __builtin_trap(); return u; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);
        pthread_join(a, 0); pthread_join(b, 0); return 0; }";
    let found = explored_with(text, ThreadConfig::default());
    let wrong = found.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error(_)));
    let turns =
        wrong.map(|path| path.schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count());
    // The one writes, the other reads that and writes, and the one reads it.
    assert_eq!(turns.min(), Some(2));
}

/// Other threads go on, and there is no order for each set of them that comes before the limit.
#[test]
fn a_limit_of_one_thread_is_not_an_end_that_others_come_before() {
    let text = "atomic_int x[12];
        static void *t(void *u) { x[(long)u] = 1; return u; }
        static void *endless(void *u) { for (;;) atomic_fetch_add(&x[11], 1); return u; }
        int main(void) { pthread_t a, b[8]; pthread_create(&a, 0, endless, 0);
        for (long i = 0; i < 8; i++) pthread_create(&b[i], 0, t, (void *)i);
        for (int i = 0; i < 8; i++) pthread_join(b[i], 0); pthread_join(a, 0); return 0; }";
    let found = explored_with(text, ThreadConfig { steps: Some(20), ..ThreadConfig::default() });
    assert_eq!(found.paths.len(), 1);
    assert_eq!(found.paths[0].outcome, Outcome::Limit(LimitKind::Loop));
}

/// Two threads that each may wake by themselves do so in one trace, whoever comes first.
#[test]
fn spurious_wakeups_are_explored_as_often_as_asked_for() {
    let text = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
        static void *t(void *u) { pthread_mutex_lock(&m); if (!ready) pthread_cond_wait(&c, &m);
        if (!ready) __builtin_trap(); pthread_mutex_unlock(&m); return u; }
        int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_mutex_lock(&m); ready = 1;
        pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }";
    let with = |spurious, schedules| {
        let found = explored_with(text, ThreadConfig { spurious, schedules, ..ThreadConfig::default() });
        let wrong = |path: &&incise_exec::Path| matches!(path.outcome, Outcome::Error(_));
        (found.paths.len(), found.paths.iter().filter(wrong).count(), found.blocked)
    };
    assert_eq!(with(0, Schedules::Optimal), (2, 0, 0));
    let (paths, wrong, blocked) = with(1, Schedules::Optimal);
    assert!(wrong == 1 && blocked == 0 && paths > 2);
    assert_eq!(with(1, Schedules::All).1, 1);
}

/// The first thread ends the program: what the other would have done is not known all the same.
#[test]
fn a_thread_that_a_limit_holds_is_told_where_the_program_ends_without_it() {
    let text = "atomic_int x;
        static void *endless(void *u) { for (;;) atomic_fetch_add(&x, 1); return u; }
        int main(void) { pthread_t a; pthread_create(&a, 0, endless, 0); return 0; }";
    let found = explored_with(text, ThreadConfig { steps: Some(3), ..ThreadConfig::default() });
    let limit = |path: &incise_exec::Path| path.outcome == Outcome::Limit(LimitKind::Loop);
    assert!(found.paths.iter().any(limit) && !found.paths.iter().all(limit) && !found.complete());
}

/// The ends of a program with two threads: the values of `x`.
fn values_of_x(text: &str, schedules: Schedules) -> std::collections::BTreeSet<Vec<u8>> {
    let starts = "int main(void) { init(); pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); \
                  pthread_join(a, 0); pthread_join(b, 0); return 0; }";
    let found =
        explored_with(&format!("{text}\n{starts}"), ThreadConfig { schedules, ..ThreadConfig::default() });
    assert_eq!((found.blocked, found.complete()), (0, true), "{text}");
    let finals = found.paths.iter().flat_map(|path| &path.finals);
    finals.filter(|it| it.name == "x").map(|it| it.bytes.clone()).collect()
}

/// Who waits for a lock that another thread has taken twice could have come before it was taken at all.
#[test]
fn a_lock_that_is_taken_twice_is_one_that_others_could_have_taken_first() {
    let recursive = "static pthread_mutex_t m; int x;
        static void init(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a); }
        static void twice(int add) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = x * 2 + add;
        pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); }
        static void *t0(void *u) { twice(1); return u; } static void *t1(void *u) { twice(2); return u; }";
    let shared = "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; int x, seen;
        static void init(void) { x = 1; }
        static void *t0(void *u) { pthread_rwlock_rdlock(&w); pthread_rwlock_rdlock(&w); seen = x;
        pthread_rwlock_unlock(&w); pthread_rwlock_unlock(&w); return u; }
        static void *t1(void *u) { pthread_rwlock_wrlock(&w); x = 5 + seen; pthread_rwlock_unlock(&w); return u; }";
    let beside = "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; int x;
        static void init(void) { x = 1; }
        static void *t0(void *u) { pthread_rwlock_rdlock(&w); atomic_thread_fence(memory_order_seq_cst);
        pthread_rwlock_unlock(&w); pthread_rwlock_wrlock(&w); x *= 3; pthread_rwlock_unlock(&w); return u; }
        static void *t1(void *u) { pthread_rwlock_wrlock(&w); x += 2; pthread_rwlock_unlock(&w); return u; }";
    for text in [recursive, shared, beside] {
        let all = values_of_x(text, Schedules::All);
        assert_eq!(all.len(), 2, "{text}");
        for schedules in [Schedules::Optimal, Schedules::Dpor, Schedules::States] {
            assert_eq!(values_of_x(text, schedules), all, "{text}");
        }
    }
}

/// Who looks in vain for a lock that its owner takes once more may do so before that or after it, and then also when it
/// is free.
#[test]
fn a_lock_that_is_taken_once_more_is_one_that_others_may_have_looked_for() {
    let text = "static pthread_mutex_t m; int x; static atomic_int a; static int q, r0, r1;
        static void init(void) { pthread_mutexattr_t at; pthread_mutexattr_init(&at);
        pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &at); }
        static void *t0(void *u) { if (pthread_mutex_trylock(&m) == 0) { q = 2; pthread_mutex_unlock(&m); } else r0 = 1;
        return u; }
        static void *t2(void *u) { a = 3; return u; }
        static void *t1(void *u) { pthread_mutex_lock(&m); r1 = a; pthread_mutex_lock(&m); q = 1;
        pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); return u; }
        int main(void) { init(); pthread_t s, t, u; pthread_create(&s, 0, t0, 0); pthread_create(&u, 0, t2, 0);
        pthread_create(&t, 0, t1, 0); a = 1; pthread_join(s, 0); pthread_join(u, 0); pthread_join(t, 0);
        x = q + 4 * r0 + 8 * r1 + 32 * a; return 0; }";
    let values = |schedules| {
        let found = explored_with(text, ThreadConfig { schedules, ..ThreadConfig::default() });
        assert_eq!((found.blocked, found.complete()), (0, true));
        let finals = found.paths.iter().flat_map(|path| &path.finals);
        finals
            .filter(|it| it.name == "x")
            .map(|it| it.bytes.clone())
            .collect::<std::collections::BTreeSet<_>>()
    };
    // Whether it is free, and who was last; what was read, and what is there in the end.
    let all = values(Schedules::Optimal);
    assert_eq!(all.len(), 18);
    assert_eq!(values(Schedules::States), all);
}

/// Who leaves a barrier does not wait for those who come for the next round, also where it counts who comes last.
#[test]
fn the_last_of_each_round_at_a_barrier_may_be_anyone() {
    let text =
        "static pthread_barrier_t b; int x; static void init(void) { x = 8; pthread_barrier_init(&b, 0, 2); }
        static void *t0(void *u) { pthread_barrier_wait(&b); pthread_barrier_wait(&b); return u; }
        static void *t1(void *u) { if (pthread_barrier_wait(&b)) x += 1;
        if (pthread_barrier_wait(&b)) x += 2; return u; }";
    let all = values_of_x(text, Schedules::All);
    assert_eq!(all.len(), 4);
    assert_eq!(values_of_x(text, Schedules::Optimal), all);
}

/// Two ways lead to one state, and what follows races with one of them alone: it was explored behind the other one.
#[test]
fn a_data_race_with_what_follows_a_known_state_is_told() {
    let text = "atomic_int which, done; int x, seen;
        static void *t0(void *u) { if (atomic_load(&which)) { x = 1;
        atomic_store_explicit(&done, 1, memory_order_relaxed); } else { x = 1; atomic_store(&done, 1); } return u; }
        static void *t1(void *u) { atomic_store(&which, 1); return u; }
        static void *t2(void *u) { if (atomic_load(&done)) seen = x; return u; }
        int main(void) { pthread_t a, b, c; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0);
        pthread_create(&c, 0, t2, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }";
    let races = |schedules| {
        let found = explored_with(text, ThreadConfig { schedules, ..ThreadConfig::default() });
        (found.races.len(), found.summarised > 0)
    };
    assert_eq!(races(Schedules::Optimal), (1, false));
    assert_eq!(races(Schedules::States), (1, true));
}

/// An execution that is at its end has a schedule, whatever limit is reached with it.
#[test]
fn the_last_execution_before_a_limit_has_a_schedule_too() {
    let text = "atomic_int x; static void *t(void *u) { atomic_fetch_add(&x, 1); return u; }
        int main(void) { pthread_t a, b, c; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
        pthread_create(&c, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }";
    let program = program(&format!("{HEAD}{text}"));
    for limit in 1..6 {
        let mut config = Config::new("main");
        config.threads = Some(ThreadConfig::default());
        config.limits.paths = limit;
        let found = explore(&program, &config, &hooks()).expect("it is explored");
        assert_eq!(found.paths.len() as u64, limit);
        assert!(found.paths.iter().all(|path| !path.schedule.is_empty()), "with {limit}");
    }
}
