//! Expressions in C syntax over the names of the inputs, for path conditions that a person reads.
//!
//! A printed part carries how C would see it: the signedness and width of its type, and its precedence. Its value in C
//! is that of the expression read with that signedness, so a cast is printed only where a consumer needs the other one
//! or a wider type. What has no C syntax is written as a call: `bits(f)`, `as_double(x)`.
//!
//! The depth and the number of visited nodes are bounded, so that neither a deep expression nor one with much sharing
//! takes long: beyond the bounds the text says `...`.

mod element;
mod float;
mod integer;
mod parts;

use crate::expr::{ExprId, Exprs};
use std::cell::Cell;

/// How deep the printer goes.
const DEPTH_LIMIT: u32 = 60;
/// How many nodes it prints, counting shared ones each time.
const VISIT_LIMIT: u32 = 1_500;
/// How long the text gets.
const LENGTH_LIMIT: usize = 4_000;

/// What people call an address, as an expression that needs no parentheses; `None` if it is none.
pub type AddressName<'a> = dyn Fn(u64) -> Option<String> + 'a;

impl Exprs {
    /// The expression in C syntax over the symbol names.
    pub fn display_c(&self, e: ExprId) -> String {
        self.display_c_with(e, &|_| None).0
    }

    /// The same with names for addresses, and whether there are any in it.
    pub fn display_c_with(&self, e: ExprId, address: &AddressName<'_>) -> (String, bool) {
        let mut printer = Printer { exprs: self, address, named: Cell::new(false), visits: 0, depth: 0 };
        let text = if self.width(e) == 1 {
            printer.condition(e, true).text
        } else {
            printer.natural(e, Sign::Signed).text
        };
        (cut(text), printer.named.get())
    }
}

fn cut(mut text: String) -> String {
    if text.len() > LENGTH_LIMIT {
        let end = (0..=LENGTH_LIMIT).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
    }
    text
}

/// How the bits of a printed part are to be read to get its value in C.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Sign {
    Signed,
    Unsigned,
    /// Never negative in either reading.
    Either,
}

/// Precedences of C, the tighter the higher.
mod precedence {
    pub(super) const CHOICE: u8 = 3;
    pub(super) const OR: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const BIT_OR: u8 = 6;
    pub(super) const BIT_XOR: u8 = 7;
    pub(super) const BIT_AND: u8 = 8;
    pub(super) const EQUALITY: u8 = 9;
    pub(super) const RELATION: u8 = 10;
    pub(super) const SHIFT: u8 = 11;
    pub(super) const SUM: u8 = 12;
    pub(super) const PRODUCT: u8 = 13;
    pub(super) const UNARY: u8 = 14;
    pub(super) const PRIMARY: u8 = 15;
}

/// A printed part.
struct Text {
    text: String,
    precedence: u8,
    sign: Sign,
    /// The width of its type in C before promotion.
    width: u32,
    /// Whether that type is unsigned, which what stands beside it becomes too.
    unsigned: bool,
    /// Whether it is a character, so that constants beside it are printed as characters.
    character: bool,
}

impl Text {
    fn new(text: String, precedence: u8, sign: Sign, width: u32) -> Self {
        Text { text, precedence, sign, width, unsigned: sign == Sign::Unsigned, character: false }
    }

    /// In parentheses if it binds less tightly than the place where it stands.
    fn at(&self, precedence: u8) -> String {
        if self.precedence < precedence { format!("({})", self.text) } else { self.text.clone() }
    }
}

struct Printer<'a> {
    exprs: &'a Exprs,
    address: &'a AddressName<'a>,
    /// Whether an address has been named.
    named: Cell<bool>,
    visits: u32,
    depth: u32,
}

impl Printer<'_> {
    /// Runs a step of the recursion, or gives up.
    fn nested(&mut self, width: u32, step: impl FnOnce(&mut Self) -> Text) -> Text {
        self.visits += 1;
        if self.depth >= DEPTH_LIMIT || self.visits > VISIT_LIMIT {
            return Text::new("...".to_string(), precedence::PRIMARY, Sign::Either, width);
        }
        self.depth += 1;
        let text = step(self);
        self.depth -= 1;
        text
    }
}

/// The name of an integer type in C; widths without one use C23's.
fn type_name(width: u32, signed: bool) -> String {
    let name = match (width, signed) {
        (8, true) => "char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (64, true) => "long",
        (64, false) => "unsigned long",
        (128, true) => "__int128",
        (128, false) => "unsigned __int128",
        (_, true) => return format!("_BitInt({width})"),
        (_, false) => return format!("unsigned _BitInt({width})"),
    };
    name.to_string()
}

fn cast(text: &Text, width: u32, signed: bool) -> Text {
    let sign = if signed { Sign::Signed } else { Sign::Unsigned };
    let mut operand = text.at(precedence::UNARY);
    // Of two casts to one width the outer one alone decides.
    for earlier in [true, false] {
        if let Some(rest) = operand.strip_prefix(&format!("({})", type_name(width, earlier))) {
            operand = rest.to_string();
        }
    }
    let printed = format!("({}){operand}", type_name(width, signed));
    Text { character: text.character && width == 8, ..Text::new(printed, precedence::UNARY, sign, width) }
}

#[cfg(test)]
mod tests;
