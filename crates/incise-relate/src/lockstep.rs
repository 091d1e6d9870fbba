//! Two programs that go together from loop head to loop head, and whose states are merged there.
//!
//! A loop with branches has a number of paths that grows with every turn, and so has each of two versions of it. Here
//! both go on by turns: the leading program to the next head of a loop, then the following one, under the condition of
//! the other, as far as nothing is left to be decided. What comes of that is a *couple*: a state of each. Couples that
//! are at the same places and differ only in what they hold are merged (`Either` in `incise-exec`), both states by the
//! same condition, so that what is the same expression in both programs stays so. A loop over a buffer has as many
//! couples then as its variables have combinations of values, and what one version decides settles what the other does,
//! turn by turn. What comes of a merged couple is what comes of those that it was made of: nothing is left out.
//!
//! What the following program would decide by itself waits once for the leading one, which may decide it in its next
//! stretch, and the leading one waits as long as the other is in a loop within its own: so that one of two loops that
//! are not cut into equal turns catches up with the other.

use crate::induction::cuts::{Cutting, Preference, live, loops_of, nesting};
use crate::{Pair, Relation, Side, pair};
use incise_exec::inside::{Either, Ended, State, Stop, Value, advance, may_merge, order_forks};
use incise_exec::{End, LimitKind, Note, Outcome, Session, Stack, Strategy, Visit, Watches};
use incise_ir::{BlockId, FunctionId, Id, Program};
use incise_solver::work::{self, Effort};
use incise_solver::{Answer, Constraints, ExprId, Model};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// The widths of variables that count, or lead somewhere.
const COUNTING: std::ops::RangeInclusive<u32> = 32..=64;

/// From one loop head to the next ones, or to the end, there are no more ways than this: a recursion has no heads, and
/// all its paths at once would fill the memory before anything is compared.
const MOST_AT_ONCE: usize = 4_096;

/// Explores everything, with a pause at the head of every loop.
pub struct LoopHeads(Cutting);

impl LoopHeads {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let defined = program.functions.ids().filter(|&id| program.functions[id].is_definition());
        let loops = defined.flat_map(|id| loops_of(program, id)).collect();
        Self(Cutting::new(program, &loops, Preference::Header))
    }
}

impl Strategy for LoopHeads {
    fn watches(&self) -> Watches {
        self.0.watches()
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        self.0.reached(note, point, stack)
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        self.0.finished(note, end)
    }
}

/// Where a program is.
enum Position {
    /// At the head of a loop.
    Paused(Box<State>),
    Ended(Ended),
}

impl Position {
    fn state(&self) -> &State {
        let (Self::Paused(state) | Self::Ended(Ended { state, .. })) = self;
        state
    }

    /// It is there for the inputs for which another one is.
    fn take_conditions_of(&mut self, other: &State) {
        let (Self::Paused(state) | Self::Ended(Ended { state, .. })) = self;
        state.constraints = other.constraints.clone();
        state.model = other.model.clone();
    }

    /// How far it has come; nothing at its end.
    fn advance(&self) -> i64 {
        match self {
            Self::Paused(state) => advance(state),
            Self::Ended(_) => 0,
        }
    }

    fn copy(&self) -> Self {
        work::count(Effort::Part, 16 + self.state().thread.frame.registers.len() as u64);
        match self {
            Self::Paused(state) => Self::Paused(Box::new(state.fork())),
            Self::Ended(ended) => Self::Ended(ended.copy()),
        }
    }

    /// Whether it may be made one with another.
    fn may_merge(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Paused(one), Self::Paused(other)) => may_merge(one, other, false),
            (Self::Ended(one), Self::Ended(other)) => {
                let returned = |ended: &Ended| ended.outcome == Outcome::Returned;
                returned(one) && returned(other) && may_merge(&one.state, &other.state, true)
            }
            _ => false,
        }
    }

    fn merged(&self, other: &Self, either: &Either, session: &mut Session) -> Option<Self> {
        let ended = matches!(self, Self::Ended(_));
        let state = either.state(&mut session.exprs, self.state(), other.state(), ended)?;
        Some(match self {
            Self::Paused(_) => Self::Paused(state),
            Self::Ended(Ended { outcome, note, .. }) => {
                Self::Ended(Ended { state, outcome: outcome.clone(), note: *note })
            }
        })
    }
}

/// A state of each program, for the same inputs. The condition and the model of the following one are those of both.
struct Couple {
    leading: Position,
    following: Position,
    /// Whether the following program did not go on when the leading one did.
    waited: bool,
}

impl Couple {
    fn may_merge(&self, other: &Self) -> bool {
        self.leading.may_merge(&other.leading) && self.following.may_merge(&other.following)
    }

    fn merged(&self, other: &Self, session: &mut Session) -> Option<Self> {
        let (one, two) = (self.following.state(), other.following.state());
        let either = Either::of(&mut session.exprs, &one.constraints, &two.constraints)?;
        let leading = self.leading.merged(&other.leading, &either, session)?;
        let following = self.following.merged(&other.following, &either, session)?;
        either.is_exclusive(&mut session.exprs, &mut session.solver, &one.model).then_some(Self {
            leading,
            following,
            waited: self.waited || other.waited,
        })
    }
}

/// A block of a function, by its number.
type Place = (FunctionId, u32);

/// The couples that there are.
#[derive(Default)]
pub(crate) struct Lockstep {
    begun: bool,
    /// Those that wait to be merged, by whether the leading program is at its end, and how far they have come.
    pool: BTreeMap<(bool, i64), Vec<Couple>>,
    /// Those that can go on.
    waiting: Vec<Couple>,
    /// Those that are at their ends.
    ended: VecDeque<(Ended, Ended)>,
    /// The registers that matter at the places that the leading and the following program came to.
    live: [BTreeMap<Place, Rc<[bool]>>; 2],
    /// In how many loops these places are.
    nesting: [BTreeMap<Place, usize>; 2],
    /// How many states were dropped, because there were too many at once or time was up.
    dropped: u64,
}

impl Lockstep {
    /// Leaves all of them; tells how many they were.
    pub(crate) fn leave(&mut self) -> u64 {
        let pooled: usize = std::mem::take(&mut self.pool).values().map(Vec::len).sum();
        let left = pooled + self.waiting.len() + self.ended.len();
        self.waiting.clear();
        self.ended.clear();
        left as u64 + std::mem::take(&mut self.dropped)
    }

    /// How many loops a program is in, those of its callers included.
    fn depth(&mut self, program: &Program, who: usize, position: &Position) -> usize {
        let Position::Paused(state) = position else { return 0 };
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        frames
            .map(|frame| {
                let function = frame.code.function;
                let block =
                    frame.code.block_of.get(frame.pc.saturating_sub(1) as usize).copied().unwrap_or(0);
                *self.nesting[who]
                    .entry((function, block))
                    .or_insert_with(|| nesting(program, function, BlockId::from_index(block as usize)))
            })
            .sum()
    }

    /// Forgets what registers of a program hold that do not matter any more. What the condition of the path leaves one
    /// value for becomes that value: two states may be merged by the numbers that count.
    fn settle(&mut self, session: &mut Session, program: &Program, who: usize, position: &mut Position) {
        let Position::Paused(state) = position else { return };
        let frame = &mut state.thread.frame;
        let (function, block) =
            (frame.code.function, frame.code.block_of[frame.pc.saturating_sub(1) as usize]);
        let live = self.live[who]
            .entry((function, block))
            .or_insert_with(|| live(program, function, BlockId::from_index(block as usize)).into());
        for (register, live) in frame.registers.iter_mut().zip(live.iter()) {
            match register {
                _ if !live => *register = Value::Undefined,
                Value::Symbolic(expr) if COUNTING.contains(&session.exprs.width(*expr)) => {
                    let only = only_value(session, &state.constraints, &state.model, *expr);
                    if let Some(word) = only {
                        *register = Value::Word(word);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, couple: Couple) {
        match couple {
            Couple { leading: Position::Ended(leading), following: Position::Ended(following), .. } => {
                self.ended.push_back((leading, following));
            }
            couple => {
                let far = couple.leading.advance() + couple.following.advance();
                let ended = matches!(couple.leading, Position::Ended(_));
                self.pool.entry((ended, far)).or_default().push(couple);
            }
        }
    }

    /// Merges those that have come the least far. If it is late they stay apart.
    fn merge(&mut self, session: &mut Session, mut is_late: impl FnMut() -> bool) {
        let Some((_, couples)) = self.pool.pop_first() else { return };
        let mut kept: Vec<Couple> = Vec::new();
        for couple in couples {
            let late = is_late();
            let made = kept.iter_mut().find_map(|other| {
                let made = (!late && other.may_merge(&couple)).then(|| other.merged(&couple, session))??;
                Some((other, made))
            });
            match made {
                Some((other, made)) => *other = made,
                None => kept.push(couple),
            }
        }
        self.waiting = kept;
    }
}

/// The one value that an expression can have under a condition, if that is easily seen.
fn only_value(session: &mut Session, constraints: &Constraints, model: &Model, expr: ExprId) -> Option<u64> {
    let Session { exprs, solver, .. } = session;
    let value = solver.evaluate(exprs, expr, model);
    let constant = exprs.constant(value, exprs.width(expr));
    let same = exprs.eq(expr, constant);
    let other = exprs.not(same);
    let answer = solver.check_easily(exprs, constraints, other, model)?;
    matches!(answer, Answer::Unsat).then_some(value as u64)
}

impl Side<'_> {
    /// Runs a state, and all that it forks into, to the next heads of loops, or to the end; or tells how many states
    /// there are, if these are too many.
    fn stretches(&mut self, session: &mut Session, state: Box<State>) -> Result<Vec<Position>, u64> {
        let mut waiting = vec![state];
        let mut found = Vec::new();
        while let Some(mut state) = waiting.pop() {
            if found.len() + waiting.len() > MOST_AT_ONCE {
                return Err(1 + (found.len() + waiting.len()) as u64);
            }
            let stop = self.lend(session, |machine| machine.run(&mut state, false));
            waiting.extend(order_forks(std::mem::take(&mut self.machine.decider.forked)));
            let ends = self.machine.decider.ends.iter_mut().flat_map(|ends| ends.drain(..));
            found.extend(ends.map(Position::Ended));
            match stop {
                Stop::Paused => found.push(Position::Paused(state)),
                Stop::Forked | Stop::Stopped => waiting.push(state),
                Stop::Ended | Stop::SetBack => {}
            }
            if self.machine.decider.stop.check_clock() {
                found.extend(waiting.drain(..).map(Position::Paused));
            }
        }
        Ok(found)
    }

    /// Runs a state as far as there is nothing to be decided, from head to head. It stays where it is if there is. Also
    /// tells whether it went anywhere.
    fn undecided(&mut self, session: &mut Session, mut state: Box<State>) -> (Position, bool) {
        let mut moved = false;
        loop {
            let before = Box::new(state.fork());
            let stop = self.lend(session, |machine| machine.run(&mut state, false));
            let forked = std::mem::take(&mut self.machine.decider.forked);
            let mut ends: Vec<_> =
                self.machine.decider.ends.iter_mut().flat_map(|ends| ends.drain(..)).collect();
            match (stop, ends.pop()) {
                (Stop::Paused, None) if forked.is_empty() => {}
                (Stop::Ended, Some(ended)) if forked.is_empty() && ends.is_empty() => {
                    return (Position::Ended(ended), true);
                }
                _ => return (Position::Paused(before), moved),
            }
            moved = true;
            if self.machine.decider.stop.check_clock() {
                return (Position::Paused(state), moved);
            }
        }
    }
}

impl Relation<'_> {
    /// From now on both programs go together, and their states are merged at the heads of loops, where they differ only
    /// in what they hold. The strategies are [`LoopHeads`].
    pub fn go_in_lockstep(&mut self) {
        self.lockstep = Some(Lockstep::default());
    }

    /// The next pair of ends.
    pub(crate) fn next_in_lockstep(&mut self, session: &mut Session) -> Option<Pair> {
        let mut lockstep = self.lockstep.take()?;
        if !std::mem::replace(&mut lockstep.begun, true)
            && let Some(leading) = self.leading.waiting.pop_back()
        {
            let following = self.under(session, &leading);
            let (leading, following) = (Position::Paused(leading), Position::Paused(following));
            lockstep.waiting.push(Couple { leading, following, waited: false });
        }
        let ended = loop {
            if let Some(ended) = lockstep.ended.pop_front() {
                break Some(ended);
            }
            if lockstep.waiting.is_empty() {
                let stop = &mut self.leading.machine.decider.stop;
                lockstep.merge(session, || stop.check_clock());
            }
            let Some(couple) = lockstep.waiting.pop() else { break None };
            self.step(session, &mut lockstep, couple);
            let late = [&mut self.leading, &mut self.following]
                .into_iter()
                .any(|side| side.machine.decider.stop.check_clock());
            let many = lockstep.dropped > 0;
            if late || many || self.pairs >= self.path_limit {
                if !late {
                    self.limits.insert(if many { LimitKind::Work } else { LimitKind::Paths });
                }
                self.lockstep = Some(lockstep);
                self.give_up();
                return None;
            }
        };
        self.lockstep = Some(lockstep);
        let (leading, following) = ended?;
        self.pairs += 1;
        self.progress();
        Some(pair(session, leading, following))
    }

    /// The following program at its start, under the condition of the leading one.
    fn under(&mut self, session: &mut Session, leading: &State) -> Box<State> {
        let mut state = Box::new(self.start.fork());
        let own = state.constraints.iter_in_order();
        (state.constraints, state.model) = (leading.constraints.clone(), leading.model.clone());
        for constraint in own {
            state.constraints.push(&session.exprs, constraint);
        }
        state
    }

    /// Both programs go on. Where the following one is deeper in loops it goes on by itself, on all its ways. Else the
    /// leading one goes to the next heads of loops, and the following one as far as that decides; on all its ways if
    /// the leading one is at its end, or it has waited and is as deep.
    fn step(&mut self, session: &mut Session, lockstep: &mut Lockstep, couple: Couple) {
        let Couple { mut leading, following, waited } = couple;
        leading.take_conditions_of(following.state());
        let depths = [
            lockstep.depth(self.leading.machine.program, 0, &leading),
            lockstep.depth(self.following.machine.program, 1, &following),
        ];
        let behind = matches!(following, Position::Paused(_)) && depths[1] > depths[0];
        let leads = match leading {
            Position::Paused(state) if !behind => self.leading.stretches(session, state),
            there => Ok(vec![there]),
        };
        let leads = match leads {
            Ok(leads) => leads,
            Err(many) => return lockstep.dropped += many,
        };
        let alone = behind || waited && depths[0] == depths[1];
        let mut left = leads.len() as u64;
        for mut leading in leads {
            // Each of them may take as long as the whole: what is late is not gone on with.
            if lockstep.dropped > 0 || self.following.machine.decider.stop.check_clock() {
                lockstep.dropped += left;
                return;
            }
            left -= 1;
            if let Position::Ended(ended) = &leading
                && self.leaves_cut
                && matches!(ended.outcome, Outcome::Limit(_))
            {
                // There is nothing to compare at the end of what was cut.
                self.leave_alone(ended.outcome.clone());
                continue;
            }
            lockstep.settle(session, self.leading.machine.program, 0, &mut leading);
            let (follows, waited) = match self.follow_in_lockstep(session, &leading, &following, alone) {
                Ok(follows) => follows,
                Err(many) => {
                    lockstep.dropped += many;
                    continue;
                }
            };
            for mut following in follows {
                lockstep.settle(session, self.following.machine.program, 1, &mut following);
                let mut leading = leading.copy();
                if following.state().constraints.len() != leading.state().constraints.len() {
                    leading.take_conditions_of(following.state());
                    lockstep.settle(session, self.leading.machine.program, 0, &mut leading);
                }
                lockstep.add(Couple { leading, following, waited });
            }
        }
    }

    /// Where the following program comes to under the condition of the leading one, on all its ways if it goes alone;
    /// and whether it stays where it was. Or how many states there are, if these are too many.
    fn follow_in_lockstep(
        &mut self,
        session: &mut Session,
        leading: &Position,
        following: &Position,
        alone: bool,
    ) -> Result<(Vec<Position>, bool), u64> {
        let mut following = following.copy();
        following.take_conditions_of(leading.state());
        let Position::Paused(mut state) = following else { return Ok((vec![following], false)) };
        let known = &leading.state().outside.constant;
        if state.outside.constant.len() <= known.len() {
            state.outside.constant = known.clone();
        }
        if alone || matches!(leading, Position::Ended(_)) {
            return Ok((self.following.stretches(session, state)?, false));
        }
        let (there, moved) = self.following.undecided(session, state);
        Ok((vec![there], !moved))
    }
}
