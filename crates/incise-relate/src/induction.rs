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
//! come to the same meetings, one after the other, or to none any more. So one ends if and only if the other does.
//! Between two meetings both programs do at least one turn, and one of them may do several ([`Alignment`]). Not
//! covered: turns in another order, recursion but where a function calls itself last, objects that are made in a loop
//! and stay, pointers that go from object to object.

pub(crate) mod cuts;
mod evidence;
mod facts;
mod left_behind;
mod modes;
mod movement;
mod places;
mod template;
mod touches;
mod trials;
mod values;

use super::{Effort, Ended, Pair, Party, Relation, pair};
use cuts::{Cutting, LoopId, Preference, Steps, loop_to_cut, loops_of};
use incise_exec::inside::{SharedList, State, Stop, order_forks};
use incise_exec::{Config, Deadline, ExploreError, Given, Hooks, LimitKind, Outcome, Session, Work};
use incise_ir::{BlockId, Id, Program, join_branches, recursion_as_loops, spell_out};
use modes::Roles;
use std::collections::{BTreeMap, BTreeSet};
use template::{Guessing, Template, forget_dead, live, position};
use trials::{Alignment, LOCKSTEP, PREFERENCES, REARRANGED, Trial};
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
const TRYING: Work = Work::about_milliseconds(6_000);
/// Each way to look for a proof has one of so many parts of the work,
const PARTS: u32 = 3;
/// and each question one of so many parts of what it is worth otherwise.
const ASKING_PARTS: u32 = 4;
/// The instructions between two meetings.
const LONGEST: u64 = 300_000;
/// Of the time that there is, so much is left to others if it is in vain.
const PART_OF_TIME: u32 = 3;
/// A question is worth so much.
const ASKING: Work = Work::about_milliseconds(1_000);

/// A loop does at most so many turns while another one does one.
const MOST_TURNS: u64 = 16;
/// Where one program is at its end, the other one may do so many turns more.
const MORE_TURNS: u32 = 3;

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
        /// The functions that call themselves and were taken as loops, which need no room on the stack.
        recursive: BTreeSet<String>,
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

/// Tries to prove by induction that two programs do the same on all inputs, with loops that run in lockstep.
pub fn induct(
    leading: (&Program, &Config),
    following: (&Program, &Config),
    hooks: &Hooks<'_>,
    comparing: &mut Comparing<'_>,
) -> Result<Induction, ExploreError> {
    let (configs, until) = configured([leading.1, following.1], TRYING);
    let part = leading.1.limits.worth(TRYING).part(PARTS);
    let looping = Looping::new([leading, following]);
    let mut attempts = Attempts::new(looping.programs([leading.0, following.0]), until, part);
    let mut open = Induction::Open { reason: String::new(), for_size: false };
    for trial in LOCKSTEP {
        let found = attempts.each_place(&configs, &trial, hooks, comparing)?;
        match found {
            Induction::Proved { .. } => return Ok(looping.named(found)),
            Induction::Open { .. } if trial.longest.is_none() => open = found,
            Induction::Open { .. } => {}
        }
        // On inputs that are too small nothing helps but larger ones.
        let too_small = matches!(open, Induction::Open { for_size: true, .. }) && !attempts.narrow;
        if too_small || until.passed().is_some() {
            break;
        }
    }
    Ok(open)
}

/// The same for loops whose turns are arranged in another way: several at a time, the first or the last by itself,
/// behind other branches, or in a function of the library. That is worth so much work, and only if both programs do the
/// same on the inputs that are known.
pub fn induct_rearranged(
    leading: (&Program, &Config),
    following: (&Program, &Config),
    hooks: &Hooks<'_>,
    comparing: &mut Comparing<'_>,
    (most, known): (Work, &[Given]),
) -> Result<Induction, ExploreError> {
    // Who is patient has more done elsewhere: this is worth what it is worth.
    let hasty = [leading.1, following.1].map(|config| {
        let mut config = config.clone();
        config.limits.patience = 1;
        config
    });
    let (mut configs, until) = configured([&hasty[0], &hasty[1]], most);
    for config in &mut configs {
        config.solver.work = Some(ASKING.part(ASKING_PARTS));
        config.solver.loosely = true;
    }
    let looping = Looping::new([leading, following]);
    let programs = looping.programs([leading.0, following.0]);
    // What fills and copies memory is a loop, too.
    let spelled = programs.map(spell_out);
    let programs = [0, 1].map(|who| spelled[who].as_ref().unwrap_or(programs[who]));
    let Some(hope) = evidence::hope(programs, [leading.1, following.1], known, hooks, comparing)? else {
        return Ok(Induction::Open { reason: "runs do not show that it may be".into(), for_size: false });
    };
    let checked = configs.iter().any(|config| config.checks.overflow);
    // Where overflow is an error, what is done in vain might be one.
    let joined = if checked { None } else { joined_programs(programs) };
    let mut open = Induction::Open { reason: String::new(), for_size: false };
    let mut narrow = true;
    for trial in REARRANGED.into_iter().filter(|trial| hope.allows(trial.alignment)) {
        let programs = match (trial.joined, &joined) {
            (true, Some([one, other])) => [one, other],
            (true, None) => continue,
            (false, _) => programs,
        };
        if trial.longest.is_some() && !narrow {
            continue;
        }
        let part = Deadline::at(None, Some(most.part(PARTS)));
        let mut attempts = Attempts::new(programs, until.or(part), most);
        let found = attempts.each_place(&configs, &trial, hooks, comparing)?;
        narrow = attempts.narrow;
        if let Induction::Proved { .. } = found {
            return Ok(looping.named(found));
        }
        open = found;
        if until.passed().is_some() {
            break;
        }
    }
    Ok(open)
}

/// Programs whose functions that call themselves last are loops.
struct Looping {
    programs: [Option<(Program, Vec<String>)>; 2],
}

impl Looping {
    /// Where overflow is an error, operands in another order might make one.
    fn new(parties: [(&Program, &Config); 2]) -> Self {
        let checked = parties.iter().any(|(_, config)| config.checks.overflow);
        let looping = |(program, config): (&Program, &Config)| {
            (!checked).then(|| recursion_as_loops(program, &config.entry)).flatten()
        };
        Self { programs: parties.map(looping) }
    }

    /// What is executed instead of these.
    fn programs<'p>(&'p self, others: [&'p Program; 2]) -> [&'p Program; 2] {
        [0, 1].map(|who| self.programs[who].as_ref().map_or(others[who], |(program, _)| program))
    }

    /// A proof about them.
    fn named(&self, mut found: Induction) -> Induction {
        if let Induction::Proved { recursive, .. } = &mut found {
            recursive.extend(self.programs.iter().flatten().flat_map(|(_, names)| names.clone()));
        }
        found
    }
}

/// How both programs are executed in a proof that is worth so much work, and until when.
fn configured(configs: [&Config; 2], most: Work) -> ([Config; 2], Deadline) {
    let mut limits = configs[0].limits.clone();
    limits.use_part_of_time(PART_OF_TIME);
    limits.give_up_after(most);
    let until = limits.deadline();
    let configs = configs.map(|config| {
        let mut config = config.clone();
        config.limits.loop_iterations = config.limits.loop_iterations.min(TURNS);
        config.limits.end = limits.end;
        config.limits.give_up_after(most);
        config.limits.instructions = config.limits.instructions.min(LONGEST);
        config.solver.work = Some(config.limits.worth(ASKING));
        config.inputs.endless = true;
        config
    });
    (configs, until)
}

/// Both programs with branches joined that only choose; `None` if there are none.
fn joined_programs(programs: [&Program; 2]) -> Option<[Program; 2]> {
    let size = |program: &Program| -> usize {
        program.functions.iter().map(|(_, function)| function.instructions.len()).sum()
    };
    let joined = programs.map(join_branches);
    (0..2).any(|who| size(&joined[who]) != size(programs[who])).then_some(joined)
}

/// What attempts have in common.
#[derive(Clone)]
struct Attempts<'p> {
    programs: [&'p Program; 2],
    /// The loops that must be cut.
    loops: [BTreeSet<LoopId>; 2],
    until: Deadline,
    /// What one attempt is worth.
    each: Work,
    /// Whether an array was indexed by a narrow number.
    narrow: bool,
    /// Whether a loop of one program does another number of elements in a turn than one of the other.
    steps_differ: bool,
}

impl<'p> Attempts<'p> {
    fn new(programs: [&'p Program; 2], until: Deadline, each: Work) -> Self {
        let loops = [BTreeSet::new(), BTreeSet::new()];
        Self { programs, loops, until, each, narrow: false, steps_differ: false }
    }

    /// Tries to find a proof with loops cut at one place after the other.
    fn each_place(
        &mut self,
        configs: &[Config; 2],
        trial: &Trial,
        hooks: &Hooks<'_>,
        comparing: &mut Comparing<'_>,
    ) -> Result<Induction, ExploreError> {
        let configs = configs.clone().map(|mut config| {
            config.inputs.longest = trial.longest;
            config
        });
        // A loop that must be cut where nothing limits its turns need not be where something does.
        self.loops = Default::default();
        let mut open = Induction::Open { reason: String::new(), for_size: false };
        for &preferences in &PREFERENCES[..trial.preferences] {
            let found = self.attempt(&configs, preferences, trial, hooks, comparing)?;
            tracing::debug!(?preferences, ?trial, ?found, "tried an induction");
            let proved = matches!(found, Induction::Proved { .. });
            open = found;
            let in_step = trial.alignment.by_steps && !self.steps_differ;
            if proved || in_step || self.until.passed().is_some() {
                break;
            }
        }
        Ok(open)
    }

    /// Tries to find a proof with loops cut at the preferred places.
    fn attempt(
        &mut self,
        configs: &[Config; 2],
        preferences: [Preference; 2],
        trial: &Trial,
        hooks: &Hooks<'_>,
        comparing: &mut Comparing<'_>,
    ) -> Result<Induction, ExploreError> {
        let Self { programs, loops, until, each, narrow, steps_differ } = self;
        let until = &until.or(Deadline::at(None, Some(*each)));
        loop {
            let mut session = Session::new(&configs[0], &hooks.interrupt);
            session.solver.end_at(*until);
            let mut cuttings = [0, 1].map(|who| Cutting::new(programs[who], &loops[who], preferences[who]));
            let steps = [0, 1].map(|who| cuttings[who].steps.clone());
            *steps_differ = steps[0].values().any(|one| steps[1].values().any(|other| one != other));
            let [one, other] = &mut cuttings;
            let leading = Party { program: programs[0], config: &configs[0], strategy: one };
            let following = Party { program: programs[1], config: &configs[1], strategy: other };
            let mut relation = Relation::new(&mut session, leading, following, hooks)?;
            let mut prover = Prover::new(&mut relation, *programs, loops, comparing, *until);
            prover.guessing = trial.guessing;
            prover.alignment = trial.alignment;
            prover.widely = trial.widely;
            prover.steps = steps;
            let proved = prover.prove(&mut session);
            let sides = [&relation.leading, &relation.following];
            *narrow |= sides.iter().any(|side| side.machine.decider.endless.narrow);
            let (reason, for_size) = match proved {
                Ok(()) => {
                    let bounded = sides.iter().flat_map(|side| side.machine.decider.endless.bounded.clone());
                    let bounded = bounded.collect();
                    let (effort, queries) = (Box::new(relation.effort()), session.queries());
                    let (loops, recursive) = (loops[0].len(), BTreeSet::new());
                    return Ok(Induction::Proved { loops, effort, queries, bounded, recursive });
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
    /// Which facts templates guess.
    guessing: Guessing,
    alignment: Alignment,
    /// Whether relations are looked for that few pairs of programs need.
    widely: bool,
    steps: [Steps; 2],
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
            guessing: Guessing::Orders,
            alignment: Alignment::LOCKSTEP,
            widely: false,
            steps: Default::default(),
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
        for state in [&leading, &following] {
            self.fresh.begins_with(&session.exprs, state);
        }
        let mut states = [leading, following];
        states[1].constraints = states[0].constraints.clone();
        states[1].model = states[0].model.clone();
        for states in self.roles.apart(session, self.programs, states) {
            let turns = self.alignment.ahead.map(|ahead| ahead + 1);
            if self.follow(session, states, turns)?.is_some() {
                return Err(Fault::Open("a template that is not there".into()));
            }
        }
        Ok(())
    }

    /// Follows two states to all meetings and ends that come next, each for so many turns. The number of a template if
    /// that says less now.
    fn follow(
        &mut self,
        session: &mut Session,
        states: [Box<State>; 2],
        turns: [u32; 2],
    ) -> Result<Option<usize>, Fault> {
        let [leading, following] = states;
        for one in self.stretches(session, 0, leading, turns[0])? {
            let (Stretch::Paused(state) | Stretch::Ended(Ended { state, .. })) = &one;
            let other = go_on(&following, state);
            self.hear(1, state);
            for other in self.stretches(session, 1, other, turns[1])? {
                let weaker = match (&one, other) {
                    (Stretch::Paused(one), Stretch::Paused(other)) => self.meet(session, one, &other)?,
                    (Stretch::Ended(one), Stretch::Ended(other)) => {
                        self.ended(session, one.copy(), other)?;
                        None
                    }
                    (Stretch::Paused(_), Stretch::Ended(_)) | (Stretch::Ended(_), Stretch::Paused(_))
                        if !self.widely =>
                    {
                        return Err(Fault::NotInLockstep);
                    }
                    (Stretch::Paused(one), Stretch::Ended(other)) => {
                        self.hear(0, &other.state);
                        for one in self.last_turns(session, 0, go_on(one, &other.state))? {
                            self.ended(session, one, other.copy())?;
                        }
                        None
                    }
                    (Stretch::Ended(one), Stretch::Paused(other)) => {
                        for other in self.last_turns(session, 1, other)? {
                            self.ended(session, one.copy(), other)?;
                        }
                        None
                    }
                };
                if weaker.is_some() {
                    return Ok(weaker);
                }
            }
        }
        Ok(None)
    }

    /// One program goes by the way in which the other touched arrays.
    fn hear(&mut self, who: usize, state: &State) {
        let side = match who {
            0 => &mut self.relation.leading,
            _ => &mut self.relation.following,
        };
        side.machine.decider.endless.echoes = state.touched.to_vec().into_iter().cloned().collect();
    }

    /// Both programs came to their ends.
    fn ended(&mut self, session: &mut Session, mut one: Ended, other: Ended) -> Result<(), Fault> {
        one.state.constraints = other.state.constraints.clone();
        if let Some(ahead) = self.touched(session, &one.state, &other.state)?.first() {
            return Err(Fault::Open(format!("the new version touches other elements of {}", ahead.input)));
        }
        self.relation.pairs += 1;
        let pair = pair(session, one, other);
        Ok((self.comparing)(session, self.relation, pair)?)
    }

    /// Where one program is at its end, the other one has to come to its own in a few turns more.
    fn last_turns(
        &mut self,
        session: &mut Session,
        who: usize,
        state: Box<State>,
    ) -> Result<Vec<Ended>, Fault> {
        let mut ended = Vec::new();
        for stretch in self.stretches(session, who, state, MORE_TURNS)? {
            match stretch {
                Stretch::Ended(each) => ended.push(each),
                Stretch::Paused(_) => return Err(Fault::NotInLockstep),
            }
        }
        Ok(ended)
    }

    /// Runs a state, and all that it forks into, to the places where loops are cut, for so many turns, or to the end.
    fn stretches(
        &mut self,
        session: &mut Session,
        who: usize,
        state: Box<State>,
        turns: u32,
    ) -> Result<Vec<Stretch>, Fault> {
        let side = match who {
            0 => &mut self.relation.leading,
            _ => &mut self.relation.following,
        };
        let mut waiting = vec![(state, turns)];
        let mut found = Vec::new();
        while let Some((mut state, turns)) = waiting.pop() {
            self.stretches += 1;
            if self.stretches > MOST_STRETCHES || self.until.passed().is_some() {
                return Err(Fault::Open("it takes too long".into()));
            }
            let stop = side.lend(session, |machine| machine.run(&mut state, false));
            let forked = order_forks(std::mem::take(&mut side.machine.decider.forked));
            waiting.extend(forked.into_iter().map(|state| (state, turns)));
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
                Stop::Paused if turns > 1 => {
                    state.thread.frame.branch_counts.clear();
                    waiting.push((state, turns - 1));
                }
                Stop::Paused => found.push(Stretch::Paused(state)),
                Stop::Forked => waiting.push((state, turns)),
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

    /// How many turns two programs do from where they are to their next meeting.
    fn turns(&self, states: [&State; 2]) -> [u32; 2] {
        if !self.alignment.by_steps {
            return [1, 1];
        }
        let [one, other] = [0, 1].map(|who| {
            let frame = &states[who].thread.frame;
            let block = frame.code.block_of[frame.pc.saturating_sub(1) as usize];
            let place = (frame.code.function, BlockId::from_index(block as usize));
            self.steps[who].get(&place).copied().unwrap_or(1)
        });
        let times = |large: u64, small: u64| {
            (large.is_multiple_of(small) && large / small <= MOST_TURNS).then(|| (large / small) as u32)
        };
        match (times(one, other), times(other, one)) {
            (Some(more), _) => [1, more],
            (_, Some(more)) => [more, 1],
            _ => [1, 1],
        }
    }

    /// Both programs are at places where loops are cut.
    fn meet(&mut self, session: &mut Session, one: &State, other: &State) -> Result<Option<usize>, Fault> {
        let mut states = [Box::new(one.fork()), Box::new(other.fork())];
        states[0].constraints = other.constraints.clone();
        states[0].model = other.model.clone();
        let ahead = self.touched(session, &states[0], &states[1])?;
        for state in &mut states {
            state.touched = SharedList::new();
        }
        let early = !ahead.is_empty();
        for touch in ahead {
            states[0].touched.push(touch);
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
            let weaker = self.meet_in_mode(session, &live, states, early)?;
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
        early: bool,
    ) -> Result<Option<usize>, Fault> {
        let positions = [position(&states[0]), position(&states[1])];
        let mode = self.roles.mode(session, self.programs, [&*states[0], &*states[1]], live);
        let here = |each: &&Template| each.positions == positions;
        if self.templates.iter().filter(here).count() > MOST_MODES {
            return Err(Fault::Open("a loop has many states".into()));
        }
        let known = self.templates.iter().rposition(|each| each.positions == positions && each.mode == mode);
        if let Some(index) = known {
            // What was read early on the way to a loop must have been read by both after a turn.
            if early {
                return Err(Fault::Open("the new version touches elements early in a loop".into()));
            }
            let mut states = states;
            let since = self.templates[index].made_since();
            left_behind::leave_behind(session, &mut self.fresh, &mut states, since);
            let states = [&*states[0], &*states[1]];
            let admitted = self.templates[index].admits(session, self.programs, states, &mut self.fresh)?;
            return Ok((!admitted).then_some(index));
        }
        self.turn(session, Template::new(mode, live.clone(), states, (self.guessing, self.widely)))
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
                let turns = self.turns([&*states[0], &*states[1]]);
                weaker = self.follow(session, states, turns)?;
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

/// A state that goes on where another one is: they have the same inputs.
fn go_on(state: &State, with: &State) -> Box<State> {
    let mut state = Box::new(state.fork());
    state.constraints = with.constraints.clone();
    state.model = with.model.clone();
    state
}
