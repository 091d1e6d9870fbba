//! What stands around the bodies of functions: the head of a file, the heads of functions, the names of locals.

use super::expression::Kind;
use super::function::{Function, Parameter};

/// What every file begins with. The macros vanish for Incise; natively they record and check (`judge.h`).
pub(crate) const PRELUDE: &str = r#"#ifdef NATIVE
#include "judge.h"
#else
#define T(part) ((void)0)
#define C(part, e) (e)
#define J(part, e) (e)
#define ENTER
#define STATIC(name, value) static int name = value;
#define DIV(a, operator, b) ((a) operator (b))
#define IX(i, size) (i)
#define P(p) (p)
#define OUT(character) putchar(character)
void abort(void);
void exit(int status);
int putchar(int character);
int outside(int number);
#endif
struct pair {
    int x, y;
};
struct operation {
    int (*f)(int);
    int k;
};
"#;

/// The head of a function, without what opens its body.
pub(crate) fn head(function: &Function) -> String {
    let parameter = |Parameter { kind, number, name, .. }: &Parameter| match kind {
        Kind::Number | Kind::Counter | Kind::Depth => format!("{} {name}", number.text()),
        Kind::Pointer | Kind::Array => format!("int *{name}"),
        Kind::Record => format!("struct pair *{name}"),
        Kind::Function => format!("int (*{name})(int)"),
        Kind::Operation => format!("struct operation *{name}"),
        Kind::Declared => name.clone(),
    };
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let linkage = if function.is_static { "static " } else { "" };
    let returns = function.returns.map_or("void", |kind| kind.text());
    format!("{linkage}{returns} {}({parameters})", function.name)
}

/// A text in which some names end in an underscore. What follows a dot or an arrow is a field, and stays.
pub(crate) fn renamed(text: &str, names: &[String]) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, after) = rest.split_at(start);
        let end = after.find(|character| !is_word(character)).unwrap_or(after.len());
        let (word, behind) = after.split_at(end);
        result += before;
        result += word;
        if names.iter().any(|name| name == word) && !before.ends_with(['.', '>']) {
            result.push('_');
        }
        rest = behind;
    }
    result + rest
}
