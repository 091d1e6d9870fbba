//! What inputs are taken to be may keep all paths from a change: that is no verdict on it.

use crate::common::Folder;

fn compared(entry: &str, old: &str, from: &str, to: &str) -> (i32, String) {
    assert_ne!(old, old.replace(from, to));
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace(from, to))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", entry, "--verdict-only"]);
    (said.status, said.stdout)
}

#[test]
fn an_assertion_about_what_comes_later_keeps_nothing_away() {
    let old = "#include <stdlib.h>\n\
               struct build { struct build *parent; int count; };\n\
               struct writer { struct build *current; int state; unsigned char *position, *end; };\n\
               static void resolve(struct writer *w) {\n\
               if (w->position < w->end) { *w->position++ = 1; w->state = 2; } }\n\
               void complete(struct writer *w) {\n\
               if (!w->current) abort();\n\
               if (w->current->parent) w->current = w->current->parent; else resolve(w); }\n";
    let (status, said) = compared("complete", old, "w->state = 2", "w->state = 3");
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("complete differs") && !said.contains("parent is not null"), "{said}");
}

#[test]
fn a_change_that_no_input_as_taken_meets_is_open_if_others_do_not_tell() {
    // No exploration knows what assembly does.
    let assembly = "__asm__ volatile(\"movl %1, %0\" : \"=r\"(x) : \"r\"(b->count)); ";
    let old = "struct buffer { char *data; unsigned count, capacity; };\n\
               int push(struct buffer *b, char c) {\n\
               int x = 0;\n\
               if (b->count > b->capacity) { return x - 2; }\n\
               if (b->count == b->capacity) return -1;\n\
               b->data[b->count++] = c;\n return 0; }\n";
    let (status, said) =
        compared("push", &old.replace("return x", &format!("{assembly}return x")), "x - 2", "x - 3");
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("no path meets the change on inputs as taken"), "{said}");
    // Where others do tell, they are shown, and do not count.
    let (status, said) = compared("push", old, "x - 2", "x - 3");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("with other inputs"), "{said}");
}
