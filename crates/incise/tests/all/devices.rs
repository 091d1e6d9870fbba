//! Registers of devices at fixed addresses, and what changed only where the old version itself goes wrong.

use crate::common::Folder;

const DRIVER: &str = "#include <stdint.h>
#define STATUS (*(volatile uint32_t *)0x40011000u)
#define DATA   (*(volatile uint32_t *)0x40011004u)
typedef struct { volatile uint32_t SR, DR, BRR, CR1; } USART_TypeDef;
#define USART1 ((USART_TypeDef *)0x40013800u)
volatile unsigned *const reg = (volatile unsigned *)0x40001000;
int send(uint8_t c) {
  int tries = 3;
  while (!(STATUS & 0x80))
    if (--tries == 0)
      return -1;
  DATA = c;
  return 0;
}
void init(uint32_t clock, uint32_t baud) {
  USART1->BRR = (clock + baud / 2) / baud; USART1->CR1 |= 0x200c;
}
int wait(int n) { while (n-- && !(*reg & 1)); return n; }
int start(USART_TypeDef *u, int on) {
  u = on ? USART1 : (USART_TypeDef *)0x40014400u;
  u->CR1 = 1;
  return u->SR + u->SR;
}
void pin(unsigned port, unsigned n) { ((volatile uint32_t *)0x40020000u)[port % 4 * 256 + 5] = 1u << n % 16; }
void led(void) { *(volatile uint8_t *)0x25 ^= 32; }
";

/// What is said of a change of the driver, and the status.
fn said_of(entry: &str, from: &str, to: &str) -> (String, i32) {
    assert!(DRIVER.contains(from));
    let folder = Folder::with(&[("old.c", DRIVER), ("new.c", &DRIVER.replace(from, to))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", entry, "--verdict-only"]);
    (said.stdout, said.status)
}

#[test]
fn what_a_register_gives_is_no_error_and_differs() {
    for (entry, from, to) in [
        ("send", "& 0x80", "& 0x40"),
        ("send", "DATA = c", "DATA = c & 0x7f"),
        ("init", "0x200c", "0x2008"),
        ("init", "CR1 |= 0x200c", "DR |= 0x200c"),
        ("wait", "*reg & 1", "*reg & 2"),
        ("start", "u->SR + u->SR", "2 * u->SR"),
        ("pin", "* 256 + 5", "* 256 + 6"),
    ] {
        let (text, status) = said_of(entry, from, to);
        assert!(
            status == 1 && text.contains("differs in") && !text.contains("not confirmed"),
            "{to}: {text}"
        );
    }
    // The kernel gives nobody the lowest addresses, so that a native run cannot show it.
    let (text, status) = said_of("led", "^= 32", "^= 16");
    assert_eq!(status, 3, "{text}");
}

#[test]
fn the_same_accesses_in_other_words_are_the_same() {
    for (entry, from, to) in [
        ("send", "if (--tries == 0)", "if (!--tries)"),
        ("init", "CR1 |= 0x200c", "CR1 = 0x200c | USART1->CR1"),
        ("pin", "port % 4 * 256 + 5", "5 + (port % 4 << 8)"),
        ("led", "^= 32", "^= 0x20"),
    ] {
        let (text, status) = said_of(entry, from, to);
        assert!(status == 0 && !text.contains("differs"), "{to}: {text}");
    }
}

#[test]
fn registers_are_read_in_tests_as_the_path_did() {
    let folder = Folder::with(&[("driver.c", DRIVER)]);
    for (entry, count) in [("send", 4), ("start", 2), ("pin", 1)] {
        let said = folder.run(&["run", "driver.c", "--entry", entry, "--tests", entry, "--replay"]);
        let s = if count == 1 { "" } else { "s" };
        let all = format!("{count} of {count} test{s} confirmed natively");
        assert!(said.stdout.contains(&all), "{entry}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.status, 0, "{}", said.stdout);
    }
    let test = std::fs::read_to_string(folder.path("send/test000004.json")).unwrap();
    assert!(test.contains(r#""origin": {"kind": "device"}"#), "{test}");
}

#[test]
fn a_change_that_only_invalid_inputs_come_by_is_not_the_same() {
    let source = "int table[4];
int f(int *p, unsigned n) {
  int first = p[0];
  if (n > 7)
    return first + table[n];
  return first;
}
int g(int n, int *wild) {
  wild = (int *)0x123456;
  while (n-- > 0 && !(*wild & 1));
  return n;
}
int h(int n) {
  int *wild = (int *)0x123456;
  *wild = 1 / n; *wild |= 12;
  return n;
}
";
    for (entry, from, to) in [
        ("f", "first + table[n]", "first - table[n]"),
        ("g", "*wild & 1", "*wild & 2"),
        ("h", "|= 12", "|= 8"),
    ] {
        let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace(from, to))]);
        let said = folder.run(&["diff", "old.c", "new.c", "--entry", entry, "--verdict-only"]);
        assert_eq!(said.status, 3, "{entry}: {}", said.stdout);
        assert!(
            said.stdout.contains("the old version itself goes wrong in memory"),
            "{entry}: {}",
            said.stdout
        );
    }
}

#[test]
fn a_copy_between_places_that_overlap_is_an_error() {
    let source = "#include <string.h>
void shift(char *to, size_t n, size_t k) { if (k <= n) memmove(to, to + k, n - k); }
struct s { int a[8]; };
void same(struct s *p, struct s *q) { *p = *q; }
";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("memmove", "memcpy"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "shift", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("overlapping-copy"), "{}", said.stdout);
    assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);
    let said = folder.run(&["run", "old.c", "--entry", "shift"]);
    assert!(!said.stdout.contains("overlapping-copy"), "{}", said.stdout);
    let said = folder.run(&["run", "new.c", "--entry", "same", "--same", "p,q"]);
    assert!(!said.stdout.contains("overlapping-copy"), "{}", said.stdout);
}

#[test]
fn a_string_that_is_copied_into_itself_is_an_error() {
    let prelude = "#include <stdio.h>\n#include <string.h>\nchar b[16];\n";
    let begin = "if (n > 3) return; b[4] = 0;";
    let cut = format!("void f(unsigned n) {{ {begin} memmove(b, b + n, strlen(b + n) + 1); }}");
    let add =
        "void f(void) { b[4] = 0; size_t n = strlen(b); memmove(b + n, b, n); b[2 * n] = 0; }".to_owned();
    let put = "void f(void) { b[4] = 0; size_t n = strlen(b); b[n] = 'x'; b[n + 1] = 0; }".to_owned();
    for (old, new, confirmed) in [
        (&cut, format!("void f(unsigned n) {{ {begin} strcpy(b, b + n); }}"), true),
        (&cut, format!("void f(unsigned n) {{ {begin} strncpy(b, b + n, strlen(b + n) + 1); }}"), true),
        (&cut, format!("void f(unsigned n) {{ {begin} stpcpy(b, b + n); }}"), false),
        (&cut, format!("void f(unsigned n) {{ {begin} mempcpy(b, b + n, strlen(b + n) + 1); }}"), true),
        (&add, "void f(void) { b[4] = 0; strncat(b, b, strlen(b)); }".to_owned(), true),
        // No sanitizer looks at it.
        (&put, "void f(void) { b[4] = 0; sprintf(b, \"%sx\", b); }".to_owned(), false),
        (&put, "void f(void) { b[4] = 0; snprintf(b, sizeof b, \"%sx\", b); }".to_owned(), false),
    ] {
        let (old, text) = (format!("{prelude}{old}\n"), format!("#define _GNU_SOURCE\n{prelude}{new}\n"));
        let folder = Folder::with(&[("old.c", &old), ("new.c", &text)]);
        let said = folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only"]);
        assert!(said.status == 1 || !confirmed && said.status == 3, "{new}: {}", said.stdout);
        assert!(!confirmed || said.stdout.contains("overlapping-copy"), "{new}: {}", said.stdout);
    }
    let apart = format!(
        "{prelude}void f(char *s) {{ if (strlen(s) < 8) strcpy(b, s), strcpy(b + 8, b), strcat(b, \"\"); }}\n"
    );
    let folder = Folder::with(&[("apart.c", &apart)]);
    let said = folder.run(&["run", "apart.c", "--entry", "f"]);
    assert!(!said.stdout.contains("overlapping-copy"), "{}", said.stdout);
}
