//! Explores a C program and prints counters: for measuring the engine without the command line around it.
//!
//! `probe FILE [ENTRY] [--workers N] [--all] [--bfs] [--schedules all|dpor|states] [-- CLANG FLAGS]`

use incise_exec::{Config, Detail, Hooks, Outcome, Schedules, SearcherKind, ThreadConfig, explore};
use incise_llvm::{CompileOptions, LoadOptions, Models, ModuleText};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let split = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let flags: Vec<String> = arguments[split..].iter().skip(1).cloned().collect();
    let (mut names, mut workers, mut detail, mut searcher) =
        (Vec::new(), 1, Detail::First(20), SearcherKind::DepthFirst);
    let mut threads = ThreadConfig::default();
    let mut rest = arguments[..split].iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--workers" => workers = rest.next().and_then(|number| number.parse().ok()).unwrap_or(1),
            "--all" => detail = Detail::All,
            "--schedules" => {
                threads.schedules = match rest.next().map(String::as_str) {
                    Some("all") => Schedules::All,
                    Some("dpor") => Schedules::Dpor,
                    Some("states") => Schedules::States,
                    _ => Schedules::Optimal,
                };
            }
            "--bfs" => searcher = SearcherKind::BreadthFirst,
            name => names.push(name.to_string()),
        }
    }
    let headers = std::env::temp_dir().join("incise-probe");
    std::fs::create_dir_all(headers.join("klee"))?;
    std::fs::write(headers.join("klee/klee.h"), incise_libc::KLEE_HEADER)?;
    let options = LoadOptions {
        search_path: std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect(),
        compile: CompileOptions {
            flags: flags.iter().map(Into::into).collect(),
            include_directories: vec![headers],
            ..CompileOptions::default()
        },
        ..LoadOptions::default()
    };
    let interrupt = Arc::new(AtomicBool::new(false));
    let loaded = incise_llvm::load(&[PathBuf::from(&names[0])], &options, &interrupt)?;
    let modules: Vec<_> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    let mut program = incise_llvm::link(&modules)?;
    let missing: Vec<String> = program
        .functions
        .iter()
        .filter(|(_, function)| !function.is_definition())
        .map(|(_, function)| function.name.clone())
        .chain(program.globals.iter().filter(|(_, g)| g.initializer.is_none()).map(|(_, g)| g.name.clone()))
        .collect();
    let text = incise_libc::select(missing.iter().map(String::as_str));
    if !text.is_empty() {
        incise_llvm::link_models(&mut program, &Models::scan("models", text.as_bytes())?)?;
    }
    let mut config = Config::new(names.get(1).map_or("main", String::as_str));
    config.workers = workers;
    config.searcher = searcher;
    config.threads = Some(threads);
    let hooks = Hooks { interrupt, stopped_by: None, progress: None, memory_used: None, detail, found: None };
    let result = explore(&program, &config, &hooks)?;
    for path in
        result.paths.iter().filter(|path| detail == Detail::All || matches!(path.outcome, Outcome::Error(_)))
    {
        let condition: Vec<&str> = path.condition.iter().map(|constraint| constraint.text.as_str()).collect();
        println!(
            "{:?} at {:?}: {}",
            path.outcome,
            path.position.as_ref().map(ToString::to_string),
            condition.join(" && ")
        );
        for input in path.inputs.iter().flatten() {
            println!("    {} = {:?}", input.name, input.value);
        }
        for step in &path.schedule {
            let object = step.object.as_ref().map(ToString::to_string).unwrap_or_default();
            let value = step.value.as_deref().unwrap_or("");
            println!("    {}: {} {object} {value}", step.thread, step.kind.name());
        }
        println!("    returned {:?} out {:?}", path.returned, String::from_utf8_lossy(&path.stdout));
    }
    for race in &result.races {
        println!("race on {}: {:?}", race.object, race.accesses);
    }
    println!(
        "threads {} blocked {} summarised {} races {}",
        result.threads,
        result.blocked,
        result.summarised,
        result.races.len()
    );
    let counters = &result.counters;
    println!(
        "paths {} complete {} instructions {} states {} queries {} solver {:?} time {:?}",
        result.paths.len(),
        result.complete(),
        counters.instructions,
        counters.states,
        counters.queries,
        counters.solver_time,
        counters.time
    );
    for stage in &counters.stages {
        println!(
            "  {:12} asked {:8} answered {:8} {:?}",
            stage.name, stage.asked, stage.answered, stage.time
        );
    }
    Ok(())
}
