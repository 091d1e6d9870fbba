//! What users say of inputs.

use crate::arguments::InputArguments;
use anyhow::{Context, Result};
use incise_reading::{Contracts, InputReading};
use std::path::Path;

/// How the inputs of entries are read.
pub(crate) fn reading(arguments: &InputArguments) -> Result<InputReading> {
    let mut contracts = match arguments.contracts.as_deref() {
        Some(path) => read_contracts(path)?,
        None => Contracts::default(),
    };
    let flags: [(&str, &[String]); 8] = [
        ("string", &arguments.string),
        ("nonnull", &arguments.nonnull),
        ("length", &arguments.length),
        ("range", &arguments.range),
        ("size", &arguments.size),
        ("same", &arguments.same),
        ("overlap", &arguments.overlap),
        ("member", &arguments.member),
    ];
    for (name, values) in flags {
        for value in values {
            contracts.add_flag(name, value).with_context(|| format!("--{name} {value}"))?;
        }
    }
    Ok(InputReading { inputs: arguments.inputs.into(), contracts, ..InputReading::default() })
}

fn read_contracts(path: &Path) -> Result<Contracts> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Contracts::parse(&text).with_context(|| format!("in {}", path.display()))
}
