//! Objects that a function allocates and leaves behind: they are part of what it does, natively and in tests too.

use crate::common::Folder;

const LISTS: &str = "#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
struct table { struct node *buckets[4]; };

struct node *range(int from, int count) {
  struct node *head = 0, **tail = &head;
  for (int i = 0; i < count && i < 4; i++) {
    *tail = malloc(sizeof **tail);
    (*tail)->value = from + i;
    (*tail)->next = 0;
    tail = &(*tail)->next;
  }
  return head;
}
char *twice(const char *text) {
  size_t length = strlen(text);
  char *both = malloc(2 * length + 1);
  memcpy(both, text, length);
  strcpy(both + length, text);
  return both;
}
char *second(int c) {
  char *text = malloc(4);
  strcpy(text, \"abc\");
  text[1] = c;
  return text + 1;
}
int insert(struct table *table, unsigned key, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = table->buckets[key % 4];
  table->buckets[key % 4] = node;
  return 0;
}
";

/// A function, what of it is changed, and into what.
const CHANGES: [(&str, &str, &str); 5] = [
    ("range", "from + i", "from + i + (i == 3)"),
    ("twice", "both + length, text)", "both + length, text + (length > 1))"),
    ("second", "text[1] = c", "text[1] = c, text[0] = 'x'"),
    ("second", "text[1] = c", "text[1] = c, text[2] = 'x'"),
    ("insert", "node->value = value", "node->value = value + 1"),
];

fn folder(old: &str, new: &str) -> Folder {
    Folder::with(&[("old.c", LISTS), ("new.c", &LISTS.replace(old, new))])
}

#[test]
fn what_differs_on_the_heap_is_confirmed_natively() {
    for (entry, old, new) in CHANGES {
        let said = folder(old, new).run(&["diff", "old.c", "new.c", "--entry", entry, "--verdict-only"]);
        assert!(said.stdout.contains("differs in 1 way"), "{}{}", said.stdout, said.stderr);
        assert!(!said.stdout.contains("not confirmed") && said.status == 1, "{}", said.stdout);
    }
}

#[test]
fn a_suite_passed_although_what_a_function_allocates_was_another() {
    for (entry, old, new) in CHANGES {
        let folder = folder(old, new);
        let made = folder.run(&["suite", "generate", "old.c", "--entry", entry, "-o", "suite"]);
        assert_ne!(made.status, 2, "{}{}", made.stdout, made.stderr);
        let same = folder.run(&["suite", "check", "--suite", "suite"]);
        assert!(same.status != 2 && !same.stdout.contains("failed"), "{}{}", same.stdout, same.stderr);
        let other = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
        assert!(other.status == 1 && other.stdout.contains("failed"), "{entry}: {}", other.stdout);
        let updated = folder.run(&["suite", "update", "old.c", "new.c", "--suite", "suite", "--accept"]);
        assert!(!updated.stdout.contains(" 0 changed"), "{entry}: {}", updated.stdout);
        let after = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
        assert!(!after.stdout.contains("failed"), "{entry}: {}", after.stdout);
    }
}

#[test]
fn c_programs_look_at_the_heap_too() {
    let folder = folder("from + i", "from + i + (i == 3)");
    folder.run(&["run", "old.c", "--entry", "range", "--tests", "tests", "--c-tests"]);
    let tests = folder.path("tests");
    let mut failed = 0;
    for number in 1.. {
        let name = format!("test{number:06}");
        let Ok(text) = std::fs::read_to_string(tests.join(format!("{name}.c"))) else { break };
        for (version, changed) in [("old", false), ("new", true)] {
            let source = tests.join(format!("{version}-{name}.c"));
            let text = if changed { text.replace("old.c", "new.c") } else { text.clone() };
            std::fs::write(&source, text).expect("a test can be written");
            let program = tests.join(format!("{version}-{name}"));
            let mut cc = std::process::Command::new("cc");
            cc.current_dir(&tests).args(["-I", "include"]).arg(&source).arg("-o").arg(&program);
            assert!(cc.status().expect("cc").success());
            let run = std::process::Command::new(&program).current_dir(&tests).output().expect("it runs");
            assert!(changed || run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
            failed += usize::from(!run.status.success());
        }
    }
    assert!(failed > 0, "no test looks at what is on the heap");
}

#[test]
fn objects_of_a_hash_table_stand_for_each_other_by_the_index_that_is_an_input() {
    let same =
        folder("key % 4", "key & 3").run(&["diff", "old.c", "new.c", "--entry", "insert", "--verdict-only"]);
    assert!(same.stdout.contains("insert does the same on every input"), "{}{}", same.stdout, same.stderr);
    let shared = folder(
        "  table->buckets[key % 4] = node;",
        "  table->buckets[key % 4] = node;\n  if (key == 77) table->buckets[1] = malloc(1);",
    );
    let said = shared.run(&["diff", "old.c", "new.c", "--entry", "insert", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

#[test]
fn an_end_that_is_no_longer_there_was_called_the_same() {
    let source = "#include <stdlib.h>
#include <string.h>
char *copy(const char *s) {
  size_t n = strlen(s);
  char *r = malloc(n + 1);
  if (!r) return 0;
  memcpy(r, s, n + 1);
  return r;
}
";
    let verdict = |old: &str, new: &str| {
        let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace(old, new))]);
        folder.run(&["diff", "old.c", "new.c", "--verdict-only"])
    };
    let shorter = verdict(
        "malloc(n + 1);\n  if (!r) return 0;\n  memcpy(r, s, n + 1)",
        "malloc(n + !n);\n  if (!r) return 0;\n  memcpy(r, s, n)",
    );
    assert!(shorter.stdout.contains("new: result[1] = beyond the end of the object"), "{}", shorter.stdout);
    assert_eq!(shorter.status, 1, "{}", shorter.stderr);
    let longer = verdict("malloc(n + 1)", "malloc(n + 9)");
    assert!(longer.status == 0, "{}{}", longer.stdout, longer.stderr);
}
