//! Native runs of two versions beside each other, without a prediction.

use super::left_pointers::Left;
use super::observation::{Ending, Observation};
use incise_report::Origin;
use incise_report::test::Expected;
use std::collections::BTreeSet;

/// What a native run showed, with what is known of its bytes.
pub struct ComparableRun {
    observation: Observation,
    /// Which bytes of the result tell something.
    result: Option<Vec<bool>>,
    /// The objects that were looked at: their names, and which of their bytes tell something.
    finals: Vec<(String, Vec<bool>)>,
    /// The streams among them, and accesses of devices: of these more bytes are not another layout, but more of them.
    streams: BTreeSet<String>,
    /// The pointers that it left.
    left: Left,
}

impl ComparableRun {
    pub(super) fn of(expected: &Expected, observation: Observation, left: Left) -> Self {
        let finals = expected.finals.iter().filter(|each| !matches!(each.origin, Origin::File(_)));
        let streams =
            expected.finals.iter().filter(|each| matches!(each.origin, Origin::Stream(_) | Origin::Device));
        Self {
            streams: streams.map(|each| each.name.clone()).collect(),
            observation,
            result: expected.result.as_ref().map(|result| result.comparable.clone()),
            finals: finals.map(|each| (each.name.clone(), each.observed.comparable.clone())).collect(),
            left,
        }
    }

    /// What happened, in words.
    pub fn words(&self) -> String {
        self.observation.words()
    }

    /// Whether two runs differ in something that native runs show.
    pub fn differs_from(&self, other: &Self) -> bool {
        let (one, two) = (&self.observation, &other.observation);
        if !same_ending(&one.ending, &two.ending) || one.stdout != two.stdout {
            return true;
        }
        if !matches!(one.ending, Ending::Returned | Ending::Exited(_)) {
            return false;
        }
        let results = match (&one.result, &two.result, &self.result, &other.result) {
            (Some(one), Some(two), Some(mine), Some(theirs)) => bytes_differ((one, mine), (two, theirs)),
            _ => false,
        };
        results
            || one.stderr != two.stderr
            || one.files != two.files
            || self.finals_differ(other)
            || self.left.differs_from(&other.left)
    }

    /// Whether something that both looked at has another size, so that it has another layout: byte by byte that says
    /// nothing, and what was predicted of each counts.
    pub fn is_laid_out_otherwise(&self, other: &Self) -> bool {
        let results = self.result.as_ref().zip(other.result.as_ref());
        let finals = self.finals.iter().filter(|(name, _)| !self.streams.contains(name));
        let finals = finals.filter_map(|(name, mine)| {
            let (_, theirs) = other.finals.iter().find(|(known, _)| known == name)?;
            Some((mine, theirs))
        });
        results.into_iter().chain(finals).any(|(mine, theirs)| mine.len() != theirs.len())
    }

    fn finals_differ(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (&self.observation.finals, &other.observation.finals) else {
            return false;
        };
        let mine = self.finals.iter().zip(mine);
        let mut pairs = mine.filter_map(|((name, comparable), bytes)| {
            let at = other.finals.iter().position(|(known, _)| known == name)?;
            let longer = self.streams.contains(name) && bytes.len() != theirs.get(at)?.len();
            Some((longer, (bytes, comparable), (theirs.get(at)?, &other.finals[at].1)))
        });
        pairs.any(|(longer, one, two)| longer || bytes_differ(one, two))
    }
}

/// Whether runs end alike; where a fault is says nothing across versions.
fn same_ending(one: &Ending, two: &Ending) -> bool {
    match (one, two) {
        (Ending::Signal(one, _), Ending::Signal(two, _)) => one == two,
        _ => one == two,
    }
}

/// Whether bytes differ where both tell something. Data of another size has another layout: byte by byte it says
/// nothing.
fn bytes_differ((one, mine): (&Vec<u8>, &Vec<bool>), (two, theirs): (&Vec<u8>, &Vec<bool>)) -> bool {
    if one.len() != two.len() {
        return false;
    }
    // Where nothing at all was predicted of one of them, what is known of the other tells.
    let unknown = |comparable: &[bool]| comparable.iter().all(|&each| !each);
    let (free, other_free) = (unknown(mine), unknown(theirs));
    let tells = |at: usize| match (mine.get(at), theirs.get(at)) {
        (Some(&mine), Some(&theirs)) => (mine || free) && (theirs || other_free) && !(free && other_free),
        _ => false,
    };
    (0..one.len()).any(|at| tells(at) && one[at] != two[at])
}
