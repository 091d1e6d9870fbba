//! What was found of all pairs of paths, as one judgement.

use super::{Bucket, PairJudge, WayToDiffer};
use crate::differ::{FoundError, Judgement, OpenReason, Witness};
use incise_exec::{LimitKind, Note, Session};
use incise_ir::SourcePosition;
use incise_relate::Effort;
use std::collections::BTreeSet;

impl PairJudge<'_> {
    /// What was found. `met` tells where the change is that a path met first.
    pub(in crate::differ) fn judgement(
        self,
        session: &Session,
        mut effort: Effort,
        unlike: &[String],
        met: impl Fn(Note) -> (u32, Option<SourcePosition>),
    ) -> Judgement {
        let mut undecided = self.undecided;
        let mut settled_early = self.settled_early;
        for limit in &effort.limits {
            if self.hurried && *limit == LimitKind::Work {
                settled_early = true;
                undecided.insert(OpenReason::ShortTime { left: effort.abandoned });
                continue;
            }
            let cut = [LimitKind::Time, LimitKind::Memory, LimitKind::Paths, LimitKind::Interrupt];
            if cut.contains(limit) {
                undecided.insert(OpenReason::Stopped { limit: *limit, left: Some(effort.abandoned) });
            }
            if *limit == LimitKind::Work {
                undecided.insert(OpenReason::GaveUp { left: effort.abandoned });
            }
        }
        let mut bounds = self.bounds;
        // That two inputs are not one and the same, or that something is not there, was not looked at otherwise.
        bounds.extend(effort.needs.hiding());
        let nothing_found = self.witnesses.is_empty() && self.introduced.is_empty() && self.fixed.is_empty();
        if self.valid == 0 && nothing_found && !(bounds.is_empty() && self.invalid.is_empty()) {
            undecided.insert(match bounds.is_empty() {
                true => {
                    "on all inputs that meet the change the old version itself goes wrong in memory".into()
                }
                false => OpenReason::NothingMeets { too_small: effort.needs.bounds() },
            });
        }
        if !self.one_sided.is_empty() {
            bounds.insert(LimitKind::OneSided);
            effort.needs.one_sided.extend(self.one_sided);
        }
        if self.one_ended && nothing_found {
            let reason =
                "one version ends where the other still goes round a loop, and was not seen to end there";
            undecided.insert(reason.into());
        }
        if effort.diverged > 0 {
            undecided.insert("a branch that was left out had an influence after all".into());
        }
        undecided.extend(effort.concretised.iter().cloned().map(OpenReason::from));
        let mut notes = self.notes;
        notes.extend(
            unlike.iter().map(|name| format!("{name} is of another type, and taken to be independent")),
        );
        // What was guessed and then found on a path is one way to differ.
        let known: BTreeSet<WayToDiffer> =
            self.witnesses.keys().filter(|(number, _)| *number > 0).map(|(_, way)| way.clone()).collect();
        let mut witnesses = self.witnesses;
        witnesses.retain(|(number, way), _| *number > 0 || !known.contains(way));
        let mut witnesses: Vec<(Note, Witness)> = witnesses.into_values().collect();
        // What needs special numbers comes after the others, and so does what the old version was not made for.
        witnesses.sort_by_key(|(_, witness)| (witness.special, witness.old.outcome.is_memory_error()));
        let placed = |note: Note, mut witness: Witness| {
            witness.location = met(note).1;
            witness
        };
        let bucket = |bucket: Bucket| {
            let mut errors: Vec<(Note, FoundError)> = bucket.into_values().collect();
            errors.sort_by_key(|(_, error)| error.witness.special);
            errors
                .into_iter()
                .map(|(note, error)| FoundError { witness: placed(note, error.witness.clone()), ..error })
                .collect()
        };
        let mut judgement = Judgement {
            witnesses: witnesses.into_iter().map(|(note, witness)| placed(note, witness)).collect(),
            introduced: bucket(self.introduced),
            fixed: bucket(self.fixed),
            preexisting: bucket(self.preexisting),
            invalid: bucket(self.invalid),
            valid: self.valid,
            bounds,
            undecided,
            notes,
            pairs: self.pairs,
            effort,
            queries: session.queries(),
            partial: self.partial || !unlike.is_empty(),
            settled_early,
            cut: self.cut,
            open_parts: self.open_parts,
            ..Judgement::same()
        };
        judgement.settle();
        judgement
    }
}
