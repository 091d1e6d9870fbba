//! Loops by induction: two programs whose loops run in lockstep do the same for any number of turns.
//!
//! Both programs are executed together, and loops are cut at a place that every turn passes (`cuts.rs`). Where one program comes to such a place the other must, too: a *meeting*. From the first meeting at a
//! pair of places a *template* is made (`template.rs`), which says what holds there at every meeting; all that follows is explored from the template. A way that leads back to the same places
//! must lead to what the template says, and if it does not, the template says less and all that follows is explored again. A way that leads to other places makes a template for those. A way that leads to the ends
//! of both programs is a pair of paths like any other, and compared.
//!
//! This is relational verification by a product program (Barthe, Crespo, Kunz, "Relational Verification Using Product Programs", FM 2011), with invariants found as in Houdini (Flanagan, Leino, FME 2001):
//! candidates are equalities that hold at the first meetings, and those that a meeting refutes are dropped.
//!
//! If every way was followed to ends that are the same or to a template that holds, both programs do the same: they come to the same meetings, one after the other, or to none any more. So one ends if
//! and only if the other does. Not covered: loops that do not run in lockstep, recursion, objects that are made in a loop and stay, pointers that go from object to object.

mod cuts;
mod template;
mod values;

use super::{Effort, Ended, Pair, Party, Relation, pair};
use crate::config::Config;
use crate::endless::Touch;
use crate::explore::{ExploreError, Hooks, order_forks};
use crate::list::SharedList;
use crate::outcome::{LimitKind, Outcome};
use crate::state::State;
use crate::step::Stop;
use crate::trace::Session;
use crate::value::Value;
use cuts::{Cutting, LoopId, Preference, loop_to_cut};
use incise_ir::Program;
use incise_solver::{Answer, CompareOp};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use template::{Template, position};
use values::Fresh;

/// A loop that is decided more often than this between two meetings is cut.
const TURNS: u64 = 6;
/// So many loops are cut.
const MOST_LOOPS: usize = 32;
/// So many templates are within each other.
const MOST_NESTED: usize = 12;
/// A template is made weaker so many times.
const MOST_ROUNDS: u32 = 64;
/// So many stretches between meetings are followed.
const MOST_STRETCHES: u64 = 20_000;
/// For so long it is tried.
const TRYING: Duration = Duration::from_secs(10);
/// The instructions between two meetings.
const LONGEST: u64 = 300_000;
/// So long a question may take.
const ASKING: Duration = Duration::from_secs(3);

/// Where loops are cut in the leading and the following program, the likeliest first.
const PREFERENCES: [[Preference; 2]; 5] = [
    [Preference::PlainTest, Preference::PlainTest],
    [Preference::Test, Preference::Test],
    [Preference::Header, Preference::Header],
    [Preference::PlainTest, Preference::Header],
    [Preference::Header, Preference::PlainTest],
];

/// Tells whether what both programs leave behind is the same, for all inputs that take both paths; if not, what stands in the way. Paths that end at the limit of loops are not at their end: only what they
/// wrote so far is compared.
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
    },
    /// It could not be told.
    Open(String),
}

/// Why there is no proof.
enum Fault {
    /// A loop of one of the programs has to be cut.
    Uncut(usize, LoopId),
    Open(String),
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
    let until = Instant::now() + leading.1.limits.time.min(TRYING);
    let configs = [leading.1, following.1].map(|config| {
        let mut config = config.clone();
        config.limits.loop_iterations = config.limits.loop_iterations.min(TURNS);
        config.limits.time = config.limits.time.min(TRYING);
        config.limits.instructions = config.limits.instructions.min(LONGEST);
        config.solver.timeout = config.solver.timeout.min(ASKING);
        config.inputs.endless = true;
        config
    });
    let programs = [leading.0, following.0];
    let mut loops = [BTreeSet::new(), BTreeSet::new()];
    let mut reason = String::new();
    for preferences in PREFERENCES {
        loop {
            let mut session = Session::new(&configs[0], &hooks.interrupt);
            let mut cuttings = [0, 1].map(|who| Cutting::new(programs[who], &loops[who], preferences[who]));
            let [one, other] = &mut cuttings;
            let leading = Party { program: programs[0], config: &configs[0], strategy: one };
            let following = Party { program: programs[1], config: &configs[1], strategy: other };
            let mut relation = Relation::new(&mut session, leading, following, hooks)?;
            match Prover::new(&mut relation, programs, &loops, comparing, until).prove(&mut session) {
                Ok(()) => {
                    let (effort, queries) = (Box::new(relation.effort()), session.queries());
                    return Ok(Induction::Proved { loops: loops[0].len(), effort, queries });
                }
                Err(Fault::Uncut(who, found)) => {
                    loops[who].insert(found);
                    if loops[who].len() > MOST_LOOPS {
                        return Ok(Induction::Open("there are many loops".into()));
                    }
                }
                Err(Fault::Open(why)) => {
                    reason = why;
                    break;
                }
            }
        }
        if Instant::now() >= until {
            break;
        }
    }
    Ok(Induction::Open(reason))
}

struct Prover<'p, 'a> {
    relation: &'p mut Relation<'a>,
    programs: [&'p Program; 2],
    loops: &'p [BTreeSet<LoopId>; 2],
    comparing: &'p mut Comparing<'p>,
    until: Instant,
    /// The inputs that there are at the start.
    inputs: [usize; 2],
    /// The templates that what is explored now comes from.
    templates: Vec<Template>,
    fresh: Fresh,
    stretches: u64,
}

impl<'p, 'a> Prover<'p, 'a> {
    fn new(
        relation: &'p mut Relation<'a>,
        programs: [&'p Program; 2],
        loops: &'p [BTreeSet<LoopId>; 2],
        comparing: &'p mut Comparing<'_>,
        until: Instant,
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
        match self.follow(session, [leading, following])? {
            None => Ok(()),
            Some(_) => Err(Fault::Open("a template that is not there".into())),
        }
    }

    /// Follows two states to all meetings and ends that come next. The number of a template if that says less now.
    fn follow(&mut self, session: &mut Session, states: [Box<State>; 2]) -> Result<Option<usize>, Fault> {
        let [leading, following] = states;
        for one in self.stretches(session, 0, leading)? {
            let (Stretch::Paused(state) | Stretch::Ended(Ended { state, .. })) = &one;
            let mut other = Box::new(following.fork());
            other.constraints = state.constraints.clone();
            other.model = state.model.clone();
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
                    _ => return Err(Fault::Open("the loops do not run in lockstep".into())),
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
            if self.stretches > MOST_STRETCHES || Instant::now() >= self.until {
                return Err(Fault::Open("it takes too long".into()));
            }
            let stop = side.lend(session, |machine| machine.run(&mut state, false));
            waiting.extend(order_forks(std::mem::take(&mut side.machine.forked)));
            for ended in side.machine.ends.iter_mut().flat_map(|ends| ends.drain(..)) {
                match &ended.outcome {
                    Outcome::Limit(LimitKind::Loop) => {
                        let found = loop_to_cut(self.programs[who], &ended.state, &self.loops[who]);
                        let found = found.ok_or_else(|| "a loop that cannot be cut".to_owned())?;
                        return Err(Fault::Uncut(who, found));
                    }
                    Outcome::Discarded => found.push(Stretch::Ended(ended)),
                    outcome if outcome.is_cut() => return Err(Fault::Open(format!("{outcome:?}"))),
                    _ => found.push(Stretch::Ended(ended)),
                }
            }
            match stop {
                Stop::Paused => found.push(Stretch::Paused(state)),
                Stop::Forked => waiting.push(state),
                Stop::Stopped => return Err(Fault::Open("it was stopped".into())),
                Stop::Ended => {}
            }
        }
        // What rests on inputs being different objects is no proof.
        if !side.machine.sink.needs.is_empty() {
            return Err(Fault::Open("inputs are taken to be no larger, or apart".into()));
        }
        match side.machine.sink.concretised.first() {
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
        if made[0] != made[1] || made[0].iter().any(|(_, plain)| !plain) {
            return Err(Fault::Open("the inputs that are made in a loop are not the same".into()));
        }
        let positions = [position(&states[0]), position(&states[1])];
        if let Some(index) = self.templates.iter().rposition(|each| each.positions == positions) {
            let states = [&*states[0], &*states[1]];
            let admitted = self.templates[index].admits(session, self.programs, states, &mut self.fresh)?;
            return Ok((!admitted).then_some(index));
        }
        self.turn(session, Template::new(self.programs, states))
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

    /// Both programs must have made the same writes to arrays without an end, and the leading one must not have touched what the other one did not.
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
            let covers = |other: &&Touch| {
                one.input == other.input && one.bytes <= other.bytes && one.offset.is_same(&other.offset)
            };
            let near = |other: &&Touch| one.input == other.input && one.bytes <= other.bytes;
            let known = others.iter().copied().any(|other| covers(&other))
                || others
                    .iter()
                    .copied()
                    .filter(near)
                    .take(8)
                    .any(|other| same(&one.offset, &other.offset, 64));
            if !known {
                return Err(Fault::Open(format!("the new version touches other elements of {}", one.input)));
            }
        }
        Ok(())
    }

    /// What both programs wrote and called so far must be the same, and is then forgotten.
    fn written(&mut self, session: &mut Session, states: &mut [Box<State>; 2]) -> Result<(), Fault> {
        let quiet = |state: &State| state.outputs.len() == 0 && state.calls.len() == 0;
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
