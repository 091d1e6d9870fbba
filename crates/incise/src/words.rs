//! What libraries find wrong, in the words of the options that it comes from. Libraries know no options.

use incise_exec::{ExploreError, LimitKind};
use incise_frontend::FrontendError;
use incise_suite::SuiteError;
use std::error::Error;

/// How many functions a message names.
const SHOWN: usize = 20;

/// What stopped a command before its end.
pub(crate) fn of_stop(limit: LimitKind) -> String {
    match limit {
        LimitKind::Interrupt => "stopped by a signal".to_owned(),
        _ => format!("stopped by --{}", limit.name()),
    }
}

/// An error and its causes.
pub(crate) fn of_error(error: &anyhow::Error) -> String {
    error.chain().map(of_cause).collect::<Vec<_>>().join(": ")
}

fn of_cause(cause: &(dyn Error + 'static)) -> String {
    let said = cause
        .downcast_ref::<ExploreError>()
        .and_then(of_exploration)
        .or_else(|| cause.downcast_ref::<FrontendError>().and_then(of_frontend))
        .or_else(|| cause.downcast_ref::<SuiteError>().and_then(of_suite));
    said.unwrap_or_else(|| cause.to_string())
}

fn of_suite(error: &SuiteError) -> Option<String> {
    match error {
        SuiteError::Explore(error) => of_exploration(error),
        SuiteError::Frontend(error) => of_frontend(error),
        SuiteError::HoldsSuite(folder) => {
            let folder = folder.display();
            Some(format!("{folder} holds a suite: `incise suite check --suite {folder}` runs its tests"))
        }
        _ => None,
    }
}

fn of_frontend(error: &FrontendError) -> Option<String> {
    let FrontendError::SeveralFunctions { names } = error else { return None };
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("  --entry {name}")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!("\n  ... and {more} more") } else { String::new() };
    Some(format!("there is no main; say which function to explore:\n{}{rest}", shown.join("\n")))
}

fn of_exploration(error: &ExploreError) -> Option<String> {
    Some(match error {
        ExploreError::TooManyFiles { most } => format!("--sym-file is given more than {most} times"),
        ExploreError::FileTwice => "--sym-file gives the same name twice".to_owned(),
        ExploreError::VariableTwice => "--sym-env gives the same name twice".to_owned(),
        ExploreError::NoSuchGlobal { name } => {
            format!("--symbolic-globals names '{name}', but there is no such global variable")
        }
        ExploreError::NoSuchPointer { name, entry, known } if known.is_empty() => {
            format!("--array names '{name}', but no input of '{entry}' is a pointer")
        }
        ExploreError::NoSuchPointer { name, known, .. } => {
            format!("--array names '{name}', but the pointer inputs are: {}", known.join(", "))
        }
        ExploreError::NoSuchEntry { .. } => return None,
    })
}
