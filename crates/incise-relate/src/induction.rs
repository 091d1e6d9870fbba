//! Loops by induction: two programs whose loops run in lockstep do the same for any number of turns.
//!
//! Both programs are executed together, and loops are cut at a place that every turn passes (`cuts.rs`). Where one
//! program comes to such a place the other must, too: a *meeting*. From the first meeting at a pair of places a
//! *template* is made (`template.rs`), which says what holds there at every meeting; all that follows is explored from
//! the template. A way that leads back to the same places must lead to what the template says, and if it does not, the
//! template says less and all that follows is explored again. A way that leads to other places makes a template for
//! those. A way that leads to the ends of both programs is a pair of paths like any other, and compared.
//!
//! This is relational verification by a product program (Barthe, Crespo, Kunz, "Relational Verification Using Product
//! Programs", FM 2011), with invariants found as in Houdini (Flanagan, Leino, FME 2001): candidates are equalities that
//! hold at the first meetings, and those that a meeting refutes are dropped.
//!
//! If every way was followed to ends that are the same or to a template that holds, both programs do the same: they
//! come to the same meetings, one after the other, or to none any more. So one ends if and only if the other does. Not
//! covered: loops that do not run in lockstep, recursion, objects that are made in a loop and stay, pointers that go
//! from object to object.

pub(crate) mod cuts;
mod facts;
mod left_behind;
mod modes;
mod places;
mod template;
mod values;

use super::{Effort, Ended, Pair, Party, Relation, pair};
use cuts::{Cutting, LoopId, Preference, loop_to_cut, loops_of};
use incise_exec::inside::{SharedList, State, Stop, Touch, Value, order_forks};
use incise_exec::{Config, Deadline, ExploreError, Hooks, LimitKind, Outcome, Session, Work};
use incise_ir::Program;
use incise_solver::{Answer, CompareOp};
use modes::Roles;
use std::collections::{BTreeMap, BTreeSet};
use template::{Template, forget_dead, live, position};
use values::Fresh;

/// A loop that is decided more often than this between two meetings is cut.
const TURNS: u64 = 6;
/// So many loops are cut.
const MOST_LOOPS: usize = 32;
/// The flags of a loop hold so many different things.
const MOST_MODES: usize = 6;
/// So many templates are within each other.
const MOST_NESTED: usize = 12;
/// A template is made weaker so many times.
const MOST_ROUNDS: u32 = 64;
/// So many stretches between meetings are followed.
const MOST_STRETCHES: u64 = 4_000;
/// It is worth so much work.
const TRYING: Work = Work::about_milliseconds(15_000);
/// The instructions between two meetings.
const LONGEST: u64 = 300_000;
/// Of the time that there is, so much is left to others if it is in vain.
const PART_OF_TIME: u32 = 3;
/// A question is worth so much.
const ASKING: Work = Work::about_milliseconds(2_000);

/// So many of the preferences are tried when arrays are taken not to be too long.
const SOME: usize = 3;

/// Where loops are cut in the leading and the following program, the likeliest first.
const PREFERENCES: [[Preference; 2]; 5] = [
    [Preference::PlainTest, Preference::PlainTest],
    [Preference::Test, Preference::Test],
    [Preference::Header, Preference::Header],
    [Preference::PlainTest, Preference::Header],
    [Preference::Header, Preference::PlainTest],
];

/// Tells whether what both programs leave behind is the same, for all inputs that take both paths; if not, what stands
/// in the way. Paths that end at the limit of loops are not at their end: only what they wrote so far is compared.
pub type Comparing<'c> = dyn FnMut(&mut Session, &mut Relation<'_>, Pair) -> Result<(), String> + 'c;

/// What came of an attempt to prove that two programs do the same.
#[derive(Clone, Debug)]
pub enum Induction {
    /// They do, and so many loops ran in lockstep.
    Proved {
        /// The loops of the leading program that were cut.
        loops: usize,
        /// What the proof took.
        effort: Box<Effort>,
        /// Questions put to the solver chain.
        queries: u64,
        /// The arrays that were taken not to be longer than [`LONGEST_ARRAY`] bytes, and the bytes of an element.
        bounded: BTreeMap<String, u64>,
    },
    /// It could not be told.
    Open {
        /// Why not.
        reason: String,
        /// Whether it may be another matter with larger inputs.
        for_size: bool,
    },
}

/// What is indexed by a number of 32 bits cannot be longer.
pub const LONGEST_ARRAY: u64 = i32::MAX as u64;

/// Why there is no proof.
enum Fault {
    /// A loop of one of the programs has to be cut.
    Uncut(usize, LoopId),
    Open(String),
    /// Inputs are taken to be no larger, or apart.
    Small(String),
    /// One program is at a loop where the other is not.
    NotInLockstep,
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Open(reason)
    }
}

/// Where a state came to.
enum Stretch {
    Paused(Box<State>),
    Ended(Ended),
}

/// Tries to prove by induction that two programs do the same on all inputs.
pub fn induct(
    leading: (&Program, &Config),
    following: (&Program, &Config),
    hooks: &Hooks<'_>,
    comparing: &mut Comparing<'_>,
) -> Result<Induction, ExploreError> {
    let mut limits = leading.1.limits.clone();
    limits.use_part_of_time(PART_OF_TIME);
    let until = limits.deadline_after(TRYING);
    let configs = [leading.1, following.1].map(|config| {
        let mut config = config.clone();
        config.limits.loop_iterations = config.limits.loop_iterations.min(TURNS);
        config.limits.end = limits.end;
        config.limits.give_up_after(TRYING);
        config.limits.instructions = config.limits.instructions.min(LONGEST);
        config.solver.work = Some(config.limits.worth(ASKING));
        config.inputs.endless = true;
        config
    });
    let programs = [leading.0, following.0];
    let mut attempts = Attempts { programs, loops: [BTreeSet::new(), BTreeSet::new()], until, narrow: false };
    let mut open = Induction::Open { reason: String::new(), for_size: false };
    // What moves together is often enough. A number of 32 bits and a pointer go together as long as the number does not
    // overflow.
    for (guessing, longest) in [(false, None), (true, None), (true, Some(LONGEST_ARRAY))] {
        let configs = configs.clone().map(|mut config| {
            config.inputs.longest = longest;
            config
        });
        let tried = if longest.is_some() { SOME } else { PREFERENCES.len() };
        // A loop that must be cut where nothing limits its turns need not be where something does.
        attempts.loops = Default::default();
        for &preferences in &PREFERENCES[..tried] {
            let found = attempts.attempt(&configs, preferences, guessing, hooks, comparing)?;
            tracing::debug!(?preferences, guessing, ?longest, ?found, "tried an induction");
            if let Induction::Proved { .. } = found {
                return Ok(found);
            }
            if longest.is_none() {
                open = found;
            }
            if until.passed().is_some() {
                return Ok(open);
            }
        }
        // On inputs that are too small nothing helps but larger ones.
        if matches!(open, Induction::Open { for_size: true, .. }) && !attempts.narrow {
            break;
        }
    }
    Ok(open)
}

/// What attempts have in common.
struct Attempts<'p> {
    programs: [&'p Program; 2],
    /// The loops that must be cut.
    loops: [BTreeSet<LoopId>; 2],
    until: Deadline,
    /// Whether an array was indexed by a narrow number.
    narrow: bool,
}

impl Attempts<'_> {
    /// Tries to find a proof with loops cut at the preferred places, and with facts that are guessed or without.
    fn attempt(
        &mut self,
        configs: &[Config; 2],
        preferences: [Preference; 2],
        guessing: bool,
        hooks: &Hooks<'_>,
        comparing: &mut Comparing<'_>,
    ) -> Result<Induction, ExploreError> {
        let Self { programs, loops, until, narrow } = self;
        loop {
            let mut session = Session::new(&configs[0], &hooks.interrupt);
            session.solver.end_at(*until);
            let mut cuttings = [0, 1].map(|who| Cutting::new(programs[who], &loops[who], preferences[who]));
            let [one, other] = &mut cuttings;
            let leading = Party { program: programs[0], config: &configs[0], strategy: one };
            let following = Party { program: programs[1], config: &configs[1], strategy: other };
            let mut relation = Relation::new(&mut session, leading, following, hooks)?;
            let mut prover = Prover::new(&mut relation, *programs, loops, comparing, *until);
            prover.guessing = guessing;
            let proved = prover.prove(&mut session);
            let sides = [&relation.leading, &relation.following];
            *narrow |= sides.iter().any(|side| side.machine.decider.endless.narrow);
            let (reason, for_size) = match proved {
                Ok(()) => {
                    let bounded = sides.iter().flat_map(|side| side.machine.decider.endless.bounded.clone());
                    let bounded = bounded.collect();
                    let (effort, queries) = (Box::new(relation.effort()), session.queries());
                    return Ok(Induction::Proved { loops: loops[0].len(), effort, queries, bounded });
                }
                Err(Fault::Uncut(who, found)) => {
                    loops[who].insert(found);
                    match loops[who].len() > MOST_LOOPS {
                        true => ("there are many loops".into(), false),
                        false => continue,
                    }
                }
                Err(Fault::NotInLockstep) => {
                    // A loop that is gone round a few times only is one all the same if the other program's is.
                    if let Some(who) = [0, 1].into_iter().find(|&who| loops[who].is_empty())
                        && !loops[1 - who].is_empty()
                        && let found = loops_of(programs[who], sides[who].entry)
                        && !found.is_empty()
                    {
                        loops[who] = found;
                        continue;
                    }
                    ("the loops do not run in lockstep".into(), false)
                }
                Err(Fault::Open(reason)) => (reason, false),
                Err(Fault::Small(reason)) => (reason, true),
            };
            return Ok(Induction::Open { reason, for_size });
        }
    }
}

struct Prover<'p, 'a> {
    relation: &'p mut Relation<'a>,
    programs: [&'p Program; 2],
    loops: &'p [BTreeSet<LoopId>; 2],
    comparing: &'p mut Comparing<'p>,
    until: Deadline,
    /// The inputs that there are at the start.
    inputs: [usize; 2],
    /// The templates that what is explored now comes from.
    templates: Vec<Template>,
    fresh: Fresh,
    roles: Roles,
    /// Whether templates guess facts.
    guessing: bool,
    stretches: u64,
}

impl<'p, 'a> Prover<'p, 'a> {
    fn new(
        relation: &'p mut Relation<'a>,
        programs: [&'p Program; 2],
        loops: &'p [BTreeSet<LoopId>; 2],
        comparing: &'p mut Comparing<'_>,
        until: Deadline,
    ) -> Self {
        Self {
            relation,
            programs,
            loops,
            comparing,
            until,
            inputs: [0; 2],
            templates: Vec::new(),
            fresh: Fresh::default(),
            roles: Roles::default(),
            guessing: true,
            stretches: 0,
        }
    }

    /// Follows both programs from their entries.
    fn prove(mut self, session: &mut Session) -> Result<(), Fault> {
        if !self.relation.unlike.is_empty() {
            return Err(Fault::Open("an input is of another type".into()));
        }
        let Some(mut leading) = self.relation.leading.waiting.pop_back() else { return Ok(()) };
        let following = Box::new(self.relation.start.fork());
        for constraint in following.constraints.iter_in_order() {
            leading.constraints.push(&session.exprs, constraint);
        }
        self.inputs = [leading.inputs.len(), following.inputs.len()];
        let mut states = [leading, following];
        states[1].constraints = states[0].constraints.clone();
        states[1].model = states[0].model.clone();
        for states in self.roles.apart(session, self.programs, states) {
            if self.follow(session, states)?.is_some() {
                return Err(Fault::Open("a template that is not there".into()));
            }
        }
        Ok(())
    }

    /// Follows two states to all meetings and ends that come next. The number of a template if that says less now.
    fn follow(&mut self, session: &mut Session, states: [Box<State>; 2]) -> Result<Option<usize>, Fault> {
        let [leading, following] = states;
        for one in self.stretches(session, 0, leading)? {
            let (Stretch::Paused(state) | Stretch::Ended(Ended { state, .. })) = &one;
            let mut other = Box::new(following.fork());
            other.constraints = state.constraints.clone();
            other.model = state.model.clone();
            self.relation.following.machine.decider.endless.echoes =
                state.touched.to_vec().into_iter().cloned().collect();
            for other in self.stretches(session, 1, other)? {
                let weaker = match (&one, other) {
                    (Stretch::Paused(one), Stretch::Paused(other)) => self.meet(session, one, &other)?,
                    (Stretch::Ended(one), Stretch::Ended(other)) => {
                        self.touched(session, &one.state, &other.state)?;
                        self.relation.pairs += 1;
                        let pair = pair(session, one.copy(), other);
                        (self.comparing)(session, self.relation, pair)?;
                        None
                    }
                    _ => return Err(Fault::NotInLockstep),
                };
                if weaker.is_some() {
                    return Ok(weaker);
                }
            }
        }
        Ok(None)
    }

    /// Runs a state, and all that it forks into, to the next places where loops are cut, or to the end.
    fn stretches(
        &mut self,
        session: &mut Session,
        who: usize,
        state: Box<State>,
    ) -> Result<Vec<Stretch>, Fault> {
        let side = match who {
            0 => &mut self.relation.leading,
            _ => &mut self.relation.following,
        };
        let mut waiting = vec![state];
        let mut found = Vec::new();
        while let Some(mut state) = waiting.pop() {
            self.stretches += 1;
            if self.stretches > MOST_STRETCHES || self.until.passed().is_some() {
                return Err(Fault::Open("it takes too long".into()));
            }
            let stop = side.lend(session, |machine| machine.run(&mut state, false));
            waiting.extend(order_forks(std::mem::take(&mut side.machine.decider.forked)));
            for ended in side.machine.decider.ends.iter_mut().flat_map(|ends| ends.drain(..)) {
                match &ended.outcome {
                    Outcome::Limit(LimitKind::Loop) => {
                        let found = loop_to_cut(self.programs[who], &ended.state, &self.loops[who]);
                        let found = found.ok_or_else(|| "a loop that cannot be cut".to_owned())?;
                        return Err(Fault::Uncut(who, found));
                    }
                    Outcome::Discarded => found.push(Stretch::Ended(ended)),
                    Outcome::Limit(LimitKind::InputSize | LimitKind::PointerDepth) => {
                        return Err(Fault::Small(format!("{:?}", ended.outcome)));
                    }
                    outcome if outcome.is_cut() => return Err(Fault::Open(format!("{outcome:?}"))),
                    _ => found.push(Stretch::Ended(ended)),
                }
            }
            match stop {
                Stop::Paused => found.push(Stretch::Paused(state)),
                Stop::Forked => waiting.push(state),
                Stop::Stopped => return Err(Fault::Open("it was stopped".into())),
                Stop::Ended | Stop::SetBack => {}
            }
        }
        // What rests on inputs being different objects is no proof.
        if !side.machine.decider.sink.needs.is_empty() {
            return Err(Fault::Small("inputs are taken to be no larger, or apart".into()));
        }
        match side.machine.decider.sink.concretised.first() {
            Some(what) => Err(Fault::Open(what.clone())),
            None => Ok(found),
        }
    }

    /// Both programs are at places where loops are cut.
    fn meet(&mut self, session: &mut Session, one: &State, other: &State) -> Result<Option<usize>, Fault> {
        let mut states = [Box::new(one.fork()), Box::new(other.fork())];
        states[0].constraints = other.constraints.clone();
        states[0].model = other.model.clone();
        self.touched(session, &states[0], &states[1])?;
        for state in &mut states {
            state.touched = SharedList::new();
        }
        self.written(session, &mut states)?;
        if states.iter().any(|state| state.indeterminate || state.made_up > 0) {
            return Err(Fault::Open("what was never initialised is read in a loop".into()));
        }
        let made = [0, 1].map(|who| {
            let inputs = states[who].inputs.to_vec().into_iter().skip(self.inputs[who]);
            inputs.map(|input| (input.name.clone(), input.slot.is_none())).collect::<Vec<_>>()
        });
        if made[0] != made[1] {
            return Err(Fault::Open("the inputs that are made in a loop are not the same".into()));
        }
        let live = [0, 1].map(|who| live(self.programs[who], &states[who]));
        for (state, live) in states.iter_mut().zip(&live) {
            forget_dead(state, live);
        }
        for states in self.roles.apart(session, self.programs, states) {
            let weaker = self.meet_in_mode(session, &live, states)?;
            if weaker.is_some() {
                return Ok(weaker);
            }
        }
        Ok(None)
    }

    /// Both programs are at places where loops are cut, with flags that hold one value each.
    fn meet_in_mode(
        &mut self,
        session: &mut Session,
        live: &[Vec<bool>; 2],
        states: [Box<State>; 2],
    ) -> Result<Option<usize>, Fault> {
        let positions = [position(&states[0]), position(&states[1])];
        let mode = self.roles.mode(session, self.programs, [&*states[0], &*states[1]], live);
        let here = |each: &&Template| each.positions == positions;
        if self.templates.iter().filter(here).count() > MOST_MODES {
            return Err(Fault::Open("a loop has many states".into()));
        }
        let known = self.templates.iter().rposition(|each| each.positions == positions && each.mode == mode);
        if let Some(index) = known {
            let mut states = states;
            let since = self.templates[index].made_since();
            left_behind::leave_behind(session, &mut self.fresh, &mut states, since);
            let states = [&*states[0], &*states[1]];
            let admitted = self.templates[index].admits(session, self.programs, states, &mut self.fresh)?;
            return Ok((!admitted).then_some(index));
        }
        self.turn(session, Template::new(mode, live.clone(), states, self.guessing))
    }

    /// Explores what follows a template until that says no less any more.
    fn turn(&mut self, session: &mut Session, template: Template) -> Result<Option<usize>, Fault> {
        let level = self.templates.len();
        if level >= MOST_NESTED {
            return Err(Fault::Open("loops are nested deeply".into()));
        }
        self.templates.push(template);
        loop {
            let template = &mut self.templates[level];
            template.rounds += 1;
            if template.rounds > MOST_ROUNDS {
                return Err(Fault::Open("no invariant was found".into()));
            }
            let mut weaker = None;
            for states in template.states(session, &mut self.fresh)? {
                weaker = self.follow(session, states)?;
                if weaker.is_some() {
                    break;
                }
            }
            if weaker == Some(level) {
                continue;
            }
            self.templates.truncate(level);
            return Ok(weaker);
        }
    }

    /// Both programs must have made the same writes to arrays without an end, and the leading one must not have touched
    /// what the other one did not.
    fn touched(&self, session: &mut Session, leading: &State, following: &State) -> Result<(), Fault> {
        let (ones, others) = (leading.touched.to_vec(), following.touched.to_vec());
        let mut same = |one: &Value, other: &Value, width: u32| {
            one.is_same(other) || never_differ(session, following, one, other, width)
        };
        let writes = |touches: &[&Touch]| -> Vec<Touch> {
            touches.iter().filter(|touch| touch.written.is_some()).map(|&touch| touch.clone()).collect()
        };
        let (mine, theirs) = (writes(&ones), writes(&others));
        let mut alike = mine.len() == theirs.len();
        for (one, other) in mine.iter().zip(&theirs) {
            alike = alike
                && one.input == other.input
                && one.bytes == other.bytes
                && same(&one.offset, &other.offset, 64)
                && match (&one.written, &other.written) {
                    (Some(one_value), Some(other_value)) => same(one_value, other_value, one.bytes * 8),
                    _ => false,
                };
        }
        if !alike {
            return Err(Fault::Open("arrays are not written alike".into()));
        }
        for one in &ones {
            let near = |other: &&&Touch| one.input == other.input && one.bytes <= other.bytes;
            let known = others.iter().filter(near).any(|other| one.offset.is_same(&other.offset))
                || others.iter().filter(near).take(8).any(|other| no_further(session, following, one, other));
            if !known {
                return Err(Fault::Open(format!("the new version touches other elements of {}", one.input)));
            }
        }
        Ok(())
    }

    /// What both programs wrote and called so far must be the same, and is then forgotten.
    fn written(&mut self, session: &mut Session, states: &mut [Box<State>; 2]) -> Result<(), Fault> {
        let quiet = |state: &State| state.outputs.is_empty() && state.calls.is_empty();
        if !states.iter().all(|state| quiet(state)) {
            let [one, other] = [0, 1].map(|who| Ended {
                state: Box::new(states[who].fork()),
                outcome: Outcome::Limit(LimitKind::Loop),
                note: 0,
            });
            let pair = pair(session, one, other);
            (self.comparing)(session, self.relation, pair)?;
        }
        for state in states {
            state.outputs = SharedList::new();
            state.calls = SharedList::new();
        }
        Ok(())
    }
}

/// Whether an access is not behind another one, wherever a state can be: what begins at the start of an object and was
/// reached is there whole.
fn no_further(session: &mut Session, state: &State, one: &Touch, other: &Touch) -> bool {
    let mut expr = |value: &Value| match value {
        Value::Symbolic(expr) => Some(*expr),
        other => Some(session.exprs.constant(other.as_concrete()?, 64)),
    };
    let (Some(mine), Some(theirs)) = (expr(&one.offset), expr(&other.offset)) else { return false };
    // What comes before where a pointer leads tells nothing of what is behind.
    let zero = session.exprs.constant(0, 64);
    let before = session.exprs.compare(CompareOp::Slt, theirs, zero);
    let behind = session.exprs.compare(CompareOp::Ugt, mine, theirs);
    let unlike = session.exprs.compare(CompareOp::Ne, mine, theirs);
    let either = session.exprs.or(before, behind);
    let further = session.exprs.and(unlike, either);
    match session.exprs.as_constant(further) {
        Some(bits) => bits == 0,
        None => {
            let answer = session.solver.check(&mut session.exprs, &state.constraints, further, &state.model);
            matches!(answer, Answer::Unsat)
        }
    }
}

/// Whether two values are the same wherever a state can be.
fn never_differ(session: &mut Session, state: &State, one: &Value, other: &Value, width: u32) -> bool {
    let mut expr = |value: &Value| match value {
        Value::Symbolic(expr) => Some(*expr),
        other => Some(session.exprs.constant(other.as_concrete()?, width)),
    };
    let (Some(one), Some(other)) = (expr(one), expr(other)) else { return false };
    if session.exprs.width(one) != session.exprs.width(other) {
        return false;
    }
    let differ = session.exprs.compare(CompareOp::Ne, one, other);
    match session.exprs.as_constant(differ) {
        Some(bits) => bits == 0,
        None => {
            let answer = session.solver.check(&mut session.exprs, &state.constraints, differ, &state.model);
            matches!(answer, Answer::Unsat)
        }
    }
}
