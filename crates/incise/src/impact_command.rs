//! `incise impact`: what changed, and what the change can affect, without running anything.

use crate::arguments::Format;
use crate::change_model::{Describer, lone_functions, version};
use crate::exit::Status;
use crate::output::{talk, write_data};
use crate::settings::ImpactSettings;
use crate::{frontend, versions};
use anyhow::Result;
use incise_change::{FunctionChange, Impact};
use incise_ir::FunctionId;
use incise_report::{impact_json, impact_text};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Does what `incise impact` is asked to do.
pub(crate) fn run(settings: ImpactSettings, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let ImpactSettings { old, new, rules, why, functions, output } = settings;
    let mut say = |warning: &str| {
        if !output.text.quiet {
            talk(warning)
        }
    };
    let (old, new) = versions::load(old, new, output.color_talk, &interrupt, &mut say)?;
    let start = Instant::now();
    let impact = Impact::new(&old.program, &new.program, rules.into(), false);
    let time_ms = start.elapsed().as_secs_f64() * 1e3;
    versions::refuse_strangers(&impact.versions)?;
    for name in &functions {
        if impact.versions.named(name).is_none() {
            frontend::find_function(&new.program, name)?;
        }
    }
    let model = incise_report::Impact {
        old: version(&old.sources)?,
        new: version(&new.sources)?,
        rules: rules.name().to_owned(),
        time_ms,
        ..model(&impact, &functions)
    };
    write_data(|out| match output.format {
        Format::Text => {
            let options =
                impact_text::ImpactTextOptions { color: output.text.color, quiet: output.text.quiet, why };
            impact_text::render(&model, options, out)
        }
        Format::Json => impact_json::render(&model, out),
    })?;
    Ok(if model.is_empty() { Status::Nothing } else { Status::Found })
}

/// The finding model; of the functions only those that were asked for, if some were.
fn model(impact: &Impact<'_>, wanted: &[String]) -> incise_report::Impact {
    let is_wanted = |name: &String| wanted.is_empty() || wanted.contains(name);
    let (added, removed) = lone_functions(&impact.versions);
    let concerned: BTreeSet<FunctionId> = impact.functions.iter().map(|each| each.function).collect();
    let mut dirty = impact.versions.changed_new();
    dirty.extend(&concerned);
    let describer = Describer::new(Some(impact.old), impact.new, dirty);
    let old_of = |function| impact.versions.functions.iter().find(|pair| pair.new == Some(function))?.old;
    let functions: Vec<_> = impact
        .functions
        .iter()
        .filter(|each| is_wanted(&each.name))
        .map(|each| describer.function(each, old_of(each.function)))
        .collect();
    let unchanged = impact.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Unchanged);
    let unconcerned = unchanged
        .filter(|pair| is_wanted(&pair.name))
        .filter(|pair| pair.new.is_some_and(|new| !concerned.contains(&new)))
        .count();
    incise_report::Impact {
        functions,
        added: added.into_iter().filter(is_wanted).collect(),
        removed: removed.into_iter().filter(is_wanted).collect(),
        unconcerned,
        ..incise_report::Impact::default()
    }
}
