//! Data races: introduced, fixed, or there before.

use super::{ThreadJudge, ThreadsFound};
use crate::differ::OpenReason;
use incise_exec::Race;
use std::collections::BTreeSet;

impl ThreadJudge<'_> {
    /// Sorts the data races of the old and of the new version. Where a version was not explored to its end, nobody
    /// knows whether it has a data race that it did not show.
    pub(super) fn races(
        &mut self,
        found: &mut ThreadsFound,
        (old, new): (Vec<Race>, Vec<Race>),
        (old_stopped, new_stopped): (bool, bool),
    ) {
        let old_keys: Vec<_> = old.iter().map(|race| self.places.old_race(race)).collect();
        let known: BTreeSet<_> = old_keys.iter().flatten().cloned().collect();
        let mut there = BTreeSet::new();
        for race in new {
            match self.places.new_race(&race).filter(|key| known.contains(key)) {
                Some(key) => {
                    there.insert(key);
                    found.preexisting.push(race);
                }
                None if old_stopped => drop(self.undecided.insert(open("old", &race))),
                None => found.introduced.push(race),
            }
        }
        for (race, key) in old.into_iter().zip(old_keys) {
            if key.is_none_or(|key| !there.contains(&key)) && !new_stopped {
                found.fixed.push(race);
            }
        }
    }
}

fn open(which: &str, race: &Race) -> OpenReason {
    format!(
        "whether the {which} version has the data race on {} too: it was not explored to its end",
        race.object
    )
    .into()
}
