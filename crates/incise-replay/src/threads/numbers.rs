//! A schedule in the form that the runtime (`runtime/incise_schedule.c`) reads: numbers of 64 bits.
//!
//! Whether there is one (0 is none); whether it is that of a data race; the threads that are started first; where
//! threads stand in the end; the steps. A list is a count and what is in it.

use super::instrument::Extra;
use super::sites::{function_of, of_site};
use incise_ir::Program;
use incise_ir::places::place_number;
use incise_report::{Schedule, ScheduleStep, TestCase};
use std::collections::BTreeSet;

/// What a step is that ends the program.
const END: &str = "end";
/// The site of a step that is nowhere.
const NOWHERE: u64 = u64::MAX;

struct Step {
    thread: u32,
    site: u64,
    ends: bool,
    /// Its number in the test, from 1.
    number: u64,
    starts: Vec<u32>,
    wakes: Vec<u32>,
}

/// The numbers of a schedule; the error says why a native run cannot follow it.
pub(crate) fn numbers(schedule: Option<&Schedule>, program: &Program) -> Result<Vec<u64>, String> {
    let Some(schedule) = schedule else { return Ok(vec![0]) };
    let steps = steps(schedule, program)?;
    if schedule.race && steps.len() < 2 {
        return Err("the schedule of a data race has two steps at least".to_owned());
    }
    let mut all = vec![1, u64::from(schedule.race)];
    list(&mut all, &schedule.first);
    all.push(schedule.left.len() as u64);
    for (thread, site) in &schedule.left {
        all.extend([u64::from(*thread), of_site(program, site)?]);
    }
    all.push(steps.len() as u64);
    for step in steps {
        all.extend([u64::from(step.thread), step.site, u64::from(step.ends), step.number]);
        list(&mut all, &step.starts);
        list(&mut all, &step.wakes);
    }
    Ok(all)
}

fn list(all: &mut Vec<u64>, threads: &[u32]) {
    all.push(threads.len() as u64);
    all.extend(threads.iter().map(|&thread| u64::from(thread)));
}

/// The steps as a native run has them: a call of a library function is one.
fn steps(schedule: &Schedule, program: &Program) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, step) in schedule.steps.iter().enumerate() {
        let goes_on = step.site.as_ref().is_some_and(|site| site.goes_on);
        match steps.last_mut() {
            Some(last) if goes_on && last.thread == step.thread => {
                last.ends |= step.event == END;
                last.starts.extend(&step.starts);
                last.wakes.extend(&step.wakes);
            }
            _ if goes_on => return Err(in_the_middle(step)),
            _ => steps.push(Step {
                thread: step.thread,
                site: step.site.as_ref().map_or(Ok(NOWHERE), |site| of_site(program, site))?,
                ends: step.event == END,
                number: index as u64 + 1,
                starts: step.starts.clone(),
                wakes: step.wakes.clone(),
            }),
        }
    }
    Ok(steps)
}

fn in_the_middle(step: &ScheduleStep) -> String {
    let place = step.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
    let thread = step.thread;
    format!(
        "another thread comes in the middle of what thread {thread} calls{place}: natively a function of the C library is one step"
    )
}

/// The instructions at which programs of these tests end, and which are no places by themselves.
pub(crate) fn extras(tests: &[TestCase], program: &Program) -> BTreeSet<Extra> {
    let mut found = BTreeSet::new();
    let sites = tests.iter().filter_map(|test| test.schedule.as_ref()).flat_map(|schedule| {
        schedule
            .steps
            .iter()
            .filter_map(|step| step.site.as_ref())
            .chain(schedule.left.iter().map(|each| &each.1))
    });
    for site in sites {
        let Some((id, function)) = function_of(program, site) else { continue };
        if place_number(program, function, site.instruction).is_none() {
            found.insert((id, site.instruction));
        }
    }
    found
}
