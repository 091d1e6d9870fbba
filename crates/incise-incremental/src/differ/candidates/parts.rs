//! What the paths of a pair leave behind, part by part: which can differ.

use super::{PairJudge, not_seen, number};
use crate::differ::special;
use incise_exec::{Condition, ExploreError, Note, Satisfiable, Session};
use incise_relate::{Leaf, Pair, Relation, Seen};

/// So many inputs are tried before the solver is asked, and where it could not tell.
const TRIES: (u64, u64) = (48, 4000);
/// Up to so many values all are tried before the solver is asked, and where it could not tell.
const ALL: (u64, u64) = (1 << 12, 1 << 20);

/// Where parts are watched, so many pairs of paths are looked at on inputs that are drawn, before anybody is asked.
const SAMPLED: u32 = 8;
/// So many inputs in a row show nothing new when others are asked.
const DRAWN: u64 = 2000;

impl PairJudge<'_> {
    /// Asks whether parts of what the paths of a pair leave behind can differ. Where parts are watched, it asks until
    /// each of them is known to differ or proved not to on this pair.
    pub(super) fn parts(
        &mut self,
        session: &mut Session,
        relation: &Relation<'_>,
        pair: Pair,
        leaves: Vec<Leaf>,
    ) -> Result<(), ExploreError> {
        let note = pair.leading.note;
        let oddities = pair.oddities(session);
        let mut leaves = self.worth_asking(note, leaves);
        if leaves.is_empty() {
            self.pairs.unasked += 1;
            return Ok(());
        }
        let mut differing = self.sampled(session, &pair, &mut leaves)?;
        self.pairs.differing += u64::from(differing);
        let mut known = (self.differing.len(), self.specially.len());
        while !leaves.is_empty() {
            let (mut asked, mut plainly) = (Vec::new(), Vec::new());
            for leaf in &leaves {
                plainly.push(leaf.plainly);
                asked.push(match self.specially.contains(&self.key(note, leaf.seen, &leaf.name)) {
                    true => special::without(session, leaf.plainly, &oddities),
                    false => leaf.differs,
                });
            }
            let any = session.any(&asked);
            match can_hold(session, &pair, any) {
                Satisfiable::No => {
                    self.pairs.proved += u64::from(!differing);
                    return Ok(());
                }
                Satisfiable::Unknown(reason) => {
                    self.pairs.open += 1;
                    self.unanswered += 1;
                    let reason = format!("whether results are equal: {reason}");
                    self.leave_open(note, &leaves, &reason);
                    return Ok(());
                }
                Satisfiable::Yes(found) => {
                    self.pairs.differing += u64::from(!differing);
                    differing = true;
                    let plainly = session.any(&plainly);
                    let seeming = special::ordinary(session, &pair.conditions, plainly, &oddities, &found);
                    let (differs, found) = seeming.unwrap_or((any, found));
                    let mut conditions = pair.conditions.clone();
                    session.add(&mut conditions, differs);
                    let confirmed = self.confirm(session, note, relation, conditions, &found)?;
                    if self.question.watched.is_none() {
                        if !confirmed {
                            self.unconfirmed("a result");
                        }
                        return Ok(());
                    }
                    // What differs with special numbers only is asked for once more, without them.
                    leaves.retain(|leaf| !self.differing.contains(&self.key(note, leaf.seen, &leaf.name)));
                    let now = (self.differing.len(), self.specially.len());
                    if now == known {
                        self.leave_open(note, &leaves, &not_seen("a result"));
                        return Ok(());
                    }
                    known = now;
                }
            }
        }
        Ok(())
    }

    /// Runs both versions on inputs on which many of the watched parts seem to differ, and leaves those that do out.
    /// Whether any does: what passes through many branches is hard to ask about, and easily seen.
    fn sampled(
        &mut self,
        session: &mut Session,
        pair: &Pair,
        leaves: &mut Vec<Leaf>,
    ) -> Result<bool, ExploreError> {
        let all = leaves.len();
        if self.question.watched.is_none() || all < 2 || self.sampled >= SAMPLED {
            return Ok(false);
        }
        self.sampled += 1;
        let note = pair.leading.note;
        let parts: Vec<Condition> = leaves.iter().map(|leaf| leaf.differs).collect();
        let mut seen = vec![false; parts.len()];
        for drawn in session.showing(&pair.conditions, &parts, &pair.assignment, DRAWN) {
            // What it shows for the first time is shown by plainer numbers, too.
            let mut wanted = pair.conditions.clone();
            for (part, seen) in parts.iter().zip(&mut seen) {
                if !*seen && session.holds(*part, &drawn) {
                    *seen = true;
                    session.add(&mut wanted, *part);
                }
            }
            let plain = session.simplified(&wanted, &drawn);
            if !self.shows(session, note, &plain)? {
                self.shows(session, note, &drawn)?;
            }
        }
        leaves.retain(|leaf| !self.differing.contains(&self.key(note, leaf.seen, &leaf.name)));
        tracing::debug!(parts = all, left = leaves.len(), "drew inputs for watched parts");
        Ok(leaves.len() < all)
    }

    /// The parts that a difference is not known of. Of calls it matters that they are alike, whatever is watched: their
    /// results are taken to be.
    fn worth_asking(&self, note: Note, leaves: Vec<Leaf>) -> Vec<Leaf> {
        let wanted = |leaf: &Leaf| match self.question.watched {
            Some(watched) => leaf.seen == Seen::Call || watched.looks_at(leaf.seen, &leaf.name),
            None => true,
        };
        let unknown = |leaf: &Leaf| !self.differing.contains(&self.key(note, leaf.seen, &leaf.name));
        leaves.into_iter().filter(|leaf| wanted(leaf) && unknown(leaf)).collect()
    }

    /// Notes that parts are not decided, and why; those that differ with special numbers are.
    fn leave_open(&mut self, note: Note, leaves: &[Leaf], reason: &str) {
        if self.question.watched.is_none() {
            self.undecided.insert(reason.to_owned().into());
            return;
        }
        for leaf in leaves {
            if !self.specially.contains(&self.key(note, leaf.seen, &leaf.name)) {
                self.undecided.insert(reason.to_owned().into());
                self.open_parts.entry(leaf.name.clone()).or_insert_with(|| reason.to_owned());
            }
        }
    }

    /// What a difference is known by: where parts are watched, each by itself; otherwise the elements of an array are
    /// one, and differences behind other changes are others.
    pub(super) fn key(&self, note: Note, seen: Seen, name: &str) -> (u32, Seen, String) {
        match self.question.watched {
            Some(_) => (0, seen, name.to_owned()),
            None => (number(note), seen, plain(name)),
        }
    }
}

/// Whether something can hold on a pair of paths: tried first, then asked, then tried harder.
fn can_hold(session: &mut Session, pair: &Pair, condition: Condition) -> Satisfiable {
    let (conditions, hint) = (&pair.conditions, &pair.assignment);
    let found = match session.guess(conditions, condition, hint, TRIES.0) {
        Some(found) => Satisfiable::Yes(found),
        None => match session.enumerate(conditions, condition, hint, ALL.0) {
            Some(found) => found,
            None => session.satisfiable(conditions, condition, hint),
        },
    };
    match found {
        Satisfiable::Unknown(reason) => {
            let all = session.enumerate(conditions, condition, hint, ALL.1);
            let guessed = || session.guess(conditions, condition, hint, TRIES.1).map(Satisfiable::Yes);
            all.or_else(guessed).unwrap_or(Satisfiable::Unknown(reason))
        }
        found => found,
    }
}

/// A name without its indices: elements of one array are one thing.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        match character {
            '[' => inside = true,
            ']' => inside = false,
            _ if inside => continue,
            _ => {}
        }
        plain.push(character);
    }
    plain
}
