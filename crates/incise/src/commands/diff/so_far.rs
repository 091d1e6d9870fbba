//! What `incise diff` reports if it has to stop and does not come to report by itself: the verdicts that there are, the
//! functions that were not compared, and the paths of those that were explored.

use super::report::{show, status};
use super::reports::{ReportFiles, SourcePlaces};
use super::settings::{Change, DiffSettings};
use super::verdict;
use super::verdict_settings::VerdictSettings;
use crate::arguments::Format;
use crate::change::model::version;
use crate::exit::Status;
use crate::session::output::write_data;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use crate::words::of_stop;
use anyhow::Result;
use incise_exec::LimitKind;
use incise_frontend::Sources;
use incise_report::repository::RepositoryReport;
use incise_report::verdict::text as verdict_text;
use incise_report::verdict::{Comparison, Sameness, Verdicts};
use incise_report::{Difference, Entry, ProgramIdentity, Run, difference};

/// What was found so far.
#[derive(Clone)]
pub(crate) struct SoFar {
    found: Kept<Found>,
    output: OutputSettings,
}

#[derive(Default)]
struct Found {
    difference: Difference,
    /// Whether the versions were read and it is known what changed.
    analysed: bool,
    /// The functions whose verdicts were shown as soon as they were there.
    told: Vec<String>,
    /// Whether all verdicts were shown.
    shown: bool,
    /// The functions whose paths are explored, by name.
    explored: Vec<String>,
}

/// What the report needs to know of the command.
struct Asked {
    old: Option<Sources>,
    new: Sources,
    verdict: Option<VerdictSettings>,
    cover: bool,
    only: bool,
    output: OutputSettings,
    reports: ReportFiles,
    places: SourcePlaces,
}

impl SoFar {
    /// Nothing yet.
    pub(super) fn begin(session: &Session, settings: &DiffSettings) -> Self {
        let asked = Asked {
            old: match &settings.change {
                Change::Versions { old } => Some(old.clone()),
                Change::Functions => Some(settings.new.clone()),
                Change::Lines(_) | Change::Repository(_) | Change::Program(_) => None,
            },
            new: settings.new.clone(),
            verdict: settings.verdict.clone(),
            cover: settings.cover.is_some(),
            only: settings.verdict.as_ref().is_some_and(|verdict| verdict.only)
                || settings.old_entry.is_some(),
            output: settings.output.clone(),
            reports: settings.reports.clone(),
            places: settings.places.clone(),
        };
        let so_far = Self { found: Kept::new(Found::default()), output: settings.output.clone() };
        let found = so_far.found.clone();
        session.rescue(move |limit| asked.report(found.with(std::mem::take), limit));
        so_far
    }

    /// For a command that reports by itself: nothing is told on the way.
    pub(crate) fn silent(output: &OutputSettings) -> Self {
        Self { found: Kept::new(Found::default()), output: output.clone() }
    }

    /// The verdicts that there are, if the functions are known; those that are missing are said to be.
    pub(crate) fn verdicts(&self, limit: LimitKind) -> Option<Verdicts> {
        let mut verdicts = self.found.with(|found| found.difference.verdicts.clone())?;
        say_missing(&mut verdicts, &of_stop(limit));
        Some(verdicts)
    }

    /// It is known what changed.
    pub(super) fn analysed(&self, difference: &Difference) {
        let mut difference = difference.clone();
        difference.verdicts = None;
        self.found.with(|found| (found.difference, found.analysed) = (difference, true));
    }

    /// These functions are compared now, of NEW and OLD; for these reasons something was not.
    pub(crate) fn comparing(&self, names: impl Iterator<Item = (String, String)>, reasons: &[String]) {
        let open = |(entry, old_entry)| Comparison {
            entry,
            old_entry,
            sameness: Sameness::Undecided,
            ..Comparison::default()
        };
        let verdicts =
            Verdicts { entries: names.map(open).collect(), reasons: reasons.to_vec(), ..Verdicts::default() };
        self.found.with(|found| found.difference.verdicts = Some(verdicts));
    }

    /// A function of these was compared.
    pub(crate) fn compared(&self, index: usize, comparison: &Comparison) {
        self.found.with(|found| {
            let entries = found.difference.verdicts.as_mut().map(|verdicts| &mut verdicts.entries);
            if let Some(entry) = entries.and_then(|entries| entries.get_mut(index)) {
                entry.clone_from(comparison);
            }
        });
    }

    /// Tells a verdict on one of several functions that will not change any more: nobody waits for the last of them to
    /// read the first. JSON is one document, and is written as a whole.
    pub(crate) fn tell(&self, comparison: &Comparison) -> Result<()> {
        if self.output.format != Format::Text {
            return Ok(());
        }
        // Whoever reports instead waits until it is both shown and known to be.
        self.found.with(|found| {
            let first = found.told.is_empty();
            write_data(|out| verdict_text::one_of_several(comparison, first, self.output.text, out))?;
            found.told.push(comparison.entry.clone());
            Ok(())
        })
    }

    /// The functions whose verdicts were told.
    pub(super) fn told(&self) -> Vec<String> {
        self.found.with(|found| found.told.clone())
    }

    /// All functions were compared.
    pub(crate) fn judged(&self, verdicts: &Verdicts) {
        self.found.with(|found| found.difference.verdicts = Some(verdicts.clone()));
    }

    /// The verdicts are on the screen.
    pub(super) fn shown(&self) {
        self.found.with(|found| found.shown = true);
    }

    /// The paths of these functions are explored.
    pub(super) fn exploring(&self, names: Vec<String>) {
        self.found.with(|found| found.explored = names);
    }

    /// Works with what is found of the paths, which are too many to be copied.
    pub(super) fn difference<T>(&self, work: impl FnOnce(&mut Difference) -> T) -> T {
        self.found.with(|found| work(&mut found.difference))
    }
}

/// A function that was not compared.
pub(crate) fn not_compared(entry: String, old_entry: String, limit: LimitKind) -> Comparison {
    let reasons = vec![format!("{} before it was compared", of_stop(limit))];
    Comparison { entry, old_entry, sameness: Sameness::Undecided, reasons, ..Comparison::default() }
}

/// Says of functions that have no verdict why.
fn say_missing(verdicts: &mut Verdicts, stopped: &str) {
    let is_open = |each: &&mut Comparison| each.sameness == Sameness::Undecided && each.reasons.is_empty();
    // One function is compared after the other.
    for (number, entry) in verdicts.entries.iter_mut().filter(is_open).enumerate() {
        let when = if number == 0 { "while" } else { "before" };
        entry.reasons.push(format!("{stopped} {when} it was compared"));
    }
    super::verdict::number(verdicts);
}

impl Asked {
    fn report(self, mut found: Found, limit: LimitKind) -> Result<Status> {
        if !found.analysed {
            found.difference.new = version(&self.new)?;
            found.difference.old = self.old.as_ref().map(version).transpose()?;
        }
        self.complete(&mut found, limit)?;
        let difference = found.difference;
        write_data(|out| {
            match (&difference.verdicts, self.output.format) {
                (_, Format::Json) => return difference::json::render(&difference, &[], out),
                (Some(verdicts), Format::Text) if !found.shown => {
                    verdict_text::render(verdicts, &found.told, self.output.text, out)?;
                }
                _ => {}
            }
            show(&difference, &self.output, self.only || !found.analysed, out)
        })?;
        if let Some(verdict) = &self.verdict {
            self.reports.write(&RepositoryReport::of_difference(&difference), &self.places, verdict)?;
        }
        let own = status(&difference, self.cover).worse(Status::Undecided);
        let judged = difference.verdicts.as_ref().zip(self.verdict.as_ref());
        Ok(judged.map_or(own, |(verdicts, settings)| verdict::status(verdicts, settings)))
    }

    /// Says what was not compared and not explored.
    fn complete(&self, found: &mut Found, limit: LimitKind) -> Result<()> {
        let stopped = of_stop(limit);
        if self.verdict.is_some() {
            let verdicts = found.difference.verdicts.get_or_insert_with(|| Verdicts {
                reasons: vec![match found.analysed {
                    true => format!("{stopped} before functions were compared"),
                    false => format!("{stopped} before it was known what changed"),
                }],
                ..Verdicts::default()
            });
            say_missing(verdicts, &stopped);
        }
        let done = found.difference.entries.len();
        for entry in found.explored.split_off(done.min(found.explored.len())) {
            let program = ProgramIdentity {
                files: self.new.file_texts(),
                flags: self.new.flag_texts(),
                entry,
                hash: found.difference.new.hash.clone(),
            };
            let run = Run { program, limits: vec![limit], complete: false, ..Run::default() };
            found.difference.entries.push(Entry { run, ..Entry::default() });
        }
        if !found.analysed && self.verdict.is_none() {
            found.difference.notes.push(format!("{stopped} before it was known what changed"));
        }
        Ok(())
    }
}
