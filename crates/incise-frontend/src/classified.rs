//! A program that ends, where a function returns, by calling one of several functions that nobody has: which one tells
//! in what class a global variable is then. Exploring it finds the classes that can be come to, in one path each.

use crate::error::FrontendError;
use crate::models::add_models;
use crate::watched::{definition, is_plain, is_return};
use incise_ir::Program;
use incise_llvm::ModuleText;
use std::fmt::Write as _;

/// When a number is in a class: the first that applies counts.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Class {
    /// If it is less.
    Below(f64),
    /// If it is not more.
    AtMost(f64),
    /// If it is that.
    Equals(f64),
    /// Always.
    Otherwise,
}

/// What the functions are called that classes call, without their numbers.
pub const CLASS_PREFIX: &str = "incise_class_";

/// A global variable and its classes.
pub struct Classified<'c> {
    /// The function at whose end it is looked at.
    pub function: &'c str,
    /// The variable, by its symbol.
    pub symbol: &'c str,
    /// Whether it is a signed number.
    pub signed: bool,
    /// The classes.
    pub classes: &'c [Class],
}

/// The program of modules, with what is classified; `None` if that is no number that the modules define.
pub fn classified(
    texts: &[(String, String)],
    what: &Classified<'_>,
    required_model: fn(&str) -> Option<&'static str>,
) -> Result<Option<Program>, FrontendError> {
    let head = format!("@{} = ", what.symbol);
    let line = texts.iter().flat_map(|(_, text)| text.lines()).find(|line| line.starts_with(&head));
    let words = line.and_then(|line| line.split_once(" global ")).map(|(_, rest)| rest);
    let Some(ty) = words.and_then(|rest| rest.split(' ').next()).filter(|ty| is_plain(ty) && *ty != "ptr")
    else {
        return Ok(None);
    };
    let mut found = false;
    let mut changed = Vec::new();
    for (name, text) in texts {
        let Some(start) = definition(text, what.function).filter(|_| !found) else {
            changed.push((name, text.clone()));
            continue;
        };
        found = true;
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end);
        let body = with_classes(&text[start..end], what, ty);
        let declared = !text.lines().any(|line| line.starts_with(&head));
        let mut before = String::new();
        if declared {
            let _ = writeln!(before, "@{} = external global {ty}", what.symbol);
        }
        for number in 0..=what.classes.len() {
            let _ = writeln!(before, "declare void @{CLASS_PREFIX}{number}()");
        }
        changed.push((name, format!("{}{before}{body}{}", &text[..start], &text[end..])));
    }
    if !found {
        return Ok(None);
    }
    let modules: Vec<ModuleText<'_>> =
        changed.iter().map(|(name, text)| ModuleText { name, text: text.as_bytes() }).collect();
    let mut program = incise_llvm::link(&modules)?;
    add_models(&mut program, required_model)?;
    Ok(Some(program))
}

/// A body in which each return tells the class first.
fn with_classes(body: &str, what: &Classified<'_>, ty: &str) -> String {
    let mut result = String::with_capacity(body.len() * 2);
    let mut returns = 0;
    for line in body.lines() {
        if !is_return(line) {
            result += line;
            result.push('\n');
            continue;
        }
        returns += 1;
        let value = format!("%incise.value.{returns}");
        let _ = writeln!(result, "  {value} = load {ty}, ptr @{}", what.symbol);
        for (number, class) in what.classes.iter().enumerate() {
            let (condition, then, next) = (
                format!("%incise.is.{returns}.{number}"),
                format!("incise.then.{returns}.{number}"),
                format!("incise.next.{returns}.{number}"),
            );
            let test = test(*class, what.signed, ty, &value, &condition);
            let _ = writeln!(
                result,
                "{test}\n  br i1 {condition}, label %{then}, label %{next}\n{then}:\n  call void \
                 @{CLASS_PREFIX}{number}()\n  unreachable\n{next}:"
            );
        }
        let _ = writeln!(result, "  call void @{CLASS_PREFIX}{}()\n  unreachable", what.classes.len());
    }
    result.pop();
    result
}

/// The instructions that tell whether a value is in a class.
fn test(class: Class, signed: bool, ty: &str, value: &str, condition: &str) -> String {
    let Some(bits) = ty.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok()) else {
        return float_test(class, ty, value, condition);
    };
    let always =
        |truth: bool| format!("  {condition} = icmp {} i1 true, true", if truth { "eq" } else { "ne" });
    let bits = bits.min(64);
    let (least, most) = match signed {
        true => (-(2_f64.powi(bits as i32 - 1)), 2_f64.powi(bits as i32 - 1) - 1.0),
        false => (0.0, 2_f64.powi(bits as i32) - 1.0),
    };
    let sign = if signed { 's' } else { 'u' };
    match class {
        Class::Otherwise => always(true),
        Class::Below(limit) if limit.ceil() > most => always(true),
        Class::Below(limit) if limit.ceil() <= least => always(false),
        Class::Below(limit) => {
            format!("  {condition} = icmp {sign}lt {ty} {value}, {}", limit.ceil() as i128)
        }
        Class::AtMost(limit) if limit.floor() >= most => always(true),
        Class::AtMost(limit) if limit.floor() < least => always(false),
        Class::AtMost(limit) => {
            format!("  {condition} = icmp {sign}le {ty} {value}, {}", limit.floor() as i128)
        }
        Class::Equals(number) if number.fract() != 0.0 || number < least || number > most => always(false),
        Class::Equals(number) => format!("  {condition} = icmp eq {ty} {value}, {}", number as i128),
    }
}

fn float_test(class: Class, ty: &str, value: &str, condition: &str) -> String {
    let wide = format!("{condition}.wide");
    let widened = match ty {
        "double" => format!("  {wide} = fadd double {value}, 0x8000000000000000"),
        "half" | "float" => format!("  {wide} = fpext {ty} {value} to double"),
        _ => format!("  {wide} = fptrunc {ty} {value} to double"),
    };
    let (compare, limit) = match class {
        Class::Below(limit) => ("olt", limit),
        Class::AtMost(limit) => ("ole", limit),
        Class::Equals(number) => ("oeq", number),
        Class::Otherwise => ("true", 0.0),
    };
    format!("{widened}\n  {condition} = fcmp {compare} double {wide}, 0x{:016X}", limit.to_bits())
}
