//! What threads touch is named as C names it.

use incise_exec::{Config, Step, ThreadConfig, explore};
use incise_testing::{hooks, program};
use std::collections::BTreeSet;

const HEAD: &str = "#include <pthread.h>\n#include <stdlib.h>\n";

#[test]
fn what_threads_touch_is_named_as_in_c() {
    let text = "struct cell { int kind; struct { short low, high; } pair[3]; union { long whole; char bytes[8]; }; int (*act)(void); };\n\
        static struct { pthread_mutex_t lock; struct cell cells[2]; struct cell *first; int grid[2][3]; } all;\n\
        static int seven(void) { return 7; }\n\
        static void *write_all(void *unused) {\n\
        pthread_mutex_lock(&all.lock); all.cells[1].pair[2].high = 1; all.cells[0].whole = 2; all.grid[1][2] = 3;\n\
        all.cells[1].bytes[3] = 4; all.first = &all.cells[1]; all.first->act = seven; pthread_mutex_unlock(&all.lock);\n\
        return unused; }\n\
        int main(void) { pthread_t other; pthread_create(&other, 0, write_all, 0); write_all(0); all.cells[0].kind = 5;\n\
        pthread_join(other, 0); struct cell *left = malloc(sizeof *left); if (left) left->kind = all.cells[0].kind;\n\
        return 0; }\n";
    let program = program(&format!("{HEAD}{text}"));
    let config = Config { threads: Some(ThreadConfig::default()), ..Config::new("main") };
    let found = explore(&program, &config, &hooks()).expect("it is explored");
    assert!(found.complete() && found.races.is_empty(), "{:?}", found.races);
    let steps = found.paths.iter().flat_map(|path| &path.schedule);
    let shown = |step: &Step| {
        let object = step.object.as_ref().map(ToString::to_string)?;
        Some(format!("{} {object} {}", step.kind.name(), step.value.as_deref().unwrap_or("")))
    };
    let words: BTreeSet<String> = steps.filter_map(shown).collect();
    for expected in [
        "lock 'all.lock' ",
        "write 'all.cells[1].pair[2].high' 1",
        "write 'all.cells[0].whole' 2",
        "write 'all.grid[1][2]' 3",
        "write 'all.cells[1].bytes[3]' 4",
        "write 'all.first' &all.cells[1]",
        "write 'all.cells[1].act' seven",
    ] {
        assert!(words.contains(expected), "{expected}: {words:#?}");
    }
}
