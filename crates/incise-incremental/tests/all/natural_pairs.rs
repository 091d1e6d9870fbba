//! No false comfort and no false alarm, on random pairs of functions over buffers with lengths, strings, structs with
//! pointers, lists and trees, with differences planted at random sizes and depths.
//!
//! Both versions run natively on natural inputs of all sizes up to 12. Where they differ there, `same` is never said,
//! and 'the same within bounds' only if the bounds leave all those inputs out that differ. A difference that is
//! reported first is one on a natural input, natively.

use crate::differ_check::{Asked, Both, summary};
use incise_exec::{Config, LimitKind, Work};
use incise_incremental::differ::{Judgement, OpenReason, Sameness};
use incise_ir::Program;
use incise_reading::{Reading, What};
use incise_testing::kinds::natural::{Batch, Carrier, NaturalJudge, Pair, Seen, Shape, batch, line};
use incise_testing::shorter;
use incise_testing::{program_in, with_models};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Pairs in one file.
const BATCH: usize = 100;
/// So much work a pair is worth; what is not decided then is counted. The clock only ends what work does not count.
const PATIENCE: Work = Work::about_milliseconds(400);
const LONGEST: Duration = Duration::from_secs(2);
/// Loops go round so often at first, as from the command line.
const TURNS: u64 = 16;

/// What the inputs of a function are taken to be in both versions: the old one is the specification, and null means
/// something once the new one asks for it.
fn reading(old: &Program, new: &Program, name: &str) -> Option<Reading> {
    let mut reading = incise_reading::infer(old, old.function_named(name)?, &BTreeSet::new());
    let after = incise_reading::infer(new, new.function_named(name)?, &BTreeSet::new());
    reading.parts.retain(|taken| taken.what != What::NotNull || !after.is_checked(&taken.input));
    reading.checked.extend(after.checked);
    Some(reading)
}

/// Compares two versions of a function as the command line does.
fn judged(both: &Both, name: &str) -> Option<Judgement> {
    let (old, new) = both.programs();
    let mut config = Config::new(name);
    config.inputs.reading = reading(old, new, name)?;
    config.limits.work = Some(PATIENCE);
    config.limits.time = LONGEST;
    config.solver.timeout = LONGEST / 4;
    config.limits.loop_iterations = TURNS;
    both.compare(&config, Asked { directed: true, all_ways: false, loops_grow: true })
}

/// How much of the inputs was looked at, as the judgement says.
#[derive(Debug, Default)]
struct Bounds {
    /// The elements behind pointers, by their expressions.
    elements: BTreeMap<String, u64>,
    /// Pointers that were not followed.
    cut: Vec<String>,
    /// The turns of loops.
    turns: Option<u64>,
    /// Other bounds, which leave out none of the inputs of these tests.
    others: Vec<LimitKind>,
}

impl Bounds {
    fn of(judgement: &Judgement) -> Self {
        let mut bounds = Self::default();
        for &limit in &judgement.bounds {
            match limit {
                LimitKind::InputSize => {
                    let made = judgement.effort.needs.elements.iter();
                    bounds.elements.extend(made.map(|(input, need)| (input.clone(), need.made)));
                }
                LimitKind::PointerDepth => bounds.cut.extend(judgement.effort.needs.deeper.iter().cloned()),
                LimitKind::Loop => bounds.turns = Some(judgement.loops.max(TURNS)),
                other => bounds.others.push(other),
            }
        }
        bounds
    }

    /// Whether an input of a size is beyond what was looked at.
    fn leave_out(&self, carrier: Carrier, shape: Shape) -> bool {
        let Shape::Elements { count, room } = shape else { return self.leave_out_tree(shape) };
        let turns = self.turns.is_some_and(|turns| count > turns);
        let (pointer, size) = match carrier {
            Carrier::Text => ("s", count + 1),
            Carrier::Block => ("b->data", count),
            Carrier::Tail => ("b->items", count),
            Carrier::Copy => ("from", count),
            Carrier::List => return turns || self.cut.iter().any(|cut| steps(cut) < count),
            _ => ("p", count),
        };
        let larger = |pointer: &str, size: u64| self.elements.get(pointer).is_some_and(|&most| size > most);
        let whole = carrier == Carrier::Tail && larger("b", 1 + count);
        turns || whole || larger(pointer, size) || larger("to", room)
    }

    /// Whether a tree has a node that was not followed.
    fn leave_out_tree(&self, shape: Shape) -> bool {
        let Shape::Nodes(nodes) = shape else { return false };
        let node = |path: &str| {
            path.split("->").skip(1).fold(1_u32, |number, side| 2 * number + u32::from(side == "right"))
        };
        self.cut.iter().any(|cut| nodes.checked_shr(node(cut)).is_some_and(|bits| bits & 1 == 1))
    }
}

/// How many pointers lead on.
fn steps(path: &str) -> u64 {
    path.matches("->").count() as u64
}

/// How pairs of one kind were decided.
#[derive(Default)]
struct Tally {
    pairs: usize,
    different: usize,
    same: usize,
    bounded: usize,
    found: usize,
    undecided: usize,
    missed: usize,
    small: usize,
    /// Why something is undecided, how often.
    reasons: BTreeMap<String, usize>,
    time: Duration,
    slowest: (Duration, String),
}

impl Tally {
    fn took(&mut self, time: Duration, seed: u64, pair: &Pair) {
        self.time += time;
        if time > self.slowest.0 {
            self.slowest = (time, format!("{} of seed {seed}", pair.entry()));
        }
    }

    /// Counts a judgement; an error is false comfort.
    fn count(&mut self, pair: &Pair, shapes: &[Shape], judgement: &Judgement) -> Result<(), String> {
        self.pairs += 1;
        let different = !shapes.is_empty();
        self.different += usize::from(different);
        match judgement.verdict {
            Sameness::Same if different => {
                return Err(format!("FALSE COMFORT: same, and {:?} differs", shapes.iter().min()));
            }
            Sameness::Same => self.same += 1,
            Sameness::WithinBounds => {
                let bounds = Bounds::of(judgement);
                let seen = shapes.iter().find(|&&shape| !bounds.leave_out(pair.new.carrier, shape));
                if let Some(shape) = seen {
                    return Err(format!("FALSE COMFORT: same within bounds, and {shape:?} differs"));
                }
                self.bounded += 1;
                self.small += usize::from(different);
            }
            Sameness::Differs => self.found += 1,
            Sameness::Undecided => {
                self.undecided += 1;
                let reason = judgement.undecided.first().map(kind_of).unwrap_or_default();
                *self.reasons.entry(reason).or_default() += 1;
                self.missed += usize::from(different);
            }
        }
        Ok(())
    }

    fn print(&self, name: &str) {
        let Self { pairs, different, same, bounded, found, undecided, missed, small, .. } = self;
        let Self { reasons, time, slowest, .. } = self;
        println!(
            "{name:<8} {pairs:>5} pairs, {different:>5} differ natively: {found:>5} found, {same:>5} same, {bounded:>5} within bounds ({small} differ beyond), \
             {undecided:>5} undecided ({missed} differ), {:.1} s, the slowest {:.1} s ({})",
            time.as_secs_f64(),
            slowest.0.as_secs_f64(),
            slowest.1
        );
        for (reason, count) in reasons {
            println!("         {count:>5} undecided: {reason}");
        }
    }
}

/// What kind of reason it is: its words without what is told of one pair alone.
fn kind_of(reason: &OpenReason) -> String {
    match reason {
        OpenReason::Missed { too_small, bounds, .. } => {
            let which = if bounds.is_empty() {
                format!("{} inputs too small", too_small.len())
            } else {
                format!("{bounds:?}")
            };
            format!("nothing came by a part of the change, {which}")
        }
        OpenReason::OnlyInvalid { .. } => "only invalid inputs come by a part of the change".to_owned(),
        other => other.to_string().chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// The verdicts on a batch; what was said wrongly.
fn check_batch(seed: u64, tallies: &mut BTreeMap<Carrier, Tally>) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let batch: Batch = batch(seed, BATCH);
    let judge = NaturalJudge::new(folder.path(), &batch)?;
    let differing = judge.all()?;
    let program = |name, text| with_models(program_in(folder.path(), name, text));
    let (old, new) = (program("old", &batch.old), program("new", &batch.new));
    let both = Both::new(old, new);
    let (mut wrong, mut given, mut lines) = (Vec::new(), Vec::new(), String::new());
    for (pair, shapes) in batch.pairs.iter().zip(&differing) {
        let start = std::time::Instant::now();
        let judgement = judged(&both, &pair.entry()).ok_or("a function is missing")?;
        let tally = tallies.entry(pair.new.carrier).or_default();
        tally.took(start.elapsed(), seed, pair);
        let context = |why: &str| {
            format!("seed {seed}, {}: {why}\n{}{}", pair.entry(), pair.texts(), summary(&judgement))
        };
        wrong.extend(tally.count(pair, shapes, &judgement).err().map(|why| context(&why)));
        let first = judgement.witnesses.first().and_then(|witness| witness.new.inputs.as_ref());
        if let (Sameness::Differs, Some(inputs)) = (judgement.verdict, first) {
            match line(pair, inputs) {
                Ok(None) => {}
                Ok(Some(line)) => {
                    lines += &line;
                    given.push(context(&format!("FALSE ALARM: given {line}")));
                }
                Err(why) => {
                    wrong.push(context(&format!("FALSE ALARM: the first input is not natural: {why}")))
                }
            }
        }
    }
    let seen = judge.given(&lines)?;
    assert_eq!(seen.len(), given.len(), "the judge answers all");
    let false_alarms = given.into_iter().zip(seen).filter(|(_, seen)| *seen != Seen::Different);
    wrong.extend(false_alarms.map(|(context, seen)| format!("natively {seen:?}, {context}")));
    Ok(wrong)
}

fn check(seeds: std::ops::Range<u64>) {
    // `INCISE_NATURAL=17` looks at the pairs of one seed, `INCISE_NATURAL=1000..1010` at others.
    let chosen = std::env::var("INCISE_NATURAL").unwrap_or_default();
    let number = |text: &str| text.parse::<u64>().ok();
    let seeds = match chosen.split_once("..") {
        Some((first, end)) => number(first).zip(number(end)).map_or(seeds, |(first, end)| first..end),
        None => number(&chosen).map_or(seeds, |seed| seed..seed + 1),
    };
    let mut tallies = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in seeds {
        match check_batch(seed, &mut tallies) {
            Ok(more) => wrong.extend(more),
            Err(why) => panic!("seed {seed}: {why}"),
        }
    }
    for (carrier, tally) in &tallies {
        tally.print(&format!("{carrier:?}"));
    }
    let shown: Vec<&str> = wrong.iter().map(String::as_str).take(5).collect();
    assert!(wrong.is_empty(), "{} pairs are judged wrongly:\n{}", wrong.len(), shown.join("\n\n"));
    let (different, found): (usize, usize) =
        tallies.values().fold((0, 0), |(all, found), tally| (all + tally.different, found + tally.found));
    assert!(found * 2 > different, "{found} of {different} differences are found");
}

#[test]
fn no_false_comfort_and_no_false_alarm() {
    check(shorter(0..1, 0..15));
}

#[test]
fn no_false_comfort_and_no_false_alarm_on_more_functions() {
    check(shorter(15..16, 15..30));
}
