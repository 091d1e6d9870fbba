//! Compilation databases as tools and people write them.

use crate::common::{GO_ON, search_path};
use incise_repository::build::{Database, DatabasePlace, dependencies, known_to_clang};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    for (name, text) in files {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
        std::fs::write(path, text.replace("ROOT", &root.to_string_lossy())).expect("a file is written");
    }
    (folder, root)
}

fn around(root: &Path) -> Database {
    Database::find(DatabasePlace::Around(root)).expect("it can be read").expect("it is there")
}

fn texts(flags: &[OsString]) -> Vec<String> {
    flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
}

#[test]
fn both_kinds_of_entries_mean_the_same() {
    let (_folder, root) = folder(&[
        ("src/a.c", ""),
        ("src/b c.c", ""),
        ("inc/x.h", ""),
        ("build/more.rsp", "-DFROM=\"a file\" -I../inc"),
        (
            "build/compile_commands.json",
            r#"[{"directory": "ROOT/build", "file": "../src/a.c", "command": "ccache gcc -DS='\"x y\"' -I../inc -O2 -c ../src/a.c -o a.o"},
               {"directory": "ROOT/build", "file": "ROOT/src/b c.c", "arguments": ["cc", "@more.rsp", "-c", "../src/b c.c"]}]"#,
        ),
    ]);
    let found = around(&root);
    let include = format!("-I{}/inc", root.display());
    assert_eq!(found.units.len(), 2);
    assert_eq!(found.units[0].file, root.join("src/a.c"));
    assert_eq!(texts(&found.units[0].flags), ["-DS=\"x y\"", &include]);
    assert_eq!(found.units[1].file, root.join("src/b c.c"));
    assert_eq!(texts(&found.units[1].flags), ["-DFROM=a file", &include]);
    assert!(found.dropped.is_empty() && found.others.is_empty());
}

#[test]
fn a_file_that_is_compiled_twice_is_two_units_unless_both_are_the_same() {
    let entry =
        |flags: &str| format!(r#"{{"directory": "ROOT", "file": "a.c", "command": "cc {flags} -c a.c"}}"#);
    let all = [entry("-DA -o 1.o"), entry("-DB -o 2.o"), entry("-DA -o 3.o")].join(",");
    let (_folder, root) = folder(&[("a.c", ""), ("compile_commands.json", &format!("[{all}]"))]);
    let found = around(&root);
    let variants: Vec<&str> = found.units.iter().map(|unit| unit.variant.as_str()).collect();
    assert_eq!(variants, ["1.o", "2.o"]);
}

#[test]
fn what_is_not_c_is_set_apart() {
    let (_folder, root) = folder(&[(
        "compile_commands.json",
        r#"[{"directory": "ROOT", "file": "a.cpp", "command": "g++ -c a.cpp"},
           {"directory": "ROOT", "file": "s.S", "command": "gcc -c s.S"},
           {"directory": "ROOT", "file": "gen.x", "command": "gcc -x c -c gen.x"},
           {"directory": "ROOT", "file": "p.c", "command": "gcc -E p.c"}]"#,
    )]);
    let found = around(&root);
    assert_eq!(found.units.iter().map(|unit| unit.file.clone()).collect::<Vec<_>>(), [root.join("gen.x")]);
    assert_eq!(found.others, ["a.cpp", "s.S", "p.c"].map(|name| root.join(name)).into());
}

#[test]
fn what_is_wrong_with_a_database_is_said() {
    for (text, expected) in [
        ("{", "no JSON"),
        ("{}", "not a list"),
        (r#"[{"directory": "/"}]"#, "entry 1: there is no \"file\""),
        (r#"[{"file": "a.c", "command": "cc 'a.c"}]"#, "a quote"),
        (r#"[{"file": "a.c"}]"#, "neither"),
    ] {
        let (_folder, root) = folder(&[("compile_commands.json", text)]);
        let error = Database::find(DatabasePlace::Around(&root)).expect_err("it is wrong").to_string();
        assert!(error.contains(expected), "{error}");
    }
    let (_folder, root) = folder(&[]);
    assert_eq!(Database::find(DatabasePlace::Around(&root)).expect("none is no error"), None);
    let error = Database::find(DatabasePlace::Given(&root)).expect_err("the user names it").to_string();
    assert!(error.contains("there is no compile_commands.json in"), "{error}");
}

#[test]
fn units_move_with_everything_below_the_top() {
    let (_folder, root) = folder(&[
        ("inc/x.h", ""),
        ("src/a.c", ""),
        (
            "compile_commands.json",
            r#"[{"directory": "ROOT/src", "file": "a.c", "command": "cc -I../inc -I/usr/include -include ../inc/x.h -DP=\"ROOT\" -c a.c"}]"#,
        ),
    ]);
    let unit = &around(&root).units[0];
    let moved = unit.moved(&root, Path::new("/other"), Path::new("/other/src/a.c"));
    let define = format!("-DP={}", root.display());
    assert_eq!(
        texts(&moved.flags),
        ["-I/other/inc", "-I/usr/include", "-include", "/other/inc/x.h", &define]
    );
}

fn clang() -> PathBuf {
    let names = ["clang-19", "clang-16", "clang-15", "clang"];
    let found = search_path().into_iter().flat_map(|folder| names.map(|name| folder.join(name)));
    found.into_iter().find(|path| path.is_file()).expect("a clang for tests")
}

#[test]
fn clang_is_asked_which_flags_it_knows() {
    let flags = [
        "-fwrapv",
        "-fplan9-extensions",
        "-m64",
        "-mno-such-thing",
        "-DX",
        "-std=gnu99",
        "-fno-strict-aliasing",
    ];
    let flags = flags.map(OsString::from).into();
    let unknown = known_to_clang(&clang(), &flags, &GO_ON).expect("clang runs");
    assert_eq!(unknown, ["-fplan9-extensions", "-mno-such-thing"].map(OsString::from).into());
}

#[test]
fn clang_tells_what_a_unit_includes() {
    let (_folder, root) = folder(&[
        ("a.c", "#include \"in c/x.h\"\n#include <stddef.h>\n"),
        ("in c/x.h", "#include \"y.h\"\n"),
        ("in c/y.h", ""),
        ("broken.c", "#include \"none.h\"\n"),
        (
            "compile_commands.json",
            r#"[{"directory": "ROOT", "file": "a.c", "command": "cc -c a.c"},
               {"directory": "ROOT", "file": "broken.c", "command": "cc -c broken.c"}]"#,
        ),
    ]);
    let found = around(&root);
    let own = |unit| {
        let all = dependencies(&clang(), unit, &GO_ON).expect("clang runs");
        all.map(|all| all.into_iter().filter(|path| path.starts_with(&root)).collect::<Vec<_>>())
    };
    assert_eq!(
        own(&found.units[0]),
        Some(["a.c", "in c/x.h", "in c/y.h"].map(|name| root.join(name)).to_vec())
    );
    assert_eq!(own(&found.units[1]), None);
}
