//! The programs of `bench/` have exactly the paths that KLEE finds (`bench/README.md`), also in other sizes.

use crate::common::{Said, incise, root};
use incise_testing::in_parallel;

/// Program, size, paths. KLEE's counts, or those that follow from the program (n! orders, 2^n choices).
const PATHS: &[(&str, Option<u32>, u64)] = &[
    ("sort", Some(6), 720),
    ("sort", Some(3), 6),
    ("sort", Some(5), 120),
    ("glob", Some(6), 4328),
    ("parse_int", Some(5), 429),
    ("maze", Some(8), 941),
    ("diamonds", Some(12), 4096),
    ("diamonds", Some(1), 2),
    ("diamonds", Some(10), 1024),
    ("muldiv", None, 14),
    ("table", None, 4),
    ("crc", Some(4096), 1),
];

#[test]
fn paths_are_those_that_klee_finds() {
    let failures = in_parallel(PATHS, |&(name, size, paths)| {
        let mut command = incise();
        command.arg("run").arg(root().join(format!("bench/{name}.c"))).args(["--format", "json"]);
        if let Some(size) = size {
            command.arg(format!("-DN={size}"));
        }
        let said = Said::by(&mut command);
        let summary = &said.json()?["summary"];
        if summary["paths"] == paths
            && summary["complete"] == true
            && summary["errors"] == 0
            && said.status == 0
        {
            return Ok(());
        }
        Err(format!("{name} {size:?}: expected {paths} paths, got {summary}, status {}", said.status))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
