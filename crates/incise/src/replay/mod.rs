//! `incise replay`: runs every test of a folder natively, each in its own process, and compares what happens with what was predicted.

mod compare;
mod glue;
mod native;
mod observe;
mod process;
mod script;

pub(crate) use native::INPUTS as INPUT_FUNCTIONS;

use crate::frontend::Loaded;
use crate::layout;
use crate::suite::Suite;
use anyhow::{Context, Result};
use compare::{compare, not_checked, wants_sanitizer};
use incise_report::test_json::Expected;
use incise_report::{Origin, Outcome, Replay, ReplayedTest, TestCase, Verdict};
use native::{Builder, Linking, Native, Needs};
use observe::Observation;
use process::Cell;
use script::{ScriptContext, script};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How much memory a native run may use.
const MEMORY_LIMIT: u64 = 8 << 30;
/// How much a native run may write to a file.
const OUTPUT_LIMIT: u64 = 256 << 20;

/// How a replay is done.
pub(crate) struct ReplaySettings<'a> {
    pub(crate) timeout: Duration,
    pub(crate) jobs: usize,
    pub(crate) interrupt: &'a AtomicBool,
}

/// Runs every test of a folder natively.
pub(crate) fn replay(suite: &Suite, loaded: &Loaded, settings: &ReplaySettings<'_>) -> Result<Replay> {
    let program = &loaded.program;
    let entry_name = &suite.manifest.program.entry;
    let entry = crate::frontend::find_function(program, entry_name)?;
    let linking = Linking::of(program, entry, &needs(&suite.tests));
    let folder =
        tempfile::Builder::new().prefix("incise-replay-").tempdir().context("no temporary folder")?;
    let builder = Builder {
        clang: &crate::frontend::clang(&loaded.sources)?,
        sources: &loaded.sources,
        headers: loaded.headers.path(),
        program,
        entry,
        linking: &linking,
        directory: folder.path(),
    };
    let sanitize = suite.tests.iter().filter_map(|test| test.expected.as_ref()).any(wants_sanitizer);
    let native = builder.build(sanitize)?;
    let entry_is_main = entry_name == "main";
    let context = ScriptContext {
        parameter_sizes: if entry_is_main {
            vec![8; 3]
        } else {
            layout::parameter_sizes(program, &program.functions[entry])
        },
        globals: linking.table,
        entry_is_main,
        arguments: suite.manifest.arguments.clone(),
        memory_limit: MEMORY_LIMIT,
        output_limit: OUTPUT_LIMIT,
    };
    process::allow_deep_recursion();
    let runner =
        Runner { native: &native, context: &context, settings, instrumented: loaded.sources.all_c() };
    Ok(Replay {
        entry: entry_name.clone(),
        tests: runner.all(&suite.tests, folder.path())?,
        warnings: Vec::new(),
    })
}

fn needs(tests: &[TestCase]) -> Needs {
    let mut needs = Needs { globals: Default::default(), externals: Default::default() };
    for test in tests {
        let finals = test.expected.iter().flat_map(|expected| &expected.finals).map(|each| &each.origin);
        for origin in test.inputs.iter().map(|input| &input.origin).chain(finals) {
            match origin {
                Origin::Global(symbol) => needs.globals.insert(symbol.clone()),
                Origin::External(function) => needs.externals.insert(function.clone()),
                _ => continue,
            };
        }
        // A pointer may lead to a global variable that is otherwise left alone.
        let targets =
            test.inputs.iter().flat_map(|input| &input.pointers).map(|pointer| pointer.target.clone());
        needs.globals.extend(targets);
    }
    needs
}

struct Runner<'a> {
    native: &'a Native,
    context: &'a ScriptContext,
    settings: &'a ReplaySettings<'a>,
    /// Whether sanitizers see all of the program.
    instrumented: bool,
}

impl Runner<'_> {
    /// Runs all tests over the processors; the results are in the order of the tests.
    fn all(&self, tests: &[TestCase], folder: &Path) -> Result<Vec<ReplayedTest>> {
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Option<Result<ReplayedTest>>>> =
            Mutex::new(tests.iter().map(|_| None).collect());
        std::thread::scope(|scope| {
            for worker in 0..self.settings.jobs.clamp(1, tests.len().max(1)) {
                let (next, results) = (&next, &results);
                scope.spawn(move || {
                    let cell = Cell::new(folder.join(format!("cell{worker}")));
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(test) = tests.get(index) else { break };
                        let result = match &cell {
                            Ok(cell) => self.one(test, cell),
                            Err(error) => Err(anyhow::anyhow!("no folder for a test to run in: {error}")),
                        };
                        // A worker that panicked has left its slot empty, which is reported below.
                        if let Ok(mut results) = results.lock() {
                            results[index] = Some(result);
                        }
                    }
                });
            }
        });
        let results = results.into_inner().map_err(|_| anyhow::anyhow!("a worker of the replay failed"))?;
        let unfinished = || Err(anyhow::anyhow!("a test was not run"));
        results.into_iter().map(|result| result.unwrap_or_else(unfinished)).collect()
    }

    /// Why a sanitizer may miss an error that is there.
    fn blind_spot(&self, expected: &Expected) -> Option<&'static str> {
        let Outcome::Error { message, .. } = &expected.outcome else { return None };
        if !self.instrumented {
            return Some("sanitizers do not see code that is given as LLVM IR");
        }
        // The models' own data, which natively is a table inside of the C library.
        message.contains("__incise_").then_some("sanitizers do not see data of the C library")
    }

    fn one(&self, test: &TestCase, cell: &Cell) -> Result<ReplayedTest> {
        let Some(expected) = &test.expected else {
            return Ok(not_checked(test, "the engine made no prediction for this path".to_owned()));
        };
        if self.settings.interrupt.load(Ordering::Relaxed) {
            return Ok(not_checked(test, "interrupted".to_owned()));
        }
        let sanitized = wants_sanitizer(expected);
        let program = match (sanitized, &self.native.sanitized) {
            (false, _) => &self.native.plain,
            (true, Ok(program)) => program,
            (true, Err(why)) => return Ok(not_checked(test, why.clone())),
        };
        let script = match script(test, self.context) {
            Ok(script) => script,
            Err(why) => return Ok(not_checked(test, why)),
        };
        let ran = cell
            .run(program, &script.bytes, &script.stdin, self.settings.timeout, self.settings.interrupt)
            .with_context(|| format!("{} cannot be run", test.name))?;
        let result = compare(test, expected, &Observation::of(ran));
        if sanitized
            && result.verdict == Verdict::Disagrees
            && let Some(why) = self.blind_spot(expected)
        {
            return Ok(not_checked(test, why.to_owned()));
        }
        Ok(result)
    }
}
