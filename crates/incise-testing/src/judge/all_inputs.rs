//! Both versions of programs with few inputs, compiled natively and run on all of them.

use super::build;
use crate::batch::{Batch, Pair};
use crate::c::{self, PRELUDE, Style};
use std::fmt::Write;
use std::path::Path;

/// What is seen of both versions on one input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The same end, result, globals, output.
    Same,
    /// Something else.
    Different,
    /// Both fail in the same way, but wrote something else before: who looks at a program that failed may say either.
    FailedAlike,
}

/// Runs all programs of a batch on all their inputs; for each program, what is seen by the number of the input.
pub fn all_inputs(folder: &Path, batch: &Batch) -> Result<Vec<Vec<Seen>>, String> {
    let native = build(folder, "judge", &["-O0", "-fwrapv", "-DNATIVE"], &text(batch))?;
    let output = native.output(&[], &[])?;
    let mut bytes = output.into_iter().map(|byte| match byte {
        0 => Ok(Seen::Same),
        1 => Ok(Seen::Different),
        2 => Ok(Seen::FailedAlike),
        _ => Err("the judge wrote something else"),
    });
    let mut all = Vec::with_capacity(batch.pairs.len());
    for pair in &batch.pairs {
        let seen: Result<Vec<Seen>, &str> = bytes.by_ref().take(pair.count_inputs()).collect();
        all.push(seen?);
    }
    match all.last().zip(batch.pairs.last()).is_none_or(|(seen, pair)| seen.len() == pair.count_inputs()) {
        true => Ok(all),
        false => Err("the judge's record is cut".to_owned()),
    }
}

/// Both versions in one file, under other names, and a main function that compares them.
fn text(batch: &Batch) -> String {
    let mut text = PRELUDE.to_owned();
    let mut table = String::new();
    for pair in &batch.pairs {
        for (program, prefix) in [(&pair.old, "old_"), (&pair.new, "new_")] {
            text += &c::print(program, Style { prefix, ..Style::default() });
        }
        let widths: Vec<String> = pair.widths().iter().map(u32::to_string).collect();
        let _ = writeln!(
            table,
            "    {{{}, {}, {{{}}}}},",
            version(pair, "old_"),
            version(pair, "new_"),
            widths.join(", ")
        );
    }
    let main = include_str!("all_inputs.c").replace("PAIRS", &table);
    text + "\n#undef exit\n#undef abort\n" + &main
}

fn version(pair: &Pair, prefix: &str) -> String {
    let globals: Vec<String> = pair.global_numbers().iter().map(|name| format!("&{prefix}{name}")).collect();
    let kind = "unsigned (*)(unsigned, unsigned, unsigned)";
    format!("{{({kind}){prefix}{}, {{{}}}}}", pair.entry(), globals.join(", "))
}
