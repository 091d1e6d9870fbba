//! Programs that find files, an environment and the time around them: explored from `main`, replayed natively,
//! compared, kept as suites.

use crate::common::{Folder, root};
use serde_json::Value;

/// A program of `examples/utilities`, how it is run, and a change that shows.
struct Utility {
    name: &'static str,
    flags: &'static [&'static str],
    change: (&'static str, &'static str),
}

const UTILITIES: &[Utility] = &[
    Utility {
        name: "wordcount",
        flags: &["--sym-args", "1", "2", "--sym-stdin", "1", "--sym-file", "a=2"],
        change: ("isspace(c)", "(c == ' ' || c == '\\n')"),
    },
    Utility {
        name: "copy",
        flags: &["--arg", "-n", "--sym-args", "1", "2", "--sym-stdin", "2", "--sym-file", "a=2"],
        change: ("buffer[i] == '\\n'", "buffer[i] <= '\\n'"),
    },
    Utility {
        name: "beginning",
        flags: &["--sym-args", "2", "2", "--sym-stdin", "1", "--sym-file", "a=2"],
        change: ("value < 0)", "value <= 0)"),
    },
    Utility {
        name: "distinct",
        flags: &["--arg", "in", "--arg", "out", "--sym-file", "in=3", "--sym-env", "COUNT=1"],
        change: ("        count = 1;", "        count = 1 + (last[0] == ' ');"),
    },
    Utility {
        name: "fields",
        flags: &[
            "--arg",
            "-t",
            "--arg",
            "log",
            "--sym-args",
            "1",
            "3",
            "--sym-stdin",
            "3",
            "--sym-file",
            "log=1",
        ],
        change: ("field == wanted", "field <= wanted"),
    },
    Utility {
        name: "lastpart",
        flags: &["--sym-args", "1..2", "2"],
        change: ("tail < part", "tail <= part"),
    },
    Utility {
        name: "translate",
        flags: &["--sym-args", "2", "2", "--sym-stdin", "1"],
        change: ("to.count == 0", "to.count <= 1"),
    },
    Utility { name: "numbers", flags: &["--sym-args", "1", "1"], change: ("each <= last;", "each < last;") },
    Utility {
        name: "wrapped",
        flags: &["--arg", "-s", "--sym-args", "0..1", "2", "--sym-stdin", "4"],
        change: ("kept == 0", "kept <= 1"),
    },
    Utility {
        name: "encoded",
        flags: &["--sym-args", "0..1", "2", "--sym-stdin", "2", "--sym-files", "1", "1"],
        change: ("at = count + 1;", "at = count + 2;"),
    },
    Utility {
        name: "checksum",
        flags: &["--sym-args", "0..1", "2", "--sym-stdin", "2", "--sym-file", "a=2"],
        change: ("~crc, total", "crc, total"),
    },
    Utility {
        name: "primes",
        flags: &["--sym-args", "0..1", "2", "--sym-stdin", "1"],
        change: ("prime * prime <= number", "prime * prime < number"),
    },
];

fn folder_of(utility: &Utility) -> Folder {
    let path = root().join("examples/utilities").join(format!("{}.c", utility.name));
    let source = std::fs::read_to_string(path).expect("the example is there");
    let (old, new) = utility.change;
    assert!(source.contains(old), "{}: {old}", utility.name);
    Folder::with(&[("old.c", &source), ("new.c", &source.replacen(old, new, 1))])
}

#[test]
fn utilities_run_from_main_to_their_ends_and_natively_do_the_same() {
    for utility in UTILITIES {
        let folder = folder_of(utility);
        let run = ["run", "old.c", "--tests", "t", "--format", "json", "--closed"];
        let arguments = [&run[..], utility.flags].concat();
        let said = folder.run(&arguments);
        let document = said.json().unwrap_or_else(|error| panic!("{}: {error}", utility.name));
        assert_eq!(said.status, 0, "{}: {}", utility.name, said.stderr);
        assert_eq!(document["summary"]["complete"], true, "{}", utility.name);
        let paths = document["paths"].as_array().expect("paths");
        assert!(paths.len() > 5, "{} has {} paths", utility.name, paths.len());
        let replay = folder.run(&["replay", "t", "--format", "json"]);
        let replayed = replay.json().expect("JSON");
        assert_eq!(replay.status, 0, "{}: {replayed:#}", utility.name);
    }
}

#[test]
fn a_change_of_a_utility_is_found_and_confirmed() {
    for utility in UTILITIES {
        let folder = folder_of(utility);
        let arguments =
            [&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"][..], utility.flags].concat();
        let said = folder.run(&arguments);
        let document = said.json().unwrap_or_else(|error| panic!("{}: {error}", utility.name));
        assert_eq!(said.status, 1, "{}: {document:#}", utility.name);
        let same = ["diff", "old.c", "old.c", "--verdict-only", "--closed"];
        assert_eq!(folder.run(&[&same[..], utility.flags].concat()).status, 0, "{}", utility.name);
    }
}

const WRITER: &str = r#"#include <stdio.h>
#include <string.h>
int main(void) {
    char word[4] = "";
    FILE *in = fopen("in", "r"), *out = fopen("out", "w");
    fread(word, 1, 3, in);
    if (word[0] == 'b')
        remove("in");
    fprintf(out, "%s", strcmp(word, "go") ? "stay" : "left");
    return 0;
}
"#;

fn verdict(folder: &Folder) -> (i32, Value) {
    let arguments = ["diff", "old.c", "new.c", "--verdict-only", "--format", "json", "--sym-file", "in=3"];
    let said = folder.run(&arguments);
    (said.status, said.json().expect("JSON"))
}

#[test]
fn what_is_left_in_a_file_is_a_difference() {
    let folder = Folder::with(&[("old.c", WRITER), ("new.c", &WRITER.replace("left", "gone"))]);
    let (status, document) = verdict(&folder);
    assert_eq!(status, 1, "{document:#}");
    let text = document.to_string();
    assert!(text.contains(r#""out":"left""#) && text.contains(r#""out":"gone""#), "{document:#}");
    assert!(text.contains(r#""observed":["file"]"#) && text.contains(r#""replayed":true"#), "{document:#}");
}

#[test]
fn a_file_that_only_one_version_removes_is_a_difference() {
    let folder = Folder::with(&[("old.c", WRITER), ("new.c", &WRITER.replace("'b'", "'c'"))]);
    let (status, document) = verdict(&folder);
    assert_eq!(status, 1, "{document:#}");
    assert!(document.to_string().contains(r#""observed":["file"]"#), "{document:#}");
}

#[test]
fn what_is_written_in_another_way_is_the_same() {
    let other = WRITER.replace(
        r#"fprintf(out, "%s", strcmp(word, "go") ? "stay" : "left");"#,
        "const char *text = word[0] == 'g' && word[1] == 'o' && !word[2] ? \"left\" : \"stay\"; for (; *text; text++) fputc(*text, out);",
    );
    assert_ne!(other, WRITER);
    let folder = Folder::with(&[("old.c", WRITER), ("new.c", &other)]);
    let (status, document) = verdict(&folder);
    assert_eq!(status, 0, "{document:#}");
}

#[test]
fn suites_keep_files_and_notice_another_content() {
    let folder = Folder::with(&[("a.c", WRITER), ("b.c", &WRITER.replace("left", "gone"))]);
    let flags = ["--sym-file", "in=3", "--sym-env", "HOME=1"];
    let said = folder.run(&[&["suite", "generate", "a.c", "-o", "suite"][..], &flags].concat());
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert_eq!(folder.run(&["suite", "check", "a.c", "--suite", "suite"]).status, 0);
    assert_eq!(folder.run(&["suite", "check", "b.c", "--suite", "suite"]).status, 1);
    let same = folder.run(&["suite", "update", "a.c", "a.c", "--suite", "suite"]);
    assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);
    let update = folder.run(&["suite", "update", "a.c", "b.c", "--suite", "suite"]);
    assert_eq!(update.status, 1, "{}{}", update.stdout, update.stderr);
}

#[test]
fn names_that_lead_out_of_the_folder_are_refused() {
    let folder = Folder::with(&[("a.c", WRITER)]);
    for name in ["../x=1", "a/b=1", "..=1", "x=-1", "x"] {
        let said = folder.run(&["run", "a.c", "--sym-file", name]);
        assert_eq!(said.status, 2, "{name}");
    }
    let twice = folder.run(&["run", "a.c", "--sym-file", "x=1", "--sym-file", "x=2"]);
    assert!(twice.status == 2 && twice.stderr.contains("the same name twice"), "{}", twice.stderr);
}

/// What surrounds a function, of which nobody said anything, and a change that only shows there.
const SURROUNDED: &[(&str, &str, &str)] = &[
    (
        "#include <stdlib.h>\n#include <stdio.h>\n\
         int main(int argc, char **argv) { if (argc > 1 && atoi(argv[1]) > 10) puts(\"big\"); return 0; }\n",
        "> 10",
        "> 11",
    ),
    (
        "#include <stdio.h>\n\
         int ask(void) { char line[64]; return fgets(line, sizeof line, stdin) && line[1] == 'y'; }\n",
        "'y'",
        "'Y'",
    ),
    (
        "#include <stdlib.h>\n\
         int level(void) { const char *s = getenv(\"LOG\"); if (!s) return 1; int n = atoi(s); return n > 9 ? 9 : n; }\n",
        "n > 9 ? 9",
        "n > 8 ? 8",
    ),
    (
        "#include <stdio.h>\n\
         int first(void) { FILE *f = fopen(\"settings\", \"r\"); if (!f) return -1;\n\
         int c, n = 0; while ((c = getc(f)) != EOF) n = n * 2 + (c == 'a'); fclose(f); return n; }\n",
        "'a'",
        "'b'",
    ),
];

#[test]
fn arguments_input_and_variables_that_nobody_spoke_of_are_looked_at() {
    for (source, old, new) in SURROUNDED {
        let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace(old, new))]);
        let compare = ["diff", "old.c", "new.c", "--verdict-only", "--format", "json"];
        let said = folder.run(&compare);
        assert_eq!(said.status, 1, "{source}: {}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains(r#""replayed":true"#), "{}", said.stdout);
        // Whoever says that there is nothing of it is taken at their word.
        let closed = folder.run(&[&compare[..], &["--closed"]].concat());
        assert_eq!(closed.status, 0, "{source}: {}", closed.stdout);
    }
}

#[test]
fn what_ends_with_the_surroundings_is_not_complete() {
    for (source, ..) in SURROUNDED {
        let folder = Folder::with(&[("a.c", source)]);
        let document = folder.run(&["run", "a.c", "--format", "json"]).json().expect("JSON");
        assert_eq!(document["summary"]["complete"], false, "{source}");
        assert!(
            document["summary"]["bounds"].as_array().is_some_and(|bounds| !bounds.is_empty()),
            "{source}"
        );
        let closed = folder.run(&["run", "a.c", "--format", "json", "--closed"]).json().expect("JSON");
        assert_eq!(closed["summary"]["complete"], true, "{source}");
    }
}

#[test]
fn who_does_not_come_to_the_end_of_the_input_is_complete() {
    let source = "#include <stdio.h>\nint first(void) { return getchar() == 'x'; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let document = folder.run(&["run", "a.c", "--entry", "first", "--format", "json"]).json().expect("JSON");
    assert_eq!(document["summary"]["complete"], true, "{document:#}");
    assert_eq!(document["summary"]["paths"], 2, "nothing, and something: {document:#}");
}

#[test]
fn what_is_done_where_a_file_is_not_there_is_compared_beside_what_is_in_it() {
    let source = "#include <stdio.h>\n\
                  int size(int extra) { FILE *f = fopen(\"list\", \"r\"); if (!f) return extra > 3 ? 1 : 0;\n\
                  int n = 0; while (getc(f) != EOF) n++; fclose(f); return n; }\n";
    let folder = Folder::with(&[
        ("old.c", source),
        ("absent.c", &source.replace("> 3", "> 4")),
        ("same.c", &source.replace("n++", "n = n - -1")),
    ]);
    let differs = folder.run(&["diff", "old.c", "absent.c", "--verdict-only", "--format", "json"]);
    assert_eq!(differs.status, 1, "{}", differs.stdout);
    assert!(differs.stdout.contains(r#""replayed":true"#), "{}", differs.stdout);
    let same = folder.run(&["diff", "old.c", "same.c", "--verdict-only"]);
    assert_eq!(same.status, 0, "{}", same.stdout);
    assert!(same.stdout.contains("the file list up to "), "its size is a bound: {}", same.stdout);
    let run = folder.run(&["run", "old.c", "--entry", "size", "--tests", "out", "--replay"]);
    assert!(run.status != 1 && !run.stdout.contains("disagree"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_change_behind_a_file_that_is_not_there_is_undecided() {
    let source = "#include <stdio.h>\n\
                  int first(void) { FILE *f = fopen(\"/etc/settings\", \"r\"); if (!f) return -1;\n\
                  int c = getc(f); fclose(f); return c == 'a'; }\n";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("'a'", "'b'"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.contains("the file /etc/settings was taken not to be there"), "{}", said.stdout);
}
