//! Proofs beyond sizes rest on the room that inputs are taken to have: what lies within it may be read, what does not
//! may not, and a number of elements counts bytes without wrapping around.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

const SUM: &str = "int sum(const unsigned char *data, unsigned long size) {
    int all = 0;
    for (unsigned long i = 0; i < size; i++)
        if (i % 3 != 0)
            all += data[i];
    return all;
}
";

#[test]
fn what_there_is_room_for_may_be_read() {
    let early = SUM
        .replace("        if (i % 3", "    {\n        unsigned char each = data[i];\n        if (i % 3")
        .replace("all += data[i];", "all += each;\n    }");
    let (status, said) = compared(SUM, &early);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("sum does the same on inputs as taken"), "{said}");
    assert!(said.contains("1 loop by induction"), "{said}");
}

#[test]
fn what_there_is_no_room_for_may_not_be_read() {
    let beyond = SUM
        .replace("        if (i % 3", "    {\n        unsigned char next = data[i + 1];\n        if (i % 3")
        .replace("all += data[i];", "all += data[i] + 0 * next;\n    }");
    let (status, said) = compared(SUM, &beyond);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("introduced: read"), "{said}");
}

const REMOVE: &str = "#include <string.h>
struct vector { int *items; unsigned long length; };
int take_out(struct vector *vector, unsigned long index) {
    if (index >= vector->length)
        return 0;
    for (unsigned long i = index; i + 1 < vector->length; i++)
        vector->items[i] = vector->items[i + 1];
    vector->length--;
    return 1;
}
";

/// The same with `memmove` of so many bytes.
fn moved(bytes: &str) -> String {
    let (head, _) = REMOVE.split_once("    for").expect("there is a loop");
    format!(
        "{head}    unsigned long behind = --vector->length - index;
    memmove(vector->items + index, vector->items + index + 1, {bytes});
    return 1;
}}
"
    )
}

#[test]
fn elements_that_are_moved_up_are_moved_by_the_library() {
    let (status, said) = compared(REMOVE, &moved("behind * sizeof *vector->items"));
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("take_out does the same on inputs as taken"), "{said}");
    let (status, said) = compared(REMOVE, &moved("behind"));
    assert_eq!(status, 1, "{said}");
}

#[test]
fn bits_that_are_counted_in_parallel_are_counted() {
    let count = "unsigned count(const unsigned *words, unsigned long n) {
    unsigned bits = 0;
    for (unsigned long i = 0; i < n; i++)
        for (int bit = 0; bit < 32; bit++)
            bits += words[i] >> bit & 1;
    return bits;
}
";
    let parallel = |last: &str| {
        format!(
            "unsigned count(const unsigned *words, unsigned long n) {{
    unsigned bits = 0;
    for (unsigned long i = 0; i < n; i++) {{
        unsigned w = words[i];
        w = (w & 0x55555555) + (w >> 1 & 0x55555555);
        w = (w & 0x33333333) + (w >> 2 & 0x33333333);
        w = (w & 0x0f0f0f0f) + (w >> 4 & 0x0f0f0f0f);
        bits += {last};
    }}
    return bits;
}}
"
        )
    };
    for last in ["w % 255", "w * 0x01010101 >> 24"] {
        let (status, said) = compared(count, &parallel(last));
        assert_eq!(status, 0, "{last}: {said}");
        assert!(said.contains("count does the same on inputs as taken"), "{last}: {said}");
        // Who is still counting when the other one is beyond the end does not stay within it.
        assert!(!said.contains("introduced"), "{last}: {said}");
    }
    let (status, said) = compared(count, &parallel("w % 127"));
    assert_eq!(status, 1, "{said}");
}

#[test]
fn what_is_only_written_otherwise_is_told_so() {
    let old = "struct node { struct node *next; };
struct node *reverse(struct node *list) {
    struct node *done = 0;
    while (list != 0) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
";
    let new = old
        .replace("while (list != 0) {", "for (struct node *rest; list != 0; list = rest) {")
        .replace("struct node *next = list->next;", "rest = list->next;")
        .replace("        list = next;\n", "");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(said.stdout.contains("reverse does the same: no statement changed"), "{}", said.stdout);
    // A statement that cannot be reached did change.
    let unreached = old.replace("return done;", "if (done != done) return 0;\n    return done;");
    let (_, said) = compared(old, &unreached);
    assert!(!said.contains("no statement changed"), "{said}");
}
