//! Sizes that declarations and contracts tell: attributes of which the IR has no trace, products.

use crate::common::Folder;

/// What the verdict says was taken.
fn taken(old: &str, new: &str, more: &[&str]) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&[&["diff", "old.c", "new.c", "--verdict-only"], more].concat());
    (said.status, format!("{}{}", said.stdout, said.stderr))
}

#[test]
fn a_member_is_as_long_as_the_member_says_that_counts_it() {
    let old = "struct packet { unsigned n; unsigned char data[] __attribute__((counted_by(n))); };\n\
               int last(const struct packet *p, unsigned at) {\n\
               if (at >= p->n)\n return -1;\n return p->data[at]; }\n";
    let (status, text) = taken(old, &old.replace("at >= p->n", "at > p->n"), &[]);
    assert!(text.contains("p->data has room for `p->n` elements"), "{text}");
    assert!(status == 1 && text.contains("out-of-bounds"), "the one behind the last is read: {text}");
}

#[test]
fn a_parameter_is_as_long_as_the_one_says_that_it_is_accessed_with() {
    let old = "int pick(const char *text, unsigned long n, unsigned long at)\n\
               __attribute__((access(read_only, 1, 2)));\n\
               int pick(const char *text, unsigned long n, unsigned long at) {\n\
               if (at >= n)\n return 0;\n return text[at] == 'x'; }\n";
    let (status, text) = taken(old, &old.replace("'x'", "'y'"), &[]);
    assert!(text.contains("text has room for `n` elements"), "{text}");
    assert_eq!(status, 1, "{text}");
}

#[test]
fn a_contract_may_name_a_product() {
    let old = "int at(const int *grid, int rows, int cols, int row, int col) {\n\
               if (row < 0 || row >= rows || col < 0 || col >= cols)\n return 0;\n\
               return grid[row * cols + col]; }\n";
    let new = old.replace("col >= cols", "col > cols");
    let (status, text) = taken(old, &new, &["--length", "grid=rows*cols"]);
    assert!(text.contains("grid has room for `rows * cols` elements"), "{text}");
    assert!(status == 1 && text.contains("out-of-bounds"), "{text}");
    let (status, text) = taken(old, &new, &["--length", "grid=rows*cols*row"]);
    assert!(status == 2 && text.contains("a product of one or two inputs"), "{text}");
}

#[test]
fn two_elements_for_each_of_a_number_are_read_from_the_code() {
    let old = "void hex(const unsigned char *data, unsigned n, char *out) {\n\
               for (unsigned i = 0; i < n; i++) {\n\
               out[2 * i] = \"0123456789abcdef\"[data[i] >> 4];\n\
               out[2 * i + 1] = \"0123456789abcdef\"[data[i] & 15]; }\n\
               out[2 * n] = 0; }\n";
    let (status, text) = taken(old, &old.replace("out[2 * n]", "out[2 * n + 1]"), &[]);
    assert!(text.contains("out has room for `2 * n + 1` elements"), "{text}");
    assert!(status == 1 && text.contains("out-of-bounds"), "{text}");
}
