//! Pointers with a length beside them.

use crate::support::check;

#[test]
fn an_index_below_a_parameter() {
    check(
        "int f(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
        &["p is not null", "p has room for `n` elements"],
    );
    check(
        "int f(const int *p, int n) { int s = 0; for (int i = 0; i <= n; i++) s += p[i]; return s; }",
        &["p is not null", "p has room for `n + 1` elements"],
    );
    check(
        "int f(const int *p, unsigned n) { int s = 0; for (unsigned i = 0; i != n; i++) s += p[i]; return s; }",
        &["p is not null", "p has room for `n` elements"],
    );
    check(
        "int f(const int *p, int n) { int s = 0; for (int i = n - 1; i >= 0; i--) s += p[i]; return s; }",
        &["p is not null", "p has room for `n` elements"],
    );
    check(
        "int f(const int *p, int n) { int s = 0; for (int i = 0; i + 1 < n; i++) s += p[i] < p[i + 1]; return s; }",
        &["p is not null", "p has room for `n` elements"],
    );
}

#[test]
fn a_pointer_that_is_moved_while_a_number_is_counted() {
    for body in [
        "while (n--) s += *p++;",
        "while (n > 0) { s += *p; p++; n--; }",
        "for (unsigned i = 0; i < n; i++) s += *p++;",
        "while (n >= 4) { s += p[0] + p[3]; p += 4; n -= 4; } while (n--) s += *p++;",
        "const unsigned char *end = p + n; while (p < end) s += *p++;",
        "const unsigned char *end = p + n; while (p != end) s += *p++;",
        "unsigned i = 0; while (n-- > 0) s += p[i++];",
        "if (n) do { s += *p++; } while (--n);",
    ] {
        check(
            &format!("int f(const unsigned char *p, unsigned n) {{ int s = 0; {body} return s; }}"),
            &["p is not null", "p has room for `n` elements"],
        );
    }
}

#[test]
fn a_constant_index_behind_a_check_of_the_length() {
    check(
        "int f(const unsigned char *frame, unsigned length) {
             if (length < 12) return 0;
             if (frame[0] != 0x55 || frame[1] != 0xaa) return -1;
             return frame[10] + frame[11];
         }",
        &["frame is not null", "frame has room for `length` elements"],
    );
    check("int f(const int *p, int flag) { if (flag) return p[0]; return 0; }", &["p is not null"]);
}

#[test]
fn a_record_that_says_its_own_length() {
    check(
        "int f(const unsigned char *p, unsigned long n) {
             int s = 0;
             while (n >= 2) {
                 unsigned length = p[1];
                 if (length + 2 > n) return -1;
                 s += p[0];
                 p += length + 2;
                 n -= length + 2;
             }
             return s;
         }",
        &["p is not null", "p has room for `n` elements"],
    );
}

#[test]
fn lengths_of_the_library() {
    check(
        "#include <string.h>\nvoid f(char *to, const char *from, unsigned long n) { memcpy(to, from, n); }",
        &[
            "from is not null",
            "from has room for `n` elements",
            "to is not null",
            "to has room for `n` elements",
        ],
    );
    check(
        "#include <string.h>\nvoid f(int *to, unsigned long n) { memset(to, 0, n * sizeof *to); }",
        &["to is not null", "to has room for `n` elements"],
    );
    check(
        "#include <string.h>\nvoid f(int *to, unsigned long n) { memset(to, 0, n); }",
        &["to is not null", "to has room for `n` bytes"],
    );
    check(
        "#include <string.h>\nint f(char *to, unsigned long room, const char *from, unsigned long n) {
             if (n > room) return -1;
             memcpy(to, from, n);
             return 0;
         }",
        &[
            "from is not null",
            "from has room for `n` elements",
            "to is not null",
            "to has room for `room` elements",
        ],
    );
    check(
        "#include <string.h>\nvoid f(char *to, unsigned long room, const char *from, unsigned long n) {
             if (n >= room) n = room - 1;
             memcpy(to, from, n);
             to[n] = 0;
         }",
        &[
            "from is not null",
            "from has room for `n` elements",
            "to is not null",
            "to has room for `room` elements",
        ],
    );
}

#[test]
fn members_have_lengths() {
    check(
        "struct vector { unsigned n; int *data; };
         int f(struct vector *v) { int s = 0; for (unsigned i = 0; i < v->n; i++) s += v->data[i]; return s; }",
        &["v is not null", "v->data is not null", "v->data has room for `v->n` elements"],
    );
    check(
        "struct vector { unsigned n; int v[]; };
         int f(struct vector *p) { int s = 0; for (unsigned i = 0; i < p->n; i++) s += p->v[i]; return s; }",
        &["p is not null", "p->v has room for `p->n` elements"],
    );
}

#[test]
fn a_length_is_handed_on() {
    check(
        "static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
         struct vector { int n; int *data; };
         int f(const int *a, int b, struct vector *v) { return sum(a, b) + sum(v->data, v->n); }",
        &[
            "a is not null",
            "a has room for `b` elements",
            "v is not null",
            "v->data is not null",
            "v->data has room for `v->n` elements",
        ],
    );
}

#[test]
fn an_index_that_is_checked() {
    check(
        "int f(const int *p, unsigned n, unsigned i) { if (i >= n) return -1; return p[i]; }",
        &["p is not null", "p has room for `n` elements"],
    );
    check(
        "int f(const int *p, unsigned i) { return p[i]; }",
        &["p is not null", "p has room for `i + 1` elements"],
    );
}

#[test]
fn a_table_that_bytes_index() {
    check(
        "unsigned f(const unsigned *table, const unsigned char *p, unsigned long n) {
             unsigned c = 0;
             while (n--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
             return c;
         }",
        &[
            "table is not null",
            "table has 256 elements or more",
            "p is not null",
            "p has room for `n` elements",
        ],
    );
}

#[test]
fn an_end_beside_a_begin() {
    check(
        "int f(const char *p, const char *end) { int s = 0; while (p < end) s += *p++; return s; }",
        &["p is not null", "end is the end of p"],
    );
    check(
        "int f(const int *p, const int *end) { int s = 0; while (p != end) s += *p++; return s; }",
        &["p is not null", "end is the end of p"],
    );
    check(
        "int f(const unsigned char *p, const unsigned char *end) { if (end - p < 4) return -1; return p[3]; }",
        &["p is not null", "end is the end of p"],
    );
    check(
        "struct input { const char *at, *end; };
         int f(struct input *in) { if (in->at >= in->end) return -1; return *in->at++; }",
        &["in is not null", "in->at is not null", "in->end is the end of in->at"],
    );
}

#[test]
fn whoever_asks_which_pointer_comes_first_has_no_end() {
    check(
        "int f(const int *a, const int *b) { if (a == b) return 0; return a < b ? -1 : 1; }",
        &["a may be b"],
    );
    check("int f(int *a, int *b) { return a < b ? *a : *b; }", &["a is not null", "b is not null"]);
    check("int f(const int *a, const int *b) { return (int)(a - b); }", &[]);
    check("int f(const int *a, const int *b) { long d = a - b; return d < 0 ? -1 : d > 0; }", &[]);
    // As a length it is one.
    check(
        "int f(const char *a, const char *b, int n) { if (b - a < n) return -1; return *a; }",
        &["a is not null", "b is the end of a"],
    );
}

#[test]
fn a_mark_is_no_end() {
    check(
        "const char *NOTHING = \"\"; char f(const char *p) { if (p == NOTHING) return 0; return *p; }",
        &["p is not null"],
    );
    check(
        "struct token { const char *start; long length; };
         long f(const char *at, struct token *t) { t->start = at; while (*at == 'a') at++; return t->length = at - t->start; }",
        &["at is a string", "at is not null", "t is not null"],
    );
}

#[test]
fn a_middle_is_below_the_end() {
    for (high, compare, middle, below) in [
        ("n", "<", "low + (high - low) / 2", "mid"),
        ("n", "<", "(low + high) / 2", "mid"),
        ("n - 1", "<=", "(low + high) / 2", "mid - 1"),
    ] {
        check(
            &format!(
                "int f(const int *a, int n, int key) {{
                     int low = 0, high = {high};
                     while (low {compare} high) {{
                         int mid = {middle};
                         if (a[mid] < key) low = mid + 1; else high = {below};
                     }}
                     return low;
                 }}"
            ),
            &["a is not null", "a has room for `n` elements"],
        );
    }
}

#[test]
fn a_copy_of_as_much_as_fits() {
    check(
        "#include <string.h>\nunsigned long f(char *to, const char *from, unsigned long size) {
             unsigned long n = strlen(from);
             if (size) { unsigned long c = n >= size ? size - 1 : n; memcpy(to, from, c); to[c] = 0; }
             return n;
         }",
        &["from is not null", "from is a string", "to is not null", "to has room for `size` elements"],
    );
}

#[test]
fn half_as_many_as_there_are() {
    check(
        "int f(const char *hex, unsigned long n, unsigned char *out, unsigned long room) {
             if (n % 2 || n / 2 > room) return -1;
             for (unsigned long i = 0; i < n / 2; i++) out[i] = hex[2 * i] + hex[2 * i + 1];
             return 0;
         }",
        &[
            "hex is not null",
            "hex has room for `n` elements",
            "out is not null",
            "out has room for `room` elements",
        ],
    );
}

#[test]
fn a_pointer_that_is_walked_in_blocks() {
    check(
        "unsigned f(const unsigned char *p, unsigned long length) {
             unsigned a = 1, b = 0;
             while (length > 0) {
                 unsigned long k = length < 5552 ? length : 5552;
                 length -= k;
                 while (k--) { a += *p++; b += a; }
                 a %= 65521; b %= 65521;
             }
             return b << 16 | a;
         }",
        &["p is not null", "p has room for `length` elements"],
    );
}

#[test]
fn an_output_is_not_as_long_as_the_input() {
    check(
        "int f(const unsigned char *s, unsigned long n, unsigned *out) {
             if (n == 0) return 0;
             if (s[0] < 0x80) { *out = s[0]; return 1; }
             if (n < 2) return -1;
             *out = s[1];
             return 2;
         }",
        &["s is not null", "s has room for `n` elements", "out is not null"],
    );
}

#[test]
fn a_number_that_is_no_length_although_it_is_checked() {
    check(
        "int f(unsigned code, unsigned char *out) {
             if (code < 0x80) { out[0] = code; return 1; }
             if (code < 0x800) { out[0] = 0xc0 | code >> 6; out[1] = 0x80 | (code & 0x3f); return 2; }
             out[0] = 0xe0 | code >> 12; out[1] = 0x80 | (code >> 6 & 0x3f); out[2] = 0x80 | (code & 0x3f);
             return 3;
         }",
        &["out is not null", "out has 3 elements or more"],
    );
}

#[test]
fn bytes_that_an_unknown_function_is_given_with_their_number() {
    check(
        "int f(int (*read)(void *, char *, int), void *source, char *out, int left) {
             int used = 0;
             while (used < left) {
                 int n = read(source, out + used, left - used);
                 if (n <= 0) break;
                 used += n;
             }
             return used;
         }",
        &[
            "read is not null",
            "read is an unknown function",
            "out is not null",
            "out has room for `left` elements",
        ],
    );
    check(
        "long put(int, const void *, unsigned long); long f(int to, const void *data, unsigned long size) { return put(to, data, size); }",
        &["data is not null", "data has room for `size` bytes"],
    );
    // A number is not always one of bytes.
    check("int event(void *, int); int f(void *user, int kind) { return event(user, kind); }", &[]);
}

#[test]
fn lengths_that_are_products() {
    check(
        "void f(int *grid, unsigned rows, unsigned cols) {
             for (unsigned y = 0; y < rows; y++)
                 for (unsigned x = 0; x < cols; x++) grid[y * cols + x] = 0;
         }",
        &["grid is not null", "grid has room for `rows * cols` elements"],
    );
    check(
        "#include <string.h>\nvoid f(char *to, size_t count, size_t size) { memset(to, 0, count * size); }",
        &["to is not null", "to has room for `count * size` elements"],
    );
    check(
        "long f(const short *p, int width, int height) {
             long all = 0; int n = width * height;
             for (int i = 0; i < n; i++) all += p[i];
             return all;
         }",
        &["p is not null", "p has room for `width * height` elements"],
    );
    check(
        "struct image { unsigned width, height; unsigned char *pixels; };
         static unsigned char *at(struct image *i, unsigned x, unsigned y) { return i->pixels + y * i->width + x; }
         void f(struct image *i) {
             for (unsigned y = 0; y < i->height; y++)
                 for (unsigned x = 0; x < i->width; x++) i->pixels[y * i->width + x] ^= 255;
         }",
        &["i is not null", "i->pixels is not null", "i->pixels has room for `i->height * i->width` elements"],
    );
}
