//! `incise replay`: runs every test of a folder natively, each in its own process, and compares what happens with what was predicted.

mod both;
mod compare;
mod glue;
mod native;
mod observe;
mod pointers;
mod process;
mod script;

pub(crate) use both::Observed;
pub(crate) use native::INPUTS as INPUT_FUNCTIONS;

use crate::frontend::Loaded;
use crate::layout;
use crate::sources::Sources;
use crate::suite::Suite;
use anyhow::{Context, Result};
use compare::{compare, not_checked, wants_sanitizer};
use incise_exec::FAILING_MALLOC;
use incise_ir::{FunctionId, Program};
use incise_report::test_json::Expected;
use incise_report::{Origin, Outcome, Replay, ReplayedTest, TestCase, Value, Verdict};
use native::{Builder, Linking, Native, Needs};
use observe::Observation;
use pointers::{Known, Left, Look};
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
pub(crate) struct ReplayOptions<'a> {
    pub(crate) timeout: Duration,
    pub(crate) jobs: usize,
    pub(crate) interrupt: &'a AtomicBool,
}

/// A program that can be built natively.
#[derive(Copy, Clone)]
pub(crate) struct NativeSource<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a Sources,
    /// The folder with our `klee/klee.h`.
    pub(crate) headers: &'a Path,
}

impl<'a> NativeSource<'a> {
    /// A program that was read.
    pub(crate) fn of(loaded: &'a Loaded) -> Self {
        Self { program: &loaded.program, sources: &loaded.sources, headers: loaded.headers.path() }
    }
}

/// What is run natively.
pub(crate) struct Request<'a> {
    /// The function that tests call.
    pub(crate) entry: FunctionId,
    /// The tests.
    pub(crate) tests: &'a [TestCase],
    /// The arguments of `main` that are not symbolic.
    pub(crate) arguments: &'a [String],
    /// External functions that must not be called really, beside those whose results are inputs of the tests.
    pub(crate) externals: &'a [String],
    /// Whether it is looked at where pointers lead that are left behind.
    pub(crate) pointers: bool,
}

/// What a native run of a test showed.
pub(crate) struct NativeRun {
    /// Beside what was predicted.
    pub(crate) test: ReplayedTest,
    /// By itself, if there was one.
    pub(crate) observed: Option<Observed>,
}

/// Runs every test of a folder natively.
pub(crate) fn replay(suite: &Suite, loaded: &Loaded, settings: &ReplayOptions<'_>) -> Result<Replay> {
    let entry_name = &suite.manifest.program.entry;
    let entry = crate::frontend::find_function(&loaded.program, entry_name)?;
    let arguments = &suite.manifest.arguments;
    let request = Request { entry, tests: &suite.tests, arguments, externals: &[], pointers: false };
    let runs = run_natively(&request, NativeSource::of(loaded), settings)?;
    Ok(Replay {
        entry: entry_name.clone(),
        tests: runs.into_iter().map(|run| run.test).collect(),
        warnings: Vec::new(),
    })
}

/// Builds a program natively and runs tests on it; the results are in the order of the tests.
pub(crate) fn run_natively(
    request: &Request<'_>,
    source: NativeSource<'_>,
    settings: &ReplayOptions<'_>,
) -> Result<Vec<NativeRun>> {
    let NativeSource { program, sources, headers } = source;
    let entry = request.entry;
    let mut needs = needs(request.tests)?;
    needs.externals.extend(request.externals.iter().cloned());
    let looks = |test: &TestCase| match &test.expected {
        Some(expected) if request.pointers => pointers::looks(program, entry, test, expected),
        _ => Vec::new(),
    };
    let looks: Vec<Vec<Look>> = request.tests.iter().map(looks).collect();
    needs.globals.extend(looks.iter().flat_map(|looks| pointers::targets(program, looks)));
    let linking = Linking::of(program, entry, &needs);
    let folder =
        tempfile::Builder::new().prefix("incise-replay-").tempdir().context("no temporary folder")?;
    let builder = Builder {
        clang: &crate::frontend::clang(sources)?,
        sources,
        headers,
        program,
        entry,
        linking: &linking,
        directory: folder.path(),
    };
    let sanitize = request.tests.iter().filter_map(|test| test.expected.as_ref()).any(wants_sanitizer);
    let native = builder.build(sanitize)?;
    let entry_is_main = program.functions[entry].name == "main";
    let context = ScriptContext {
        parameter_sizes: if entry_is_main {
            vec![8; 3]
        } else {
            layout::parameter_sizes(program, &program.functions[entry])
        },
        globals: linking.table,
        entry_is_main,
        arguments: request.arguments.to_vec(),
        memory_limit: MEMORY_LIMIT,
        output_limit: OUTPUT_LIMIT,
    };
    process::allow_deep_recursion();
    let runner = Runner {
        native: &native,
        program,
        looks: &looks,
        context: &context,
        settings,
        instrumented: sources.all_c(),
    };
    runner.all(request.tests, folder.path())
}

/// What the tests need of the program. The error says what cannot be given.
fn needs(tests: &[TestCase]) -> Result<Needs> {
    let mut needs = Needs {
        globals: Default::default(),
        sizes: Default::default(),
        externals: Default::default(),
        callbacks: Default::default(),
        failing_malloc: false,
    };
    for test in tests {
        let finals = test.expected.iter().flat_map(|expected| &expected.finals).map(|each| &each.origin);
        for origin in test.inputs.iter().map(|input| &input.origin).chain(finals) {
            match origin {
                Origin::Global(symbol) => needs.globals.insert(symbol.clone()),
                Origin::External(function) => needs.externals.insert(function.clone()),
                Origin::Nondet(function) if function == FAILING_MALLOC => {
                    needs.failing_malloc = true;
                    continue;
                }
                Origin::Written { function, way, .. } => {
                    // A callback has no name.
                    if !function.ends_with("()") {
                        needs.externals.insert(function.clone());
                    }
                    let Some(symbol) = way.strip_prefix('@') else { continue };
                    needs.globals.insert(symbol.split([':', '-']).next().unwrap_or_default().to_owned())
                }
                _ => continue,
            };
        }
        for input in &test.inputs {
            if let Origin::Global(symbol) = &input.origin {
                let size = needs.sizes.entry(symbol.clone()).or_insert(0);
                *size = (input.bytes.len() as u64).max(*size);
            }
        }
        // A pointer may lead to a global variable that is otherwise left alone.
        let targets =
            test.inputs.iter().flat_map(|input| &input.pointers).map(|pointer| pointer.target.clone());
        for target in targets {
            match target.strip_prefix("unknown(").and_then(|pointer| pointer.strip_suffix(')')) {
                Some(pointer) => drop(needs.callbacks.entry(pointer.to_owned()).or_default()),
                None => drop(needs.globals.insert(target)),
            }
        }
        for input in &test.inputs {
            let Origin::Callback(pointer) = &input.origin else { continue };
            let result =
                result_type(input).with_context(|| format!("what {pointer} returns cannot be given"))?;
            let known = needs.callbacks.entry(pointer.clone()).or_default();
            if !known.0.is_empty() && *known != result {
                anyhow::bail!("{pointer} returns values of several types, which cannot be given");
            }
            *known = result;
        }
    }
    Ok(needs)
}

/// The type in IR of a result, and its bytes.
fn result_type(input: &incise_report::Input) -> Option<(String, u64)> {
    let size = input.bytes.len() as u64;
    let ty = match (&input.value, size) {
        (Value::Float(_, _), 4) => "float",
        (Value::Float(_, _), 8) => "double",
        (Value::Float(_, _) | Value::Struct(_) | Value::Array(_), _) => return None,
        (_, 1) => "i8",
        (_, 2) => "i16",
        (_, 4) => "i32",
        (_, 8) => "i64",
        _ => return None,
    };
    Some((ty.to_owned(), size))
}

struct Runner<'a> {
    native: &'a Native,
    program: &'a Program,
    /// For each test the pointers that are looked at.
    looks: &'a [Vec<Look>],
    context: &'a ScriptContext,
    settings: &'a ReplayOptions<'a>,
    /// Whether sanitizers see all of the program.
    instrumented: bool,
}

impl Runner<'_> {
    /// Runs all tests over the processors; the results are in the order of the tests.
    fn all(&self, tests: &[TestCase], folder: &Path) -> Result<Vec<NativeRun>> {
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Option<Result<NativeRun>>>> = Mutex::new(tests.iter().map(|_| None).collect());
        std::thread::scope(|scope| {
            for worker in 0..self.settings.jobs.clamp(1, tests.len().max(1)) {
                let (next, results) = (&next, &results);
                scope.spawn(move || {
                    let cell = Cell::new(folder.join(format!("cell{worker}")));
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(test) = tests.get(index) else { break };
                        let result = match &cell {
                            Ok(cell) => self.one(test, &self.looks[index], cell),
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

    fn one(&self, test: &TestCase, looks: &[Look], cell: &Cell) -> Result<NativeRun> {
        let not_run = |why: String| Ok(NativeRun { test: not_checked(test, why), observed: None });
        let Some(expected) = &test.expected else {
            return not_run("the engine made no prediction for this path".to_owned());
        };
        if self.settings.interrupt.load(Ordering::Relaxed) {
            return not_run("interrupted".to_owned());
        }
        let sanitized = wants_sanitizer(expected);
        let program = match (sanitized, &self.native.sanitized) {
            (false, _) => &self.native.plain,
            (true, Ok(program)) => program,
            (true, Err(why)) => return not_run(why.clone()),
        };
        let script = match script(test, looks, self.context) {
            Ok(script) => script,
            Err(why) => return not_run(why),
        };
        let ran = cell
            .run(program, &script.bytes, &script.surroundings, self.settings.timeout, self.settings.interrupt)
            .with_context(|| format!("{} cannot be run", test.name))?;
        let mut observation = Observation::of(ran);
        if let Some(addresses) = &mut observation.addresses {
            let beyond = script.nowhere.into_iter();
            addresses.beyond = beyond.map(|(name, offset)| (name, addresses.nowhere + offset)).collect();
        }
        let left = self.left(test, expected, looks, &observation);
        let mut result = compare(test, expected, &observation);
        if result.verdict == Verdict::Confirmed && !left.unexpected.is_empty() {
            result.verdict = if expected.indeterminate { Verdict::Indeterminate } else { Verdict::Disagrees };
            result.notes.clone_from(&left.unexpected);
        }
        if sanitized
            && result.verdict == Verdict::Disagrees
            && let Some(why) = self.blind_spot(expected)
        {
            return not_run(why.to_owned());
        }
        Ok(NativeRun { test: result, observed: Some(Observed::of(expected, observation, left)) })
    }

    /// Where the pointers lead that a run left.
    fn left(&self, test: &TestCase, expected: &Expected, looks: &[Look], seen: &Observation) -> Left {
        let Some(addresses) = &seen.addresses else { return Left::default() };
        if !matches!(expected.outcome, Outcome::Returned | Outcome::Exited { .. }) {
            return Left::default();
        }
        let finals: Vec<&str> = {
            let finals = expected.finals.iter().filter(|each| !matches!(each.origin, Origin::File(_)));
            finals.map(|each| each.name.as_str()).collect()
        };
        let held = |within: Option<usize>| match within {
            None => Some((String::new(), seen.result.clone()?)),
            Some(number) => {
                Some(((*finals.get(number)?).to_owned(), seen.finals.as_ref()?.get(number)?.clone()))
            }
        };
        let known = Known { program: self.program, test, globals: &self.context.globals, addresses };
        Left::of(looks, &held, &known)
    }
}
