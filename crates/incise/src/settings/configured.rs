//! What a repository says of limits and inputs, where the command line says nothing.

use crate::arguments::EngineArguments;
use crate::arguments::units::{parse_duration, parse_size};
use anyhow::{Result, anyhow};
use incise_repository::Configuration;

/// The arguments with what the repository says filled in.
pub(crate) fn configured(arguments: &EngineArguments, said: &Configuration) -> Result<EngineArguments> {
    let mut arguments = arguments.clone();
    let limits = &mut arguments.limits;
    let time = parsed(said, "limits.max-time", said.max_time.as_deref(), parse_duration)?;
    let memory = parsed(said, "limits.max-memory", said.max_memory.as_deref(), parse_size)?;
    limits.max_time = limits.max_time.or(time);
    limits.max_memory = limits.max_memory.or(memory);
    limits.max_paths = limits.max_paths.or(said.max_paths);
    limits.max_loop = limits.max_loop.or(said.max_loop);
    let inputs = &mut arguments.inputs;
    inputs.contracts = inputs.contracts.take().or_else(|| said.contracts.clone());
    Ok(arguments)
}

/// What a text of the file means.
pub(crate) fn parsed<T>(
    said: &Configuration,
    key: &str,
    text: Option<&str>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>> {
    let place = || said.path.as_ref().map_or_else(String::new, |path| path.display().to_string());
    text.map(|text| parse(text).map_err(|why| anyhow!("{}: `{key}`: {why}", place()))).transpose()
}
