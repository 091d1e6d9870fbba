//! What reports show of a unit beside its verdicts: the functions that the change concerns, who calls whom, and the
//! paths that the change affects. Text and JSON do without.

use crate::change::analysis::Analysis;
use crate::change::concerned_calls::concerned_calls;
use crate::commands::diff::arguments::Strategy;
use crate::commands::diff::directed::{Explorer, Job};
use crate::commands::diff::settings::DiffSettings;
use crate::commands::threads;
use crate::session::Session;
use anyhow::Result;
use incise_exec::Config;
use incise_frontend::Loaded;
use incise_frontend::versions::OldVersion;
use incise_reading::InputReading;
use incise_report::Place;
use incise_report::repository::UnitReport;
use std::time::{Duration, Instant};

/// The paths of a unit are worth so much time, and this part of that of its verdicts.
const FOR_PATHS: Duration = Duration::from_secs(10);
const PART_FOR_PATHS: u32 = 4;
/// As many paths of a function are looked for: nobody reads more.
const MOST_PATHS: u64 = 100;

/// What is asked for.
#[derive(Copy, Clone)]
pub(super) struct Details<'a> {
    config: &'a Config,
    /// Whether paths and calls are shown, or only where functions changed.
    paths: bool,
}

impl<'a> Details<'a> {
    /// What reports show; none if there are no reports.
    pub(super) fn of(settings: &'a DiffSettings) -> Option<Self> {
        let DiffSettings { config, reports, .. } = settings;
        reports.any().then(|| Self { config, paths: reports.wants_details() })
    }

    /// Adds it to the report on a unit, whose inputs are read as for its verdicts.
    pub(super) fn add(
        self,
        (old, new): (&OldVersion, &Loaded),
        (found, reading): (&Analysis<'_>, &InputReading),
        (session, share): (&Session, Duration),
        report: &mut UnitReport,
    ) -> Result<()> {
        report.functions = found.described();
        if !self.paths {
            return Ok(());
        }
        report.calls = Some(concerned_calls(old, new));
        let mut config = self.config.clone();
        let time = FOR_PATHS.min(share / PART_FOR_PATHS);
        config.limits.paths = config.limits.paths.min(MOST_PATHS);
        // Loops that nobody bounds would be the whole report.
        config.limits.loop_iterations = config.limits.loop_iterations.min(16);
        config.inputs.initial.clone_from(&reading.initial);
        let start = Instant::now();
        let job = Job { strategy: Strategy::Exact, trace: false, compare: false, cover: None };
        for (number, &entry) in found.entries.iter().enumerate() {
            let left = time.saturating_sub(start.elapsed());
            let (Some((scope, changed)), None) = (found.new_scope(entry), session.stopped_by()) else {
                continue;
            };
            let name = Some(new.program.functions[entry].name.as_str());
            // What threads do is no matter of paths.
            if threads::starts(&old.program, name) || threads::starts(&new.program, name) {
                continue;
            }
            if left.is_zero() {
                report
                    .notes
                    .push("there was no time to look for the affected paths of all functions".to_owned());
                break;
            }
            config.limits.time = left / u32::try_from(found.entries.len() - number).unwrap_or(u32::MAX);
            let explorer = Explorer::new((&new.program, &new.sources), (&config, reading), session, job)?;
            report.paths.push(explorer.explore(scope, entry, changed, found.effects())?);
        }
        Ok(())
    }

    /// Names files from the top of the repository.
    pub(super) fn rename_files(report: &mut UnitReport, rename: &dyn Fn(&mut String)) {
        let place = |place: &mut Option<Place>| {
            if let Some(place) = place {
                rename(&mut place.file);
            }
        };
        let files = report.functions.iter_mut().map(|each| &mut each.file);
        let nodes = report.calls.iter_mut().flat_map(|calls| &mut calls.nodes).map(|node| &mut node.file);
        files.chain(nodes).flatten().for_each(rename);
        for path in report.paths.iter_mut().flat_map(|entry| &mut entry.run.paths) {
            place(&mut path.place);
            path.condition.iter_mut().for_each(|each| place(&mut each.place));
            path.stack.iter_mut().for_each(|frame| place(&mut frame.place));
        }
    }
}
