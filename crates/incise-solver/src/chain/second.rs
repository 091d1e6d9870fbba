//! A second opinion: another solver that reads SMT-LIB, asked when time was over, and in validation.
//!
//! The chain only knows the trait. [`Z3Process`] runs a program that understands Z3's options, and is the
//! only place of this crate that touches processes; nothing makes one unless the caller does.

use super::bitwuzla::Bitwuzla;
use super::query::{Query, Unknown, Verdict};
use crate::expr::{ExprId, Exprs};
use crate::work::{self, Effort, Work};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What another solver says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// The script's assertions can hold together.
    Sat,
    /// They cannot.
    Unsat,
    /// It does not know, or is not there.
    None,
}

/// A solver that reads SMT-LIB.
pub trait SecondOpinion {
    /// Decides a script of declarations and assertions that ends with `(check-sat)`, within the time and the work
    /// given.
    fn ask(&mut self, script: &str, timeout: Duration, work: Option<Work>) -> Opinion;
}

/// Asks Z3 what it spent of its resources.
const SPENT: &str = "(get-info :rlimit)\n";
/// More of them than Z3 can count are no limit.
const MOST_RESOURCES: u64 = u32::MAX as u64;

/// What Z3 says it spent.
fn spent(output: &str) -> Option<u64> {
    let (_, rest) = output.rsplit_once("(:rlimit ")?;
    rest.split(')').next()?.trim().parse().ok()
}

/// Z3 as a process, with the script on its standard input.
pub struct Z3Process {
    program: PathBuf,
    interrupt: Arc<AtomicBool>,
}

impl Z3Process {
    /// Runs `program`, usually just `z3`, for each question; a running one is ended when `interrupt` becomes
    /// true. A missing program has no opinion.
    pub fn new(program: impl Into<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        Z3Process { program: program.into(), interrupt }
    }

    fn run(&self, script: &str, timeout: Duration, work: Option<Work>) -> std::io::Result<String> {
        let resources =
            work.map(|work| format!("rlimit={}", work.efforts(Effort::Resource).clamp(1, MOST_RESOURCES)));
        let mut child = Command::new(&self.program)
            .args(["-in", "-smt2", &format!("-t:{}", timeout.as_millis().max(1))])
            .args(resources)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A process that ends early closes the pipe; its output tells what there is to know.
            let _ = input.write_all(script.as_bytes()).and_then(|()| input.write_all(SPENT.as_bytes()));
        }
        // Z3 looks at its own limit only now and then.
        let end = Instant::now() + timeout + Duration::from_secs(1);
        while child.try_wait()?.is_none() {
            if Instant::now() >= end || self.interrupt.load(Ordering::Relaxed) {
                child.kill()?;
                child.wait()?;
                return Ok(String::new());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut output = String::new();
        if let Some(mut pipe) = child.stdout.take() {
            pipe.read_to_string(&mut output)?;
        }
        Ok(output)
    }
}

impl SecondOpinion for Z3Process {
    fn ask(&mut self, script: &str, timeout: Duration, work: Option<Work>) -> Opinion {
        let output = self.run(script, timeout, work).unwrap_or_default();
        match spent(&output) {
            Some(resources) => work::count(Effort::Resource, resources),
            None => work.unwrap_or_default().add_here(),
        }
        // After an error the rest is about something else than what was asked.
        if output.contains("(error") {
            return Opinion::None;
        }
        match output.lines().map(str::trim).find(|line| matches!(*line, "sat" | "unsat")) {
            Some("sat") => Opinion::Sat,
            Some(_) => Opinion::Unsat,
            None => Opinion::None,
        }
    }
}

/// Asks about conditions. No opinion if they cannot even be written down.
pub(crate) fn ask(
    solver: &mut dyn SecondOpinion,
    exprs: &Exprs,
    conditions: &[ExprId],
    timeout: Duration,
    work: Option<Work>,
) -> Opinion {
    match Bitwuzla::script(exprs, conditions) {
        Ok(script) => solver.ask(&script, timeout, work),
        Err(_) => Opinion::None,
    }
}

/// Asks when all other stages have run out of time. Only a contradiction helps: a script has no way to give
/// us a model that is worth the trouble, and "satisfiable" without a model is of no use to an executor.
pub(crate) fn decide(
    solver: &mut dyn SecondOpinion,
    exprs: &Exprs,
    query: &Query,
    (timeout, work): (Duration, Option<Work>),
) -> Verdict {
    match ask(solver, exprs, &query.conditions, timeout, work) {
        Opinion::Unsat => Verdict::Unsat,
        Opinion::Sat | Opinion::None if work.is_some() => Verdict::Unknown(Unknown::Work),
        Opinion::Sat | Opinion::None => Verdict::Unknown(Unknown::Timeout),
    }
}
