//! Differences that only long texts show are seen on texts that are drawn.

use crate::common::Folder;

/// The first line of the verdict on a change, which was found on an input that ran natively.
fn shown(old: &str, from: &str, to: &str) -> String {
    assert_ne!(old, old.replace(from, to));
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace(from, to))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);
    said.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_header_that_comes_twice() {
    let old = "#include <string.h>\n#include <stdlib.h>\n\
               struct header { int type; long length; int close; };\n\
               int read_header(const char *s, struct header *h) {\n\
               h->type = 0; h->length = -1; h->close = 0;\n\
               while (*s) {\n\
               const char *end = strstr(s, \"\\r\\n\");\n\
               if (!end) return -1;\n\
               if (strncmp(s, \"Content-Length:\", 15) == 0)\n\
               h->length = strtol(s + 15, 0, 10);\n\
               else if (strncmp(s, \"Connection: close\", 17) == 0)\n\
               h->close = 1;\n\
               else if (strncmp(s, \"Content-Type: text\", 18) == 0)\n\
               h->type = 1;\n\
               s = end + 2; }\n\
               return h->length < 0 ? 1 : 0; }\n";
    let twice = "{ if (h->length >= 0) return -2; h->length = strtol(s + 15, 0, 10); }";
    let line = shown(old, "h->length = strtol(s + 15, 0, 10);", twice);
    // What is not needed for it is left out.
    assert!(line.contains("\"Content-Length:\\r\\nContent-Length:\\r\\n\""), "{line}");
}

#[test]
fn a_number_that_is_too_small_for_its_type() {
    let old = "#include <stdlib.h>\n#include <errno.h>\n#include <math.h>\n\
               int number(const char *text, double *to) {\n\
               char *end;\n errno = 0;\n double found = strtod(text, &end);\n\
               if (errno) return -1;\n\
               if (end == text || *end) return -2;\n\
               *to = found;\n return 0; }\n";
    let line = shown(old, "if (errno)", "if (errno == ERANGE && (found == HUGE_VAL || found == -HUGE_VAL))");
    assert!(line.to_lowercase().contains("e-"), "{line}");
}
