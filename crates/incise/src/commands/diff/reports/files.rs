//! Writes reports into files: beside what is there, and renamed when they are whole. Whether that can be done is found
//! out before the work.

use super::arguments::ReportArguments;
use super::texts::SourcePlaces;
use crate::commands::diff::verdict;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::exit::Status;
use crate::session::output::talk;
use anyhow::{Context, Result, bail};
use incise_report::change_report::{
    ChangeReport, Gate, ReportMaterial, github, gitlab, html, junit, markdown, sarif,
};
use incise_report::repository::RepositoryReport;
use incise_report::verdict::Verdicts;
use std::fs::{OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// How a format is written.
type Render = fn(&ChangeReport, &mut dyn Write) -> io::Result<()>;

/// The reports that are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReportFiles {
    files: Vec<(ReportKind, PathBuf)>,
    /// Whether GitHub's runner listens, and the file of the summary of its step.
    github: bool,
    step_summary: Option<PathBuf>,
}

/// A format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum ReportKind {
    Html,
    Sarif,
    Markdown,
    Gitlab,
    Junit,
}

impl ReportKind {
    fn option(self) -> &'static str {
        match self {
            Self::Html => "--html",
            Self::Sarif => "--sarif",
            Self::Markdown => "--markdown",
            Self::Gitlab => "--gitlab",
            Self::Junit => "--junit",
        }
    }

    fn render(self) -> Render {
        match self {
            Self::Html => html::render,
            Self::Sarif => sarif::render,
            Self::Markdown => markdown::render,
            Self::Gitlab => gitlab::render,
            Self::Junit => junit::render,
        }
    }
}

impl ReportFiles {
    /// What the command line and the environment ask for. Whether the files can be written is found out here.
    pub(crate) fn of(arguments: &ReportArguments) -> Result<Self> {
        let ReportArguments { html, sarif, markdown, gitlab, junit } = arguments;
        let named = [
            (ReportKind::Html, html),
            (ReportKind::Sarif, sarif),
            (ReportKind::Markdown, markdown),
            (ReportKind::Gitlab, gitlab),
            (ReportKind::Junit, junit),
        ];
        let files: Vec<(ReportKind, PathBuf)> =
            named.into_iter().filter_map(|(kind, path)| Some((kind, path.clone()?))).collect();
        for (number, (kind, path)) in files.iter().enumerate() {
            if let Some((other, _)) = files[..number].iter().find(|(_, other)| is_same(other, path)) {
                bail!(
                    "{} and {} name the same file: each needs one of its own",
                    other.option(),
                    kind.option()
                );
            }
            Target::of(path)
                .and_then(|target| target.try_out())
                .with_context(|| format!("{} '{}' cannot be written", kind.option(), path.display()))?;
        }
        let github = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
        let summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| github && !path.is_empty());
        Ok(Self { files, github, step_summary: summary.map(PathBuf::from) })
    }

    /// The first option that asks for a file.
    pub(crate) fn asked(&self) -> Option<&'static str> {
        self.files.first().map(|(kind, _)| kind.option())
    }

    /// Whether anything is to be written at all.
    pub(crate) fn any(&self) -> bool {
        !self.files.is_empty() || self.github
    }

    /// Whether paths, calls and sources are shown.
    pub(crate) fn wants_details(&self) -> bool {
        self.files.iter().any(|(kind, _)| *kind == ReportKind::Html)
    }

    /// Writes all reports.
    pub(crate) fn write(
        &self,
        found: &RepositoryReport,
        places: &SourcePlaces,
        settings: &VerdictSettings,
    ) -> Result<()> {
        if !self.any() {
            return Ok(());
        }
        let gate = |verdicts: &Verdicts| match verdict::status(verdicts, settings) {
            Status::Nothing => Gate::Passes,
            Status::Found => Gate::Fails,
            Status::Undecided => Gate::Open,
        };
        let texts = |names: &[&str]| match self.wants_details() {
            true => places.texts(names),
            false => Vec::new(),
        };
        let program = env!("CARGO_PKG_VERSION");
        let report = ReportMaterial { found, gate: &gate, texts: &texts, program }.report();
        for (kind, path) in &self.files {
            Target::of(path)
                .and_then(|target| target.write(&|out| kind.render()(&report, out)))
                .with_context(|| format!("{} '{}' cannot be written", kind.option(), path.display()))?;
        }
        self.tell_github(&report);
        Ok(())
    }

    /// Tells GitHub's runner. That it does not listen is no reason to fail.
    fn tell_github(&self, report: &ChangeReport) {
        if !self.github {
            return;
        }
        // Its runner reads commands from standard error, too, and standard output is data.
        let mut commands = Vec::new();
        if github::render(report, &mut commands).is_ok() && !commands.is_empty() {
            talk(String::from_utf8_lossy(&commands).trim_end());
        }
        let Some(path) = &self.step_summary else { return };
        let append = || -> io::Result<()> {
            // Others may write there, too: it is added to.
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            let mut text = Vec::new();
            markdown::render(report, &mut text)?;
            file.write_all(&text)
        };
        if let Err(error) = append() {
            talk(&format!("warning: the summary of the step cannot be written: {error}"));
        }
    }
}

/// Where a file is written.
struct Target {
    /// Behind links, so that these stay.
    path: PathBuf,
    /// What is no ordinary file (a terminal, a pipe) is written as it is.
    direct: bool,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        match path.metadata() {
            Ok(there) if there.is_dir() => Err(io::Error::other("it is a folder")),
            Ok(there) if !there.is_file() || path.starts_with("/dev") || path.starts_with("/proc") => {
                Ok(Self { path: path.to_owned(), direct: true })
            }
            Ok(_) => Ok(Self { path: path.canonicalize()?, direct: false }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self { path: path.to_owned(), direct: false })
            }
            Err(error) => Err(error),
        }
    }

    fn folder(&self) -> &Path {
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new("."))
    }

    fn beside(&self) -> io::Result<tempfile::NamedTempFile> {
        if self.path.file_name().is_none() {
            return Err(io::Error::other("it has no name"));
        }
        // As any other file that somebody writes: the mask of the process takes away what is not wanted.
        tempfile::Builder::new()
            .prefix(".incise-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(self.folder())
    }

    /// Whether it can be written, without doing so.
    fn try_out(&self) -> io::Result<()> {
        match self.direct {
            true => OpenOptions::new().append(true).open(&self.path).map(drop),
            false => self.beside().map(drop),
        }
    }

    fn write(&self, render: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut text = Vec::new();
        render(&mut text)?;
        if self.direct {
            return OpenOptions::new().append(true).open(&self.path)?.write_all(&text);
        }
        let mut file = self.beside()?;
        file.write_all(&text)?;
        file.as_file().sync_all()?;
        file.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// Whether two paths name one file, as far as that can be told before it is there.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| -> PathBuf {
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        path.canonicalize().unwrap_or_else(|_| folder.join(path.file_name().unwrap_or_default()))
    };
    let is_device = |path: &Path| path.metadata().is_ok_and(|there| !there.is_file());
    !is_device(one) && whole(one) == whole(other)
}
