//! The C text of a function.

use super::model::{Carrier, Element, Function, Head, Limit, Step, What};
use std::fmt::Write;

/// The types that all functions share.
pub fn prelude() -> String {
    let mut text = "#include <string.h>\n\n".to_owned();
    for (number, element) in Element::ALL.into_iter().enumerate() {
        let name = element.name();
        let _ = writeln!(text, "struct block{number} {{\n    {name} *data;\n    unsigned length;\n}};\n");
        let _ = writeln!(text, "struct tail{number} {{\n    unsigned length;\n    {name} items[];\n}};\n");
    }
    text += "struct node {\n    unsigned value;\n    struct node *next;\n};\n\n";
    text + "struct tree {\n    unsigned value;\n    struct tree *left, *right;\n};\n"
}

/// Writes a function; its name and those of its helpers begin with the prefix.
pub fn print(text: &mut String, function: &Function, prefix: &str) {
    let mut printer = Printer { text, function, prefix };
    match function.carrier {
        Carrier::Tree => printer.tree(),
        _ => printer.sequence(),
    }
}

struct Printer<'a> {
    text: &'a mut String,
    function: &'a Function,
    prefix: &'a str,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    fn parameters(&self) -> String {
        let element = self.function.element.name();
        let number = self.function.element as usize;
        let constant = if self.function.writes() { "" } else { "const " };
        match self.function.carrier {
            Carrier::Length => format!("{constant}{element} *p, unsigned n"),
            Carrier::Text => "const char *s".to_owned(),
            Carrier::Range => format!("{constant}{element} *p, {constant}{element} *end"),
            Carrier::Block => format!("{constant}struct block{number} *b"),
            Carrier::Tail => format!("{constant}struct tail{number} *b"),
            Carrier::Copy => format!("const {element} *from, unsigned n, {element} *to, unsigned room"),
            Carrier::List => format!("{constant}struct node *l"),
            Carrier::Tree => "const struct tree *t".to_owned(),
        }
    }

    /// How many elements there are, where that can be asked.
    fn count(&self) -> &'static str {
        match self.function.carrier {
            Carrier::Length | Carrier::Copy => "n",
            Carrier::Text => "strlen(s)",
            Carrier::Range => "(unsigned long)(end - p)",
            Carrier::Block | Carrier::Tail => "b->length",
            Carrier::List | Carrier::Tree => "",
        }
    }

    /// The element at an index, at the start of the function.
    fn element(&self, index: usize) -> String {
        match self.function.carrier {
            Carrier::Length | Carrier::Range => format!("p[{index}]"),
            Carrier::Text => format!("(unsigned char)s[{index}]"),
            Carrier::Block => format!("b->data[{index}]"),
            Carrier::Tail => format!("b->items[{index}]"),
            Carrier::Copy => format!("from[{index}]"),
            Carrier::List | Carrier::Tree => String::new(),
        }
    }

    /// The way down to a node: the pointers that must lead somewhere, and the last of them.
    fn way(&self, index: usize) -> (String, String) {
        let mut pointer = if self.function.carrier == Carrier::List { "l" } else { "t" }.to_owned();
        let mut checks = pointer.clone();
        let steps: Vec<&str> = match self.function.carrier {
            Carrier::List => vec!["next"; index],
            _ => (0..index.ilog2()).rev().map(|bit| ["left", "right"][index >> bit & 1]).collect(),
        };
        for step in steps {
            pointer = format!("{pointer}->{step}");
            checks = format!("{checks} && {pointer}");
        }
        (checks, pointer)
    }

    fn heads(&mut self) {
        let function = self.function;
        for head in &function.heads {
            let linked = matches!(function.carrier, Carrier::List | Carrier::Tree);
            let line = match *head {
                Head::AtLeast { count, result } if linked => {
                    format!("if (!({})) return {result};", self.way(count).0)
                }
                Head::AtLeast { count, result } => {
                    format!("if ({} < {count}) return {result};", self.count())
                }
                Head::Probe { index, value, more } if linked => {
                    let (checks, pointer) = self.way(index);
                    format!("if ({checks} && {pointer}->value == {value}) sum += {more};")
                }
                Head::Probe { index, value, more } => {
                    let (count, element) = (self.count(), self.element(index));
                    format!("if ({count} > {index} && {element} == {value}) sum += {more};")
                }
            };
            self.line(1, &line);
        }
    }

    fn sequence(&mut self) {
        let function = self.function;
        let (prefix, number) = (self.prefix, function.number);
        let head = format!("\nunsigned {prefix}e{number}({}) {{", self.parameters());
        self.line(0, &head);
        self.line(1, &format!("unsigned sum = {};", function.start));
        if function.steps.iter().any(|step| matches!(step.what, What::Again(_))) {
            self.line(1, "unsigned last = 0;");
        }
        self.heads();
        let (loop_head, place, turn) = self.loop_parts();
        for line in &loop_head {
            self.line(1, line);
        }
        if function.carrier == Carrier::Copy {
            let compared = if function.limit == Limit::Beyond { ">" } else { ">=" };
            self.line(2, &format!("if (i {compared} room) return sum + 1;"));
        }
        self.line(2, &format!("unsigned x = {place};"));
        if function.carrier == Carrier::Copy {
            self.line(2, "to[i] = x;");
        }
        let written = if function.carrier == Carrier::Copy { "to[i]" } else { place.as_str() };
        for step in &function.steps {
            self.step(step, written);
        }
        if !turn.is_empty() {
            self.line(2, &turn);
        }
        self.line(1, "}");
        self.line(1, "return sum;");
        self.line(0, "}");
    }

    /// The lines that open the loop, the element of a turn, and what ends a turn.
    fn loop_parts(&self) -> (Vec<String>, String, String) {
        let function = self.function;
        let style = function.style;
        let counted = |count: &str| match function.limit {
            Limit::Beyond if function.carrier != Carrier::Copy => format!("i <= {count}"),
            Limit::All | Limit::Beyond => format!("i < {count}"),
            Limit::AllButLast => format!("i + 1 < {count}"),
            Limit::Capped(most) => format!("i < {count} && i < {most}"),
        };
        let walked = |here: &str, next: &str, beyond: &str| match function.limit {
            Limit::All => here.to_owned(),
            Limit::Beyond => beyond.to_owned(),
            Limit::AllButLast => next.to_owned(),
            Limit::Capped(most) => format!("{here} && i < {most}"),
        };
        let by_index = |condition: String| match style % 2 {
            0 => (vec![format!("for (unsigned i = 0; {condition}; i++) {{")], String::new()),
            _ => (vec!["unsigned i = 0;".to_owned(), format!("while ({condition}) {{")], "i++;".to_owned()),
        };
        let by_pointer = |condition: String, pointer: &str| match style % 2 {
            0 => (vec![format!("for (unsigned i = 0; {condition}; i++, {pointer}++) {{")], String::new()),
            _ => (
                vec!["unsigned i = 0;".to_owned(), format!("while ({condition}) {{")],
                format!("i++, {pointer}++;"),
            ),
        };
        let indexed = |count: &str, place: &str| {
            let (lines, turn) = by_index(counted(count));
            (lines, place.to_owned(), turn)
        };
        match function.carrier {
            Carrier::Length if style < 2 => indexed("n", "p[i]"),
            Carrier::Length => {
                let (lines, turn) = by_pointer(counted("n"), "p");
                (lines, "*p".to_owned(), turn)
            }
            Carrier::Text if style < 2 => {
                let (lines, turn) = by_index(walked("s[i]", "s[i] && s[i + 1]", "i == 0 || s[i - 1]"));
                (lines, "(unsigned char)s[i]".to_owned(), turn)
            }
            Carrier::Text => {
                let (lines, turn) = by_pointer(walked("*s", "s[0] && s[1]", "i == 0 || s[-1]"), "s");
                (lines, "(unsigned char)*s".to_owned(), turn)
            }
            Carrier::Range => {
                let here = if style < 2 { "p < end" } else { "p != end" };
                let (lines, turn) = by_pointer(walked(here, "end - p > 1", "p <= end"), "p");
                (lines, "*p".to_owned(), turn)
            }
            Carrier::Block if style < 2 => indexed("b->length", "b->data[i]"),
            Carrier::Block => {
                let (mut lines, place, turn) = indexed("length", "data[i]");
                let name = function.element.name();
                lines.insert(0, format!("{name} *data = b->data;"));
                lines.insert(1, "unsigned length = b->length;".to_owned());
                (lines, place, turn)
            }
            Carrier::Tail => indexed("b->length", "b->items[i]"),
            Carrier::Copy => indexed("n", "from[i]"),
            Carrier::List | Carrier::Tree => {
                let condition = walked("l", "l && l->next", "l->next");
                let lines = match style % 2 {
                    0 => vec![format!("for (unsigned i = 0; {condition}; i++, l = l->next) {{")],
                    _ => vec!["unsigned i = 0;".to_owned(), format!("while ({condition}) {{")],
                };
                let turn = if style.is_multiple_of(2) { "" } else { "i++, l = l->next;" };
                (lines, "l->value".to_owned(), turn.to_owned())
            }
        }
    }

    fn step(&mut self, step: &Step, place: &str) {
        let form = step.form;
        let other = form % 2 == 1;
        let lines: Vec<String> = match step.what {
            What::Add if other => vec!["sum = x + sum;".into()],
            What::Add => vec!["sum += x;".into()],
            What::Mix if other => vec!["sum = x + sum + (sum << 1);".into()],
            What::Mix => vec!["sum = sum * 3 + x;".into()],
            What::Xor(value) if other => vec![format!("sum = ({value} + x) ^ sum;")],
            What::Xor(value) => vec![format!("sum ^= x + {value};")],
            What::When(operator, value, more) => match form % 3 {
                0 => vec![format!("if (x {operator} {value}) sum += {more};")],
                1 => vec![format!("sum += x {operator} {value} ? {more} : 0;")],
                _ => vec![format!("if (!(x {operator} {value})) {{"), format!("}} else sum += {more};")],
            },
            What::At { index, value, more } if other => {
                vec![format!("if (x == {value})"), format!("    if (i == {index}) sum += {more};")]
            }
            What::At { index, value, more } => {
                vec![format!("if (i == {index} && x == {value}) sum += {more};")]
            }
            What::From { index, more } if other => vec![format!("sum += i < {index} ? 0 : {more};")],
            What::From { index, more } => vec![format!("if (i >= {index}) sum += {more};")],
            What::Stop(value) if other => vec![format!("if (!(x != {value})) break;")],
            What::Stop(value) => vec![format!("if (x == {value}) break;")],
            What::Give(value) if other => vec![format!("if (!(x != {value})) return i + sum;")],
            What::Give(value) => vec![format!("if (x == {value}) return sum + i;")],
            What::Again(more) if other => {
                vec![format!("sum += i && last == x ? {more} : 0;"), "last = x;".into()]
            }
            What::Again(more) => vec![format!("if (i > 0 && x == last) sum += {more};"), "last = x;".into()],
            What::Write(value) if other => vec![format!("{place} = {value} ^ x;")],
            What::Write(value) => vec![format!("{place} = x ^ {value};")],
        };
        for line in lines {
            self.line(2, &line);
        }
    }

    fn tree(&mut self) {
        let function = self.function;
        let (prefix, number) = (self.prefix, function.number);
        let Function { start, factors: [left, right], .. } = *function;
        self.line(0, &format!("\nstatic unsigned {prefix}w{number}(const struct tree *t, unsigned i) {{"));
        let ends = match function.limit {
            Limit::Capped(most) => format!("t == NULL || i >= {most}"),
            Limit::AllButLast => "t == NULL || (t->left == NULL && t->right == NULL)".to_owned(),
            Limit::Beyond => "t->left == NULL && i > 1".to_owned(),
            Limit::All => "t == NULL".to_owned(),
        };
        self.line(1, &format!("if ({ends}) return {start};"));
        self.line(1, "unsigned sum = 0, x = t->value;");
        for step in &function.steps {
            self.step(step, "");
        }
        if function.style.is_multiple_of(2) {
            self.line(1, &format!("sum += {left} * {prefix}w{number}(t->left, i + 1);"));
            self.line(1, &format!("return sum + {right} * {prefix}w{number}(t->right, i + 1);"));
        } else {
            self.line(1, &format!("unsigned right = {prefix}w{number}(t->right, i + 1);"));
            self.line(1, &format!("unsigned left = {prefix}w{number}(t->left, i + 1);"));
            self.line(1, &format!("return left * {left} + right * {right} + sum;"));
        }
        self.line(0, "}\n");
        self.line(0, &format!("unsigned {prefix}e{number}({}) {{", self.parameters()));
        self.line(1, "unsigned sum = 0;");
        self.heads();
        self.line(1, &format!("return sum + {prefix}w{number}(t, 0);"));
        self.line(0, "}");
    }
}
