//! Who calls whom around a change: from the functions that changed or call what did.

use crate::commands::impact::call_graph_model::call_graph;
use incise_change::{Entries, Impact, Rules, Versions, WholeImpact};
use incise_frontend::Loaded;
use incise_frontend::versions::OldVersion;
use incise_ir::FunctionId;
use incise_report::CallGraph;

/// More functions than these are not followed from those that call them.
const MOST: usize = 200;

/// The call graph of the functions that a change concerns.
pub(crate) fn concerned_calls(old: &OldVersion, new: &Loaded) -> CallGraph {
    let (before, after) = (&old.program, &new.program);
    let versions = Versions::compare(before, after);
    let mut concerned = versions.calls_changed(before, after);
    concerned.extend(versions.changed_new());
    if concerned.len() > MOST {
        concerned = versions.changed_new();
    }
    let functions: Vec<FunctionId> = concerned.into_iter().collect();
    let old_functions: Vec<FunctionId> = functions.iter().filter_map(|&each| versions.old_of(each)).collect();
    let rules = Rules::default();
    let (impact, mirrored) =
        Impact::both_ways(before, after, versions, (&old_functions, &functions), rules, false);
    let (new_entries, old_entries) = (alone(functions), alone(old_functions));
    let whole = WholeImpact::new(&impact, &mirrored, &new_entries, &old_entries, rules);
    call_graph(after, &impact.versions, whole, &new_entries)
}

/// Each is executed by itself.
fn alone(functions: Vec<FunctionId>) -> Entries {
    Entries { functions, sharing: Vec::new() }
}
