//! Volatile variables, which others may change at any time.

use crate::common::Folder;

const DECLARED: &str = "#include <stdint.h>
extern volatile unsigned ticks;
static volatile int flag;
volatile int first, second;
const volatile int calibration = 5;
volatile float heat;
struct device { volatile unsigned char status; int count; };
struct bits { volatile unsigned low : 3, high : 5; } bits;
struct pair { int a, b; };
volatile struct pair shared;
struct node { struct node *next; int value; };
struct node *volatile head;
void interrupt(void) { flag = 1; }
";

/// What is said of two versions of a function, and the status.
fn said_of(old: &str, new: &str) -> (String, i32) {
    let (old, new) = (format!("{DECLARED}{old}\n"), format!("{DECLARED}{new}\n"));
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only"]);
    (said.stdout, said.status)
}

#[test]
fn a_volatile_variable_is_not_taken_to_keep_its_value() {
    for (old, new) in [
        (
            "unsigned f(void) { unsigned a = ticks; return a + a; }",
            "unsigned f(void) { return ticks + ticks; }",
        ),
        (
            "int f(int x) { if (flag) return x; return flag; }",
            "int f(int x) { if (flag) return x; return 0; }",
        ),
        (
            "int f(volatile int *p) { int a = *p; return a - a; }",
            "int f(volatile int *p) { return *p - *p; }",
        ),
        (
            "int f(struct device *d) { if (d->status & 1) d->count++; return d->status; }",
            "int f(struct device *d) { int s = d->status; if (s & 1) d->count++; return s; }",
        ),
        ("int f(void) { return calibration + calibration; }", "int f(void) { return 10; }"),
        ("float f(void) { return heat * 2; }", "float f(void) { return heat + heat; }"),
    ] {
        let (text, status) = said_of(old, new);
        assert!(status == 1 && !text.contains("not confirmed"), "{new}: {status} {text}");
    }
}

#[test]
fn volatile_accesses_are_compared_by_number_order_place_width_and_value() {
    for (old, new) in [
        ("int f(int x) { first; return x; }", "int f(int x) { return x; }"),
        ("void f(int x) { first = x; first = x; }", "void f(int x) { first = x; }"),
        ("void f(int x) { first = x; second = x; }", "void f(int x) { second = x; first = x; }"),
        ("int f(void) { return first + second; }", "int f(void) { int s = second; return first + s; }"),
        ("int f(void) { return first & 0xff; }", "int f(void) { return *(volatile unsigned char *)&first; }"),
        ("void f(int x) { first = x; first = 0; }", "void f(int x) { first = x & 1; first = 0; }"),
        ("void f(void) { bits.low = 1; bits.high = 2; }", "void f(void) { bits.high = 2; bits.low = 1; }"),
        (
            "void f(int n) { for (int i = 0; i < n; i++) first = i; }",
            "void f(int n) { for (int i = 0; i < n; i++) if (i != 5) first = i; }",
        ),
    ] {
        let (text, status) = said_of(old, new);
        assert!(status == 1 && !text.contains("not confirmed"), "{new}: {status} {text}");
    }
}

#[test]
fn what_cannot_be_made_of_a_volatile_variable_is_undecided() {
    for (old, new, why) in [
        (
            "int f(void) { struct node *h = head; return h ? h->value : 0; }",
            "int f(void) { return head ? head->value : 0; }",
            "a volatile pointer",
        ),
        (
            "int f(void) { struct pair p = shared; return p.a; }",
            "int f(void) { return shared.a; }",
            "a whole volatile object",
        ),
    ] {
        let (text, status) = said_of(old, new);
        assert!(status == 3 && text.contains(why), "{new}: {status} {text}");
    }
}

#[test]
fn the_same_volatile_accesses_in_other_words_are_the_same() {
    for (old, new) in [
        (
            "int f(int x) { if (first == x) return 1; return 2 * first; }",
            "int f(int x) { if (x == first) return 1; return first + 0 << 1; }",
        ),
        // Nobody else has the address.
        (
            "int f(int x) { volatile int a[3] = {1, 2, 3}; a[x & 1] += x; return a[0] + a[1]; }",
            "int f(int x) { volatile int a[3] = {1, 2, 3}; a[x & 1] = x + a[x & 1]; return a[1] + a[0]; }",
        ),
        (
            "int f(int x) { volatile int y = x; return y + y; }",
            "int f(int x) { volatile int y = x; return 2 * y; }",
        ),
        (
            "void f(int n) { for (int i = 0; i < n; i++) first = i + i; }",
            "void f(int n) { for (int i = 0; i < n; i++) first = 2 * i; }",
        ),
    ] {
        let (text, status) = said_of(old, new);
        assert!(status == 0 && !text.contains("differs"), "{new}: {status} {text}");
    }
}

#[test]
fn whoever_says_so_has_volatile_variables_that_the_program_alone_changes() {
    let (old, new) = (
        "unsigned f(void) { unsigned a = ticks; return a + a; }",
        "unsigned f(void) { return ticks + ticks; }",
    );
    let (old, new) = (format!("{DECLARED}{old}\n"), format!("{DECLARED}{new}\n"));
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said =
        folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only", "--volatile", "program"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(said.stdout.contains("are taken to be changed by nobody else"), "{}", said.stdout);
}

#[test]
fn native_runs_get_what_others_put_into_volatile_variables() {
    let source = "#include <stdint.h>
static volatile int flag;
const volatile int limit = 3;
volatile uint16_t level;
#define PORT (*(volatile uint32_t *)0x40011000u)
int f(volatile int *p, int n) {
  int waited = 0;
  while (!flag && waited < 2) waited++;
  level = (uint16_t)(n + limit);
  if (level == 7) return *p;
  if (PORT == 9) PORT = level;
  return waited;
}
";
    let folder = Folder::with(&[("f.c", source)]);
    let said =
        folder.run(&["run", "f.c", "--entry", "f", "--volatile", "others", "--tests", "t", "--replay"]);
    assert!(
        !said.stdout.contains("disagree") && said.stdout.contains("12 of 12 tests confirmed"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}
