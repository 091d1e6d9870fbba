//! Random programs that use memory in many ways: fields, lists, arrays of pointers, pointers to pointers, callbacks,
//! copies, unions, recursion. Each statement stands on a line of its own, marked for `recorder.h`.
//!
//! No pointer is ever null, and what lives in the frame of a function that returns is only known to variables that go
//! away with it: parameters `n` and what is reached from there live as long as the program, parameters `t` and `p` may
//! be shorter.

use crate::random::Random;
use std::fmt::Write;

/// The text of `count` programs in one, from a seed. If they share helpers, an analysis that does not tell calls apart
/// must take all their pointers for each other's.
pub fn batch(seed: u64, count: usize, shared: bool) -> String {
    let mut text = String::from(PRELUDE);
    if shared {
        text.push_str(&HELPERS.replace('@', ""));
    }
    for number in 0..count {
        let random = Random::new(seed, number as u64);
        Writer {
            random,
            text: &mut text,
            name: format!("p{number}"),
            depth: 1,
            loops: 0,
            top: false,
            shared,
        }
        .program();
    }
    text.push_str("int main(void) {\n");
    for number in 0..count {
        let _ = writeln!(text, "    BEGIN;\n    p{number}_top();\n    END;");
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// What records the marks: `recorder.h`.
pub const RECORDER: &str = include_str!("recorder.h");

/// The options that leave the marks away.
pub const PLAIN: [&str; 11] = [
    "-DS=",
    "-DR(place)=(place)",
    "-DW(place)=(place)",
    "-DCOPY(to, from, size)=memcpy(to, from, size)",
    "-DCALL(function)=(function)",
    "-DENTER=",
    "-DPARAMETER(place)=",
    "-DRETURN(value)=return value",
    "-DNAME(function)=",
    "-DBEGIN=",
    "-DEND=",
];

const PRELUDE: &str = "\
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
#ifdef RECORD
#include \"recorder.h\"
#endif
#include <stdarg.h>
struct node { int value; struct node *next; int *data; int (*op)(int); struct node *items[2]; };
union cell { struct node *node; long number; char bytes[8]; };
";

/// What programs call for copying, and for choosing by variable arguments.
const HELPERS: &str = "\
static int @copy_bytes(void *to, void *from, int n) {
    ENTER; PARAMETER(to); PARAMETER(from); PARAMETER(n);
    for (S W(n) = R(n) - 1; S R(n) >= 0; S W(n) = R(n) - 1)
        S W(((char *)R(to))[R(n)]) = R(((char *)R(from))[R(n)]);
    S 0; RETURN(0);
}
static struct node *@pick(int n, ...) {
    struct node *found;
    va_list list;
    va_start(list, n);
    ENTER; PARAMETER(n);
    for (; S R(n) >= 0; S W(n) = R(n) - 1)
        S W(found) = va_arg(list, struct node *);
    va_end(list);
    S 0; RETURN(R(found));
}
";

/// How many operations a program has.
const OPERATIONS: usize = 3;
/// How many functions a program has, `top` aside.
const FUNCTIONS: usize = 3;

struct Writer<'t> {
    random: Random,
    text: &'t mut String,
    name: String,
    /// How far statements are indented.
    depth: usize,
    /// How many loops are around.
    loops: usize,
    /// Whether the variables of the function live as long as the program.
    top: bool,
    /// Whether the helpers are those of all programs.
    shared: bool,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        // `$` is the name of the program, `@` the start of the names of its helpers.
        let helpers = if self.shared { String::new() } else { format!("{}_", self.name) };
        self.text.push_str(&text.replace('$', &self.name).replace('@', &helpers));
        self.text.push('\n');
    }

    fn program(&mut self) {
        self.depth = 0;
        if !self.shared {
            self.line(HELPERS);
        }
        self.line("static int $_g, $_h, $_a[4] = {1, 2, 3, 4};");
        self.line("static int *$_q = &$_g;");
        for operation in 0..OPERATIONS {
            self.line(&format!("static int $_op{operation}(int);"));
        }
        self.line("static struct node $_m = {1, &$_m, &$_h, $_op0, {&$_m, &$_m}};");
        self.line("static struct node $_n = {2, &$_m, &$_a[1], $_op1, {&$_n, &$_m}};");
        self.line("static struct node *$_head = &$_n, *$_list[3] = {&$_m, &$_n, &$_m};");
        self.line("static int (*$_table[2])(int) = {$_op1, $_op2};");
        self.line("static union cell $_u = {&$_n};");
        for function in 0..FUNCTIONS {
            self.line(&format!(
                "static int $_f{function}(struct node *n, struct node *t, int *p, int depth);"
            ));
        }
        for operation in 0..OPERATIONS {
            self.operation(operation);
        }
        self.line("static struct node *$_make(int value, struct node *next, int *data) {");
        self.depth = 1;
        self.line("struct node *made;");
        self.line("ENTER; PARAMETER(value); PARAMETER(next); PARAMETER(data);");
        let call = self.random.pick(&["malloc(sizeof *made)", "calloc(1, sizeof *made)"]);
        self.line(&format!("S W(made) = {call};"));
        self.line("S W(R(made)->value) = R(value);");
        self.line("S W(R(made)->next) = R(next);");
        self.line("S W(R(made)->data) = R(data);");
        self.line("S W(R(made)->op) = $_op2;");
        self.line("S W(R(made)->items[0]) = R(next);");
        self.line("S W(R(made)->items[1]) = R(made);");
        self.line("S 0; RETURN(R(made));");
        self.depth = 0;
        self.line("}");
        for function in 0..FUNCTIONS {
            self.function(&format!(
                "static int $_f{function}(struct node *n, struct node *t, int *p, int depth) {{"
            ));
        }
        self.top = true;
        self.function("static int $_top(void) {");
        self.top = false;
    }

    fn operation(&mut self, number: usize) {
        self.line(&format!("static int $_op{number}(int a) {{"));
        self.depth = 1;
        self.line("ENTER; PARAMETER(a);");
        let effect = self.random.pick(&[
            "W($_g) = R(a) + 1",
            "W($_h) = R($_g)",
            "W(R($_head)->value) = R(a)",
            "W(*R($_q)) = R($_a[R(a) & 3])",
            "W($_head) = R(R($_head)->next)",
        ]);
        self.line(&format!("S {effect};"));
        self.line("S 0; RETURN(R(a) + R($_h));");
        self.depth = 0;
        self.line("}");
    }

    fn function(&mut self, head: &str) {
        self.line(head);
        self.depth = 1;
        self.line("int x, i, j;");
        self.line("int *ip;");
        self.line("int **ipp;");
        self.line("struct node *np, **npp, l;");
        if self.top {
            self.line("struct node *n = &$_m, *t = &$_n;");
            self.line("int y = 0, *p = &y, depth = 2;");
            self.line("ENTER; NAME($_op0); NAME($_op1); NAME($_op2);");
        } else {
            self.line("ENTER; PARAMETER(n); PARAMETER(t); PARAMETER(p); PARAMETER(depth);");
        }
        self.line("S W(x) = 3;");
        self.line("S W(i) = 0;");
        self.line("S W(j) = 1;");
        self.line("S W(np) = R(n);");
        self.line("S W(ip) = &$_h;");
        self.line("S W(ipp) = &ip;");
        self.line("S W(npp) = &np;");
        self.line("S W(l) = R($_m);");
        let count = 6 + self.random.below(10);
        self.statements(count);
        let result = self.number();
        self.line(&format!("S 0; RETURN({result});"));
        self.depth = 0;
        self.line("}");
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.random.below(22) {
            0..=4 => {
                let (place, value) = (self.int_place(), self.number());
                self.line(&format!("S W({place}) = {value};"));
            }
            5..=7 => {
                let (place, value) = (self.node_place(), self.node());
                self.line(&format!("S W({place}) = {value};"));
            }
            8..=9 => {
                let (place, value) = (self.pointer_place(), self.pointer());
                self.line(&format!("S W({place}) = {value};"));
            }
            10 => {
                let (to, from) = (self.any_node(), format!("({})", self.node()));
                let text = self.random.pick(&[
                    "S W(*TO) = R(*FROM);",
                    "S COPY(TO, FROM, sizeof(struct node));",
                    "S @copy_bytes(&TO->next, &FROM->next, 8);",
                    "S @copy_bytes(TO, FROM, sizeof(struct node));",
                    "S COPY(TO->items, FROM->items, 8 * (1 + (R(x) & 1)));",
                    "S W(TO->items[R(x) & 1]) = R(FROM->items[R(j) & 1]);",
                ]);
                self.line(&text.replace("TO", &to).replace("FROM", &from));
            }
            11 => {
                let (next, data, value) = (self.node(), self.pointer(), self.number());
                let place = self.node_place();
                self.line(&format!("S W({place}) = $_make({value}, {next}, {data});"));
            }
            12 => {
                let (node, place) = (self.node(), self.node_place());
                let store = self.random.pick(&[
                    "S W($_u.node) = NODE;",
                    "S W($_u.number) = (long)NODE;",
                    "S @copy_bytes($_u.bytes, &np, 8);",
                ]);
                self.line(&store.replace("NODE", &node));
                let load = self.random.pick(&["R($_u.node)", "(struct node *)R($_u.number)"]);
                self.line(&format!("S W({place}) = {load};"));
            }
            13 => {
                let (one, two, three) = (self.node(), self.node(), self.node());
                let place = self.node_place();
                self.line(&format!("S W({place}) = @pick(R(x) & 1, {one}, {two}, {three});"));
            }
            14 => {
                let operation = self.random.below(OPERATIONS);
                let node = self.any_node();
                let place = self.random.pick(&["NODE->op", "$_table[R(x) & 1]", "$_table[0]", "$_m.op"]);
                let value = match self.random.below(3) {
                    0 => "R($_table[R(j) & 1])".to_owned(),
                    1 => "R(R($_head)->op)".to_owned(),
                    _ => format!("$_op{operation}"),
                };
                self.line(&format!("S W({}) = {value};", place.replace("NODE", &node)));
            }
            15 => {
                let (place, value, node) = (self.int_place(), self.number(), self.any_node());
                let callee = self.random.pick(&["R(NODE->op)", "R($_table[R(x) & 1])", "R($_table[1])"]);
                self.line(&format!("S W({place}) = CALL({})({value});", callee.replace("NODE", &node)));
            }
            16..=17 => self.call(),
            18..=19 if self.depth < 4 => {
                let condition = self.number();
                self.line(&format!("if (S {condition} > 2) {{"));
                self.block();
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            20 if self.loops < 2 && self.depth < 4 => {
                let counter = if self.loops == 0 { "i" } else { "j" };
                self.loops += 1;
                self.line(&format!(
                    "for (S W({counter}) = 0; S R({counter}) < 3; S W({counter}) = R({counter}) + 1) {{"
                ));
                self.block();
                self.line("}");
                self.loops -= 1;
            }
            _ => {
                let text = self.random.pick(&[
                    "S W(ipp) = &ip;",
                    "S W(ipp) = &$_q;",
                    "S W(ipp) = &R(n)->data;",
                    "S W(npp) = &np;",
                    "S W(npp) = &$_head;",
                    "S W(npp) = &R(np)->next;",
                    "S W(npp) = &$_list[R(x) & 1];",
                ]);
                self.line(text);
            }
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        let count = 1 + self.random.below(3);
        self.statements(count);
        self.depth -= 1;
    }

    fn call(&mut self) {
        let (node, function) = (self.node(), self.random.below(FUNCTIONS));
        let (short, place) = (self.any_node(), self.int_place());
        let pointer = match self.random.below(4) {
            0 => "&x".to_owned(),
            1 => "R(p)".to_owned(),
            2 => "&l.value".to_owned(),
            _ => self.pointer(),
        };
        self.line("if (S R(depth) > 0)");
        self.depth += 1;
        self.line(&format!("S W({place}) = $_f{function}({node}, {short}, {pointer}, R(depth) - 1);"));
        self.depth -= 1;
    }

    /// A node that lives as long as the program.
    fn node(&mut self) -> String {
        let text = self.random.pick(&[
            "&$_m",
            "&$_n",
            "R(n)",
            "R(np)",
            "R($_head)",
            "R(R(n)->next)",
            "R(R(np)->next)",
            "R(R(R($_head)->next)->next)",
            "R(R(np)->items[1])",
            "R(R(n)->items[R(x) & 1])",
            "R($_list[2])",
            "R($_list[R(x) & 1])",
            "R(*R(npp))",
            "&l",
        ]);
        match text {
            "&l" if !self.top => "R(n)".to_owned(),
            text => text.to_owned(),
        }
    }

    /// Any node.
    fn any_node(&mut self) -> String {
        match self.random.below(4) {
            0 => "R(t)".to_owned(),
            1 => "(&l)".to_owned(),
            _ => format!("({})", self.node()),
        }
    }

    fn node_place(&mut self) -> String {
        let node = self.any_node();
        let text = self.random.pick(&[
            "np",
            "np",
            "$_head",
            "NODE->next",
            "NODE->next",
            "NODE->items[0]",
            "NODE->items[R(x) & 1]",
            "$_list[1]",
            "$_list[R(x) & 1]",
            "*R(npp)",
        ]);
        text.replace("NODE", &node)
    }

    /// The address of a number that lives as long as the program.
    fn pointer(&mut self) -> String {
        let node = self.node();
        let text = self.random.pick(&[
            "&$_g",
            "&$_h",
            "&$_a[2]",
            "&$_a[R(x) & 3]",
            "R(ip)",
            "R($_q)",
            "R((NODE)->data)",
            "&(NODE)->value",
            "R(*R(ipp))",
        ]);
        text.replace("NODE", &node)
    }

    fn pointer_place(&mut self) -> String {
        let node = self.any_node();
        self.random.pick(&["ip", "ip", "$_q", "NODE->data", "*R(ipp)"]).replace("NODE", &node)
    }

    fn int_place(&mut self) -> String {
        let node = self.any_node();
        let text = self.random.pick(&[
            "x",
            "x",
            "$_g",
            "$_h",
            "$_a[1]",
            "$_a[R(x) & 3]",
            "NODE->value",
            "NODE->value",
            "R(NODE->next)->value",
            "*R(NODE->data)",
            "*R(p)",
            "*R(ip)",
            "*R($_q)",
            "**R(ipp)",
            "R(*R(npp))->value",
        ]);
        match text {
            // The pointer in between is read as well.
            "**R(ipp)" => "*R(*R(ipp))".to_owned(),
            text => text.replace("NODE", &node),
        }
    }

    fn number(&mut self) -> String {
        let place = self.int_place();
        match self.random.below(3) {
            0 => format!("R({place})"),
            1 => format!("R({place}) + {}", self.random.below(5)),
            _ => {
                let other = self.int_place();
                format!("(R({place}) ^ R({other}))")
            }
        }
    }
}
