//! `incise git-diff`: git's external diff. Shows the diff of a file as git does, and the verdict below it.
//!
//! Whatever goes wrong with the verdict, the diff is shown and the status is 0: `git diff` must not fail for it. The
//! comparison is that of `incise diff OLD NEW`, in a process of its own with a limit of time. Git tells two files and
//! not two versions of the repository, so that both are compiled with the headers of the working tree, which is said.

use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use crate::settings::tools;
use anyhow::{Context, Result, bail};
use incise_children::run as run_child;
use incise_repository::Repository;
use incise_repository::build::{Database, DatabasePlace, FileKind, kind};
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const GIT_DIFF_HELP: &str = "\
Git calls this, with the path, both files and what they are:
  git -c diff.external='incise git-diff' diff             the diff, and the verdict below each C file
  git -c diff.external='incise git-diff' show --ext-diff
  git config diff.external 'incise git-diff'              ... always

Both files are compiled as compile_commands.json says, with the headers of the working tree. A file has 20 seconds, or INCISE_GIT_DIFF_TIME of them.

Exit status: 0, whatever happens to the verdict.";

/// How long the verdict on a file may take if the user does not say, and how much longer is waited for it.
const TIME: Duration = Duration::from_secs(20);
const LATE: Duration = Duration::from_secs(5);
/// How long git may take to compare two files.
const GIT_TIME: Duration = Duration::from_secs(60);
const NOTHING: &str = "/dev/null";

/// What git calls an external diff with.
pub(crate) struct GitDiffSettings {
    words: Vec<OsString>,
}

/// A file in both versions.
struct Pair {
    /// From the top of the repository, in both versions.
    names: (PathBuf, PathBuf),
    /// Where they lie now.
    files: (PathBuf, PathBuf),
    modes: (String, String),
}

impl GitDiffSettings {
    pub(crate) fn of(words: &[OsString]) -> Self {
        Self { words: words.to_vec() }
    }

    /// The file in both versions; `None` where git has a conflict.
    fn pair(&self) -> Option<Pair> {
        let word = |at: usize| self.words.get(at).map(PathBuf::from);
        let text = |at: usize| self.words.get(at).map(|word| word.to_string_lossy().into_owned());
        let name = word(0)?;
        let renamed = word(7).unwrap_or_else(|| name.clone());
        Some(Pair { names: (name, renamed), files: (word(1)?, word(4)?), modes: (text(3)?, text(6)?) })
    }
}

/// Shows the diff and the verdict.
pub(crate) fn run(settings: &GitDiffSettings, session: &Session) -> Result<Status> {
    session.reports();
    let Some(pair) = settings.pair() else {
        let name = settings.words.first().map(PathBuf::from).unwrap_or_default();
        write_data(|out| writeln!(out, "* Unmerged path {}", name.display()))?;
        return Ok(Status::Nothing);
    };
    let text = match diff(&pair, session) {
        Ok(text) => text,
        Err(error) => format!("incise: the diff of {} cannot be shown: {error:#}\n", pair.names.1.display()),
    };
    write_data(|out| out.write_all(text.as_bytes()))?;
    if kind(&pair.names.1) == FileKind::Source
        && [&pair.files.0, &pair.files.1].iter().all(|file| **file != Path::new(NOTHING))
    {
        let said = verdict(&pair, session).unwrap_or_else(|error| format!("no verdict: {error:#}"));
        write_data(|out| said.lines().try_for_each(|line| writeln!(out, "incise: {line}")))?;
    }
    Ok(Status::Nothing)
}

/// The diff as git writes it, with the names that the files have in the repository.
fn diff(pair: &Pair, session: &Session) -> Result<String> {
    let git = which("git").context("there is no git on the path")?;
    let mut command = incise_children::command(git);
    command.args(["--no-pager", "diff", "--no-ext-diff", "--no-color", "--no-index", "--"]);
    command.arg(&pair.files.0).arg(&pair.files.1);
    let done = run_child(&mut command, Some(GIT_TIME), session.interrupt())
        .map_err(|error| anyhow::anyhow!("git does not answer: {error:?}"))?;
    if !done.stderr.is_empty() && done.stdout.is_empty() {
        bail!("{}", String::from_utf8_lossy(&done.stderr).trim().to_owned());
    }
    let colored = is_colored();
    let mut lines = Vec::new();
    let mut in_header = true;
    for line in String::from_utf8_lossy(&done.stdout).split_inclusive('\n') {
        in_header &= !line.starts_with("@@");
        let line = if in_header { header(line, pair) } else { Some(line.to_owned()) };
        lines.extend(line.map(|line| if colored { painted(&line, in_header) } else { line }));
    }
    Ok(lines.concat())
}

/// A line in front of the first hunk, with other names; none if it speaks of the files that git made for us.
fn header(line: &str, pair: &Pair) -> Option<String> {
    let (old, new) = (pair.names.0.display(), pair.names.1.display());
    let (is_new, is_gone) = (pair.files.0 == Path::new(NOTHING), pair.files.1 == Path::new(NOTHING));
    let modes = match pair.modes.0 == pair.modes.1 || is_new || is_gone {
        true => String::new(),
        false => format!("old mode {}\nnew mode {}\n", pair.modes.0, pair.modes.1),
    };
    Some(match line {
        _ if line.starts_with("diff --git ") => format!("diff --git a/{old} b/{new}\n{modes}"),
        _ if line.starts_with("--- ") && !is_new => format!("--- a/{old}\n"),
        _ if line.starts_with("+++ ") && !is_gone => format!("+++ b/{new}\n"),
        _ if line.starts_with("old mode ") || line.starts_with("new mode ") => return None,
        _ if line.starts_with("rename ") || line.starts_with("similarity ") => return None,
        _ => line.to_owned(),
    })
}

/// A line in the usual colours.
fn painted(line: &str, in_header: bool) -> String {
    let code = match line.chars().next() {
        _ if in_header => "1",
        Some('+') => "32",
        Some('-') => "31",
        Some('@') => "36",
        _ => return line.to_owned(),
    };
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    let lines: Vec<String> = text.split('\n').map(|text| format!("\x1b[{code}m{text}\x1b[m")).collect();
    format!("{}{end}", lines.join("\n"))
}

/// Whether the reader sees colours: git says that a pager, which is a terminal for us, is in use.
fn is_colored() -> bool {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !plain && (std::io::stdout().is_terminal() || std::env::var_os("GIT_PAGER_IN_USE").is_some())
}

/// What the change of the file does, in words.
fn verdict(pair: &Pair, session: &Session) -> Result<String> {
    let own = std::env::current_exe().context("this program does not find itself")?;
    let time = std::env::var("INCISE_GIT_DIFF_TIME").ok().and_then(|text| text.parse().ok());
    let time = time.map_or(TIME, Duration::from_secs);
    let mut command = incise_children::command(own);
    command.args(["diff", "--verdict-only", "-q", "--max-time", &format!("{}ms", time.as_millis())]);
    let flags = flags(pair, session)?;
    for flag in &flags {
        command.arg("--cflags").arg(quoted(flag));
    }
    // Beside each other, and outside of the repository: flags lead to its headers from both.
    let place = tempfile::tempdir().context("no temporary folder")?;
    for (folder, file) in [("old", &pair.files.0), ("new", &pair.files.1)] {
        let copy = place.path().join(folder).join(pair.names.1.file_name().unwrap_or_default());
        std::fs::create_dir(place.path().join(folder)).context("no temporary folder")?;
        std::fs::copy(file, &copy).with_context(|| format!("{} cannot be read", file.display()))?;
        command.arg(copy);
    }
    let done = run_child(&mut command, Some(time + LATE), session.interrupt())
        .map_err(|_| anyhow::anyhow!("it took too long"))?;
    let mut said = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    let marked = place.path().file_name().unwrap_or_default().to_string_lossy();
    let file = pair.names.1.file_name().unwrap_or_default().to_string_lossy();
    for (folder, name) in [("old", &pair.names.0), ("new", &pair.names.1)] {
        said = named(&said, &format!("{marked}/{folder}/{file}"), &name.to_string_lossy());
    }
    if said.is_empty() {
        let why = String::from_utf8_lossy(&done.stderr).into_owned();
        let first = why.lines().rfind(|line| line.contains("error")).unwrap_or("nothing was said");
        bail!("{}", first.trim().trim_start_matches("error: "));
    }
    Ok(format!("{said} (with the headers of the working tree)"))
}

/// A text in which a file has its name in the repository, and not that of the copy, whose path ends so.
fn named(text: &str, ending: &str, name: &str) -> String {
    let mut parts = text.split(ending);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let begins = named.rfind([' ', '(', '\'', '"', '\n']).map_or(0, |at| at + 1);
        named.truncate(begins);
        named += name;
        named += part;
    }
    named
}

/// How the file is compiled: as the database says, or with the folders around it.
fn flags(pair: &Pair, session: &Session) -> Result<Vec<OsString>> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let repository = Repository::discover(&here, &tools(None).search_path, session.interrupt())?;
    let root = repository.work_tree().context("there is no working tree")?;
    let file = root.join(&pair.names.1);
    let folder = file.parent().unwrap_or(root);
    // Files that git laid out elsewhere include what lies beside the one that they stand for.
    let mut flags: Vec<OsString> = ["-iquote".into(), folder.as_os_str().to_owned()].into();
    let database = Database::find(DatabasePlace::Around(root))?;
    let unit = database.iter().flat_map(|database| &database.units).find(|unit| unit.file == file);
    match unit {
        Some(unit) => flags.extend(unit.flags.iter().cloned()),
        None => {
            for inner in ["include", "inc", "src", ""] {
                let mut flag = OsString::from("-I");
                flag.push(root.join(inner));
                flags.push(flag);
            }
        }
    }
    Ok(flags)
}

/// A word that a shell takes as it is.
fn quoted(word: &OsStr) -> OsString {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''")).into()
}

fn which(program: &str) -> Option<PathBuf> {
    tools(None).search_path.iter().map(|folder| folder.join(program)).find(|path| path.is_file())
}
