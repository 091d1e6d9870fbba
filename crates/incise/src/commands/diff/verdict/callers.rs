//! Static functions are judged by who calls them, where by themselves they differ on inputs that nobody may ever pass.
//!
//! What a function with internal linkage does matters only where it is called, if nobody has its address. By itself it
//! is compared with any arguments: that is quick and tells a difference in few words, but a difference may need
//! arguments that no caller passes. Where the old version goes wrong in memory on all of them the function was not made
//! for such arguments: then the verdict is that on its callers, whatever it is. Where the versions differ otherwise,
//! the difference counts unless all callers are proved to do the same on every input. Where nothing is known of the
//! function by itself (who can say what the arguments behind `...` are?), its callers count if something is known of
//! each.
//!
//! Between these is what no caller was found to pass, although not every input of theirs could be looked at: there the
//! versions differ, and it is said that it may be none ([`NotPassed`]). That holds of all that differs if the callers
//! do the same within bounds, of errors in memory if all that is open of callers is that they do not come by a part of
//! the change, and of errors that are introduced if callers differ without these.

use super::{Entries, VersionJudge};
use crate::change::analysis::Analysis;
use crate::change::callers::callers_by_name;
use anyhow::Result;
use incise_exec::Work;
use incise_ir::{ConstantKind, FunctionId, Linkage, Program};
use incise_report::verdict::{Comparison, ErrorChange, NotPassed, Sameness, Verdicts};
use std::collections::BTreeSet;
use std::time::Duration;

/// Whether the callers of a function that differs do the same all the same is worth so much work, and at least so much
/// time is kept for each of them.
const EXCUSING: Work = Work::about_milliseconds(4_000);
const KEPT_FOR_EXCUSING: Duration = Duration::from_secs(4);

/// What callers say of a function that differs by itself.
enum Said {
    /// Their verdicts count, and not its own.
    Theirs,
    /// Its own counts, but for what none of them was found to pass.
    NotPassed(NotPassed),
}

impl<'a> VersionJudge<'a> {
    /// Replaces the verdicts on static functions by those on their callers, where these say more. `analysed` finds what
    /// the change means for one of them.
    pub(crate) fn through_callers(
        &self,
        verdicts: &mut Verdicts,
        analysed: &dyn Fn(&str) -> Result<Analysis<'a>>,
    ) -> Result<()> {
        // A caller may be static itself, and is looked at in turn.
        let mut at = 0;
        while at < verdicts.entries.len() {
            match self.judged_above(&verdicts.entries[at], verdicts, analysed)? {
                Some((Said::Theirs, above)) => {
                    verdicts.below.push(verdicts.entries.remove(at));
                    verdicts.entries.extend(above);
                }
                Some((Said::NotPassed(not_passed), above)) => {
                    verdicts.entries[at].not_passed = Some(not_passed);
                    // What callers pass comes before what nobody may pass.
                    verdicts.entries.splice(at..at, above);
                }
                None => at += 1,
            }
        }
        super::number(verdicts);
        Ok(())
    }

    /// What the callers of a function say of it, and the verdicts on those that have none yet; nothing where its own
    /// counts.
    fn judged_above(
        &self,
        by_itself: &Comparison,
        verdicts: &Verdicts,
        analysed: &dyn Fn(&str) -> Result<Analysis<'a>>,
    ) -> Result<Option<(Said, Vec<Comparison>)>> {
        let late = self.start.elapsed() > self.settings.shared_time + KEPT_FOR_EXCUSING;
        if !self.may_be_judged_above(by_itself) || self.session.is_interrupted() || late {
            return Ok(None);
        }
        let Some(callers) = self.callers(by_itself) else { return Ok(None) };
        let mut hearing = Hearing::new(by_itself, self.session.runs_natively());
        let callers_left = u32::try_from(callers.len().max(1)).unwrap_or(u32::MAX);
        let left = self.settings.shared_time.saturating_sub(self.start.elapsed()) / callers_left;
        let whole = self.settings.config.limits.time.min(left.max(KEPT_FOR_EXCUSING));
        let work = (!hearing.outside).then(|| self.settings.config.limits.worth(EXCUSING));
        let mut above = Vec::new();
        for (old, new) in callers {
            let name = &self.new.program.functions[new].name;
            let known = |all: &[Comparison]| all.iter().position(|each| each.entry == *name);
            if let Some(known) = known(&verdicts.entries) {
                hearing.hear(&verdicts.entries[known]);
            } else if known(&verdicts.below).is_some() {
                // Functions that call each other cannot all be judged by others.
                return Ok(None);
            } else {
                let found = analysed(name)?;
                let entries = Entries { old, new, asked_for: true };
                let compared = self.aligned(&found, entries, (whole, work))?;
                hearing.hear(&compared);
                above.push(compared);
            }
            if hearing.is_over() {
                return Ok(None);
            }
        }
        Ok(hearing.said().map(|said| (said, above)))
    }

    /// Whether callers may have the last word on a function.
    pub(super) fn may_be_judged_above(&self, by_itself: &Comparison) -> bool {
        let open = matches!(by_itself.sameness, Sameness::Differs | Sameness::Undecided);
        open && by_itself.not_passed.is_none() && self.callers(by_itself).is_some()
    }

    /// Who calls a function of both versions, if it is static and nobody has its address.
    fn callers(&self, compared: &Comparison) -> Option<Vec<(FunctionId, FunctionId)>> {
        let (old, new) = (self.old.program, self.new.program);
        let own =
            [(old, old.function_named(&compared.old_entry)?), (new, new.function_named(&compared.entry)?)];
        if own.iter().any(|&(program, function)| !is_private(program, function)) {
            return None;
        }
        let callers = callers_by_name(new, own[1].1, &BTreeSet::new())?;
        callers.into_iter().map(|id| Some((old.function_named(&new.functions[id].name)?, id))).collect()
    }
}

/// What is heard of the callers of a function.
struct Hearing<'c> {
    by_itself: &'c Comparison,
    /// Whether the old version goes wrong in memory wherever the versions differ: callers count, whatever they do.
    outside: bool,
    /// Whether the function is undecided by itself.
    undecided: bool,
    /// Whether all that is found of the function by itself is that the new version goes wrong in memory.
    errs_in_memory: bool,
    /// Whether nothing that differs was seen natively, although it could be.
    unseen: bool,
    /// The callers so far.
    callers: Vec<String>,
    /// Whether each of them says enough for its verdict to count instead.
    each_speaks: bool,
    /// Whether something is known of each of them.
    each_known: bool,
    /// Whether one of them differs, natively.
    differs: bool,
    /// Whether one of them comes by an error that the function introduces by itself.
    errs: bool,
}

impl<'c> Hearing<'c> {
    fn new(by_itself: &'c Comparison, runs_natively: bool) -> Self {
        Self {
            by_itself,
            outside: is_outside(by_itself),
            undecided: by_itself.sameness == Sameness::Undecided,
            errs_in_memory: errs_in_memory(by_itself),
            unseen: runs_natively && is_unconfirmed(by_itself),
            callers: Vec::new(),
            each_speaks: true,
            each_known: true,
            differs: false,
            errs: false,
        }
    }

    /// Hears one of them.
    fn hear(&mut self, caller: &Comparison) {
        self.callers.push(caller.entry.clone());
        self.each_speaks &= match caller.sameness {
            _ if self.outside => true,
            Sameness::Same => !caller.partial,
            Sameness::Differs => self.undecided || self.unseen,
            Sameness::WithinBounds => self.undecided,
            Sameness::Undecided => false,
        };
        self.each_known &= match caller.sameness {
            Sameness::Same | Sameness::WithinBounds => !caller.partial,
            Sameness::Differs => !caller.is_unconfirmed(),
            // What was removed because callers rule it out is what they do not come by.
            Sameness::Undecided => self.errs_in_memory && caller.only_missed && !caller.partial,
        };
        self.differs |= caller.sameness == Sameness::Differs;
        let places = |all: &[ErrorChange]| -> Vec<_> {
            all.iter().map(|error| (error.kind, error.place.clone())).collect()
        };
        let own = places(&self.by_itself.introduced);
        self.errs |= places(&caller.introduced).iter().any(|error| own.contains(error));
    }

    /// Whether what the function does by itself counts, whatever its other callers say.
    fn is_over(&self) -> bool {
        let settled = self.errs || self.differs && self.by_itself.introduced.is_empty();
        !self.each_speaks && (!self.each_known || self.undecided || settled)
    }

    /// What all of them say together; nothing if what the function does by itself counts.
    fn said(self) -> Option<Said> {
        match self.each_speaks {
            true => Some(Said::Theirs),
            false if self.is_over() => None,
            false => {
                let (callers, errors_only) = (self.callers, self.differs);
                Some(Said::NotPassed(NotPassed { callers, errors_only }))
            }
        }
    }
}

/// Whether only its own file can call a function, and by its name.
fn is_private(program: &Program, function: FunctionId) -> bool {
    program.functions[function].linkage == Linkage::Internal
        && !program.constants.iter().any(|(_, constant)| constant.kind == ConstantKind::Function(function))
}

/// Whether nothing that differs was seen natively.
fn is_unconfirmed(compared: &Comparison) -> bool {
    compared.introduced.is_empty()
        && compared.fixed.is_empty()
        && compared.differences.iter().all(|witness| !witness.replayed)
}

/// Whether the new version goes wrong in memory wherever the versions differ.
fn errs_in_memory(compared: &Comparison) -> bool {
    compared.sameness == Sameness::Differs
        && compared.fixed.is_empty()
        && compared.introduced.iter().all(|error| error.kind.is_memory())
        && compared.differences.iter().all(|witness| witness.new.outcome.is_memory_error())
}

/// Whether the old version goes wrong in memory wherever the versions differ.
fn is_outside(compared: &Comparison) -> bool {
    compared.sameness == Sameness::Differs
        && compared.introduced.is_empty()
        && compared.fixed.iter().all(|error| error.kind.is_memory())
        && compared.differences.iter().all(|witness| witness.old.outcome.is_memory_error())
}
