//! From what was found to the model of the reports.

use super::findings::{FindingMaker, line_of, step};
use super::fingerprint::Fingerprints;
use super::model::{ChangeReport, Gate, JudgedFunction, NotCompared, ReportCounts, ReportPath, UnitCalls};
use super::pages::{Interest, SourceText, page};
use crate::repository::{RepositoryReport, Row, Trouble, UnitReport, text as repository_text};
use crate::text::{Style, telling};
use crate::verdict::text as verdict_text;
use crate::verdict::{Comparison, ErrorChange, Verdicts};
use crate::{Difference, Entry, FoundPath, FunctionImpact, Place, Statement, StatementStatus};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a report is made from.
pub struct ReportMaterial<'a> {
    /// What was found.
    pub found: &'a RepositoryReport,
    /// What verdicts mean for the check.
    pub gate: &'a dyn Fn(&Verdicts) -> Gate,
    /// Gives the texts of files by their names in either version, and of others that changed.
    pub texts: &'a dyn Fn(&[&str]) -> Vec<SourceText>,
    /// The version of the program that says so.
    pub program: &'a str,
}

impl ReportMaterial<'_> {
    /// Makes the report.
    pub fn report(&self) -> ChangeReport {
        let (found, verdicts) = (self.found, self.found.verdicts());
        let mut fingerprints = Fingerprints::default();
        let rows = found.rows();
        let functions: Vec<JudgedFunction> =
            rows.iter().map(|row| self.function(row, &mut fingerprints)).collect();
        let not_compared = found.all_reasons();
        let open = Verdicts { reasons: not_compared.clone(), ..Verdicts::default() };
        let units = || found.units.iter();
        let (added, removed) = repository_text::lone(found);
        let mut report = ChangeReport {
            program: self.program.to_owned(),
            old: found.old.clone(),
            new: found.new.clone(),
            sameness: verdicts.sameness(),
            confirmed: !verdicts.is_unconfirmed(),
            conclusion: repository_text::conclusion(found, Style::default()),
            gate: (self.gate)(&verdicts),
            counts: counts(found, &rows, not_compared.len()),
            functions,
            not_compared_gate: if not_compared.is_empty() { Gate::Passes } else { (self.gate)(&open) },
            not_compared: not_compared.into_iter().map(|words| self.not_compared(words)).collect(),
            left_out: found.all_left_out(),
            added,
            removed,
            notes: found.all_notes(),
            pages: Vec::new(),
            calls: units()
                .filter_map(|unit| {
                    Some(UnitCalls { unit: unit.name.clone(), graph: unit.calls.as_ref()?.concerned() })
                })
                .filter(|calls| !calls.graph.nodes.is_empty())
                .collect(),
        };
        let interests = interests(&report, units());
        let names: Vec<&str> = interests.keys().map(String::as_str).collect();
        let texts = (self.texts)(&names);
        report.pages = texts.iter().filter_map(|text| page(text, &interest_of(text, &interests))).collect();
        report
    }

    /// What was not compared, with the file that it speaks of.
    fn not_compared(&self, words: String) -> NotCompared {
        let units = self.found.units.iter().map(UnitReport::file);
        let named = units
            .clone()
            .filter(|name| !name.is_empty() && words.starts_with(name))
            .max_by_key(|name| name.len());
        // A file that is no unit stands at the beginning.
        let first = words.split([' ', ':']).next().filter(|word| word.contains(['.', '/']));
        let file = named.or(first).or_else(|| units.clone().next()).unwrap_or(".").to_owned();
        NotCompared { words, place: Place { file, line: 1, column: 0 } }
    }

    fn function(&self, row: &Row<'_>, fingerprints: &mut Fingerprints) -> JudgedFunction {
        let Row { unit, comparison } = row;
        let alone = Verdicts { entries: vec![(*comparison).clone()], ..Verdicts::default() };
        let entry = unit.paths.iter().find(|entry| entry.run.program.entry == comparison.entry);
        let errors = |errors: &[ErrorChange]| errors.iter().map(error_words).collect();
        let place = place_of(unit, comparison);
        JudgedFunction {
            name: comparison.entry.clone(),
            old_name: comparison.old_entry.clone(),
            unit: unit.name.clone(),
            trouble: Trouble::of(comparison),
            gate: (self.gate)(&alone),
            why: repository_text::why(row, Style::default()),
            verdict: verdict_text::verdict(comparison, Style::default()),
            findings: FindingMaker { unit, comparison, place: &place, fingerprints }.findings(),
            place,
            fixed: errors(&comparison.fixed),
            preexisting: errors(&comparison.preexisting),
            reasons: comparison.reasons.clone(),
            bounds: comparison.bounds.iter().map(|bound| bound.words()).collect(),
            taken: comparison.taken.iter().map(|taken| taken.with_evidence()).collect(),
            others: others(comparison),
            notes: comparison.notes.clone(),
            paths: entry.map_or_else(Vec::new, |entry| paths(entry, &unit.functions)),
            paths_complete: entry.is_some_and(|entry| entry.run.complete),
        }
    }
}

impl RepositoryReport {
    /// Two files or folders as a change of one unit.
    pub fn of_difference(difference: &Difference) -> Self {
        let files = |version: &crate::Version| version.files.join(" ");
        let new = files(&difference.new);
        let unit = UnitReport {
            name: common_name(&difference.new.files),
            reached: crate::repository::Reached::Compared,
            verdicts: difference.verdicts.clone().unwrap_or_default(),
            added: difference.added.clone(),
            removed: difference.removed.clone(),
            functions: difference.functions.clone(),
            paths: difference.entries.clone(),
            calls: difference.calls.clone(),
            ..UnitReport::default()
        };
        let old = difference.old.as_ref().map_or_else(|| new.clone(), files);
        Self { old, new, units: vec![unit], notes: difference.notes.clone(), ..Self::default() }
    }
}

/// What a version is called: its file, or the folder that all files are in.
fn common_name(files: &[String]) -> String {
    let shared = |one: PathBuf, other: &Path| -> PathBuf {
        let both = one.components().zip(other.components());
        both.take_while(|(one, other)| one == other).map(|(part, _)| part).collect()
    };
    let mut paths = files.iter().map(Path::new);
    let first = paths.next().map(Path::to_owned).unwrap_or_default();
    let common = paths.fold(first, shared).to_string_lossy().into_owned();
    if common.is_empty() { files.join(" ") } else { common }
}

fn introduced(comparison: &Comparison) -> usize {
    let races = comparison.threads.as_ref().map_or(0, |threads| threads.introduced.len());
    comparison.introduced.len() + races
}

fn counts(found: &RepositoryReport, rows: &[Row<'_>], not_compared: usize) -> ReportCounts {
    let sum = |of: fn(&Comparison) -> usize| rows.iter().map(|row| of(row.comparison)).sum();
    let (introduced, fixed) = (sum(introduced), sum(|each| each.fixed.len()));
    let (functions, ways) = (found.counts().functions, sum(|each| each.differences.len()));
    ReportCounts { functions, introduced, fixed, ways, not_compared }
}

/// Where a function begins to be another one.
fn place_of(unit: &UnitReport, comparison: &Comparison) -> Place {
    let own = unit.functions.iter().find(|each| each.name == comparison.entry);
    let changed = own.and_then(|function| {
        let is_changed = |status| status != StatementStatus::Unchanged;
        let lines = function.new.iter().filter(|each| is_changed(each.status) || each.affected);
        let line = lines.filter_map(|each| line_of(each.spot)).min()?;
        Some(Place { file: function.file.clone()?, line, column: 0 })
    });
    let shown = comparison.differences.iter().find_map(|witness| witness.place.clone());
    shown.or(changed).unwrap_or_else(|| Place { file: unit.file().to_owned(), line: 1, column: 0 })
}

fn error_words(error: &ErrorChange) -> String {
    let place = error.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
    format!("{}{place}, given {}", error.message, verdict_text::inputs(&error.witness))
}

/// What was found with inputs that are not what they were taken to be.
fn others(comparison: &Comparison) -> Vec<String> {
    let Some(others) = &comparison.others else { return Vec::new() };
    let introduced = others.introduced.iter().map(|error| format!("introduced: {}", error_words(error)));
    let fixed = others.fixed.iter().map(|error| format!("fixed: {}", error_words(error)));
    let values = others.differences.iter().filter(|witness| !witness.values.is_empty());
    let values = values.map(|witness| verdict_text::witness_line(witness, Style::default()));
    introduced.chain(fixed).chain(values).collect()
}

/// The affected paths of a function.
fn paths(entry: &Entry, functions: &[FunctionImpact]) -> Vec<ReportPath> {
    let file_of = |name: Option<&str>| {
        let wanted = name.unwrap_or(&entry.run.program.entry);
        functions.iter().find(|each| each.name == wanted)?.file.clone()
    };
    let affected = entry.run.paths.iter().zip(&entry.changes).filter(|(_, change)| change.affected);
    let one = |(path, change): (&FoundPath, &crate::PathChange)| {
        let starred = change.constraints.iter().copied().chain(std::iter::repeat(false));
        let condition = path.condition.iter().zip(starred);
        let over = change.sequence.iter().map(|site| {
            let file = file_of(site.function.as_deref());
            let place = file.zip(line_of(site.spot)).map(|(file, line)| Place { file, line, column: 0 });
            step(&site.to_string(), place.as_ref(), true)
        });
        let inputs = path.inputs.as_deref().unwrap_or_default();
        let (named, _) = telling(inputs, &path.condition);
        let given: Vec<String> = named
            .iter()
            .map(|input| format!("{} = {}", input.name, crate::text::shown_value(input)))
            .collect();
        ReportPath {
            ends: verdict_text::ending(path, Style::default()),
            condition: condition.map(|(each, star)| step(&each.text, each.place.as_ref(), star)).collect(),
            given: match (given.is_empty(), path.inputs.is_some()) {
                (_, false) => "inputs that were not found in time".to_owned(),
                (true, true) => "any input".to_owned(),
                (false, true) => given.join(", "),
            },
            over: over.collect(),
        }
    };
    affected.map(one).collect()
}

/// What is of interest in a file, which may have had another name.
fn interest_of(text: &SourceText, interests: &BTreeMap<String, Interest>) -> Interest {
    let mut interest = interests.get(&text.name).cloned().unwrap_or_default();
    if let Some(before) = text.old_name.as_ref().and_then(|name| interests.get(name)) {
        interest.old.extend(&before.old);
        interest.old_affected.extend(&before.old_affected);
    }
    interest
}

/// Which lines of which files are spoken of.
fn interests<'u>(
    report: &ChangeReport,
    units: impl Iterator<Item = &'u UnitReport>,
) -> BTreeMap<String, Interest> {
    let mut found: BTreeMap<String, Interest> = BTreeMap::new();
    let mut new = |place: &Place| {
        found.entry(place.file.clone()).or_default().new.insert(place.line);
    };
    for function in &report.functions {
        new(&function.place);
        for finding in &function.findings {
            new(&finding.place);
            let side = finding.new.steps.iter().filter_map(|step| step.place.as_ref());
            let over = &finding.new.over;
            finding.changed.iter().chain(&finding.new.end).chain(side).chain(over).for_each(&mut new);
        }
        for path in &function.paths {
            path.condition.iter().chain(&path.over).filter_map(|step| step.place.as_ref()).for_each(&mut new);
        }
    }
    for finding in report.functions.iter().flat_map(|function| &function.findings) {
        let places = finding.old.steps.iter().filter_map(|step| step.place.as_ref()).chain(&finding.old.end);
        for place in places.chain(&finding.old.over) {
            found.entry(place.file.clone()).or_default().old.insert(place.line);
        }
    }
    for function in units.flat_map(|unit| &unit.functions) {
        let Some(file) = &function.file else { continue };
        let interest = found.entry(file.clone()).or_default();
        let affected = |statements: &[Statement]| -> Vec<u32> {
            statements.iter().filter(|each| each.affected).filter_map(|each| line_of(each.spot)).collect()
        };
        interest.affected.extend(affected(&function.new));
        interest.old_affected.extend(affected(&function.old));
    }
    found
}
