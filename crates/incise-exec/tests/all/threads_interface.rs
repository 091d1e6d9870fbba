//! Random programs that use the functions for threads in all ways: an execution for each trace comes to all ends that
//! all orders come to, and to no other; and so does what follows each state once.

use incise_exec::{Config, Exploration, Outcome, Schedules, ThreadConfig, explore};
use incise_testing::generate::program_of_the_interface;
use incise_testing::{hooks, in_parallel, program, shorter};
use std::collections::BTreeSet;

/// Programs with more traces or orders are explored in part: what is found of them must be among the rest all the same.
const MOST_TRACES: u64 = 300;
const MOST_ORDERS: u64 = 3_000;

fn explored(text: &str, schedules: Schedules, paths: u64) -> Exploration {
    let mut config = Config::new("main");
    config.threads = Some(ThreadConfig { schedules, steps: Some(40), ..ThreadConfig::default() });
    config.limits.paths = paths;
    explore(&program(text), &config, &hooks()).expect("it is explored")
}

/// How executions end: with what error and where, and what is in the variables then.
fn ends(found: &Exploration) -> BTreeSet<String> {
    let watched = ["a0", "a1", "q0", "q1", "out"];
    let end = |path: &incise_exec::Path| {
        let place = match path.outcome {
            Outcome::Returned | Outcome::Exited { .. } => None,
            _ => path.position.as_ref().map(|position| (position.line, position.column)),
        };
        let finals = path.finals.iter().filter(|it| watched.contains(&it.name.as_str()));
        let values: BTreeSet<(&str, &[u8])> = finals.map(|it| (it.name.as_str(), &it.bytes[..])).collect();
        format!("{:?} at {place:?} with {values:?}", path.outcome)
    };
    found.paths.iter().map(end).collect()
}

/// Whether all was explored; what was not, otherwise.
fn check(seed: u64) -> Result<bool, String> {
    let text = program_of_the_interface(seed);
    let traces = explored(&text, Schedules::Optimal, MOST_TRACES);
    let orders = explored(&text, Schedules::All, MOST_ORDERS);
    let (found, all) = (ends(&traces), ends(&orders));
    if traces.blocked > 0 {
        return Err(format!("seed {seed}: {} are given up half-way\n{text}", traces.blocked));
    }
    if traces.complete() && !all.is_subset(&found) {
        let lost: Vec<&String> = all.difference(&found).collect();
        return Err(format!(
            "seed {seed}: {} of {} ends are lost: {}\n{text}",
            lost.len(),
            all.len(),
            lost[0]
        ));
    }
    if orders.complete() && !found.is_subset(&all) {
        return Err(format!("seed {seed}: an end is made up: {:?}\n{text}", found.difference(&all).next()));
    }
    check_states(&text, &traces).map_err(|what| format!("seed {seed}: {what}\n{text}"))?;
    Ok(traces.complete() && orders.complete())
}

/// What follows each state once comes to all ends, too, and to all data races.
fn check_states(text: &str, traces: &Exploration) -> Result<(), String> {
    let states = explored(text, Schedules::States, MOST_TRACES);
    if !traces.complete() || !states.complete() {
        return match states.complete() && !ends(traces).is_subset(&ends(&states)) {
            true => Err("states lose an end".into()),
            false => Ok(()),
        };
    }
    let (found, all) = (ends(&states), ends(traces));
    if found != all {
        let differ = found.symmetric_difference(&all).next();
        return Err(format!("states come to {} of {} ends: {differ:?}", found.len(), all.len()));
    }
    let (found, all) = (races(&states), races(traces));
    match found == all {
        true => Ok(()),
        false => Err(format!("states have the data races {found:?} of {all:?}")),
    }
}

/// The places of accesses that race.
fn races(found: &Exploration) -> BTreeSet<[Option<String>; 2]> {
    let pair = |race: &incise_exec::Race| {
        let mut pair = race.accesses.each_ref().map(|it| it.position.as_ref().map(ToString::to_string));
        pair.sort();
        pair
    };
    found.races.iter().map(pair).collect()
}

#[test]
fn all_ends_of_all_orders_are_found_with_any_functions_for_threads() {
    let seeds: Vec<u64> = (0..shorter(60, 600)).collect();
    let whole = std::sync::atomic::AtomicUsize::new(0);
    let failures = in_parallel(&seeds, |&seed| {
        let complete = check(seed)?;
        whole.fetch_add(usize::from(complete), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    assert!(failures.is_empty(), "{} programs fail:\n{}", failures.len(), failures.join("\n"));
    let whole = whole.into_inner();
    println!("{} programs, {whole} of them explored whole in both ways", seeds.len());
    assert!(2 * whole > seeds.len(), "only {whole} programs are small enough");
}
