//! The command line of Incise: arguments, resolved settings, commands. Everything else is in the libraries.

mod advice;
mod arguments;
mod change;
mod commands;
mod exit;
mod initial_note;
mod inputs;
mod log;
mod session;
mod settings;
mod trees;
mod words;

use arguments::{Arguments, normalised};
use clap::{CommandFactory, Parser};
use exit::{FAILED, Status};
use incise_children::TIED;
use incise_replay::confinement::{LAUNCHER, launch};
use session::{Session, output};
use settings::{Settings, StoreSettings};
use std::path::PathBuf;
use std::process::ExitCode;

/// Exploring and describing paths makes and drops small things by the million, which takes less time with this
/// allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == LAUNCHER) {
        return launch(words, std::io::stdin(), &mut std::io::stdout());
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == TIED) {
        let (said, status) = incise_children::become_another(std::env::args_os().skip(2));
        output::talk(&said);
        return status;
    }
    if let Ok(this) = std::env::current_exe() {
        incise_children::start_through(launcher(this));
    }
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
            output::talk(&format!("error: {}", words::of_error(&error)));
            ExitCode::from(arguments.failed())
        }
        Err(_) => ExitCode::from(arguments.failed()),
    }
}

/// The small binary beside this one that starts others, or this one.
fn launcher(this: PathBuf) -> PathBuf {
    Some(this.with_file_name(LAUNCHER)).filter(|path| path.is_file()).unwrap_or(this)
}

/// Runs the command where deep structures do not exhaust the stack.
fn on_large_stack<T: Send>(command: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("incise".to_owned()).stack_size(incise_frontend::DEEP_STACK);
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
    log::begin()?;
    let settings = Settings::of(arguments)?;
    let store = arguments.store().map_or_else(|| Ok(StoreSettings::nowhere()), StoreSettings::of)?;
    let native = arguments.may_run_natively();
    let session = Session::begin(settings.talk(), settings.limits(), settings.jobs(), native, &store)?;
    // Until there is more to tell.
    session.rescue(|limit| {
        output::talk(&format!("{}: nothing was found out by then", words::of_stop(limit)));
        Ok(Status::Undecided)
    });
    let done = command(settings, &session);
    session.board().end();
    session.say_gaps();
    session.say_store();
    match (done, session.was_stopped_by()) {
        // What went wrong is, most likely, that it had to stop.
        (Err(error), Some(limit)) => session.report_stopped(limit, error),
        (done, _) => {
            session.reports();
            done
        }
    }
}

fn command(settings: Settings, session: &Session) -> anyhow::Result<Status> {
    match settings {
        Settings::Run(settings) => commands::run::command::run(*settings, session),
        Settings::Diff(settings) => commands::diff::command::run(*settings, session),
        Settings::Impact(settings) => commands::impact::command::run(*settings, session),
        Settings::Explain(settings) => commands::explain::command::run(*settings, session),
        Settings::Cover(settings) => commands::cover::command::run(*settings, session),
        Settings::Monitor(settings) => commands::monitor::command::run(*settings, session),
        Settings::Replay(settings) => commands::replay::command::run(*settings, session),
        Settings::SuiteGenerate(settings) => commands::suite::generate::run(*settings, session),
        Settings::SuiteUpdate(settings) => commands::suite::update::run(&settings, session),
        Settings::SuiteSelect(settings) => commands::suite::update::select(&settings, session),
        Settings::SuiteCheck(settings) => commands::suite::check::run(&settings, session),
        Settings::SuiteEmit(settings) => commands::suite::emit::run(&settings, session),
        Settings::Build(settings) => commands::build::command::run(&settings, session),
        Settings::GitDiff(settings) => commands::git_diff::run(&settings, session),
        Settings::Config => commands::config::command::run(),
        Settings::Cache(settings) => commands::cache::command::run(&settings),
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
