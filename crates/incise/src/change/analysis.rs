//! What a change means statically, for the entries that are to be explored.

use crate::change::callers::{known_by_name, reshaped, through_callers};
use crate::change::changed_lines::{LineRanges, impact_of_lines};
use crate::change::model::{Describer, lone_functions};
use crate::change::rules::RuleSet;
use crate::commands::threads::{named_below, through_starters};
use anyhow::{Result, bail};
use incise_change::{
    ActivationId, Effects, Entries, FunctionChange, FunctionImpact, FunctionPair, Impact, Rules, Scope,
    Versions, WholeImpact,
};
use incise_frontend::versions::{OldVersion, refuse_strangers};
use incise_frontend::{Loaded, Sources, find_function};
use incise_ir::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether the change is followed into calls.
    across: bool,
    overflow: bool,
    notes: Vec<String>,
    /// What changed and is no entry although it should be, in words.
    not_compared: Vec<String>,
}

/// Where the change is.
enum Basis<'a> {
    /// Between two versions.
    Versions {
        impact: Box<Impact<'a>>,
        /// The impact on the old version, if the change is followed into calls.
        mirrored: Option<Box<Impact<'a>>>,
    },
    /// On lines of a single version.
    Lines { functions: Vec<FunctionImpact>, effects: Box<Effects> },
}

impl<'a> Analysis<'a> {
    /// Of two versions.
    pub(crate) fn of_versions(old: &'a OldVersion, new: &'a Loaded, question: &Question<'_>) -> Result<Self> {
        let (before, after) = (&old.program, &new.program);
        let versions = Versions::compare(before, after);
        refuse_strangers(&versions)?;
        let (mut notes, mut not_compared) = (Vec::new(), new.not_compared.clone());
        let concerned = concerned(&versions, before, after);
        let entries = match question.entry {
            Some(name) => {
                refuse_lone(&versions, name, old, new)?;
                let function = find_function(after, name)?;
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
                let changed = changed.filter(|pair| pair.old.is_some()).filter_map(|pair| pair.new);
                let reshaped = reshaped(&versions, before, after);
                let (changed, above) = through_callers(after, changed.collect(), &reshaped, &mut notes);
                let mut entries = known_by_name(after, changed.into_iter(), &mut not_compared);
                // Only what both versions have can be compared.
                let both = |id: &FunctionId| versions.old_of(*id).is_some() && !entries.contains(id);
                let above: Vec<FunctionId> = above.into_iter().filter(both).collect();
                entries.extend(above);
                entries
            }
        };
        let rules: Rules = question.rules.into();
        let changed = versions.changed_new();
        let basis = match question.across {
            true => {
                let old_entries: Vec<FunctionId> =
                    entries.iter().filter_map(|&each| versions.old_of(each)).collect();
                let entries = (old_entries.as_slice(), entries.as_slice());
                let (impact, mirrored) =
                    Impact::both_ways(before, after, versions, entries, rules, question.overflow);
                if question.entry.is_some() {
                    notes.extend(not_reached(&impact, &changed, entries.1));
                }
                Basis::Versions { impact: Box::new(impact), mirrored: Some(Box::new(mirrored)) }
            }
            false => {
                let impact = Impact::new(before, after, rules, question.overflow);
                Basis::Versions { impact: Box::new(impact), mirrored: None }
            }
        };
        let Question { across, overflow, .. } = *question;
        Ok(Self { entries, program: after, basis, rules, across, overflow, notes, not_compared })
    }

    /// Where threads are started, the function that does so stands for all that it can come to: what its threads
    /// execute is reached by pointers, and means nothing by itself.
    pub(crate) fn judge_threads(&mut self, old: &Program, new: &Program, entry: Option<&str>) -> Result<()> {
        self.entries = match entry {
            Some(name) => {
                let told = format!("{name} did not change, and calls nothing that did");
                self.notes.retain(|note| *note != told);
                vec![find_function(new, name)?]
            }
            None => through_starters(old, new, std::mem::take(&mut self.entries)),
        };
        Ok(())
    }

    /// Of one version with changed lines.
    pub(crate) fn of_lines(new: &'a Loaded, lines: &LineRanges, question: &Question<'_>) -> Result<Self> {
        let program = &new.program;
        let rules: Rules = question.rules.into();
        let effects = Effects::with_overflow_checks(program, question.overflow);
        let functions = impact_of_lines(program, &new.sources, lines, rules, &effects)?;
        let (mut notes, mut not_compared) = (Vec::new(), Vec::new());
        let entries = match question.entry {
            Some(name) => {
                let function = find_function(program, name)?;
                let found = functions.iter().any(|each| each.function == function);
                if !found {
                    notes.push(format!("{name} did not change, and calls nothing that did"));
                }
                found.then_some(function).into_iter().collect()
            }
            None => {
                let changed = functions.iter().filter(|each| each.changed || each.name == "main");
                known_by_name(program, changed.map(|each| each.function), &mut not_compared)
            }
        };
        Ok(Self {
            entries,
            program,
            basis: Basis::Lines { functions, effects: Box::new(effects) },
            rules,
            across: question.across,
            overflow: question.overflow,
            notes,
            not_compared,
        })
    }

    /// What the change means for the old version, from the same entries.
    pub(crate) fn old_scope(&self, entry: FunctionId) -> Option<(FunctionId, Scope<'a>, usize)> {
        let made;
        let (entry, mirrored) = match &self.basis {
            Basis::Versions { impact, mirrored: Some(mirrored) } => {
                (impact.versions.old_of(entry)?, mirrored.as_ref())
            }
            Basis::Versions { impact, mirrored: None } => {
                made = Impact::new(impact.new, impact.old, self.rules, self.overflow);
                (impact.versions.old_of(entry)?, &made)
            }
            Basis::Lines { .. } => return None,
        };
        let scope = self.scope_of(
            mirrored.new,
            &mirrored.functions,
            Some(mirrored),
            mirrored.effects.as_ref()?,
            entry,
        );
        let changed = changed_in(&mirrored.functions, &scope);
        Some((entry, scope, changed))
    }

    /// What is looked at when a function of the new version is explored, and what is affected there; how many
    /// statements in it are changed, added or removed.
    pub(crate) fn new_scope(&self, entry: FunctionId) -> Option<(Scope<'a>, usize)> {
        let (impact, effects) = match &self.basis {
            Basis::Versions { impact, .. } => (Some(impact.as_ref()), impact.effects.as_ref()?),
            Basis::Lines { effects, .. } => (None, effects.as_ref()),
        };
        let scope = self.scope_of(self.program, self.functions(), impact, effects, entry);
        let changed = changed_in(self.functions(), &scope);
        Some((scope, changed))
    }

    /// What functions of the new version do; `None` if nothing changed.
    pub(crate) fn effects(&self) -> Option<&Effects> {
        match &self.basis {
            Basis::Versions { impact, .. } => impact.effects.as_ref(),
            Basis::Lines { effects, .. } => Some(effects.as_ref()),
        }
    }

    fn scope_of(
        &self,
        program: &'a Program,
        functions: &[FunctionImpact],
        impact: Option<&Impact<'a>>,
        effects: &Effects,
        entry: FunctionId,
    ) -> Scope<'a> {
        if self.across {
            return match impact {
                Some(impact) => impact.below(&[entry], effects, self.rules),
                None => FunctionImpact::below(functions, program, &[entry], effects, self.rules),
            };
        }
        functions.iter().find(|each| each.function == entry).map_or_else(
            || Scope::new(program, effects, BTreeMap::new(), BTreeSet::new(), self.rules),
            |function| function.alone(program, effects, self.rules),
        )
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
        changed.filter_map(note).chain(self.notes.iter().chain(&self.not_compared).cloned()).collect()
    }

    /// The change as a whole, if there are two versions.
    pub(crate) fn impact(&self) -> Option<&Impact<'a>> {
        match &self.basis {
            Basis::Versions { impact, .. } => Some(impact.as_ref()),
            Basis::Lines { .. } => None,
        }
    }

    /// What changed and is no entry although it should be, in words.
    pub(crate) fn not_compared(&self) -> &[String] {
        &self.not_compared
    }

    /// The changed functions that executions from the entries come to, in both versions, without the entries
    /// themselves.
    pub(crate) fn changed_below(&self) -> Vec<(FunctionId, FunctionId)> {
        let (Some(versions), Some(effects)) = (self.versions(), self.effects()) else { return Vec::new() };
        let mut reached = BTreeSet::new();
        for &entry in &self.entries {
            reached.extend(effects.reachable(entry));
        }
        let changed = versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed);
        let both = changed.filter_map(|pair| Some((pair.old?, pair.new?)));
        let named = |new: FunctionId| {
            let name = &self.program.functions[new].name;
            self.program.function_named(name) == Some(new)
        };
        both.filter(|(_, new)| reached.contains(new) && !self.entries.contains(new) && named(*new)).collect()
    }

    /// The functions that changed, those that are explored, and those with something affected in them.
    pub(crate) fn described(&self) -> Vec<incise_report::FunctionImpact> {
        let describer = self.describer();
        let describe = |each: &FunctionImpact| describer.function(each, self.old_of(each.function));
        if let Basis::Versions { impact, mirrored: Some(mirrored) } = &self.basis {
            // Each entry is explored by itself.
            let alone = |functions: Vec<FunctionId>| Entries { functions, sharing: Vec::new() };
            let old_entries = self.entries.iter().filter_map(|&entry| self.old_of(entry)).collect();
            let (entries, old_entries) = (alone(self.entries.clone()), alone(old_entries));
            let whole = WholeImpact::new(impact, mirrored, &entries, &old_entries, self.rules);
            return whole.functions.iter().map(|each| describe(&each.impact)).collect();
        }
        if let (Basis::Lines { functions, effects }, true) = (&self.basis, self.across) {
            let mut scope =
                FunctionImpact::below(functions, self.program, &self.entries, effects, self.rules);
            let roots: Vec<ActivationId> = self.entries.iter().map(|&entry| scope.root(entry)).collect();
            return FunctionImpact::together(functions, &scope, &roots).iter().map(describe).collect();
        }
        let shown = |each: &&FunctionImpact| each.changed || self.entries.contains(&each.function);
        self.functions().iter().filter(shown).map(describe).collect()
    }

    fn functions(&self) -> &[FunctionImpact] {
        match &self.basis {
            Basis::Versions { impact, .. } => &impact.functions,
            Basis::Lines { functions, .. } => functions,
        }
    }

    fn versions(&self) -> Option<&Versions> {
        match &self.basis {
            Basis::Versions { impact, .. } => Some(&impact.versions),
            Basis::Lines { .. } => None,
        }
    }

    /// The function in the old version.
    pub(crate) fn old_of(&self, function: FunctionId) -> Option<FunctionId> {
        self.versions()?.old_of(function)
    }

    fn describer(&self) -> Describer<'a> {
        let mut dirty = self.versions().map(Versions::changed_new).unwrap_or_default();
        dirty.extend(self.functions().iter().map(|each| each.function));
        let old = match &self.basis {
            Basis::Versions { impact, .. } => Some(impact.old),
            Basis::Lines { .. } => None,
        };
        Describer::new(old, self.program, dirty)
    }
}

/// How many statements of the functions in scope are changed, added or removed.
fn changed_in(functions: &[FunctionImpact], scope: &Scope<'_>) -> usize {
    let in_scope = functions.iter().filter(|each| scope.functions.contains_key(&each.function));
    in_scope.map(|each| each.changed_nodes().count() + each.removed_nodes().count()).sum()
}

/// The functions of the new version that changed, or call one that did.
fn concerned(versions: &Versions, old: &Program, new: &Program) -> BTreeSet<FunctionId> {
    let mut found = versions.calls_changed(old, new);
    found.extend(versions.changed_new());
    found
}

/// The functions that changed, and that executions from the entries do not come to, as a note.
fn not_reached(
    impact: &Impact<'_>,
    changed: &BTreeSet<FunctionId>,
    entries: &[FunctionId],
) -> Option<String> {
    /// How many names are shown.
    const SHOWN: usize = 5;
    let (effects, &[entry]) = (impact.effects.as_ref()?, entries) else { return None };
    let mut reached: BTreeSet<FunctionId> = effects.reachable(entry).into_iter().collect();
    reached.insert(entry);
    // What threads execute is not called by who starts them.
    if incise_exec::starts_threads(impact.new, entry) {
        reached.extend(named_below(impact.new, entry));
    }
    let names: Vec<&str> =
        changed.difference(&reached).map(|&id| impact.new.functions[id].name.as_str()).collect();
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let entry = &impact.new.functions[entry].name;
    (!names.is_empty()).then(|| {
        format!(
            "{shown}{more} changed as well, but {entry} does not call {}",
            if names.len() == 1 { "it" } else { "them" }
        )
    })
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
