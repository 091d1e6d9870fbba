//! What a change means statically, for the entries that are to be explored.

use crate::change_arguments::RuleSet;
use crate::change_model::{Describer, lone_functions};
use crate::changed_lines::{LineRanges, impact_of_lines};
use crate::frontend::{self, Loaded};
use crate::sources::Sources;
use crate::versions::{self, OldVersion};
use anyhow::{Result, bail};
use incise_change::{Effects, FunctionChange, FunctionImpact, FunctionPair, Impact, Rules, Scope, Versions};
use incise_ir::{FunctionId, Program};
use std::collections::BTreeSet;

/// What is to be analysed, and how.
pub(crate) struct Question<'a> {
    /// The function to explore, if one was named.
    pub(crate) entry: Option<&'a str>,
    pub(crate) rules: RuleSet,
    /// Whether the change is followed into calls.
    pub(crate) across: bool,
    /// Whether signed arithmetic that does not fit fails.
    pub(crate) overflow: bool,
}

/// What a change means, statically.
pub(crate) struct Analysis<'a> {
    /// The functions to explore, in the order of the program.
    pub(crate) entries: Vec<FunctionId>,
    program: &'a Program,
    basis: Basis<'a>,
    rules: Rules,
    across: bool,
    notes: Vec<String>,
}

/// Where the change is.
enum Basis<'a> {
    /// Between two versions.
    Versions(Impact<'a>),
    /// On lines of a single version.
    Lines { functions: Vec<FunctionImpact>, effects: Effects },
}

impl<'a> Analysis<'a> {
    /// Of two versions.
    pub(crate) fn of_versions(old: &'a OldVersion, new: &'a Loaded, question: &Question<'_>) -> Result<Self> {
        let (before, after) = (&old.program, &new.program);
        let versions = Versions::compare(before, after);
        versions::refuse_strangers(&versions)?;
        let mut notes = Vec::new();
        let concerned = concerned(&versions, before, after);
        let entries = match question.entry {
            Some(name) => {
                refuse_lone(&versions, name, old, new)?;
                let function = frontend::find_function(after, name)?;
                if !concerned.contains(&function) {
                    notes.push(format!("{name} did not change, and calls nothing that did"));
                }
                concerned.contains(&function).then_some(function).into_iter().collect()
            }
            None => {
                let changed = versions.functions.iter().filter(|pair| {
                    pair.change == FunctionChange::Changed
                        || (pair.name == "main" && pair.new.is_some_and(|new| concerned.contains(&new)))
                });
                let changed = changed.filter(|pair| pair.old.is_some());
                known_by_name(after, changed.filter_map(|pair| pair.new), &mut notes)
            }
        };
        let rules: Rules = question.rules.into();
        let impact = match question.across {
            true => Impact::for_entries(before, after, versions, &entries, rules, question.overflow),
            false => Impact::new(before, after, rules, question.overflow),
        };
        let basis = Basis::Versions(impact);
        Ok(Self { entries, program: after, basis, rules, across: question.across, notes })
    }

    /// Of one version with changed lines.
    pub(crate) fn of_lines(new: &'a Loaded, lines: &LineRanges, question: &Question<'_>) -> Result<Self> {
        let program = &new.program;
        let rules: Rules = question.rules.into();
        let effects = Effects::with_overflow_checks(program, question.overflow);
        let functions = impact_of_lines(program, &new.sources, lines, rules, &effects)?;
        let mut notes = Vec::new();
        let entries = match question.entry {
            Some(name) => {
                let function = frontend::find_function(program, name)?;
                let found = functions.iter().any(|each| each.function == function);
                if !found {
                    notes.push(format!("{name} did not change, and calls nothing that did"));
                }
                found.then_some(function).into_iter().collect()
            }
            None => {
                let changed = functions.iter().filter(|each| each.changed || each.name == "main");
                known_by_name(program, changed.map(|each| each.function), &mut notes)
            }
        };
        Ok(Self { entries, program, basis: Basis::Lines { functions, effects }, rules, across: false, notes })
    }

    /// The same with the versions exchanged: what the change means for the old version.
    pub(crate) fn mirrored(&self, old: &'a Program, question: &Question<'_>) -> Self {
        let new = self.program;
        let versions = Versions::compare(new, old);
        let before = |&entry: &FunctionId| {
            versions.functions.iter().find(|pair| pair.old == Some(entry)).and_then(|pair| pair.new)
        };
        let entries: Vec<FunctionId> = self.entries.iter().filter_map(before).collect();
        let impact = match self.across {
            true => Impact::for_entries(new, old, versions, &entries, self.rules, question.overflow),
            false => Impact::new(new, old, self.rules, question.overflow),
        };
        Self {
            entries,
            program: old,
            basis: Basis::Versions(impact),
            rules: self.rules,
            across: self.across,
            notes: Vec::new(),
        }
    }

    /// What is looked at when a function is explored, and what is affected there.
    pub(crate) fn scope(&self, entry: FunctionId) -> Scope<'a> {
        let made;
        let (effects, impact) = match &self.basis {
            Basis::Versions(impact) => (impact.effects.as_ref(), Some(impact)),
            Basis::Lines { effects, .. } => (Some(effects), None),
        };
        let effects = match effects {
            Some(effects) => effects,
            // Nothing changed.
            None => {
                made = Effects::for_entries(self.program, false, &[entry]);
                &made
            }
        };
        if let Some(impact) = impact.filter(|_| self.across) {
            return impact.below(&[entry], effects, self.rules);
        }
        let function = self.functions().iter().find(|each| each.function == entry);
        function.map_or_else(
            || Scope::new(self.program, effects, Default::default(), BTreeSet::new(), self.rules),
            |function| function.alone(self.program, effects, self.rules),
        )
    }

    /// How many statements of the functions in scope are changed, added or removed.
    pub(crate) fn changed_in(&self, scope: &Scope<'_>) -> usize {
        let with_impact = self.functions().iter().filter(|each| scope.functions.contains_key(&each.function));
        let changed = |each: &FunctionImpact| each.changed_nodes().count() + each.removed_nodes().count();
        with_impact.map(changed).sum()
    }

    /// The functions that only one version has: added, and removed.
    pub(crate) fn lone_functions(&self) -> (Vec<String>, Vec<String>) {
        self.versions().map(lone_functions).unwrap_or_default()
    }

    /// What the user should know.
    pub(crate) fn notes(&self) -> Vec<String> {
        let describer = self.describer();
        let changed = self.functions().iter().filter(|each| each.signature_changed);
        let note = |each: &FunctionImpact| {
            let (before, after) = describer.function(each, self.old_of(each.function)).signature?;
            Some(format!("the signature of {} changed: it was {before}, and is {after}", each.name))
        };
        changed.filter_map(note).chain(self.notes.iter().cloned()).collect()
    }

    /// The functions that changed, and those that are explored.
    pub(crate) fn described(&self) -> Vec<incise_report::FunctionImpact> {
        let describer = self.describer();
        let shown = |each: &&FunctionImpact| each.changed || self.entries.contains(&each.function);
        let shown = self.functions().iter().filter(shown);
        shown.map(|each| describer.function(each, self.old_of(each.function))).collect()
    }

    fn functions(&self) -> &[FunctionImpact] {
        match &self.basis {
            Basis::Versions(impact) => &impact.functions,
            Basis::Lines { functions, .. } => functions,
        }
    }

    fn versions(&self) -> Option<&Versions> {
        match &self.basis {
            Basis::Versions(impact) => Some(&impact.versions),
            Basis::Lines { .. } => None,
        }
    }

    fn old_of(&self, function: FunctionId) -> Option<FunctionId> {
        self.versions()?.old_of(function)
    }

    fn describer(&self) -> Describer<'a> {
        let mut dirty = self.versions().map(Versions::changed_new).unwrap_or_default();
        dirty.extend(self.functions().iter().map(|each| each.function));
        let old = match &self.basis {
            Basis::Versions(impact) => Some(impact.old),
            Basis::Lines { .. } => None,
        };
        Describer::new(old, self.program, dirty)
    }
}

/// The functions of the new version that changed, or call one that did.
fn concerned(versions: &Versions, old: &Program, new: &Program) -> BTreeSet<FunctionId> {
    let mut found = versions.calls_changed(old, new);
    found.extend(versions.changed_new());
    found
}

/// The functions that their names stand for; of the others a note is made.
fn known_by_name(
    program: &Program,
    functions: impl Iterator<Item = FunctionId>,
    notes: &mut Vec<String>,
) -> Vec<FunctionId> {
    let mut entries = Vec::new();
    for function in functions {
        let name = &program.functions[function].name;
        if program.function_named(name) == Some(function) {
            entries.push(function);
        } else {
            notes.push(format!("{name} is not explored: several files have a static function of that name"));
        }
    }
    entries
}

/// A function that only one version has cannot be compared.
fn refuse_lone(versions: &Versions, name: &str, old: &OldVersion, new: &Loaded) -> Result<()> {
    let files = |sources: &Sources| sources.file_texts().join(" ");
    match versions.named(name) {
        Some(FunctionPair { old: None, new: Some(_), .. }) => bail!(
            "{name} was added: OLD has no such function to compare with; `incise run {} --entry {name}` explores it",
            files(&new.sources)
        ),
        Some(FunctionPair { old: Some(_), new: None, .. }) => bail!(
            "{name} was removed: NEW has no such function; `incise run {} --entry {name}` explores what it was",
            files(&old.sources)
        ),
        _ => Ok(()),
    }
}
