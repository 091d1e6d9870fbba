//! What libraries may not do: touch files, processes and the environment, print, name the options of the command line,
//! or make output in the order of a hash table.

use crate::lexer::{Source, crate_names, sources};

/// The crates whose affair files and processes are.
const OUTSIDE: [&str; 9] = [
    "incise",
    "incise-children",
    "incise-frontend",
    "incise-llvm",
    "incise-replay",
    "incise-repository",
    "incise-store",
    "incise-suite",
    "incise-testing",
];

/// The second opinion of the solver chain is a process of its own.
const SECOND_OPINION: &str = "incise-solver/src/chain/second.rs";

fn libraries() -> impl Iterator<Item = Source> {
    let names = crate_names().into_iter().filter(|name| name != "incise" && name != "incise-testing");
    names.flat_map(|name| sources(&name))
}

fn is_in(source: &Source, name: &str) -> bool {
    source.name.split('/').next() == Some(name)
}

fn none(found: Vec<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn files_and_processes_are_touched_where_that_is_the_affair() {
    let inside = libraries().filter(|source| !OUTSIDE.iter().any(|name| is_in(source, name)));
    let inside = inside.filter(|source| source.name != SECOND_OPINION);
    let words = ["std::fs", "std::process", "std::net", "std::os", "tempfile", "rustix"];
    let found = inside.flat_map(|source| {
        let mut lines = source.mentions(&words);
        let grouped = source.mentions(&["fs", "process", "net"]).into_iter();
        lines.extend(grouped.filter(|line| line.contains("use std::{")));
        lines
    });
    none(found.collect(), "a library touches files or processes");
}

#[test]
fn libraries_read_no_environment() {
    let found = libraries().flat_map(|source| {
        let lines = source.mentions(&["std::env", "env::var", "env::var_os", "env::vars"]).into_iter();
        // What the build left behind is no environment.
        lines.filter(|line| !line.contains("env!(")).collect::<Vec<_>>()
    });
    none(found.collect(), "a library reads the environment");
}

#[test]
fn libraries_print_nothing() {
    let words = ["print!", "println!", "eprint!", "eprintln!", "dbg!", "io::stdout", "io::stderr"];
    none(libraries().flat_map(|source| source.mentions(&words)).collect(), "a library prints");
}

/// What clang, linkers, CMake and git are called with are options, and their own.
const OTHERS_OPTIONS: [&str; 14] = [
    "incise-llvm/src/clang/find.rs",
    "incise-replay/src/native_build.rs",
    "incise-repository/src/build/compiler_call.rs",
    "incise-repository/src/build/flags.rs",
    "incise-repository/src/error.rs",
    "incise-repository/src/git.rs",
    "incise-repository/src/layout.rs",
    "incise-repository/src/listing.rs",
    "incise-repository/src/repository.rs",
    "incise-repository/src/revisions.rs",
    "incise-repository/src/submodules.rs",
    "incise-report/src/emit/ctest.rs",
    "incise-suite/src/c_context.rs",
    SECOND_OPINION,
];

#[test]
fn messages_of_libraries_name_no_options_of_the_command_line() {
    let mut found = Vec::new();
    for source in libraries().filter(|source| !OTHERS_OPTIONS.contains(&&*source.name)) {
        for (line, text) in &source.literals {
            let mut at = text.match_indices("--").map(|(at, _)| at);
            let names = at.any(|at| {
                let starts = !text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '-');
                starts && text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
            });
            if names {
                found.push(format!("{}:{line}: {text}", source.name));
            }
        }
    }
    none(found, "a library names an option of the command line");
}

#[test]
fn the_engine_knows_nothing_of_versions() {
    let mut found = Vec::new();
    for source in sources("incise-exec") {
        found.extend(source.mentions(&[
            "incise_change",
            "incise_relate",
            "incise_seeds",
            "incise_incremental",
        ]));
        let literals = source.literals.iter();
        let versions = literals.filter(|(_, text)| {
            without_fields(text)
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| ["version", "versions", "OLD", "NEW"].contains(&word))
        });
        found.extend(versions.map(|(line, text)| format!("{}:{line}: {text:?}", source.name)));
    }
    none(found, "the engine speaks of versions");
}

/// A text without what is filled in: `{name}`.
fn without_fields(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().filter(|&c| {
        depth += usize::from(c == '{');
        let outside = depth == 0;
        depth -= usize::from(c == '}' && depth > 0);
        outside
    });
    outside.collect()
}

#[test]
fn nothing_downstream_sees_bitwuzla() {
    let above =
        libraries().filter(|source| !is_in(source, "incise-solver") && !is_in(source, "incise-bitwuzla"));
    none(
        above.flat_map(|source| source.mentions(&["incise_bitwuzla"])).collect(),
        "Bitwuzla is named above the solver",
    );
}

/// Ways to go over a table in its own order.
const WALKS: [&str; 8] = [
    ".iter()",
    ".iter_mut()",
    ".keys()",
    ".values()",
    ".values_mut()",
    ".drain()",
    ".into_iter()",
    ".into_values()",
];

/// Where a table is gone over and the order makes no difference: what is found is counted, sorted or put into another
/// table. Some only have the name of a table of their file.
const ORDER_MAKES_NO_DIFFERENCE: &[(&str, &str)] = &[
    ("incise-change/src/dependence.rs", "by_base"),
    ("incise-change/src/locals.rs", "partners"),
    ("incise-change/src/pairing.rs", "new"),
    ("incise-change/src/pointers.rs", "variables"),
    ("incise-exec/src/exploration/coverage.rs", "functions"),
    ("incise-exec/src/threads/states/key.rs", "objects"),
    ("incise-exec/src/threads/states/key.rs", "runs"),
    ("incise-exec/src/threads/states/key.rs", "threads"),
    ("incise-incremental/src/cover/plan.rs", "nodes"),
    ("incise-incremental/src/cover/plan.rs", "sides"),
    ("incise-llvm/src/text/body.rs", "labels"),
    ("incise-llvm/src/text/builder.rs", "files"),
    ("incise-llvm/src/text/debug.rs", "types"),
    ("incise-relate/src/leaves.rs", "theirs"),
    ("incise-relate/src/leaves/calls.rs", "others"),
    ("incise-solver/src/chain/near.rs", "found"),
    ("incise-solver/src/chain/order.rs", "edges"),
];

#[test]
fn no_output_is_made_in_the_order_of_a_hash_table() {
    let mut found = Vec::new();
    for source in libraries() {
        let tables = tables(&source);
        for (number, line) in source.code.iter().enumerate() {
            let walked = tables.iter().find(|table| walks(line, table));
            let Some(table) = walked else { continue };
            let allowed = (&*source.name, table.as_str());
            if !ORDER_MAKES_NO_DIFFERENCE.contains(&allowed) && !orders(&source.code, number) {
                found.push(format!("{}:{}: ({table}) {}", source.name, number + 1, line.trim()));
            }
        }
    }
    none(found, "a hash table is gone over in its own order");
}

/// The names that are hash tables in a file.
fn tables(source: &Source) -> Vec<String> {
    let kinds = [
        "FxHashMap<",
        "FxHashSet<",
        "HashMap<",
        "HashSet<",
        "FxHashMap::",
        "FxHashSet::",
        "HashMap::",
        "HashSet::",
    ];
    let mut names = Vec::new();
    for line in &source.code {
        let Some(at) = kinds.iter().filter_map(|kind| line.find(kind)).min() else { continue };
        let before = line[..at].trim_end();
        // A field, a parameter or a variable: `name: FxHashMap<..>`, `let mut name = FxHashMap::default()`.
        let before = before.trim_end_matches(['&', ' ']).trim_end_matches("mut").trim_end();
        let Some(before) = before.strip_suffix([':', '=']) else { continue };
        let before = before.split(':').next().unwrap_or_default().trim_end();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name: String =
            before.chars().rev().take_while(|&c| is_part(c)).collect::<Vec<_>>().into_iter().rev().collect();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn walks(line: &str, table: &str) -> bool {
    let by_method = WALKS
        .iter()
        .any(|walk| line.match_indices(&format!("{table}{walk}")).any(|(at, _)| is_start(line, at)));
    let by_loop = line.trim_start().starts_with("for ")
        && line.split(" in ").nth(1).is_some_and(|over| {
            let over = over.trim_end_matches(['{', ' ']).trim_start_matches('&').trim_start_matches("mut ");
            over == table || over.strip_prefix("self.") == Some(table)
        });
    by_method || by_loop
}

fn is_start(line: &str, at: usize) -> bool {
    !line[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Whether what comes of the walk is put into an order, or does not depend on one, on this line or the next few.
fn orders(code: &[String], line: usize) -> bool {
    let without = [
        "sort", "BTreeMap", "BTreeSet", ".sum", ".count()", ".min", ".max", ".any(", ".all(", "is_empty",
        ".len()",
    ];
    let near = code[line..].iter().take(5);
    near.into_iter().any(|line| without.iter().any(|word| line.contains(word)))
}

#[test]
fn walks_over_tables_are_seen() {
    let text = "struct S { names: FxHashMap<u32, String>, list: Vec<u32> }\nfn f(s: &S) {\n    for (a, b) in &self.names {\n        p(a);\n    }\n\
                q();\n    q();\n    q();\n    let x = s.names.values().cloned().collect::<Vec<_>>();\n}\n";
    let source = Source::new("test.rs".to_owned(), text);
    assert_eq!(tables(&source), ["names"]);
    let seen: Vec<bool> = source.code.iter().map(|line| walks(line, "names")).collect();
    assert_eq!(seen.iter().filter(|&&seen| seen).count(), 2, "{seen:?}");
    assert!(!source.code.iter().any(|line| walks(line, "list")));
}
