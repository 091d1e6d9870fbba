//! Which pointer inputs are taken to lead to different objects.

use crate::{Reading, What};
use incise_ir::parameters::{parameter_names, parameter_type_name};
use incise_ir::{FunctionId, Program};

/// That pointer parameters of one type lead to different objects, where something may be written through one of them:
/// the pairs of which nothing else is taken.
pub fn taken_apart(program: &Program, entry: FunctionId, reading: &Reading) -> Vec<(String, String)> {
    let function = &program.functions[entry];
    let names = parameter_names(program, function);
    let pointers: Vec<(&String, String, bool)> = names
        .iter()
        .enumerate()
        .filter_map(|(number, name)| {
            let ty = parameter_type_name(program, function, number);
            let target = ty.strip_suffix('*')?.trim();
            let plain = target.trim_start_matches("const ").trim().to_owned();
            Some((name, plain, target.starts_with("const ")))
        })
        .collect();
    let mut pairs = Vec::new();
    for (at, (one, ty, constant)) in pointers.iter().enumerate() {
        for (other, their_type, their_constant) in &pointers[at + 1..] {
            let known = [(one, other), (other, one)].into_iter().any(|(input, with)| {
                reading.of(input).any(|what| match what {
                    What::MaySame { other } | What::MayOverlap { other } => other == *with,
                    What::EndOf { begin } => begin == *with,
                    _ => false,
                })
            });
            if ty == their_type && !(*constant && *their_constant) && !known {
                pairs.push(((*one).clone(), (*other).clone()));
            }
        }
    }
    pairs
}
