//! Native replay: runs tests natively, each in its own process, and compares what happens with what was predicted.
//!
//! Real execution is the judge of the engine, so that nothing here knows the engine. The program is built with a
//! driver (`runtime/incise_driver.c`) and a piece of glue, plain and with sanitizers (`native_build`); a test becomes
//! a script for the driver (`script`); what a process does is read into plain facts (`observation`), and compared with
//! a prediction (`prediction`) or with what another version did (`run_difference`). Where a test has threads, a runtime
//! leads them along its schedule (`threads`), and on demand they run freely, too (`stress`). What runs here is a
//! stranger's code, and it is kept from all else on the machine (`confinement`).

pub mod confinement;
mod devices;
mod error;
mod glue;
mod left_pointers;
mod linker;
mod native_build;
mod needs;
mod objects;
mod observation;
mod prediction;
mod process;
mod run_difference;
mod runner;
mod script;
mod stress;
mod threads;

pub use error::ReplayError;
pub use native_build::INPUTS as INPUT_FUNCTIONS;
pub use run_difference::ComparableRun;

use confinement::Confinement;
use incise_frontend::{Loaded, NativeSource, find_function};
use incise_ir::parameters::parameter_sizes;
use incise_ir::{FunctionId, Global, Program};
use incise_report::{Origin, Replay, ReplayedTest, TestCase};
use left_pointers::Look;
use native_build::{Builder, Linking, Wanted};
use prediction::{not_checked, wants_sanitizer};
use runner::Runner;
use script::ScriptContext;
use std::borrow::Cow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is said of tests where nothing is to run natively.
pub const NOTHING_RUNS: &str = "nothing is run natively";

/// How a replay is done.
pub struct ReplayOptions<'a> {
    /// How long one test may take.
    pub timeout: Duration,
    /// How many tests run at once.
    pub jobs: usize,
    /// What native runs are kept in; without it nothing runs at all, and nothing is built either.
    pub confinement: Option<&'a Confinement>,
    /// Ends it once it is set.
    pub interrupt: &'a AtomicBool,
    /// How often a test with a schedule is run freely, too, to see if what it shows shows by itself.
    pub stress: u32,
}

/// The tests of a function.
pub struct ReplayRequest<'a> {
    /// The name of the function.
    pub entry: &'a str,
    /// The tests.
    pub tests: &'a [TestCase],
    /// The arguments of `main` that are not symbolic.
    pub arguments: &'a [String],
}

/// What is run natively.
pub struct NativeRequest<'a> {
    /// The function that tests call.
    pub entry: FunctionId,
    /// The tests.
    pub tests: &'a [TestCase],
    /// The arguments of `main` that are not symbolic.
    pub arguments: &'a [String],
    /// External functions that must not be called really, beside those whose results are inputs of the tests.
    pub externals: &'a [String],
    /// Whether it is looked at where pointers lead that are left behind.
    pub pointers: bool,
}

/// What a native run of a test showed.
pub struct NativeRun {
    /// Beside what was predicted.
    pub test: ReplayedTest,
    /// By itself, if there was one.
    pub observed: Option<ComparableRun>,
}

/// Runs tests natively.
pub fn replay(
    request: &ReplayRequest<'_>,
    loaded: &Loaded,
    options: &ReplayOptions<'_>,
) -> Result<Replay, ReplayError> {
    let ReplayRequest { entry: name, tests, arguments } = *request;
    let entry = find_function(&loaded.program, name)?;
    let request = NativeRequest { entry, tests, arguments, externals: &[], pointers: false };
    let runs = run_natively(&request, NativeSource::of(loaded), options)?;
    Ok(Replay {
        entry: name.to_owned(),
        tests: runs.into_iter().map(|run| run.test).collect(),
        warnings: Vec::new(),
    })
}

/// The same tests: a variable of which each thread has its own is not looked at in the end, for it is not reached from
/// outside.
fn without_thread_locals<'t>(tests: &'t [TestCase], program: &Program) -> Cow<'t, [TestCase]> {
    let is_local = |origin: &Origin| match origin {
        Origin::Global(symbol) => {
            let local = |global| program.globals[global].thread_local && symbol != Global::ERRNO;
            program.global_named(symbol).is_some_and(local)
        }
        _ => false,
    };
    if !program.globals.iter().any(|(_, global)| global.thread_local) {
        return Cow::Borrowed(tests);
    }
    let mut tests = tests.to_vec();
    for expected in tests.iter_mut().filter_map(|test| test.expected.as_mut()) {
        incise_report::keep_finals(&mut expected.finals, |each| !is_local(&each.origin));
    }
    Cow::Owned(tests)
}

/// The executables that tests need.
fn wanted(tests: &[TestCase], options: &ReplayOptions<'_>) -> Wanted {
    let mut wanted = Wanted::default();
    for test in tests {
        let Some(expected) = &test.expected else { continue };
        match (test.schedule.is_some(), wants_sanitizer(expected)) {
            (false, false) => wanted.plain = true,
            (false, true) => wanted.sanitized = true,
            (true, false) => wanted.led = true,
            (true, true) => wanted.led_sanitized = true,
        }
        if test.schedule.is_some() && options.stress > 0 {
            match wants_sanitizer(expected) {
                true => wanted.sanitized = true,
                false => wanted.plain = true,
            }
        }
    }
    wanted
}

/// Builds a program natively and runs tests on it; the results are in the order of the tests.
pub fn run_natively(
    request: &NativeRequest<'_>,
    source: NativeSource<'_>,
    options: &ReplayOptions<'_>,
) -> Result<Vec<NativeRun>, ReplayError> {
    let Some(confinement) = options.confinement else {
        let not_run = |test| NativeRun { test: not_checked(test, NOTHING_RUNS.to_owned()), observed: None };
        return Ok(request.tests.iter().map(not_run).collect());
    };
    let NativeSource { program, sources, headers, shared } = source;
    let tests = without_thread_locals(request.tests, program);
    let request = &NativeRequest { tests: &tests, ..*request };
    let entry = request.entry;
    let mut needs = needs::of_tests(request.tests)?;
    needs.externals.extend(request.externals.iter().cloned());
    let looks = |test: &TestCase| match &test.expected {
        Some(expected) if request.pointers => left_pointers::looks(expected),
        _ => Vec::new(),
    };
    let looks: Vec<Vec<Look>> = request.tests.iter().map(looks).collect();
    needs.globals.extend(looks.iter().flat_map(|looks| left_pointers::targets(program, looks)));
    let linking = Linking::of(program, entry, &needs);
    let folder = tempfile::Builder::new().prefix("incise-replay-").tempdir();
    let folder = folder.map_err(ReplayError::NoTemporaryFolder)?;
    process::let_pass(folder.path())?;
    let builder = Builder {
        clang: &incise_frontend::clang(sources)?,
        sources,
        headers,
        shared,
        program,
        entry,
        linking: &linking,
        directory: folder.path(),
        extras: &threads::extras(request.tests, program),
        interrupt: options.interrupt,
    };
    let native = builder.build(wanted(request.tests, options))?;
    let entry_is_main = program.functions[entry].name == "main";
    let context = ScriptContext {
        parameter_sizes: if entry_is_main {
            vec![8; 3]
        } else {
            parameter_sizes(program, &program.functions[entry])
        },
        globals: linking.table,
        entry_is_main,
        arguments: request.arguments.to_vec(),
    };
    let runner = Runner {
        native: &native,
        program,
        looks: &looks,
        context: &context,
        options,
        confinement,
        instrumented: sources.all_c(),
    };
    runner.all(request.tests, folder.path())
}
