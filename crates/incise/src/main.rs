//! The command line of Incise: arguments, resolved settings, commands. Everything else is in the libraries.

mod arguments;
mod change;
mod commands;
mod convert;
mod exit;
mod frontend;
mod initial;
mod inputs;
mod layout;
mod replay;
mod session;
mod settings;
mod sources;
mod suite;
mod versions;

use arguments::{Arguments, normalised};
use clap::{CommandFactory, Parser};
use exit::{FAILED, Status};
use incise_exec::ExploreError;
use session::{Session, output};
use settings::Settings;
use std::process::ExitCode;

/// Exploring and describing paths makes and drops small things by the million, which takes less time with this allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack of a thread that deep structures do not exhaust: our code does not recurse over them, but libraries may.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    install_panic_hook();
    let arguments = match Arguments::try_parse_from(normalised(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are data on standard output; a reader may have gone away.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS };
        }
    };
    // A panic is a bug of ours: the hook has said so, and it ends with the thread.
    match on_large_stack(|| execute(&arguments)) {
        Ok(Ok(status)) => ExitCode::from(status.code()),
        Ok(Err(error)) => {
            output::talk(&format!("error: {:#}", in_options(error)));
            ExitCode::from(FAILED)
        }
        Err(_) => ExitCode::from(FAILED),
    }
}

/// What libraries find wrong with settings, in the words of the options that they come from.
fn in_options(error: anyhow::Error) -> anyhow::Error {
    let said = match error.downcast_ref::<ExploreError>() {
        Some(ExploreError::TooManyFiles { most }) => format!("--sym-file is given more than {most} times"),
        Some(ExploreError::FileTwice) => "--sym-file gives the same name twice".to_owned(),
        Some(ExploreError::VariableTwice) => "--sym-env gives the same name twice".to_owned(),
        Some(ExploreError::NoSuchGlobal { name }) => {
            format!("--symbolic-globals names '{name}', but there is no such global variable")
        }
        Some(ExploreError::NoSuchPointer { name, entry, known }) if known.is_empty() => {
            format!("--array names '{name}', but no input of '{entry}' is a pointer")
        }
        Some(ExploreError::NoSuchPointer { name, known, .. }) => {
            format!("--array names '{name}', but the pointer inputs are: {}", known.join(", "))
        }
        Some(ExploreError::NoSuchEntry { .. }) | None => return error,
    };
    anyhow::Error::msg(said)
}

/// Runs the command where deep structures do not exhaust the stack.
fn on_large_stack<T: Send>(command: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("incise".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, command) {
            Ok(running) => running.join(),
            Err(error) => {
                output::talk(&format!("error: no thread can be started: {error}"));
                Err(Box::new(()) as Box<dyn std::any::Any + Send>)
            }
        }
    })
}

fn execute(arguments: &Arguments) -> anyhow::Result<Status> {
    let settings = Settings::of(arguments)?;
    let session = &Session::begin(settings.talk());
    match settings {
        Settings::Run(settings) => commands::run::command::run(*settings, session),
        Settings::Diff(settings) => commands::diff::command::run(*settings, session),
        Settings::Impact(settings) => commands::impact::command::run(*settings, session),
        Settings::Explain(settings) => commands::explain::command::run(*settings, session),
        Settings::Cover(settings) => commands::cover::command::run(*settings, session),
        Settings::Replay(settings) => commands::replay::command::run(*settings, session),
        Settings::SuiteGenerate(settings) => commands::suite::generate::run(*settings, session),
        Settings::SuiteUpdate(settings) => commands::suite::update::run(&settings, session),
        Settings::SuiteSelect(settings) => commands::suite::update::select(&settings, session),
        Settings::SuiteCheck(settings) => commands::suite::check::run(&settings, session),
        Settings::SuiteEmit(settings) => commands::suite::emit::run(&settings, session),
        Settings::Completions(shell) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "incise", &mut script);
            output::write_data(|out| out.write_all(&script))?;
            Ok(Status::Nothing)
        }
    }
}

/// No backtrace reaches the user: a panic is an internal error, with what is needed to report it.
fn install_panic_hook() {
    std::panic::set_hook(Box::new(|information| {
        let place =
            information.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        let payload = information.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message =
            message.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        output::talk(&format!(
            "internal error: {message}{place}\n\
             This is a bug in incise {}. Please report it with the command line and the program that show it.",
            env!("CARGO_PKG_VERSION")
        ));
    }));
}
