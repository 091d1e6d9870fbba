//! What texts that a program reads consist of: literal strings, characters that it compares with, and numbers in the
//! ways in which functions of the library read them.

use crate::reachable::Reachable;
use incise_ir::{Callee, ConstantKind, FunctionId, Op, Operand, Program};
use std::collections::BTreeSet;

/// Literal strings that are longer are messages, and not what is read.
const LONGEST: usize = 24;

/// Numbers at the ends of what types hold, and in all notations.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "7",
    "10",
    "-1",
    "+1",
    "00",
    "0x1f",
    "127",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e1",
];
/// The same with fractions.
const FRACTIONS: [&str; 17] = [
    "0.5", "-0.0", ".5", "5.", "1e5", "1E-5", "1e38", "1e-40", "1e308", "1e-305", "4e-324", "1e999",
    "-1e999", "1e-999", "inf", "nan", "0x1p3",
];

/// The words of a function and of what it calls.
pub fn words(program: &Program, entry: FunctionId) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    let reachable = Reachable::new(program, [entry]);
    let own = reachable.functions().map(|id| &program.functions[id]).filter(|function| !function.model);
    for (_, instruction) in own.flat_map(|function| function.instructions.iter()) {
        match &instruction.op {
            Op::IntegerCompare { left, right, .. } => {
                found.extend([left, right].into_iter().filter_map(|&operand| character(program, operand)));
            }
            Op::Switch { cases, .. } => {
                found.extend(
                    cases.iter().filter_map(|(number, _)| u8::try_from(*number).ok()).filter_map(word),
                );
            }
            Op::Call(call) | Op::Invoke { call, .. } => {
                if let Callee::Direct(callee) = call.callee {
                    found.extend(numbers(&program.functions[callee].name));
                }
            }
            _ => {}
        }
        instruction.op.for_each_operand(|operand| found.extend(literal(program, operand)));
    }
    found
}

/// A character as a text, if it is one that may be within a text.
fn word(byte: u8) -> Option<Vec<u8>> {
    let is_text = byte.is_ascii_graphic() || byte.is_ascii_whitespace() || byte >= 0x80;
    is_text.then(|| vec![byte])
}

fn character(program: &Program, operand: Operand) -> Option<Vec<u8>> {
    let Operand::Constant(constant) = operand else { return None };
    match program.constants[constant].kind {
        ConstantKind::Integer(number) => word(u8::try_from(number).ok()?),
        _ => None,
    }
}

/// A literal string up to its end.
fn literal(program: &Program, operand: Operand) -> Option<Vec<u8>> {
    let Operand::Constant(constant) = operand else { return None };
    let ConstantKind::Global(global) = program.constants[constant].kind else { return None };
    let global = &program.globals[global];
    let ConstantKind::Bytes(bytes) = &program.constants[global.initializer.filter(|_| global.constant)?].kind
    else {
        return None;
    };
    let text = bytes.split(|&byte| byte == 0).next()?;
    (1..=LONGEST).contains(&text.len()).then(|| text.to_vec())
}

/// What a function of the library makes numbers of.
fn numbers(function: &str) -> impl Iterator<Item = Vec<u8>> {
    let fractions = ["strtod", "strtof", "strtold", "atof"].contains(&function);
    let whole =
        ["atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax"];
    let scanned = ["sscanf", "vsscanf", "__isoc99_sscanf", "__isoc99_vsscanf", "__isoc23_sscanf"];
    let both = scanned.contains(&function);
    let whole = both || fractions || whole.iter().any(|name| function.ends_with(name));
    let fractions = both || fractions;
    let of =
        |wanted: bool, words: &'static [&'static str]| words.iter().take(if wanted { usize::MAX } else { 0 });
    of(whole, &NUMBERS).chain(of(fractions, &FRACTIONS)).map(|word| word.as_bytes().to_vec())
}
