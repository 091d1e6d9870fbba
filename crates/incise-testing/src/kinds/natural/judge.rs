//! The judge: both versions compiled natively and run on natural inputs. It shares nothing with the engine but clang.

use super::model::Carrier;
use super::{Batch, print};
use crate::native::Native;
use std::fmt::Write;
use std::path::Path;

/// The size of an input.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shape {
    /// So many elements, and room for so many in the other object.
    Elements { count: u64, room: u64 },
    /// The nodes that a tree has, a bit for each: node `n` has the children `2n` and `2n + 1`, the root is node 1.
    Nodes(u32),
}

/// What is seen of both versions on one input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    Same,
    Different,
    /// The old version fails by itself.
    Invalid,
}

/// Both versions of a batch, compiled.
pub struct NaturalJudge {
    native: Native,
}

impl NaturalJudge {
    pub fn new(folder: &Path, batch: &Batch) -> Result<Self, String> {
        Ok(Self { native: Native::build(folder, "judge", &["-O0"], &text(batch))? })
    }

    /// For each pair, the sizes of the natural inputs that differ.
    pub fn all(&self) -> Result<Vec<Vec<Shape>>, String> {
        let lines = self.run(&[], "")?;
        lines
            .lines()
            .enumerate()
            .map(|(number, line)| differing(line).map_err(|why| format!("pair {number}: {why}")))
            .collect()
    }

    /// What is seen on inputs that are given, a line each: the numbers that the judge's own part describes.
    pub fn given(&self, inputs: &str) -> Result<Vec<Seen>, String> {
        let lines = self.run(&["given"], inputs)?;
        let seen = lines.lines().map(|line| match line {
            "s" => Ok(Seen::Same),
            "d" => Ok(Seen::Different),
            "i" => Ok(Seen::Invalid),
            other => Err(format!("the judge wrote {other:?}")),
        });
        seen.collect()
    }

    fn run(&self, arguments: &[&str], inputs: &str) -> Result<String, String> {
        let output = self.native.output(arguments, inputs.as_bytes())?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }
}

fn differing(line: &str) -> Result<Vec<Shape>, String> {
    let (shapes, failures) = line.split_once("; ").ok_or("the judge's record is cut")?;
    if failures != "0" {
        return Err(format!("the old version fails on {failures} natural inputs"));
    }
    let number = |text: &str| text.parse::<u64>().map_err(|error| error.to_string());
    let shape = |text: &str| match text.split_once(',') {
        Some((count, room)) => Ok(Shape::Elements { count: number(count)?, room: number(room)? }),
        None => Ok(Shape::Nodes(number(text)? as u32)),
    };
    shapes.split_whitespace().map(shape).collect()
}

const HEAD: &str = "#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/mman.h>\n";

/// Both versions in one file, under other names, and a main function that compares them.
fn text(batch: &Batch) -> String {
    let mut text = HEAD.to_owned() + &print::prelude();
    for pair in &batch.pairs {
        text += &print::print(&pair.old, "old_");
        text += &print::print(&pair.new, "new_");
    }
    text += "\nstatic const struct pair {\n    int carrier;\n    unsigned element;\n    void *old, *new;\n    unsigned pooled, pool[12];\n} pairs[] = {\n";
    for pair in &batch.pairs {
        let mut pool = pair.old.constants();
        pool.extend(pair.new.constants());
        pool.extend([1, 2]);
        pool.sort_unstable();
        pool.dedup();
        let (carrier, element) = (pair.new.carrier.number(), pair.new.element.bytes());
        let number = pair.new.number;
        let values: Vec<String> = pool.iter().map(u32::to_string).collect();
        let _ = writeln!(
            text,
            "    {{{carrier}, {element}, old_e{number}, new_e{number}, {}, {{{}}}}},",
            values.len(),
            values.join(", ")
        );
    }
    debug_assert_eq!(Carrier::Tree.number(), 7, "the judge numbers them alike");
    text + "};\n\n" + include_str!("judge.c")
}
