//! `incise monitor`: reads the monitor, compares both versions once for all nodes, marks every node, and draws it.

use super::arguments::MonitorRules;
use super::names::Names;
use super::picture;
use super::plan::Plan;
use super::settings::MonitorSettings;
use super::signals::SignalLoads;
use super::work::Work;
use crate::arguments::Format;
use crate::change::model::version;
use crate::commands::threads;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Context, Result, bail};
use incise_frontend::versions::OldVersion;
use incise_frontend::{Loaded, Watch, find_function};
use incise_incremental::initial;
use incise_ir::Program;
use incise_monitor::{Map, MapEntry, MatchedNode, Network, Target, draw, initial_map, matched};
use incise_report::monitor::{self, MonitorReport};
use incise_report::verdict::Sameness;
use incise_vocabulary::Mark;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Does what `incise monitor` is asked to do.
pub(crate) fn run(mut settings: MonitorSettings, session: &Session) -> Result<Status> {
    session.limit(&mut settings.config.limits);
    session.limit(&mut settings.verdict.config.limits);
    let (network, map) = read(&settings)?;
    let sources = settings.versions.lay_out(session)?;
    let (old, new) = session.load_to_watch(sources.old.clone(), sources.new.clone())?;
    let entry_name = entry_name(&settings, &map, &new.program)?;
    let entry = find_function(&new.program, &entry_name)?;
    if entry_name == "main" {
        bail!(
            "main leaves no variables behind: name the function whose end the monitor looks at, with --entry"
        );
    }
    let names = Names::of(&new.program, entry);
    let of_file = || settings.map.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let mut matched = matched(&network, &map, &names.named).with_context(of_file)?;
    let signals = match &settings.signals {
        Some(path) => SignalLoads::read(path, &network)?.apply(&map, &names, (&old, &new), &mut matched),
        None => BTreeMap::new(),
    };
    if settings.init {
        return init(&network, &names, &matched, &entry_name);
    }
    let mut plan = Plan::new(&network, &map, matched, names, &old.program);
    plan.find_in_old(&map, &old.program, &entry_name);
    plan.obstacles.extend(signals);
    let watches: Vec<Watch> = plan.watches();
    let (old_watched, in_old) = session.watch(&old, &watches)?;
    let (new_watched, in_new) = session.watch(&new, &watches)?;
    let plan = plan.with_seen(&in_old, &in_new);
    settings.verdict.watched = Some(plan.watched());
    let old_texts = old_watched.texts().to_vec();
    let old_watched = OldVersion::from(old_watched);
    for program in [&old_watched.program, &new_watched.program] {
        threads::refuse(program, Some(&entry_name), "comparing")?;
    }
    initial::of_versions(&old_watched.program, &new_watched.program, &mut settings.config.inputs);
    let initial = settings.config.inputs.initial.clone();
    settings.verdict.config.inputs.initial.clone_from(&initial);
    settings.verdict.reading.initial = initial;
    let mut report = empty(&settings, &network, (&old, &new), &entry_name)?;
    let work = Work {
        settings: &settings,
        plan: &plan,
        old: &old_watched,
        old_texts: &old_texts,
        new: &new_watched,
        session,
    };
    work.fill(&entry_name, &mut report)?;
    session.reports();
    write_files(&settings, &report, (&old.program, &new.program))?;
    write_data(|out| match settings.output.format {
        Format::Text => monitor::text::render(&report, settings.output.text, out),
        Format::Json => monitor::json::render(&report, out),
    })?;
    Ok(match report.worst() {
        Mark::Differs => Status::Found,
        // A run that ends otherwise leaves no value, and is a difference all the same.
        Mark::MayDiffer if report.witnesses.iter().any(|each| each.values.is_empty() && each.ran) => {
            Status::Found
        }
        Mark::MayDiffer => Status::Undecided,
        Mark::Same | Mark::Unmapped if report.later() > 0 => Status::Undecided,
        Mark::Same | Mark::Unmapped => Status::Nothing,
    })
}

/// Reads the monitor and the map.
fn read(settings: &MonitorSettings) -> Result<(Network, Map)> {
    let bytes =
        |path: &Path| std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()));
    // What a file includes lies beside it.
    let folder = settings.network.parent().unwrap_or(Path::new(""));
    let included = |file: &str| {
        let path = folder.join(file.replace('\\', "/"));
        std::fs::read(&path).map_err(|error| error.to_string())
    };
    let name = settings.network.to_string_lossy();
    let network = incise_monitor::read_with(&name, &bytes(&settings.network)?, &included)?;
    let Some(path) = &settings.map else { return Ok((network, Map::default())) };
    let text = String::from_utf8(bytes(path)?).with_context(|| format!("{} is no text", path.display()))?;
    let map = Map::parse(&text).with_context(|| path.display().to_string())?;
    map.check(&network).with_context(|| path.display().to_string())?;
    Ok((network, map))
}

/// The function whose end is looked at.
fn entry_name(settings: &MonitorSettings, map: &Map, program: &Program) -> Result<String> {
    if let Some(name) = settings.entry.as_ref().or(map.entry.as_ref()) {
        return Ok(name.clone());
    }
    let own = || program.functions.iter().filter(|(_, each)| each.is_definition() && !each.model);
    let mut called = BTreeSet::new();
    for (_, function) in own() {
        for (_, instruction) in function.instructions.iter() {
            if let incise_ir::Op::Call(call) = &instruction.op
                && let incise_ir::Callee::Direct(callee) = call.callee
            {
                called.insert(callee);
            }
        }
    }
    let top: Vec<&str> = own()
        .filter(|(id, each)| !called.contains(id) && each.name != "main")
        .map(|(_, each)| each.name.as_str())
        .collect();
    match top.as_slice() {
        [one] => Ok((*one).to_owned()),
        [] => bail!("name the function whose end the monitor looks at, with --entry"),
        several => bail!(
            "name the function whose end the monitor looks at, with --entry: it may be {}",
            several.iter().take(8).copied().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Writes a map to begin with.
fn init(network: &Network, names: &Names, matched: &[MatchedNode], entry: &str) -> Result<Status> {
    let found: Vec<(MapEntry, String)> = matched
        .iter()
        .map(|node| {
            let mut entry = MapEntry { role: Some(node.role), ..MapEntry::default() };
            let note = match &node.target {
                Target::Variable(number) => {
                    let named = &names.named[*number];
                    (entry.function, entry.file) = (named.function.clone(), None);
                    if named.kind != incise_monitor::NamedKind::Result {
                        entry.variable = Some(named.path.clone());
                    }
                    format!("matched with {} ({})", named.words(), named.kind.words())
                }
                Target::Computed(expression, _) => {
                    entry.variable = Some(expression.text.clone());
                    format!("computed from {}", expression.operands.join(", "))
                }
                Target::Node(watched) => {
                    entry.watches = Some(network.nodes[*watched].name.clone());
                    format!("watches {}", network.nodes[*watched].name)
                }
                Target::Parents => "follows its parents".to_owned(),
                Target::Unmapped(why) => format!("OPEN: {why}"),
            };
            (entry, note)
        })
        .collect();
    let text = initial_map(network, Some(entry), &found);
    write_data(|out| out.write_all(text.as_bytes()))?;
    Ok(Status::Nothing)
}

/// A report without marks.
fn empty(
    settings: &MonitorSettings,
    network: &Network,
    (old, new): (&Loaded, &Loaded),
    entry: &str,
) -> Result<MonitorReport> {
    Ok(MonitorReport {
        file: settings.network.display().to_string(),
        name: network.name.clone(),
        format: network.format.name().to_owned(),
        part: network.format.part().to_owned(),
        old: version(&old.sources)?,
        new: version(&new.sources)?,
        entry: entry.to_owned(),
        paper: settings.rules == MonitorRules::Paper,
        nodes: Vec::new(),
        edges: Vec::new(),
        sameness: Sameness::Same,
        witnesses: Vec::new(),
        evidence: Vec::new(),
        taken: Vec::new(),
        notes: Vec::new(),
        warnings: network.warnings.clone(),
        suite: None,
        effort: (0, 0),
    })
}

fn write_files(
    settings: &MonitorSettings,
    report: &MonitorReport,
    (old, new): (&Program, &Program),
) -> Result<()> {
    let write = |path: &Option<std::path::PathBuf>, text: &dyn Fn() -> Vec<u8>| match path {
        Some(path) => {
            std::fs::write(path, text()).with_context(|| format!("{} cannot be written", path.display()))
        }
        None => Ok(()),
    };
    let drawn = picture::picture(report, old, new);
    write(&settings.pictures.dot, &|| draw::dot(&drawn).into_bytes())?;
    write(&settings.pictures.svg, &|| draw::svg(&drawn).into_bytes())?;
    write(&settings.pictures.html, &|| draw::html(&drawn).into_bytes())?;
    write(&settings.pictures.evidence, &|| {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = monitor::csv::render(report, &mut text);
        text
    })
}
