//! A program that tells, where a function returns, in what classes several global variables are: in variables of its
//! own, and by calling one of several functions that nobody has if an input wants that of a variable. One exploration
//! of it finds the classes that each of them can come to be in.

use crate::error::FrontendError;
use crate::models::add_models;
use crate::watched::{definition, is_plain, is_return};
use incise_ir::Program;
use incise_llvm::ModuleText;
use std::collections::BTreeSet;
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

/// What the functions are called that classes call; then come the numbers of the variable and of the class.
pub const CLASS_PREFIX: &str = "__incise_class_";
/// What the variables are called that hold the number of a class; then comes the number of the variable.
pub const CLASS_VARIABLE: &str = "__incise_class_of_";
/// Which variable a path tells the class of is any: its number and one. Other paths return.
const CHOICE: &str = "__VERIFIER_nondet_uint";

/// A number in a global variable, and its classes.
#[derive(Clone, Debug)]
pub struct ClassifiedNumber {
    /// The variable, by its symbol.
    pub symbol: String,
    /// Of a part of it: where it begins, in bytes, and its type in the IR.
    pub part: Option<(u64, String)>,
    /// Whether it is a signed number.
    pub signed: bool,
    /// The classes.
    pub classes: Vec<Class>,
}

impl ClassifiedNumber {
    fn head(&self) -> String {
        format!("@{} = ", self.symbol)
    }

    /// The type of the number in the IR; `None` if it is none that one module alone defines.
    fn number_type(&self, texts: &[(String, String)]) -> Option<String> {
        let head = self.head();
        let is_definition =
            |line: &&str| line.starts_with(&head) && !line[head.len()..].starts_with("external ");
        let mut lines = texts.iter().flat_map(|(_, text)| text.lines()).filter(is_definition);
        let (line, None) = (lines.next()?, lines.next()) else { return None };
        let whole = line.split_once(" global ")?.1.split(' ').next()?;
        let ty = self.part.as_ref().map_or(whole, |(_, ty)| ty);
        (is_plain(ty) && ty != "ptr").then(|| ty.to_owned())
    }
}

/// A program that tells classes, and which of the numbers it tells them of.
pub struct Classified {
    /// The program.
    pub program: Program,
    /// For each number, whether it is one.
    pub told: Vec<bool>,
}

/// The program of modules, with numbers that are classified where a function returns: a path that tells nothing returns
/// with all classes in variables, the others call a function for the class of one number. `None` if the modules do not
/// define the function.
pub fn classified(
    texts: &[(String, String)],
    function: &str,
    numbers: &[ClassifiedNumber],
    required_model: fn(&str) -> Option<&'static str>,
) -> Result<Option<Classified>, FrontendError> {
    let types: Vec<Option<String>> = numbers.iter().map(|number| number.number_type(texts)).collect();
    let mut found = false;
    let mut changed = Vec::new();
    for (name, text) in texts {
        let text = shared(text, numbers);
        let Some(start) = definition(&text, function).filter(|_| !found) else {
            changed.push((name, text));
            continue;
        };
        found = true;
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end);
        let body = with_classes(&text[start..end], numbers, &types);
        let before = declarations(&text, numbers, &types);
        changed.push((name, format!("{}{before}{body}{}", &text[..start], &text[end..])));
    }
    if !found {
        return Ok(None);
    }
    let modules: Vec<ModuleText<'_>> =
        changed.iter().map(|(name, text)| ModuleText { name, text: text.as_bytes() }).collect();
    let mut program = incise_llvm::link(&modules)?;
    add_models(&mut program, required_model)?;
    Ok(Some(Classified { program, told: types.iter().map(Option::is_some).collect() }))
}

/// A module whose own variables can be named by others, where they are classified.
fn shared(text: &str, numbers: &[ClassifiedNumber]) -> String {
    let symbols: BTreeSet<&str> = numbers.iter().map(|number| number.symbol.as_str()).collect();
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let head = line.strip_prefix('@').and_then(|line| line.split_once(" = "));
        let own = head.filter(|(symbol, _)| symbols.contains(symbol));
        let own = own.and_then(|(symbol, rest)| {
            let rest = rest.strip_prefix("internal ").or_else(|| rest.strip_prefix("private "))?;
            Some((symbol, rest))
        });
        match own {
            Some((symbol, rest)) => {
                let _ = write!(result, "@{symbol} = {rest}");
            }
            None => result += line,
        }
    }
    result
}

/// What a module has to declare that tells classes.
fn declarations(text: &str, numbers: &[ClassifiedNumber], types: &[Option<String>]) -> String {
    let mut before = String::new();
    let heads = text.lines().filter_map(|line| line.strip_prefix('@')?.split_once(" = "));
    let known: BTreeSet<&str> = heads.map(|(symbol, _)| symbol).collect();
    let mut declared = BTreeSet::new();
    for (at, number) in numbers.iter().enumerate() {
        let Some(ty) = &types[at] else { continue };
        if declared.insert(&number.symbol) && !known.contains(number.symbol.as_str()) {
            let _ = writeln!(before, "@{} = external global {ty}", number.symbol);
        }
        let _ = writeln!(before, "@{CLASS_VARIABLE}{at} = global i32 0");
        for class in 0..=number.classes.len() {
            let _ = writeln!(before, "declare void @{CLASS_PREFIX}{at}_{class}()");
        }
    }
    if !text.contains(&format!(" @{CHOICE}(")) {
        let _ = writeln!(before, "declare i32 @{CHOICE}()");
    }
    before
}

/// A body in which each return puts the classes of all numbers into variables, and tells that of one of them if it is
/// wanted.
fn with_classes(body: &str, numbers: &[ClassifiedNumber], types: &[Option<String>]) -> String {
    let mut result = String::with_capacity(body.len() * 2);
    let mut returns = 0;
    for line in body.lines() {
        if !is_return(line) {
            result += line;
            result.push('\n');
            continue;
        }
        returns += 1;
        let told = || numbers.iter().zip(types).enumerate();
        let told = || told().filter_map(|(at, (number, ty))| Some((at, number, ty.as_deref()?)));
        for (at, number, ty) in told() {
            put_class(&mut result, number, ty, (returns, at));
        }
        let cases: Vec<String> =
            told().map(|(at, ..)| format!("i32 {}, label %incise.number.{returns}.{at}", at + 1)).collect();
        let _ = writeln!(
            result,
            "  %incise.choice.{returns} = call i32 @{CHOICE}()\n  switch i32 %incise.choice.{returns}, label \
             %incise.none.{returns} [ {} ]",
            cases.join(" ")
        );
        for (at, number, _) in told() {
            tell_class(&mut result, number, (returns, at));
        }
        let _ = writeln!(result, "incise.none.{returns}:\n{line}");
    }
    result.pop();
    result
}

/// Puts the class of a number into a variable, without any branch.
fn put_class(result: &mut String, number: &ClassifiedNumber, ty: &str, (returns, at): (u32, usize)) {
    let id = format!("{returns}.{at}");
    let (value, place) = (format!("%incise.value.{id}"), format!("%incise.place.{id}"));
    let offset = number.part.as_ref().map_or(0, |(offset, _)| *offset);
    let _ = writeln!(
        result,
        "  {place} = getelementptr i8, ptr @{}, i64 {offset}\n  {value} = load {ty}, ptr {place}, align 1",
        number.symbol
    );
    let mut found = number.classes.len().to_string();
    for (class, what) in number.classes.iter().enumerate().rev() {
        let (condition, class_value) = (is_class(&id, class), format!("%incise.class.{id}.{class}"));
        let test = test(*what, number.signed, ty, &value, &condition);
        let _ = writeln!(result, "{test}\n  {class_value} = select i1 {condition}, i32 {class}, i32 {found}");
        found = class_value;
    }
    let _ = writeln!(result, "  store i32 {found}, ptr @{CLASS_VARIABLE}{at}");
}

/// The condition that a number is in a class; those before it come first.
fn is_class(id: &str, class: usize) -> String {
    format!("%incise.is.{id}.{class}")
}

/// Tells the class of a number by calling a function.
fn tell_class(result: &mut String, number: &ClassifiedNumber, (returns, at): (u32, usize)) {
    let id = format!("{returns}.{at}");
    let _ = writeln!(result, "incise.number.{id}:");
    for class in 0..number.classes.len() {
        let (condition, then, next) =
            (is_class(&id, class), format!("incise.then.{id}.{class}"), format!("incise.next.{id}.{class}"));
        let _ = writeln!(
            result,
            "  br i1 {condition}, label %{then}, label %{next}\n{then}:\n  call void \
             @{CLASS_PREFIX}{at}_{class}()\n  unreachable\n{next}:"
        );
    }
    let _ = writeln!(result, "  call void @{CLASS_PREFIX}{at}_{}()\n  unreachable", number.classes.len());
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
