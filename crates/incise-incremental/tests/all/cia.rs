//! Directed exploration of threads: the figures of the paper, and the programs that lose an error by its rules.

use incise_change::{Entries, Impact, Rules, ThreadSlice, Versions, WholeImpact};
use incise_exec::{
    Config, Detail, ErrorKind, EventKind, Exploration, Outcome, Schedules, SymbolicGlobals, ThreadConfig,
    explore,
};
use incise_incremental::cia::{ConcernedExecutions, explore_concerned};
use incise_ir::Program;
use incise_testing::{Compiler, hooks_with};
use std::collections::BTreeSet;

/// What the order of threads is explored for in the new version.
fn slice_of(old: &Program, new: &Program) -> Option<ThreadSlice> {
    let mut found = None;
    with_impact(old, new, |impact, whole| {
        found = impact.effects.as_ref().and_then(|effects| whole.thread_slice(effects));
    });
    found
}

fn with_impact(old: &Program, new: &Program, check: impl FnOnce(&Impact<'_>, &WholeImpact<'_>)) {
    let versions = Versions::compare(old, new);
    let changed_old = versions.functions.iter().filter_map(|pair| pair.old).collect();
    let (before, after) = (Entries::of(old, &changed_old), Entries::of(new, &versions.changed_new()));
    let functions = (before.functions.as_slice(), after.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, Rules::Closed, false);
    let whole = WholeImpact::new(&impact, &mirrored, &after, &before, Rules::Closed);
    check(&impact, &whole);
}

/// The same for what begins in a function of both.
pub(crate) fn slice_from(old: &Program, new: &Program, entry: &str) -> Option<ThreadSlice> {
    let versions = Versions::compare(old, new);
    let alone = |program: &Program| Entries {
        functions: vec![program.function_named(entry).expect("it is there")],
        sharing: Vec::new(),
    };
    let (before, after) = (alone(old), alone(new));
    let functions = (before.functions.as_slice(), after.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, Rules::Closed, false);
    let whole = WholeImpact::new(&impact, &mirrored, &after, &before, Rules::Closed);
    impact.effects.as_ref().and_then(|effects| whole.thread_slice(effects))
}

pub(crate) fn config(entry: &str, schedules: Schedules) -> Config {
    let mut config = Config::new(entry);
    config.inputs.globals = SymbolicGlobals::None;
    config.threads = Some(ThreadConfig { schedules, ..ThreadConfig::default() });
    config
}

fn limited(schedules: Schedules, most: usize) -> Config {
    let mut config = config("main", schedules);
    config.limits.paths = most as u64;
    config
}

/// All executions.
fn explored(program: &Program, schedules: Schedules, most: usize) -> Exploration {
    explore(program, &limited(schedules, most), &hooks_with(Detail::All)).expect("it is explored")
}

/// The executions that a change concerns.
fn concerned(program: &Program, slice: &ThreadSlice, most: usize) -> ConcernedExecutions {
    let config = limited(Schedules::Optimal, most);
    explore_concerned(program, &config, &hooks_with(Detail::All), slice).expect("it is explored")
}

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\nint klee_range(int, int, const char *);\n";

/// Two versions that are written as one: lines that begin with `-` and `+` are in one of them alone.
fn versions(text: &str) -> (Program, Program) {
    let version = |other: char| {
        let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with(other));
        let body: String = lines.map(|line| line.trim_start_matches(['-', '+']).to_owned() + "\n").collect();
        Compiler::default().program(&format!("{HEAD}{body}"))
    };
    (version('+'), version('-'))
}

fn starting(text: &str, functions: &[&str]) -> String {
    let mut text = format!("{text}\nint main(void) {{\n");
    for name in functions {
        text += &format!("pthread_t of_{name};\npthread_create(&of_{name}, 0, {name}, 0);\n");
    }
    for name in functions {
        text += &format!("pthread_join(of_{name}, 0);\n");
    }
    text + "return 0;\n}\n"
}

fn failures(exploration: &Exploration) -> usize {
    exploration.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error(_))).count()
}

#[test]
fn figure_2_has_six_interleavings_four_traces_and_two_that_are_concerned() {
    let (old, new) = versions(&starting(
        "int x = 15, y = 5;
        void *t1(void *u) {
        int a = x;
        y = 10;
        assert(a >= 10);
        return 0; }
        void *t2(void *u) {
        -x = 10;
        +x = 5;
        int b = y;
        assert(b >= 5);
        return 0; }",
        &["t1", "t2"],
    ));
    let slice = slice_of(&old, &new).expect("there are threads");
    // Who waits for the end of whom first is not counted.
    let count = |schedules| {
        let order = |path: &incise_exec::Path| {
            let steps = path.schedule.iter().filter(|step| step.kind != EventKind::Join);
            let mut steps: Vec<(u32, u32)> = steps.map(|step| (step.turn, step.thread)).collect();
            steps.sort_unstable();
            steps.into_iter().map(|(_, thread)| thread).collect::<Vec<u32>>()
        };
        let paths = explored(&old, schedules, 1000).paths;
        paths.iter().map(order).collect::<BTreeSet<_>>().len()
    };
    assert_eq!((count(Schedules::All), count(Schedules::Optimal)), (6, 4));
    let found = concerned(&new, &slice, 1000);
    assert_eq!((found.executions, found.exploration.paths.len()), (2, 2));
    assert_eq!(failures(&found.exploration), 1);
}

/// The changed version fails, and the old one does not: the failure is among what is concerned.
fn is_found(text: &str, functions: &[&str]) {
    let (old, new) = versions(&starting(text, functions));
    assert_eq!(failures(&explored(&old, Schedules::Optimal, 10_000)), 0);
    assert!(failures(&explored(&new, Schedules::Optimal, 10_000)) > 0);
    let slice = slice_of(&old, &new).expect("there are threads");
    assert!(failures(&concerned(&new, &slice, 10_000).exploration) > 0);
}

#[test]
fn a_changed_statement_behind_one_that_is_not_in_its_slice_is_reached() {
    // A summary of what follows the first statement would say that nothing fails.
    is_found(
        "int x, a, b;
        void *t(void *u) {
        a = x;
        -b = 2;
        +b = 3;
        assert(b != 3);
        return 0; }
        void *other(void *u) { x = 1; return 0; }",
        &["t", "other"],
    );
}

#[test]
fn both_sides_of_a_branch_that_feeds_the_change_are_explored() {
    is_found(
        "int r, u, seen;
        void *t(void *given) {
        int a = klee_range(0, 2, \"a\"), x = klee_range(0, 9, \"x\");
        if (a > 0)
        u = 1;
        else
        u = 0;
        -r = 0;
        +r = x + u;
        assert(!(u == 0 && r == 5));
        return 0; }
        void *other(void *given) { seen = 1; return 0; }",
        &["t", "other"],
    );
}

#[test]
fn races_behind_the_change_are_explored() {
    // What follows the change races with another thread: to cut it off would cut off the reversal.
    is_found(
        "int x, y;
        void *t(void *u) {
        -x = 0;
        +x = 1;
        int r = y;
        assert(r != 2);
        return 0; }
        void *other(void *u) {
        if (x)
        y = 2;
        return 0; }",
        &["t", "other"],
    );
}

#[test]
fn what_a_limit_cut_off_is_not_taken_for_explored() {
    let (old, new) = versions(&starting(
        "int x, y;
        void *t(void *u) {
        -x = 0;
        +x = 1;
        for (int i = 0; i < 6; i++)
        y = i;
        return 0; }
        void *other(void *u) { int r = x + y; return 0; }",
        &["t", "other"],
    ));
    let slice = slice_of(&old, &new).expect("there are threads");
    let found = concerned(&new, &slice, 3);
    assert!(!found.exploration.complete());
}

#[test]
fn an_update_that_a_missing_lock_loses_is_found() {
    is_found(
        "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *t1(void *u) {
        pthread_mutex_lock(&m);
        int a = x;
        int b = x;
        pthread_mutex_unlock(&m);
        assert(a == b);
        return 0; }
        void *t2(void *u) {
        -pthread_mutex_lock(&m);
        x = 1;
        -pthread_mutex_unlock(&m);
        return 0; }",
        &["t1", "t2"],
    );
}

#[test]
fn what_follows_a_loop_that_no_longer_waits_is_explored_in_every_order() {
    let (old, new) = versions(&starting(
        "_Atomic int flag, p;
        void *t1(void *u) { p = 1; return 0; }
        void *t2(void *u) {
        -while (flag == 0) ;
        +while (flag == 2) ;
        int r = p;
        assert(r != 0);
        return 0; }",
        &["t1", "t2"],
    ));
    let slice = slice_of(&old, &new).expect("there are threads");
    let assertions = |exploration: &Exploration| {
        let fails = |path: &&incise_exec::Path| matches!(&path.outcome, Outcome::Error(error) if error.kind == ErrorKind::Assertion);
        exploration.paths.iter().filter(fails).count()
    };
    assert_eq!(assertions(&explored(&old, Schedules::Optimal, 100)), 0);
    assert_eq!(assertions(&concerned(&new, &slice, 100).exploration), 1);
}

#[test]
fn figure_6_has_its_backward_set() {
    let (old, new) = versions(&starting(
        "int x, y, z;
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
        return 0; }",
        &["t1", "t2"],
    ));
    // Lines of the file: the paper's 1, 3, 9, 10 and 11 are 6, 8, 16, 17 and 18.
    with_impact(&old, &new, |impact, whole| {
        let effects = impact.effects.as_ref().expect("something changed");
        let scope = whole.scope.as_ref().expect("something changed");
        let line = |(function, node): incise_change::Site| {
            let location = scope.facts(function).graph.node(node).location;
            location.map_or(0, |location| new.locations[location].line)
        };
        let t2 = new.function_named("t2").expect("it is there");
        let changed = scope.facts(t2).graph.ids().map(|node| (t2, node)).find(|&site| line(site) == 18);
        let slice = whole.threads_backward(effects, &[changed.expect("it is a statement")]);
        let lines: BTreeSet<u32> = slice
            .iter()
            .filter(|site| new.functions[site.0].name != "main")
            .map(|&site| line(site))
            .collect();
        assert_eq!(lines.into_iter().collect::<Vec<_>>(), [6, 8, 16, 17, 18]);
    });
}
