//! A second opinion: another solver that reads SMT-LIB, asked when time was over, and in validation.
//!
//! The chain only knows the trait. [`Z3Process`] runs a program that understands Z3's options, and is the
//! only place of this crate that touches processes; nothing makes one unless the caller does.

use super::bitwuzla::Bitwuzla;
use super::query::{Query, Unknown, Verdict};
use crate::expr::{ExprId, Exprs};
use crate::work::{self, Effort, Work};
use incise_children::Tied;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
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
/// Z3 looks at its own limit only now and then; after so much more time it is ended.
const GRACE: Duration = Duration::from_millis(200);
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
    /// How many bytes of memory it may use.
    memory: Option<u64>,
}

impl Z3Process {
    /// Runs `program`, usually just `z3`, for each question; a running one is ended when `interrupt` becomes
    /// true. A missing program has no opinion.
    pub fn new(program: impl Into<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        Z3Process { program: program.into(), interrupt, memory: None }
    }

    /// The same, which gives up when it would need more bytes of memory than this.
    pub fn with_memory(self, bytes: u64) -> Self {
        Z3Process { memory: Some(bytes), ..self }
    }

    fn run(&self, script: &str, timeout: Duration, work: Option<Work>) -> std::io::Result<String> {
        let resources =
            work.map(|work| format!("rlimit={}", work.efforts(Effort::Resource).clamp(1, MOST_RESOURCES)));
        let end = Instant::now() + timeout + GRACE;
        let mut command = incise_children::command(&self.program);
        command.args(["-in", "-smt2", &format!("-t:{}", timeout.as_millis().max(1))]);
        // Where nobody is left to end it, it ends itself.
        command.arg(format!("-T:{}", timeout.as_secs() + 3));
        command.args(self.memory.map(|bytes| format!("-memory:{}", (bytes >> 20).max(1))));
        command.args(resources).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = Tied::start(&mut command)?;
        let (input, output) = (child.process().stdin.take(), child.process().stdout.take());
        std::thread::scope(|scope| {
            // Not here: Z3 reads when it likes to, and nobody would look at the clock meanwhile.
            let write = move || {
                let Some(mut input) = input else { return };
                // A process that ends early closes the pipe; its output tells what there is to know.
                let _ = input.write_all(script.as_bytes()).and_then(|()| input.write_all(SPENT.as_bytes()));
            };
            std::thread::Builder::new().spawn_scoped(scope, write)?;
            while child.try_wait()?.is_none() {
                if Instant::now() >= end || self.interrupt.load(Ordering::Relaxed) {
                    child.end();
                    child.wait()?;
                    return Ok(String::new());
                }
                std::thread::sleep(Duration::from_millis(2));
            }
            let mut said = String::new();
            if let Some(mut output) = output {
                output.read_to_string(&mut said)?;
            }
            Ok(said)
        })
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
