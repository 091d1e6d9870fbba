//! Random programs with threads, against an interpreter that tries every order and knows nothing of the engine: as many
//! executions as traces, each of them once, with the same ends and the same data races.

use incise_exec::{Config, Detail, Exploration, Schedules, SymbolicGlobals, ThreadConfig, explore};
use incise_ir::Program;
use incise_testing::threads::{Case, End, Ending, INPUTS, Interpreter, Lines, Text, Trace, end_of};
use incise_testing::{Compiler, hooks_with, in_parallel};
use std::collections::BTreeSet;

/// So many programs are compiled together.
const IN_A_FILE: u64 = 25;
/// Programs with more orders are replaced by others.
const MOST: usize = 4_000;
/// Of programs with more orders not all are explored.
const MOST_EXPLORED: usize = 250;

/// A program, and where its lines are.
struct Member {
    seed: u64,
    number: usize,
    case: Case,
    lines: Lines,
}

/// The first attempt that is small enough.
fn small_case(seed: u64) -> Case {
    let small = |case: &Case| {
        let lines = Text::new().add(case, 0);
        Interpreter::new(case, &lines, MOST).run()
    };
    (0..).map(|attempt| Case::random(seed, attempt)).find(small).expect("small programs are many")
}

fn explored(program: &Program, member: &Member, schedules: Schedules) -> Exploration {
    let mut config = Config::new(format!("e{}", member.number));
    config.inputs.globals = SymbolicGlobals::None;
    config.threads = Some(ThreadConfig { schedules, ..ThreadConfig::default() });
    explore(program, &config, &hooks_with(Detail::All)).expect("it is explored")
}

/// The paths with threads: the input that each has been given, the order of threads, and its end.
fn executions(found: &Exploration, member: &Member) -> Result<Vec<(i32, Vec<usize>, End)>, String> {
    let mut all = Vec::new();
    for path in &found.paths {
        let input = path.inputs.as_ref().and_then(|inputs| inputs.first()).map_or(0, |it| it.bytes[0]);
        let input = i32::from(input);
        if input >= INPUTS {
            continue;
        }
        let order = path.schedule.iter().map(|step| step.thread as usize).collect();
        all.push((input, order, end_of(path, &member.case, member.number)?));
    }
    Ok(all)
}

/// The trace of each execution, which must have the end that the interpreter says.
fn traces(
    found: &Exploration,
    member: &Member,
    interpreter: &mut Interpreter<'_>,
) -> Result<Vec<Trace>, String> {
    let mut used: BTreeSet<Trace> = BTreeSet::new();
    let mut all = Vec::new();
    for (input, order, end) in executions(found, member)? {
        let ways = interpreter.follow(input, &order)?;
        let fitting: Vec<Trace> =
            ways.iter().filter(|(_, other)| *other == end).map(|(trace, _)| trace.clone()).collect();
        // Which thread was woken is not known: one that was not met yet.
        let fresh = fitting.iter().find(|trace| !used.contains(*trace)).or(fitting.first());
        let Some(trace) = fresh else {
            return Err(format!("{order:?} with input {input} ends with {end:?} and not {:?}", ways[0].1));
        };
        used.insert(trace.clone());
        all.push(trace.clone());
    }
    Ok(all)
}

/// The lines of accesses that race.
fn races(found: &Exploration) -> BTreeSet<(u32, u32)> {
    let line = |access: &incise_exec::RaceAccess| access.position.as_ref().map_or(0, |it| it.line);
    let pair = |race: &incise_exec::Race| {
        let [one, two] = [line(&race.accesses[0]), line(&race.accesses[1])];
        (one.min(two), one.max(two))
    };
    found.races.iter().map(pair).collect()
}

fn check_member(program: &Program, member: &Member) -> Result<(), String> {
    let mut expected = Interpreter::new(&member.case, &member.lines, MOST);
    expected.run();
    let wanted: BTreeSet<Trace> = expected.traces.keys().cloned().collect();
    let optimal = explored(program, member, Schedules::Optimal);
    let once = traces(&optimal, member, &mut expected)?;
    let distinct: BTreeSet<Trace> = once.iter().cloned().collect();
    // Of a loop that reads two things a round in vain may be there too, if the second changed after the first was
    // read.
    if distinct.len() != once.len() && !member.case.awaits_two() || distinct != wanted {
        let (found, count) = (distinct.len(), once.len());
        let missing = wanted.difference(&distinct).next();
        return Err(format!(
            "{found} traces in {count} executions of {} traces, not {missing:?}",
            wanted.len()
        ));
    }
    if races(&optimal) != expected.races {
        return Err(format!("races {:?}, expected {:?}", races(&optimal), expected.races));
    }
    let sources = explored(program, member, Schedules::Dpor);
    let found: BTreeSet<Trace> = traces(&sources, member, &mut expected)?.into_iter().collect();
    if found != wanted {
        return Err(format!("source sets find {} of {} traces", found.len(), wanted.len()));
    }
    check_states(program, member, &optimal)?;
    // Where a place is symbolic, what is dependent is more than it must be.
    if optimal.blocked > 0 && !member.case.has_symbolic_places() {
        return Err(format!("{} are given up half-way", optimal.blocked));
    }
    if expected.executions <= MOST_EXPLORED {
        let all = explored(program, member, Schedules::All);
        let every = traces(&all, member, &mut expected)?;
        let as_many = every.len() == expected.orders.len() || member.case.awaits_two();
        if !as_many || every.into_iter().collect::<BTreeSet<_>>() != wanted {
            return Err(format!("{} orders of {}", all.paths.len(), expected.orders.len()));
        }
    }
    Ok(())
}

/// What follows each state once has all ends and all data races, with executions that there are.
fn check_states(program: &Program, member: &Member, traces: &Exploration) -> Result<(), String> {
    let states = explored(program, member, Schedules::States);
    if races(&states) != races(traces) {
        return Err(format!("states have races {:?}, executions {:?}", races(&states), races(traces)));
    }
    // Of inputs that decide nothing any more not all values are kept apart.
    let plain = traces.paths.iter().all(|path| path.inputs.as_ref().is_some_and(Vec::is_empty));
    let ends = |found: &Exploration| -> Result<BTreeSet<(Ending, Option<End>)>, String> {
        let all = executions(found, member)?;
        Ok(all.into_iter().map(|(_, _, end)| (end.ending, Some(end).filter(|_| plain))).collect())
    };
    let (found, wanted) = (ends(&states)?, ends(traces)?);
    match found == wanted {
        true => Ok(()),
        false => Err(format!("states end as {found:?}, executions as {wanted:?}")),
    }
}

fn check(file: &u64) -> Result<(), String> {
    let mut text = Text::new();
    let seeds = file * IN_A_FILE..(file + 1) * IN_A_FILE;
    let members: Vec<Member> = seeds
        .zip(0..)
        .map(|(seed, number)| {
            let case = small_case(seed);
            let lines = text.add(&case, number);
            Member { seed, number, case, lines }
        })
        .collect();
    let program = Compiler::default().fresh(&text.text);
    let failures: Vec<String> = members
        .iter()
        .filter_map(|member| {
            let what = check_member(&program, member).err()?;
            let mut alone = Text::new();
            alone.add(&member.case, 0);
            Some(format!("seed {}: {what}\n{}", member.seed, alone.text))
        })
        .collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

#[test]
fn each_trace_has_one_execution_as_an_interpreter_of_all_orders_says() {
    let programs = incise_testing::shorter(150, 3_000);
    let files: Vec<u64> = (0..programs / IN_A_FILE).collect();
    let failures = in_parallel(&files, check);
    let heads: Vec<&str> =
        failures.iter().flat_map(|failure| failure.lines()).filter(|line| line.starts_with("seed")).collect();
    assert!(
        failures.is_empty(),
        "{} of {programs}:\n{}\n{}",
        heads.len(),
        heads.join("\n"),
        failures.join("\n")
    );
}
