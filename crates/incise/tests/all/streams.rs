//! Functions with inputs of type `FILE *`: explored, compared, and run natively with real streams.

use crate::common::Folder;
use serde_json::{Value, json};

/// The document of a comparison of a text with one in which something is replaced.
fn changed(source: &str, change: (&str, &str), arguments: &[&str]) -> Value {
    let (old, new) = change;
    assert!(source.contains(old), "{old}");
    let source = format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{source}");
    let folder = Folder::with(&[("old.c", &source), ("new.c", &source.replacen(old, new, 1))]);
    let arguments = [&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"], arguments].concat();
    folder.run(&arguments).json().unwrap()
}

/// The first difference, which a native run has to have confirmed: the name of the first thing that differs and both
/// values.
fn difference(document: &Value) -> (&str, &Value, &Value) {
    assert_eq!(document["verdict"], "differs", "{document:#}");
    let first = &document["differences"][0];
    assert_eq!(first["replayed"], true, "{first:#}");
    let values = first["old"]["values"].as_object().unwrap();
    let name = values.keys().next().unwrap();
    (name, &values[name], &first["new"]["values"][name])
}

fn words(document: &Value) -> String {
    document.to_string()
}

const COUNT: &str =
    "int count(FILE *f) { int c, n = 0; while ((c = getc(f)) != EOF) if (c == '\\n') n++; return n; }\n";

#[test]
fn a_harmful_change_is_found_and_replayed() {
    let document = changed(COUNT, ("n++", "n += 2"), &[]);
    let (_, old, new) = difference(&document);
    assert_eq!((old, new), (&json!(1), &json!(2)));
    let taken = &document["entries"][0]["taken"];
    let taken: Vec<&str> =
        taken.as_array().unwrap().iter().map(|each| each["kind"].as_str().unwrap()).collect();
    assert_eq!(taken, ["not-null", "stream"], "{document:#}");
}

#[test]
fn a_harmless_change_is_the_same_within_bounds_that_are_named() {
    let document = changed(COUNT, ("if (c == '\\n') n++;", "n += c == '\\n';"), &[]);
    assert_eq!(document["verdict"], "same-within-bounds", "{document:#}");
    let bound = &document["bounds"][0];
    assert_eq!((&bound["input"], &bound["unit"]), (&json!("f"), &json!("bytes")), "{document:#}");
    assert!(bound["value"].as_u64().unwrap() >= 16, "{document:#}");
    let whole = changed(COUNT, ("if (c == '\\n') n++;", "n += c == '\\n';"), &["--size", "f=0..4"]);
    assert_eq!(whole["verdict"], "same", "the user says that there are no more: {whole:#}");
    assert_eq!(whole["entries"][0]["as_taken"], true);
}

#[test]
fn what_only_matters_further_on_is_found_by_larger_files() {
    let source = "int last(FILE *f) { int c, at = 0, found = 0; while ((c = getc(f)) != EOF) { if (at == 9 && c == 'x') found = 1; at++; } return found; }\n";
    let document = changed(source, ("found = 1", "found = 2"), &[]);
    let (_, old, new) = difference(&document);
    assert_eq!((old, new), (&json!(1), &json!(2)));
    // A file that is said to be shorter never comes there.
    let short = changed(source, ("found = 1", "found = 2"), &["--size", "f=0..9"]);
    assert_ne!(short["verdict"], "differs", "{short:#}");
}

#[test]
fn a_change_that_no_file_meets_is_not_called_the_same() {
    let source = "int far(FILE *f) { int c, at = 0; while ((c = getc(f)) != EOF) if (++at == 5000) return 1; return 0; }\n";
    let document = changed(source, ("return 1", "return 2"), &["--max-time", "6"]);
    let verdict = document["verdict"].as_str().unwrap();
    assert!(verdict == "undecided" || verdict == "differs", "{document:#}");
}

#[test]
fn what_is_written_is_compared() {
    let source = "void greet(FILE *out, int n) { fprintf(out, \"n=%d\\n\", n & 7); if (n > 3) fputs(\"big\", out); }\n";
    let document = changed(source, ("n=%d", "n:%d"), &[]);
    let (name, ..) = difference(&document);
    assert_eq!(name, "out");
    assert!(words(&document).contains("empty-stream"), "{document:#}");
    let document = changed(source, ("fputs(\"big\", out)", "fprintf(out, \"%s\", \"big\")"), &[]);
    assert_eq!(document["verdict"], "same", "{document:#}");
    assert_eq!(document["entries"][0]["as_taken"], true);
}

#[test]
fn where_a_stream_stands_is_left_behind() {
    let source = "int peek(FILE *f) { int c = getc(f); if (c != EOF) ungetc(c, f); return c; }\n";
    let document = changed(source, ("if (c != EOF) ungetc(c, f);", ""), &[]);
    assert_eq!(difference(&document).0, "ftell(f)");
    let source = "int first(FILE *f) { int c = getc(f); fclose(f); return c; }\n";
    let document = changed(source, ("fclose(f);", ""), &[]);
    assert_eq!(difference(&document), ("closed(f)", &json!(true), &json!(false)));
    let source = "int end(FILE *f) { getc(f); clearerr(f); return 0; }\n";
    let document = changed(source, ("clearerr(f);", ""), &[]);
    assert_eq!(difference(&document).0, "feof(f)");
}

#[test]
fn what_was_pushed_back_makes_no_verdict_stronger() {
    let source = "int peek(FILE *f) { int c = getc(f); if (c != EOF) ungetc(c, f); return c; }\n";
    let document = changed(source, ("ungetc(c, f)", "ungetc('?', f)"), &[]);
    assert_eq!(document["verdict"], "undecided", "{document:#}");
}

#[test]
fn lines_and_numbers_of_a_stream() {
    let lines = "int lines(FILE *f) { char line[8]; int n = 0; while (fgets(line, sizeof line, f)) if (line[0] != '#') n++; return n; }\n";
    difference(&changed(lines, ("'#'", "';'"), &[]));
    let total =
        "int total(FILE *f) { int sum = 0, v; while (fscanf(f, \"%d\", &v) == 1) sum += v; return sum; }\n";
    difference(&changed(total, ("sum += v", "sum -= v"), &[]));
}

#[test]
fn a_stream_in_a_struct_and_one_that_may_be_null() {
    let source = "struct reader { FILE *in; int line; };\nint next(struct reader *r) { int c = fgetc(r->in); if (c == '\\n') r->line++; return c; }\n";
    let document = changed(source, ("r->line++", "r->line += 2"), &[]);
    assert_eq!(difference(&document).0, "r->line");
    let source = "int first(FILE *f) { if (!f) return -2; return getc(f); }\n";
    let document = changed(source, ("return -2", "return -3"), &[]);
    let (_, old, new) = difference(&document);
    assert_eq!((old, new), (&json!(-2), &json!(-3)));
}

#[test]
fn a_version_that_begins_to_read_is_given_something_to_read() {
    let source = "int put(FILE *f) { putc('a', f); return 0; }\n";
    let new = "if (getc(f) == 'x') return 1; rewind(f); putc('a', f); return 0;";
    let document = changed(source, ("putc('a', f); return 0;", new), &[]);
    difference(&document);
}

#[test]
fn a_run_is_not_complete_and_says_how_much_was_looked_at() {
    let source = format!("#include <stdio.h>\n{COUNT}");
    let folder = Folder::with(&[("a.c", &source)]);
    let said = folder.run(&["run", "a.c", "--entry", "count", "--tests", "tests", "--replay"]);
    assert!(said.stdout.contains("not complete: other behaviours may exist"), "{}", said.stdout);
    assert!(said.stdout.contains("looked at f up to "), "{}", said.stdout);
    assert!(said.stdout.contains("f is an open stream"), "{}", said.stdout);
    assert!(!said.stdout.contains("disagrees"), "{}", said.stdout);
    let any = folder.run(&["run", "a.c", "--entry", "count", "--inputs", "any", "--size", "f=0..1"]);
    assert!(any.stdout.contains("on inputs as taken"), "no other streams are looked at: {}", any.stdout);
}

#[test]
fn a_stream_that_a_call_returns_is_not_looked_at() {
    let source = "FILE *log_of(int id);\nint last(int id) { FILE *f = log_of(id); if (!f) return -1; int c = getc(f); return c == EOF ? 0 : 1; }\n";
    let document = changed(source, ("? 0 : 1", "? 0 : 2"), &[]);
    assert_eq!(document["verdict"], "undecided", "{document:#}");
}

#[test]
fn more_streams_than_there_is_room_for_are_cut() {
    let source =
        "struct all { FILE *files[20]; };\nint last(struct all *a) { return getc(a->files[19]) == 'x'; }\n";
    let document = changed(source, ("== 'x'", "== 'y'"), &[]);
    assert_eq!(document["verdict"], "undecided", "{document:#}");
}

#[test]
fn suites_with_streams_are_brought_over_and_checked() {
    let old = "#include <stdio.h>\nint copy(FILE *in, FILE *out) { int c, n = 0; while ((c = getc(in)) != EOF) { putc(c, out); n++; } return n; }\n";
    let new = old.replace("n++;", "if (n++ == 1) putc('!', out);");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let size = ["--size", "in=0..3"];
    let said =
        folder.run(&[&["suite", "generate", "old.c", "--entry", "copy", "-o", "suite"], &size[..]].concat());
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = folder.run(&["suite", "check", "old.c", "--suite", "suite"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let said = folder.run(&["suite", "update", "old.c", "new.c", "--suite", "suite", "--accept"]);
    assert!(said.stdout.contains("2 kept, 2 changed"), "{}{}", said.stdout, said.stderr);
    let said = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn a_loop_over_an_unknown_function_keeps_to_the_time() {
    let old = "int next(int *p);\nint count(int *p) { int c, n = 0; while ((c = next(p)) != -1) if (c == 10) n++; return n; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("n++", "n += 2"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--max-time", "2"]);
    assert!(said.stdout.contains("stopped by --max-time"), "{}{}", said.stdout, said.stderr);
}
