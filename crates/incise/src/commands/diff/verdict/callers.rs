//! Static functions are judged by who calls them, where by themselves they differ on inputs that nobody may ever pass.
//!
//! What a function with internal linkage does matters only where it is called, if nobody has its address. By itself it
//! is compared with any arguments: that is quick and tells a difference in few words, but a difference may need
//! arguments that no caller passes. Where the old version goes wrong in memory on all of them the function was not made
//! for such arguments: then the verdict is that on its callers, whatever it is. Where the versions differ otherwise,
//! the difference counts unless all callers are proved to do the same on every input. Where nothing is known of the
//! function by itself (who can say what the arguments behind `...` are?), its callers count if something is known of
//! each.

use super::{Entries, VersionJudge};
use crate::change::analysis::Analysis;
use crate::change::callers::callers_by_name;
use anyhow::Result;
use incise_exec::Work;
use incise_ir::{ConstantKind, FunctionId, Linkage, Program};
use incise_report::verdict::{Comparison, Sameness, Verdicts};
use std::collections::BTreeSet;
use std::time::Duration;

/// Whether the callers of a function that differs do the same all the same is worth so much work, and at least so much
/// time is kept for each of them.
const EXCUSING: Work = Work::about_milliseconds(4_000);
const KEPT_FOR_EXCUSING: Duration = Duration::from_secs(4);

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
                Some(above) => {
                    verdicts.below.push(verdicts.entries.remove(at));
                    verdicts.entries.extend(above);
                }
                None => at += 1,
            }
        }
        super::number(verdicts);
        Ok(())
    }

    /// The verdicts on the callers of a function that are not there already, where these and those count instead of its
    /// own.
    fn judged_above(
        &self,
        by_itself: &Comparison,
        verdicts: &Verdicts,
        analysed: &dyn Fn(&str) -> Result<Analysis<'a>>,
    ) -> Result<Option<Vec<Comparison>>> {
        let late = self.start.elapsed() > self.settings.shared_time + KEPT_FOR_EXCUSING;
        if !self.may_be_judged_above(by_itself) || self.session.is_interrupted() || late {
            return Ok(None);
        }
        let Some(callers) = self.callers(by_itself) else { return Ok(None) };
        let outside = is_outside(by_itself);
        let undecided = by_itself.sameness == Sameness::Undecided;
        let unseen = self.session.runs_natively() && is_unconfirmed(by_itself);
        let speaks = |caller: &Comparison| match caller.sameness {
            _ if outside => true,
            Sameness::Same => !caller.partial,
            Sameness::Differs => undecided || unseen,
            Sameness::WithinBounds => undecided,
            Sameness::Undecided => false,
        };
        let callers_left = u32::try_from(callers.len().max(1)).unwrap_or(u32::MAX);
        let left = self.settings.shared_time.saturating_sub(self.start.elapsed()) / callers_left;
        let whole = self.settings.config.limits.time.min(left.max(KEPT_FOR_EXCUSING));
        let work = (!outside).then(|| self.settings.config.limits.worth(EXCUSING));
        let mut above = Vec::new();
        for (old, new) in callers {
            let name = &self.new.program.functions[new].name;
            let known = |all: &[Comparison]| all.iter().position(|each| each.entry == *name);
            if let Some(known) = known(&verdicts.entries) {
                if speaks(&verdicts.entries[known]) {
                    continue;
                }
                return Ok(None);
            }
            // Functions that call each other cannot all be judged by others.
            if known(&verdicts.below).is_some() {
                return Ok(None);
            }
            let found = analysed(name)?;
            let compared = self.aligned(&found, Entries { old, new, asked_for: true }, (whole, work))?;
            if !speaks(&compared) {
                return Ok(None);
            }
            above.push(compared);
        }
        Ok(Some(above))
    }

    /// Whether callers may have the last word on a function.
    pub(super) fn may_be_judged_above(&self, by_itself: &Comparison) -> bool {
        let open = matches!(by_itself.sameness, Sameness::Differs | Sameness::Undecided);
        open && self.callers(by_itself).is_some()
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

/// Whether the old version goes wrong in memory wherever the versions differ.
fn is_outside(compared: &Comparison) -> bool {
    compared.sameness == Sameness::Differs
        && compared.introduced.is_empty()
        && compared.fixed.iter().all(|error| error.kind.is_memory())
        && compared.differences.iter().all(|witness| witness.old.outcome.is_memory_error())
}
