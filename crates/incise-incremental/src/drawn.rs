//! Which numbers variables come to hold at the end of a program, as far as inputs that are drawn show it: that is seen
//! in a moment where a solver asked about many branches takes seconds. What is not seen may come up all the same.

use incise_exec::{
    Assignment, Condition, Config, ExploreError, FullExploration, Given, Hooks, Outcome, Session,
};
use incise_ir::Program;
use std::collections::BTreeSet;

/// So many paths are taken, and others if what they have not shown was seen on one of the last so many.
const PATHS: u64 = 6;
/// So many inputs of a path in a row show nothing new when the next is taken.
const PATIENCE: u64 = 3000;

/// A variable of 32 bits, and the numbers below the first that it does not come to hold.
pub struct CountedVariable {
    /// Its name.
    pub name: String,
    /// How many numbers are looked for.
    pub count: u32,
}

/// For each variable the numbers that it was seen to hold where the entry returns.
pub fn drawn_numbers(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    variables: &[CountedVariable],
) -> Result<Vec<BTreeSet<u32>>, ExploreError> {
    let mut seen = vec![BTreeSet::new(); variables.len()];
    let mut session = Session::new(config, &hooks.interrupt).with_time_of(config);
    let mut inputs = Assignment::given(Given::default());
    let mut left = PATHS;
    let mut number = 0;
    while left > 0 && !session.solver.is_late() {
        left -= 1;
        if number > 0 {
            inputs = session.random(number);
        }
        number += 1;
        let trace = session.trace(program, config, hooks, &mut FullExploration, &inputs)?;
        let returned = trace.path.as_ref().is_some_and(|path| path.outcome == Outcome::Returned);
        if !returned {
            continue;
        }
        let mut wanted: Vec<(usize, u32)> = Vec::new();
        let mut parts: Vec<Condition> = Vec::new();
        for (at, variable) in variables.iter().enumerate() {
            let held = trace.observations.iter().find(|held| held.name == variable.name);
            let Some(held) = held.filter(|held| held.bytes.len() == 4) else { continue };
            for value in (0..variable.count).filter(|value| !seen[at].contains(value)) {
                wanted.push((at, value));
                parts.push(session.has_bytes(held, &value.to_le_bytes()));
            }
        }
        let conditions = session.conjunction(trace.conditions.iter().chain(&trace.taken).copied());
        let mut news = false;
        for shown in session.showing(&conditions, &parts, &trace.assignment, PATIENCE) {
            for (&(at, value), &part) in wanted.iter().zip(&parts) {
                news |= session.holds(part, &shown) && seen[at].insert(value);
            }
        }
        if news {
            left = PATHS;
        }
        if variables.iter().zip(&seen).all(|(variable, seen)| seen.len() == variable.count as usize) {
            break;
        }
    }
    Ok(seen)
}
