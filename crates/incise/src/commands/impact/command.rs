//! `incise impact`: what changed, and what the change can affect, without running anything.

use super::arguments::GraphForm;
use super::settings::ImpactSettings;
use super::{call_graph_model, proofs};
use crate::arguments::Format;
use crate::change::model::{Describer, call_site, lone_functions, spot, version};
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use crate::trees::ComparedSources;
use crate::words::of_stop;
use anyhow::Result;
use incise_change::{
    Entries, FunctionChange, Impact, NodeId, Proofs, Rules, UnresolvedCall, UnresolvedCallee, Versions,
    WholeImpact, forward_slice,
};
use incise_frontend::versions::{OldVersion, refuse_strangers};
use incise_frontend::{Loaded, find_function};
use incise_ir::{FunctionId, Id, Program};
use incise_report::{ForwardSlice, LaterFunction, StartedThread, Unresolved, UnseenCode, call_graph, impact};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Does what `incise impact` is asked to do.
pub(crate) fn run(settings: ImpactSettings, session: &Session) -> Result<Status> {
    let output = &settings.output;
    let sources = settings.versions.lay_out(session)?;
    so_far(&settings, &sources, session);
    let (old, new) = session.load_versions(sources.old.clone(), sources.new.clone())?;
    let start = Instant::now();
    let versions = Versions::compare(&old.program, &new.program);
    refuse_strangers(&versions)?;
    for name in &settings.functions {
        if versions.named(name).is_none() {
            find_function(&new.program, name)?;
        }
    }
    let found = match settings.across {
        true => whole(&settings, (&old, &new), versions, session)?,
        false => alone(&settings, &old, &new),
    };
    let mut model = incise_report::Impact {
        old: version(&old.sources)?,
        new: version(&new.sources)?,
        rules: settings.rules.into(),
        scope: if settings.across { "program" } else { "function" }.to_owned(),
        time_ms: start.elapsed().as_secs_f64() * 1e3,
        ..found
    };
    model.notes.extend(sources.note.clone());
    session.reports();
    write_data(|out| match (output.format, settings.call_graph, &model.call_graph) {
        (Format::Text, Some(GraphForm::Dot), Some(graph)) => call_graph::dot::render(graph, out),
        (Format::Text, ..) => {
            let options = impact::text::ImpactTextOptions { text: output.text, why: settings.why };
            impact::text::render(&model, options, out)
        }
        (Format::Json, ..) => impact::json::render(&model, out),
    })?;
    Ok(if model.is_empty() { Status::Nothing } else { Status::Found })
}

/// What is reported if nobody can wait for the analysis: that it was not completed. What a part of it says of what is
/// not affected is not true.
fn so_far(settings: &ImpactSettings, sources: &ComparedSources, session: &Session) {
    let (old, new, output) = (sources.old.clone(), sources.new.clone(), settings.output.clone());
    let (rules, why) = (settings.rules, settings.why);
    session.rescue(move |limit| {
        let note = format!("{}: it is not known what the change affects", of_stop(limit));
        let model = incise_report::Impact {
            old: version(&old)?,
            new: version(&new)?,
            rules: rules.into(),
            notes: vec![note],
            stopped: true,
            ..incise_report::Impact::default()
        };
        write_data(|out| match output.format {
            Format::Text => {
                let options = impact::text::ImpactTextOptions { text: output.text, why };
                impact::text::render(&model, options, out)
            }
            Format::Json => impact::json::render(&model, out),
        })?;
        Ok(Status::Undecided)
    });
}

/// What is shown of the functions.
struct Shown<'s> {
    wanted: &'s [String],
    versions: &'s Versions,
}

impl Shown<'_> {
    fn is_wanted(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted == name)
    }

    /// The model of functions, and what is said of the others.
    fn model(
        &self,
        functions: Vec<incise_report::FunctionImpact>,
        concerned: &BTreeSet<FunctionId>,
    ) -> incise_report::Impact {
        let (added, removed) = lone_functions(self.versions);
        let wanted = |names: Vec<String>| names.into_iter().filter(|name| self.is_wanted(name)).collect();
        let unchanged =
            self.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Unchanged);
        let unconcerned = unchanged
            .filter(|pair| self.is_wanted(&pair.name))
            .filter(|pair| pair.new.is_some_and(|new| !concerned.contains(&new)))
            .count();
        incise_report::Impact {
            functions,
            added: wanted(added),
            removed: wanted(removed),
            unconcerned,
            ..incise_report::Impact::default()
        }
    }
}

/// The impact on each function by itself.
fn alone(settings: &ImpactSettings, old: &OldVersion, new: &Loaded) -> incise_report::Impact {
    let impact = Impact::new(&old.program, &new.program, settings.rules.into(), false);
    let shown = Shown { wanted: &settings.functions, versions: &impact.versions };
    let concerned: BTreeSet<FunctionId> = impact.functions.iter().map(|each| each.function).collect();
    let mut dirty = impact.versions.changed_new();
    dirty.extend(&concerned);
    let describer = Describer::new(Some(impact.old), impact.new, dirty);
    let functions = impact
        .functions
        .iter()
        .filter(|each| shown.is_wanted(&each.name))
        .map(|each| describer.function(each, impact.versions.old_of(each.function)));
    shown.model(functions.collect(), &concerned)
}

/// The impact on the program as a whole.
fn whole(
    settings: &ImpactSettings,
    (old, new): (&OldVersion, &Loaded),
    versions: Versions,
    session: &Session,
) -> Result<incise_report::Impact> {
    let (before, after) = (&old.program, &new.program);
    let (old_entries, new_entries) = entries(&settings.entries, before, after, &versions)?;
    let rules: Rules = settings.rules.into();
    let functions = (old_entries.functions.as_slice(), new_entries.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(before, after, versions, functions, rules, false);
    let (proofs, note) = match settings.prove {
        true => proofs::found(&impact, &mirrored, session)?,
        false => (Proofs::default(), None),
    };
    let entries = (&new_entries, &old_entries);
    let whole = WholeImpact::with_proofs(&impact, &mirrored, entries, rules, &proofs);
    let shown = Shown { wanted: &settings.functions, versions: &impact.versions };
    let concerned: BTreeSet<FunctionId> = whole.functions.iter().map(|each| each.impact.function).collect();
    let mut model = shown.model(described(&shown, &impact, &whole), &concerned);
    model.depth = settings.depth;
    model.proved = settings.prove.then(|| proofs::described(&impact, &proofs));
    model.notes.extend(note);
    model.reachable_statements =
        whole.scope.as_ref().map(|scope| scope.functions.values().map(|each| each.graph.nodes.len()).sum());
    model.later = later(after, &whole, &shown);
    let names = new_entries.functions.iter().map(|&entry| after.functions[entry].name.clone());
    model.entries = names.collect();
    let changed = impact.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed);
    let unreached = changed.filter(|pair| pair.new.is_some_and(|new| !whole.reached.contains(&new)));
    // If nothing that changed is reached, nothing was analysed and everything that changed is unreached.
    model.unreached = unreached.map(|pair| pair.name.clone()).filter(|name| shown.is_wanted(name)).collect();
    model.unresolved = unresolved(after, &whole);
    model.threads = threads(after, &whole);
    if settings.precision {
        model.forward_slice = precision(&whole);
    }
    if settings.call_graph.is_some() {
        let graph = call_graph_model::call_graph(after, &impact.versions, whole, &new_entries);
        model.call_graph = Some(graph);
    }
    Ok(model)
}

/// Where executions begin, in the old and the new version.
fn entries(
    given: &[String],
    old: &Program,
    new: &Program,
    versions: &Versions,
) -> Result<(Entries, Entries)> {
    if given.is_empty() {
        let changed = versions.functions.iter().filter(|pair| pair.change != FunctionChange::Unchanged);
        let changed_old = changed.filter_map(|pair| pair.old).collect();
        return Ok((Entries::of(old, &changed_old), Entries::of(new, &versions.changed_new())));
    }
    let functions: Vec<FunctionId> =
        given.iter().map(|name| find_function(new, name)).collect::<Result<_, _>>()?;
    let has_body = |id: &FunctionId| old.functions[*id].is_definition() && !old.functions[*id].model;
    let before = given.iter().filter_map(|name| old.function_named(name)).filter(has_body);
    Ok((Entries::given(old, before), Entries::given(new, functions)))
}

/// The functions with their statements.
fn described(
    shown: &Shown<'_>,
    impact: &Impact<'_>,
    whole: &WholeImpact<'_>,
) -> Vec<incise_report::FunctionImpact> {
    let Some(scope) = &whole.scope else { return Vec::new() };
    let describer = Describer::new(Some(impact.old), impact.new, BTreeSet::new());
    let functions = whole.functions.iter().filter(|each| shown.is_wanted(&each.impact.name));
    functions.map(|each| describer.whole(each, scope, impact.versions.old_of(each.impact.function))).collect()
}

/// What is affected in addition if callers, or code that nobody can see, hand on what they got.
fn later(program: &Program, whole: &WholeImpact<'_>, shown: &Shown<'_>) -> Vec<LaterFunction> {
    let Some(scope) = &whole.scope else { return Vec::new() };
    let described = |(&id, nodes): (&FunctionId, &Vec<NodeId>)| {
        let (function, graph) = (&program.functions[id], &scope.facts(id).graph);
        let spots: BTreeSet<_> = nodes.iter().map(|&node| spot(program, graph, node)).collect();
        LaterFunction {
            name: function.name.clone(),
            file: function.file.map(|file| program.files[file].name.to_string()),
            spots: spots.into_iter().collect(),
            statements: nodes.len(),
        }
    };
    whole.later.iter().map(described).filter(|each| shown.is_wanted(&each.name)).collect()
}

/// The calls that nobody can see through.
fn unresolved(program: &Program, whole: &WholeImpact<'_>) -> Vec<Unresolved> {
    let Some(scope) = &whole.scope else { return Vec::new() };
    let affected: BTreeMap<FunctionId, &incise_change::FunctionImpact> =
        whole.functions.iter().map(|each| (each.impact.function, &each.impact)).collect();
    let names = |ids: &[FunctionId]| ids.iter().map(|&id| program.functions[id].name.clone()).collect();
    let of = |call: &UnresolvedCall| {
        let caller = &program.functions[call.caller];
        let graph = &scope.facts(call.caller).graph;
        let node = graph.owners[call.instruction.index()]?;
        let is_affected = affected.get(&call.caller).is_some_and(|impact| {
            let owner = impact.alignment.new_graph.owners[call.instruction.index()];
            owner.is_some_and(|node| impact.affected.contains(node))
        });
        Some(Unresolved {
            function: caller.name.clone(),
            file: caller.file.map(|file| program.files[file].name.to_string()),
            spot: spot(program, graph, node),
            callee: match &call.callee {
                UnresolvedCallee::External(id) => UnseenCode::External(program.functions[*id].name.clone()),
                UnresolvedCallee::Pointer(candidates) => UnseenCode::Pointer(names(candidates)),
                UnresolvedCallee::Assembly => UnseenCode::Assembly,
                UnresolvedCallee::Operation => UnseenCode::Operation,
            },
            affected: is_affected,
        })
    };
    whole.unresolved.iter().filter_map(of).collect()
}

/// The threads that may be started.
fn threads(program: &Program, whole: &WholeImpact<'_>) -> Vec<StartedThread> {
    let Some(scope) = &whole.scope else { return Vec::new() };
    let name = |id: FunctionId| program.functions[id].name.clone();
    let started = |thread: &incise_change::StartedThread| StartedThread {
        function: name(thread.function),
        site: call_site(scope, thread.site),
        several: thread.several,
        functions: thread.functions.iter().map(|&id| name(id)).collect(),
    };
    whole.threads.iter().map(started).collect()
}

/// How many statements are marked, beside a plain forward slice.
fn precision(whole: &WholeImpact<'_>) -> Option<ForwardSlice> {
    let scope = whole.scope.as_ref()?;
    let mut figures = ForwardSlice {
        sliced: forward_slice(scope).len(),
        nodes: scope.functions.values().map(|facts| facts.graph.nodes.len()).sum(),
        ..ForwardSlice::default()
    };
    for (function, ids) in scope.reached(&whole.roots) {
        let affected = scope.together(function, &ids).affected;
        figures.affected += affected.nodes().count();
        figures.forward += affected.nodes().filter(|&node| affected.is_forward(node)).count();
    }
    Some(figures)
}
