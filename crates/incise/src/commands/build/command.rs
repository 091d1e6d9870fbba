//! Runs a build, watches it, and writes down how it compiles.

use super::arguments::BuildCommandArguments;
use crate::arguments::CompileArguments;
use crate::exit::Status;
use crate::session::{Session, TalkSettings};
use crate::settings::sources;
use anyhow::{Context, Result, bail};
use incise_children::Tied;
use incise_frontend::clang;
use incise_repository::build::{BuildWatch, WatchedBuild, write_database};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, SystemTime};

/// What is written if the user does not say.
const NAME: &str = "compile_commands.json";
/// How often it is looked whether the build has ended.
const POLL: Duration = Duration::from_millis(20);
/// How many names are said.
const SHOWN: usize = 5;

/// What `incise build` is asked to do.
pub(crate) struct BuildSettings {
    output: PathBuf,
    clang: Option<PathBuf>,
    command: Vec<OsString>,
    pub(crate) talk: TalkSettings,
}

impl BuildSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &BuildCommandArguments) -> Self {
        Self {
            output: arguments.output.clone().unwrap_or_else(|| NAME.into()),
            clang: arguments.clang.clone(),
            command: arguments.command.clone(),
            talk: TalkSettings { quiet: arguments.quiet, verbose: false, color: false },
        }
    }
}

/// Does what `incise build` is asked to do.
pub(crate) fn run(settings: &BuildSettings, session: &Session) -> Result<Status> {
    let compile = CompileArguments { clang: settings.clang.clone(), ..CompileArguments::default() };
    let compiler = clang(&sources(&[], &compile))?;
    let folder = tempfile::Builder::new().prefix("incise-build-").tempdir().context("no temporary folder")?;
    let watch = BuildWatch::new(&compiler, folder.path(), session.interrupt())?;
    // The clock of the file system counts, not ours.
    let begun =
        folder.path().metadata().and_then(|folder| folder.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let status = build(settings, &watch, session)?;
    if session.is_interrupted() {
        bail!("interrupted: {} is as it was", settings.output.display());
    }
    if !status.success() {
        bail!("the build failed ({status}): {} is as it was", settings.output.display());
    }
    let seen = watch.seen()?;
    if seen.files.is_empty() {
        bail!(
            "no call of a C compiler was seen: if everything was built already, clean it first; programs that are \
             linked statically, and those that get no environment, cannot be watched"
        );
    }
    session.reports();
    let written = write_database(&settings.output, &seen.files)?;
    let kept = match written.kept {
        0 => String::new(),
        count => format!(", and {count} from before"),
    };
    let gone = match seen.gone {
        0 => String::new(),
        count => format!("; left out: {count} that are gone, as configurations try"),
    };
    let compilations =
        if written.seen == 1 { "1 compilation" } else { &format!("{} compilations", written.seen) };
    session.say(&format!("{}: {compilations}{kept}{gone}", settings.output.display()));
    say_not_seen(&seen, begun, session);
    Ok(Status::Nothing)
}

/// Runs the build, with what it is watched by.
fn build(settings: &BuildSettings, watch: &BuildWatch, session: &Session) -> Result<ExitStatus> {
    let (program, words) = settings.command.split_first().context("there is no build to run")?;
    let mut command = std::process::Command::new(program);
    command.args(words).envs(watch.environment(std::env::var_os("LD_PRELOAD").as_deref()));
    let cannot = || format!("{} cannot be run", program.to_string_lossy());
    let mut child = Tied::start(&mut command).with_context(cannot)?;
    loop {
        if let Some(status) = child.try_wait().with_context(cannot)? {
            return Ok(status);
        }
        if session.is_interrupted() {
            child.end();
            return child.wait().with_context(cannot);
        }
        std::thread::sleep(POLL);
    }
}

/// Names object files that the build made and nobody was seen to make.
fn say_not_seen(seen: &WatchedBuild, begun: SystemTime, session: &Session) {
    let mut missing = Vec::new();
    let mut open = vec![PathBuf::from(".")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() && entry.file_name() != ".git" {
                open.push(path);
            } else if kind.is_file() && is_new_object(&path, begun) {
                let whole = path.canonicalize().unwrap_or(path.clone());
                missing.extend((!seen.outputs.contains(&whole)).then_some(path));
            }
        }
    }
    if missing.is_empty() {
        return;
    }
    missing.sort();
    let shown = |path: &PathBuf| path.strip_prefix(".").unwrap_or(path).display().to_string();
    let names: Vec<String> = missing.iter().take(SHOWN).map(shown).collect();
    let more = match missing.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    session.warn(&format!("note: it was not seen how these were made: {}{more}", names.join(", ")));
}

fn is_new_object(path: &Path, begun: SystemTime) -> bool {
    path.extension().is_some_and(|ending| ending == "o" || ending == "obj")
        && path.metadata().and_then(|file| file.modified()).is_ok_and(|time| time >= begun)
}
