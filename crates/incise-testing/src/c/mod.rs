//! C programs as trees, and their text. Nothing here is random.
//!
//! A program is an entry and the functions that it calls, with global variables of its own. What is named is kept as
//! the text that names it, with its kind, so that another of the same kind can stand in its place. Names that the file
//! shares begin with `@`, which becomes the prefix of a version where both stand in one file.
mod expression;
mod function;
mod print;
mod statement;
mod words;

pub use expression::{COMPARISONS, Call, Callee, Element, Expression, JUNCTIONS, Kind, Type};
pub use function::{ELEMENTS, Function, Inputs, Local, Parameter, Program};
pub use print::{Style, print};
pub use statement::{Case, Counter, Form, Loop, Statement};
pub(crate) use words::PRELUDE;
