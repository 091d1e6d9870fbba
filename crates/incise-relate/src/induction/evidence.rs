//! What a few runs of both programs tell of their loops, before a proof of turns in another arrangement is looked for.
//!
//! Both programs run on small inputs. If they differ on one of them there is nothing to prove. If they do not, the
//! turns that their loops took tell which arrangements are worth trying: as in Churchill, Padon, Sharma, Aiken,
//! "Semantic Program Alignment for Equivalence Checking" (PLDI 2019), traces propose an alignment, and only the proof
//! decides. A run costs next to nothing, an arrangement that does not fit costs all that it may cost.

use super::Comparing;
use super::cuts::back_edges;
use super::trials::Alignment;
use crate::{Party, Relation};
use incise_exec::inside::State;
use incise_exec::{
    Assignment, Config, End, ExploreError, FullExploration, Given, GivenValue, Hooks, InputOrigin, Note,
    Outcome, Session, Stack, Strategy, Visit, Watches, Work,
};
use incise_ir::{FunctionId, Program, called_by_name};
use incise_solver::SymbolKind;
use std::collections::BTreeSet;

/// The elements of arrays in the inputs that are tried, and about how large numbers are.
const SIZES: [u64; 6] = [2, 5, 8, 13, 14, 0];
/// Numbers of inputs without arrays are about so large once.
const LARGE: u64 = 4_321;
/// So many more inputs are drawn while fewer runs than that took a few turns.
const DRAWN: u64 = 40;
const ENOUGH: usize = 4;
/// So many names of elements are given values.
const MOST_NAMES: usize = 4_000;
/// A run is worth so much work, and so many instructions.
const RUNNING: Work = Work::about_milliseconds(50);
const LONGEST: u64 = 400_000;
/// Loops of so many functions are counted.
const MOST_FUNCTIONS: usize = 64;
/// So many turns one program may do more than the other without being in another arrangement.
const APART: u64 = 3;
/// So many turns tell something.
const TELLING: u64 = 2;

/// Which arrangements of turns the runs leave possible.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Hope {
    /// Both programs do nearly as many turns.
    in_turn: bool,
    /// They do nearly as many elements in their turns.
    by_steps: bool,
    /// One does a turn more.
    ahead: [bool; 2],
}

impl Hope {
    /// Whether there is any.
    pub(super) fn is_any(self) -> bool {
        self.in_turn || self.by_steps
    }

    /// Whether turns may be arranged like that.
    pub(super) fn allows(self, alignment: Alignment) -> bool {
        match alignment.ahead {
            [0, 0] if alignment.by_steps => self.by_steps,
            [0, 0] => self.in_turn,
            [0, _] => self.ahead[1],
            [_, _] => self.ahead[0],
        }
    }

    /// What is left after a run with so many turns of each program.
    fn after(self, turns: [Turns; 2]) -> Self {
        let [one, other] = turns;
        let fewer = |mine: Turns, theirs: Turns| mine.all > theirs.all;
        Self {
            in_turn: self.in_turn && one.all.abs_diff(other.all) <= APART,
            by_steps: self.by_steps && one.elements.abs_diff(other.elements) <= APART,
            ahead: [self.ahead[0] && fewer(one, other), self.ahead[1] && fewer(other, one)],
        }
    }
}

/// The turns of all loops in a run.
#[derive(Copy, Clone, Default, Debug)]
struct Turns {
    all: u64,
    /// The elements that they did, as far as that is seen.
    elements: u64,
}

/// Counts the turns of loops.
struct Counting {
    watches: Watches,
    turns: Turns,
}

impl Counting {
    fn new(program: &Program, entry: &str) -> Self {
        let mut watches = Watches::new();
        for function in called(program, entry) {
            for (latch, header, step) in back_edges(program, function) {
                watches.add_edge(function, latch, header, u32::try_from(step).unwrap_or(1));
            }
        }
        Self { watches, turns: Turns::default() }
    }
}

impl Strategy for Counting {
    fn watches(&self) -> Watches {
        self.watches.clone()
    }

    fn reached(&mut self, _note: &mut Note, point: u32, _stack: &Stack<'_>) -> Visit {
        self.turns.all += 1;
        self.turns.elements += u64::from(point);
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}

/// An entry and what it calls.
fn called(program: &Program, entry: &str) -> BTreeSet<FunctionId> {
    let entry = program.functions.iter().find(|(_, function)| &*function.name == entry).map(|(id, _)| id);
    called_by_name(program, entry, MOST_FUNCTIONS)
}

/// Runs both programs on inputs of our own and on those that are known. None if they differ on one of them, or none of
/// them takes a few turns.
pub(super) fn hope(
    programs: [&Program; 2],
    configs: [&Config; 2],
    known: &[Given],
    hooks: &Hooks<'_>,
    comparing: &mut Comparing<'_>,
) -> Result<Option<Hope>, ExploreError> {
    let configs = configs.map(|config| {
        let mut config = config.clone();
        config.limits.patience = 1;
        config.limits.loop_iterations = u64::MAX;
        config.limits.depth = u64::MAX;
        config.limits.instructions = LONGEST;
        config.limits.give_up_after(RUNNING);
        config
    });
    let mut hope = Hope { in_turn: true, by_steps: true, ahead: [true, true] };
    let mut telling = 0;
    let names = Names::of_inputs(programs, &configs, hooks)?;
    let drawn = (0..DRAWN).map(|number| (names.drawn(number), true));
    let known = known.iter().map(|given| (given.clone(), false));
    for (given, is_drawn) in names.of_sizes().map(|given| (given, false)).chain(known).chain(drawn) {
        if is_drawn && telling >= ENOUGH {
            break;
        }
        let mut session = Session::new(&configs[0], &hooks.interrupt);
        let mut counting = [0, 1].map(|who| Counting::new(programs[who], &configs[who].entry));
        let [one, other] = &mut counting;
        let leading = Party { program: programs[0], config: &configs[0], strategy: one };
        let following = Party { program: programs[1], config: &configs[1], strategy: other };
        let given = Assignment::given(given);
        let (mut relation, pair) = Relation::trace(&mut session, leading, following, hooks, &given)?;
        let Some(pair) = pair else { continue };
        let ends = [&pair.leading.outcome, &pair.following.outcome];
        if ends.iter().any(|end| end.is_cut()) || pair.following.outcome.is_memory_error() {
            continue;
        }
        let returned = ends.iter().all(|end| matches!(end, Outcome::Returned));
        if comparing(&mut session, &mut relation, pair).is_err() {
            return Ok(None);
        }
        drop(relation);
        let turns = counting.map(|counting| counting.turns);
        tracing::debug!(?turns, "turns of a run");
        if returned && turns.iter().any(|turns| turns.all >= TELLING) {
            hope = hope.after(turns);
            telling += 1;
        }
    }
    Ok(Some(hope).filter(|hope| telling > 0 && hope.is_any()))
}

/// The names of inputs.
#[derive(Default)]
struct Names {
    /// Numbers.
    numbers: BTreeSet<String>,
    pointers: BTreeSet<String>,
    /// Elements of arrays: what comes before the number of an element, and behind it.
    elements: BTreeSet<(String, String)>,
}

impl Names {
    /// Those of the inputs that both programs begin with.
    fn of_inputs(
        programs: [&Program; 2],
        configs: &[Config; 2],
        hooks: &Hooks<'_>,
    ) -> Result<Self, ExploreError> {
        let mut session = Session::new(&configs[0], &hooks.interrupt);
        let (mut full, mut whole) = (FullExploration, FullExploration);
        let leading = Party { program: programs[0], config: &configs[0], strategy: &mut full };
        let following = Party { program: programs[1], config: &configs[1], strategy: &mut whole };
        let relation = Relation::new(&mut session, leading, following, hooks)?;
        let mut names = Self::default();
        for state in relation.leading.waiting.iter().chain([&relation.start]) {
            names.add(&session, state);
        }
        drop(relation);
        Ok(names)
    }

    /// Small inputs of several sizes.
    fn of_sizes(&self) -> impl Iterator<Item = Given> {
        SIZES.iter().filter(|&&size| size > 0 || self.elements.is_empty()).map(|&size| self.given(size))
    }

    fn add(&mut self, session: &Session, state: &State) {
        for input in state.inputs.to_vec() {
            for leaf in &input.leaves {
                for symbol in session.exprs.symbols_of(leaf.expr) {
                    let info = session.exprs.symbol_info(symbol);
                    let element = |pointer: &str| {
                        let rest = info.name.strip_prefix(pointer)?.strip_prefix("[0]")?;
                        Some((pointer.to_owned(), rest.to_owned()))
                    };
                    let element = match &input.origin {
                        InputOrigin::Pointee { pointer } if *info.name == *format!("*{pointer}") => {
                            Some((pointer.clone(), String::new()))
                        }
                        InputOrigin::Pointee { pointer } => element(pointer),
                        _ => None,
                    };
                    match (info.kind, element) {
                        (SymbolKind::Pointer, _) => drop(self.pointers.insert(info.name.to_string())),
                        (_, Some(element)) => drop(self.elements.insert(element)),
                        (_, None) => drop(self.numbers.insert(info.name.to_string())),
                    }
                }
            }
        }
    }

    /// Inputs that are drawn: numbers about a size, its half and none, so that one may be an index below another, in
    /// arrays of small numbers.
    fn drawn(&self, number: u64) -> Given {
        let mut state = number;
        let mut draw = |below: u64| {
            // SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ (mixed >> 31)) % below
        };
        let mut given = Given::default();
        let mut put = |name: String, value: u64| {
            given.elements.insert(name, GivenValue::Integer(i128::from(value)));
        };
        let size = 4 + draw(16);
        for name in &self.pointers {
            put(name.clone(), 1);
        }
        for name in self.numbers.iter().take(MOST_NAMES) {
            let value = match draw(4) {
                0 => draw(4),
                1 => size / 2,
                2 => 2 * size,
                _ => size,
            };
            put(name.clone(), value);
        }
        let largest = [2, 4, 24, 200][draw(4) as usize];
        for (before, behind) in &self.elements {
            for index in (0..2 * size).take(MOST_NAMES / self.elements.len()) {
                put(format!("{before}[{index}]{behind}"), draw(largest));
            }
        }
        given
    }

    /// Inputs with arrays of so many elements, and numbers that are not larger; none are large numbers.
    fn given(&self, size: u64) -> Given {
        let mut given = Given::default();
        let mut put = |name: String, value: u64| {
            given.elements.insert(name, GivenValue::Integer(i128::from(value)));
        };
        for name in &self.pointers {
            put(name.clone(), 1);
        }
        for (index, name) in self.numbers.iter().take(MOST_NAMES).enumerate() {
            let less = (index as u64 * (size + 1)) % 4;
            let value = if size == 0 { LARGE - 1000 * less } else { size.saturating_sub(less).max(1) };
            put(name.clone(), value);
        }
        for (place, (before, behind)) in self.elements.iter().enumerate() {
            for index in (0..size).take(MOST_NAMES / self.elements.len()) {
                let value = (index * 7 + place as u64 * 5 + size) % 23 + 1;
                put(format!("{before}[{index}]{behind}"), value);
            }
        }
        given
    }
}
