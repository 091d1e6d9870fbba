//! Random pairs of programs with threads, compared, and judged by an interpreter that tries every order and knows
//! nothing of the engine: a verdict that they do the same has no input with different sets of outcomes, and every
//! witness is real.

use incise_exec::{Config, LimitKind, Path, SymbolicGlobals, ThreadConfig};
use incise_incremental::differ::{Judgement, Question, Sameness, Version, Witness, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::threads::{Case, End, Ending, INPUTS, Interpreter, Lines, Text, end_of, mutated};
use incise_testing::{Compiler, Random, hooks, in_parallel};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// So many pairs are compiled together.
const IN_A_FILE: u64 = 25;
/// Programs with more orders are replaced by others.
const MOST: usize = 1_200;

/// How often each verdict was given.
#[derive(Default)]
struct Counts {
    same: AtomicU64,
    bounded: AtomicU64,
    differ: AtomicU64,
    /// Pairs whose sets of outcomes are not equal.
    apart: AtomicU64,
    /// Pairs of which the new version has data races.
    racing: AtomicU64,
    /// Pairs whose sets of outcomes are equal, and that are said to differ by more than that.
    finer: AtomicU64,
}

struct Member {
    seed: u64,
    number: usize,
    old: (Case, Lines),
    new: (Case, Lines),
}

impl Member {
    /// The threads that both versions start.
    fn threads(&self) -> usize {
        self.old.0.threads.len().min(self.new.0.threads.len()) - 1
    }
}

fn is_small(case: &Case) -> bool {
    let lines = Text::new().add(case, 0);
    Interpreter::new(case, &lines, MOST).run()
}

fn pair(seed: u64) -> (Case, Case) {
    for attempt in 0.. {
        let old = Case::random(seed, 1000 + attempt).joining();
        let mut random = Random::new(seed, 7000 + attempt);
        // A loop that reads two things has no agreed number of executions.
        if old.awaits_two() || !is_small(&old) {
            continue;
        }
        let new = mutated(&old, &mut random);
        if !new.awaits_two() && is_small(&new) {
            return (old, new);
        }
    }
    unreachable!("small programs are many")
}

/// What can be seen of an end: nobody sees memory that was left by a program which did not return. What a thread
/// returns that only one version has is in an element that only one has, and is not compared.
fn seen(end: &End, threads: usize) -> End {
    match end.ending {
        Ending::Done => {
            let returned = end.returned.iter().copied().take(threads).collect();
            End { returned, ..end.clone() }
        }
        ending => End { ending, memory: Vec::new(), returned: Vec::new() },
    }
}

type Sets = BTreeMap<i32, BTreeSet<End>>;

fn judged((case, lines): &(Case, Lines), threads: usize) -> (Sets, BTreeSet<(u32, u32)>) {
    let mut interpreter = Interpreter::new(case, lines, MOST);
    assert!(interpreter.run());
    let sets = interpreter.outcomes().into_iter();
    let seen = |ends: BTreeSet<End>| ends.iter().map(|end| seen(end, threads)).collect();
    (sets.map(|(input, ends)| (input, seen(ends))).collect(), interpreter.races)
}

fn compared(old: &Program, new: &Program, number: usize) -> Judgement {
    let mut config = Config::new(format!("e{number}"));
    config.inputs.globals = SymbolicGlobals::None;
    config.threads = Some(ThreadConfig { world: true, ..ThreadConfig::default() });
    let question = Question {
        old: (old, &config),
        new: (new, &config),
        subjects: None,
        impact: None,
        visible: Visible::default(),
        all_ways: false,
        loops_grow: false,
        watched: None,
    };
    differ(&question, &hooks()).expect("they are compared")
}

fn input(path: &Path) -> i32 {
    let inputs = path.inputs.as_ref();
    inputs.and_then(|inputs| inputs.first()).map_or(0, |input| i32::from(input.bytes[0]))
}

/// A witness must be possible in its version, and not in the other.
fn check_witness(member: &Member, witness: &Witness, old: &Sets, new: &Sets) -> Result<(), String> {
    let only = witness.only.as_ref().ok_or("a witness without a version")?;
    let (path, case, mine, theirs) = match only.version {
        Version::New => (&witness.new, &member.new.0, new, old),
        Version::Old => (&witness.old, &member.old.0, old, new),
    };
    let input = input(path);
    if input >= INPUTS {
        return Err(format!("a difference on input {input}, where both return 0"));
    }
    let end = seen(&end_of(path, case, member.number)?, member.threads());
    if !mine[&input].contains(&end) {
        return Err(format!("{:?} cannot end with {end:?} on {input}", only.version));
    }
    // Where threads wait for ever counts, and the interpreter does not say.
    if theirs[&input].contains(&end) && end.ending != Ending::Stuck {
        return Err(format!("not only {:?} can end with {end:?} on {input}", only.version));
    }
    Ok(())
}

fn check_member(old: &Program, new: &Program, member: &Member, counts: &Counts) -> Result<(), String> {
    let (old_sets, _) = judged(&member.old, member.threads());
    let (new_sets, new_races) = judged(&member.new, member.threads());
    let judgement = compared(old, new, member.number);
    let threads = judgement.threads.as_ref().ok_or("nothing is said of threads")?;
    for witness in &judgement.witnesses {
        check_witness(member, witness, &old_sets, &new_sets)?;
    }
    for race in &threads.introduced {
        let line = |at: usize| race.accesses[at].position.as_ref().map_or(0, |it| it.line);
        let lines = (line(0).min(line(1)), line(0).max(line(1)));
        if !new_races.contains(&lines) {
            return Err(format!("there is no data race on lines {lines:?}"));
        }
    }
    let equal = old_sets == new_sets;
    counts.apart.fetch_add(u64::from(!equal), Ordering::Relaxed);
    counts.racing.fetch_add(u64::from(!new_races.is_empty()), Ordering::Relaxed);
    let only_orders =
        judgement.bounds.iter().all(|bound| matches!(bound, LimitKind::WeakMemory | LimitKind::Wakeups));
    match judgement.verdict {
        Sameness::Same | Sameness::WithinBounds if !equal && only_orders => {
            let apart = old_sets.iter().find(|(input, ends)| new_sets[input] != **ends);
            return Err(format!(
                "said to be {:?}, and differ: {apart:?} and {:?}",
                judgement.verdict,
                apart.map(|(input, _)| &new_sets[input])
            ));
        }
        Sameness::Differs if equal && threads.introduced.is_empty() => {
            let stuck = |witness: &Witness| {
                let path = match witness.only.as_ref().map(|only| only.version) {
                    Some(Version::Old) => &witness.old,
                    _ => &witness.new,
                };
                end_of(path, &member.new.0, member.number).is_ok_and(|end| end.ending == Ending::Stuck)
            };
            if !judgement.witnesses.iter().all(stuck) {
                return Err("said to differ, and do the same".to_owned());
            }
            counts.finer.fetch_add(1, Ordering::Relaxed);
        }
        _ => {}
    }
    let count = match judgement.verdict {
        Sameness::Same => &counts.same,
        Sameness::WithinBounds => &counts.bounded,
        Sameness::Differs => &counts.differ,
        Sameness::Undecided => {
            // Nothing here is beyond what can be decided.
            return Err(format!("undecided: {:?}", judgement.undecided));
        }
    };
    count.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

fn check(file: u64, counts: &Counts) -> Result<(), String> {
    let (mut old_text, mut new_text) = (Text::new(), Text::new());
    let seeds = file * IN_A_FILE..(file + 1) * IN_A_FILE;
    let members: Vec<Member> = seeds
        .zip(0..)
        .map(|(seed, number)| {
            let (old, new) = pair(seed);
            let old_lines = old_text.add_with(&old, number, true);
            let new_lines = new_text.add_with(&new, number, true);
            Member { seed, number, old: (old, old_lines), new: (new, new_lines) }
        })
        .collect();
    let compiler = Compiler::default();
    let (old, new) = (compiler.fresh(&old_text.text), compiler.fresh(&new_text.text));
    let failures: Vec<String> = members
        .iter()
        .filter_map(|member| {
            let what = check_member(&old, &new, member, counts).err()?;
            let [mut one, mut two] = [Text::new(), Text::new()];
            one.add_with(&member.old.0, 0, true);
            two.add_with(&member.new.0, 0, true);
            Some(format!("seed {}: {what}\nOLD\n{}\nNEW\n{}", member.seed, one.text, two.text))
        })
        .collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

#[test]
fn verdicts_on_threads_are_those_of_an_interpreter_of_all_orders() {
    let pairs = incise_testing::shorter(150, 3_000);
    let files: Vec<u64> = (0..pairs / IN_A_FILE).collect();
    let counts = Counts::default();
    let failures = in_parallel(&files, |file| check(*file, &counts));
    let heads: Vec<&str> =
        failures.iter().flat_map(|failure| failure.lines()).filter(|line| line.starts_with("seed")).collect();
    assert!(
        failures.is_empty(),
        "{} of {pairs}:\n{}\n{}",
        heads.len(),
        heads.join("\n"),
        failures.join("\n")
    );
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!(
        "{pairs} pairs: {} same, {} but for data races and condition variables, {} differ, {} of them by where threads wait alone; {} have \
         other sets of outcomes, {} data races",
        count(&counts.same),
        count(&counts.bounded),
        count(&counts.differ),
        count(&counts.finer),
        count(&counts.apart),
        count(&counts.racing)
    );
    // Changes that matter and changes that do not are both among them.
    assert!(count(&counts.same) > pairs / 10 && count(&counts.differ) > pairs / 10);
}
