//! What `incise run` reports if it has to stop and does not come to report by itself.

use super::command::status;
use crate::arguments::Format;
use crate::exit::Status;
use crate::session::output::write_data;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use anyhow::{Context, Result};
use incise_exec::{Exploration, FoundSoFar, LimitKind, Path};
use incise_findings as findings;
use incise_frontend::Sources;
use incise_report::{ProgramIdentity, Run, exploration};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the result of an exploration that has ended may take to be put together.
const WAIT: Duration = Duration::from_secs(10);

/// What was found so far.
#[derive(Clone)]
pub(super) struct SoFar {
    sources: Sources,
    output: OutputSettings,
    found: FoundSoFar,
    kept: Kept<Stage>,
}

/// How far the command is.
enum Stage {
    /// It reads and explores; from this function, once it is known.
    Exploring(String),
    /// It has explored, and looks at other inputs.
    Explored(Arc<Run>),
}

impl SoFar {
    /// Nothing yet.
    pub(super) fn begin(session: &Session, sources: &Sources, output: &OutputSettings) -> Self {
        let kept = Kept::new(Stage::Exploring(String::new()));
        let so_far =
            Self { sources: sources.clone(), output: output.clone(), found: session.found().clone(), kept };
        let report = so_far.clone();
        session.rescue(move |limit| report.report(limit));
        so_far
    }

    pub(super) fn entry(&self, entry: &str) {
        self.kept.with(|stage| *stage = Stage::Exploring(entry.to_owned()));
    }

    pub(super) fn explored(&self, run: &Arc<Run>) {
        self.kept.with(|stage| *stage = Stage::Explored(Arc::clone(run)));
    }

    /// Forgets what was found, which the command reports.
    pub(super) fn release(&self) {
        self.kept.with(|stage| *stage = Stage::Exploring(String::new()));
    }

    fn report(self, limit: LimitKind) -> Result<Status> {
        let run = self.found_run(limit)?;
        write_data(|out| match self.output.format {
            Format::Text => exploration::text::render(&run, self.output.text, out),
            Format::Json => exploration::json::render(&run, None, out),
        })?;
        Ok(status(&run).worse(Status::Undecided))
    }

    /// What was found.
    fn found_run(&self, limit: LimitKind) -> Result<Arc<Run>> {
        let until = Instant::now() + WAIT;
        loop {
            let found = self.found.take();
            let stage = self.kept.with(|stage| match stage {
                Stage::Exploring(entry) => Err(entry.clone()),
                Stage::Explored(run) => Ok(Arc::clone(run)),
            });
            let paths = found.as_ref().map_or(0, Vec::len);
            match (stage, found) {
                // What was taken away from an exploration is not in its result.
                (Ok(run), _) if run.paths.len() >= paths => return Ok(run),
                (Ok(run), found) => {
                    let paths = found.unwrap_or_default();
                    return Ok(Arc::new(self.run(run.program.entry.clone(), paths, limit)?));
                }
                (Err(entry), Some(paths)) => return Ok(Arc::new(self.run(entry, paths, limit)?)),
                // The exploration has ended just now, and its result is on its way.
                (Err(_), None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                (Err(entry), None) => return Ok(Arc::new(self.run(entry, Vec::new(), limit)?)),
            }
        }
    }

    /// A run that was cut.
    fn run(&self, entry: String, paths: Vec<Path>, limit: LimitKind) -> Result<Run> {
        let identity = ProgramIdentity {
            files: self.sources.file_texts(),
            flags: self.sources.flag_texts(),
            entry,
            hash: self.sources.hash().context("the source files cannot be read again")?,
        };
        let exploration = Exploration { paths, limits: [limit].into(), ..Exploration::default() };
        Ok(findings::run(identity, exploration))
    }
}
