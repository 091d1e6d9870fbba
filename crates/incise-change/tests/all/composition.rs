//! When a changed function can be judged by itself, on small programs: one for each condition. The entry is `f`, and
//! `h` changes.

use incise_change::{Composition, Obstacle, Versions};
use incise_ir::Program;
use incise_testing::Compiler;

fn composed(old: &Program, new: &Program) -> Result<Composition, Obstacle> {
    let versions = Versions::compare(old, new);
    let entry = |program: &Program| program.function_named("f").expect("f is there");
    Composition::new((old, new), &versions, (entry(old), entry(new)))
}

/// The functions that have to be compared with the variables that they touch, or why that is not enough.
fn said(old: &str, new: &str) -> String {
    said_of(Compiler::default(), old, new)
}

fn said_of(compiler: Compiler, old: &str, new: &str) -> String {
    let (old, new) = (compiler.program(old), compiler.program(new));
    match composed(&old, &new) {
        Ok(found) => {
            let parts = found.changed.iter().map(|part| {
                let variables: Vec<&str> = part.variables.iter().map(String::as_str).collect();
                format!("{} {}", new.functions[part.new].name, variables.join(" ")).trim_end().to_owned()
            });
            parts.collect::<Vec<_>>().join(", ")
        }
        Err(obstacle) => format!("{obstacle:?}"),
    }
}

/// What is said of a program with another body of `h`; `F` is a plain entry.
fn changed(before: &str, old: &str, new: &str) -> String {
    const ENTRY: &str = "int f(int x) { return h(x) + 1; }\n";
    let text = |body: &str| format!("{before}\nint h(int x) {{ {body} }}\n{ENTRY}");
    said(&text(old), &text(new))
}

#[test]
fn numbers_and_variables_in_sight_are_enough() {
    assert_eq!(changed("", "return x * 2;", "return x << 1;"), "h");
    assert_eq!(changed("int g, t[3];", "g += x; return t[1];", "g = x + g; return t[x & 1];"), "h g t");
    assert_eq!(changed("enum e { A, B } e;", "return e == A;", "return e != B;"), "h e");
    let table = "static const int t[4] = {1, 2, 3, 4};";
    assert_eq!(changed(table, "return t[x & 3];", "return (x & 3) + 1;"), "h");
    let locals = "int a[3] = {1, 2, 3}; struct { int b; } s; s.b = x; return a[1] + s.b;";
    assert_eq!(changed("", locals, "return x + 2;"), "h");
    let loops = "int s = 0; for (int i = 0; i < 3; i++) s += x; return s;";
    assert_eq!(changed("double d;", loops, "return (int)((float)x * 3);"), "h");
    // What it calls belongs to it, also where only one version has that.
    assert_eq!(
        said(
            "int h(int x) { return x; }\nint f(int x) { return h(x); }\n",
            "static int k(int x) { return x; }\nint h(int x) { return k(x); }\nint f(int x) { return h(x); }\n",
        ),
        "h"
    );
    // Who calls it, and how, does not matter.
    let through = "int h(int);\nint (*p)(int) = h;\nint f(int x) { return p(x); }\n";
    let body = |body: &str| format!("{through}int h(int x) {{ {body} }}\n");
    assert_eq!(said(&body("return x * 2;"), &body("return x << 1;")), "h");
    // Of two changed functions that one calls for the other, the entry comes to the first.
    let two = |one: &str, other: &str| {
        format!("int k(int x) {{ {one} }}\nint h(int x) {{ {other} }}\nint f(int x) {{ return h(x); }}\n")
    };
    assert_eq!(said(&two("return x * 2;", "return k(x);"), &two("return x << 1;", "return 0 + k(x);")), "h");
}

#[test]
fn everything_else_that_is_reached_is_the_same() {
    let entry = "int h(int x) { return HERE; }\nint f(int x) { return h(x) + OTHER; }\n";
    let text = |here: &str, there: &str| entry.replace("HERE", here).replace("OTHER", there);
    assert_eq!(said(&text("x * 2", "1"), &text("x << 1", "2")), "Entry");
    let calls = "int k(int);\nint h(int x) { return HERE; }\nint f(int x) { return h(x) + k(x); }\n";
    let added = format!("{}int k(int x) {{ return x; }}\n", calls.replace("HERE", "x << 1"));
    assert_eq!(said(&calls.replace("HERE", "x * 2"), &added), "Lone(\"k\")");
    assert_eq!(said(&added, &calls.replace("HERE", "x * 2")), "Lone(\"k\")");
    let began = "int g;\n__attribute__((constructor)) static void c(void) { g = 1; }";
    assert_eq!(changed(began, "return x * 2;", "return x << 1;"), "Surroundings");
    let ended = "int g;\n__attribute__((destructor)) static void c(void) { g = 1; }";
    assert_eq!(changed(ended, "return x * 2;", "return x << 1;"), "Surroundings");
    // Nobody but who looks at the end sees it, and the entry may write it on some paths only.
    let text = |content: &str, body: &str| {
        format!(
            "int g = {content};\nint h(int x) {{ return {body}; }}\nint f(int x) {{ if (h(x)) g = 3; return 0; }}\n"
        )
    };
    assert_eq!(said(&text("1", "x * 2"), &text("2", "x << 1")), "Content(\"g\")");
    assert_eq!(said(&text("1", "x * 2"), &text("1", "x << 1")), "h");
}

#[test]
fn an_entry_is_the_same_function_in_both_versions() {
    let text = |body: &str| {
        format!(
            "int h(int x) {{ return {body}; }}\nint f(int x) {{ return h(x); }}\nint g(int x) {{ return h(x) + 1; }}\n"
        )
    };
    let compiler = Compiler::default();
    let (old, new) = (compiler.program(&text("x * 2")), compiler.program(&text("x << 1")));
    let versions = Versions::compare(&old, &new);
    let (f, g) = (old.function_named("f").expect("f"), new.function_named("g").expect("g"));
    assert_eq!(Composition::new((&old, &new), &versions, (f, g)), Err(Obstacle::Entry));
}

#[test]
fn a_name_means_one_function() {
    let file = |body: &str, of: &str| {
        format!("static int h(int x) {{ return {body}; }}\nint {of}(int x) {{ return h(x); }}\n")
    };
    let compiler = Compiler::default();
    let programs = |body: &str| compiler.programs(&[("a.c", &file("x", "g")), ("b.c", &file(body, "f"))]);
    let found = composed(&programs("x * 2"), &programs("x << 1"));
    assert_eq!(found, Err(Obstacle::Name("h".into())));
}

#[test]
fn parameters_and_results_are_numbers() {
    let signature = "Signature(\"h\")";
    let text = |head: &str, body: &str, call: &str| {
        format!(
            "struct s {{ char c; int i; }};\n{head} {{ {body} }}\nint f(int x) {{ struct s s = {{1, x}}; return {call}; }}\n"
        )
    };
    let of =
        |head: &str, old: &str, new: &str, call: &str| said(&text(head, old, call), &text(head, new, call));
    assert_eq!(of("int h(int *p)", "return *p * 2;", "return *p << 1;", "h(&x)"), signature);
    assert_eq!(of("int h(int x, ...)", "return x * 2;", "return x << 1;", "h(x, 1)"), signature);
    assert_eq!(of("double h(double x)", "return x * 2;", "return x + x;", "h(x) > 1"), signature);
    assert_eq!(of("int h(struct s s)", "return s.i * 2;", "return s.i << 1;", "h(s)"), signature);
    assert_eq!(of("int h(double x)", "return x * 2 > 1;", "return x + x > 1;", "h(x)"), "h");
    assert_eq!(of("void h(int x)", "x = 1;", "x = 2;", "(h(x), 1)"), "h");
    let wider = |ty: &str| {
        format!(
            "int h({ty} x) {{ return x == 1; }}\nint (*p)() = (int (*)())h;\nint f(int x) {{ return p(x); }}\n"
        )
    };
    assert_eq!(said(&wider("int"), &wider("long")), signature);
}

#[test]
fn memory_is_told_by_names() {
    assert_eq!(changed("int g;", "return g * 2;", "int *p = &g; return *p + g;"), "Instruction(\"h\")");
    assert_eq!(changed("int g, *p;", "return *p * 2;", "return *p << 1;"), "Variable(\"p\")");
    assert_eq!(
        changed("static int k(int *p) { return *p; }", "return k(&x) * 2;", "return k(&x) << 1;"),
        "Call(\"h\")"
    );
    assert_eq!(changed("", "return *(int *)(long)x * 2;", "return *(int *)(long)x << 1;"), "Memory(\"h\")");
    // No pointer is stored, passed or made of numbers, so that only what comes from nowhere can be read through.
    assert_eq!(changed("int g, i;", "return g;", "return (x ? &g : &i)[0];"), "Instruction(\"h\")");
}

#[test]
fn variables_hold_integers_and_are_the_same() {
    let same = |declared: &str, old: &str, new: &str| changed(declared, old, new);
    assert_eq!(same("float g;", "return g > x * 2;", "return g > x << 1;"), "Variable(\"g\")");
    // Without the source's word for it.
    let text = |body: &str| {
        format!("float g;\nint h(int x) {{ return {body}; }}\nint f(int x) {{ return h(x); }}\n")
    };
    let bare = Compiler { flags: vec!["-g0"], ..Compiler::default() };
    assert_eq!(said_of(bare, &text("g > x * 2"), &text("g > x << 1")), "Variable(\"g\")");
    assert_eq!(same("_Bool g;", "return g + x * 2;", "return g + (x << 1);"), "Variable(\"g\")");
    assert_eq!(
        same("struct { char c; int i; } g;", "return g.i * 2;", "return g.i << 1;"),
        "Variable(\"g\")"
    );
    assert_eq!(same("extern int g;", "return g * 2;", "return g << 1;"), "Variable(\"g\")");
    assert_eq!(same("_Thread_local int g;", "return g * 2;", "return g << 1;"), "Call(\"h\")");
    assert_eq!(same("", "return x;", "static int n; n++; return x;"), "Variable(\"h.n\")");
    // Two variables of one name could be taken for each other.
    let other = "int o(void) { static int n; return n++; }";
    let counts = "static int n; n += HERE; return n;";
    assert_eq!(
        same(other, &counts.replace("HERE", "x * 2"), &counts.replace("HERE", "x << 1")),
        "Variable(\"h.n\")"
    );
    assert_eq!(same("", &counts.replace("HERE", "x * 2"), &counts.replace("HERE", "x << 1")), "h h.n");
}

#[test]
fn a_function_does_nothing_but_compute() {
    let instruction = "Instruction(\"h\")";
    assert_eq!(changed("volatile int g;", "return g * 2;", "return g << 1;"), instruction);
    assert_eq!(changed("volatile int g;", "g = x * 2; return x;", "g = x << 1; return x;"), instruction);
    assert_eq!(changed("", "volatile int y = x; return y;", "return x;"), instruction);
    assert_eq!(changed("_Atomic int g;", "return g * 2;", "return g << 1;"), instruction);
    assert_eq!(
        changed("int g;", "__sync_fetch_and_add(&g, x); return x * 2;", "return x << 1;"),
        instruction
    );
    assert_eq!(changed("int g;", "return (long)&g * x;", "return x * (long)&g;"), instruction);
    assert_eq!(changed("", "int y[2]; return (long)y;", "int y[2]; return (long)(y + 1);"), instruction);
    assert_eq!(changed("", "int a, b; return &a < &b;", "int a, b; return &b > &a;"), instruction);
    assert_eq!(changed("", "__builtin_alloca(x & 7); return x * 2;", "return x << 1;"), instruction);
    let call = "Call(\"h\")";
    assert_eq!(changed("", "__builtin_assume(x > 0); return x * 2;", "return x << 1;"), call);
    assert_eq!(changed("", "return (long)__builtin_return_address(0);", "return 0;"), call);
    assert_eq!(changed("", "__asm__(\"nop\"); return x * 2;", "return x << 1;"), call);
    assert_eq!(changed("int (*p)(int);", "return p(x) * 2;", "return p(x) << 1;"), "Variable(\"p\")");
    assert_eq!(changed("int e(int);", "return e(x) * 2;", "return e(x) << 1;"), "Call(\"e\")");
    assert_eq!(changed("", "return __builtin_printf(\"%d\", x);", "return x;"), call);
}

#[test]
fn nothing_happens_in_between() {
    let threads = "int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
int g;
void *t(void *p) { g = 1; return p; }
void start(void) { unsigned long n; pthread_create(&n, 0, t, 0); }";
    assert_eq!(
        changed(threads, "g = x * 2; return 0;", "g = x << 1; return 0;"),
        "Concurrent(\"pthread_create\")"
    );
    assert_eq!(changed(threads, "return x * 2;", "return x << 1;"), "h");
    let rounding = "int fesetround(int);\nvoid set(void) { fesetround(1); }";
    assert_eq!(changed(rounding, "return x / 3.0 > 1;", "return x > 3.0;"), "Concurrent(\"fesetround\")");
    assert_eq!(changed(rounding, "return x * 2;", "return x << 1;"), "h");
}
