//! The statements of two versions that belong together: what is affected in one version is so in the other.

use super::spread::Seeds;
use crate::affected::{Affected, Rule, Step};
use crate::scope::Scope;
use crate::whole_program::Site;
use crate::{Impact, StatementGraph};
use incise_ir::{FunctionId, Id, InstructionId};
use std::collections::BTreeMap;

/// The statements of two versions that belong together, by functions, as the graphs of their scopes have them.
#[derive(Debug)]
pub(crate) struct Counterparts {
    pairs: Vec<(Site, Site)>,
}

impl Counterparts {
    pub(crate) fn new(impact: &Impact<'_>, old: &Scope<'_>, new: &Scope<'_>) -> Self {
        let mut pairs = Vec::new();
        for pair in &impact.versions.functions {
            let (Some(before), Some(after)) = (pair.old, pair.new) else { continue };
            let (Some(old_facts), Some(new_facts)) = (old.functions.get(&before), new.functions.get(&after))
            else {
                continue;
            };
            let made;
            let alignment = match impact.functions.iter().find(|each| each.function == after) {
                Some(known) => &known.alignment,
                None => {
                    let graphs =
                        (StatementGraph::new(impact.old, before), StatementGraph::new(impact.new, after));
                    made = impact.versions.align(impact.old, graphs.0, impact.new, graphs.1);
                    &made
                }
            };
            let Some(old_graph) = &alignment.old_graph else { continue };
            for node in old_graph.ids() {
                let Some(counterpart) = alignment.to_new[node.index()] else { continue };
                let there = &alignment.new_graph.node(counterpart).roots;
                for (one, other) in old_graph.node(node).roots.iter().zip(there) {
                    let owners = |graph: &StatementGraph, root: &InstructionId| graph.owners[root.index()];
                    let sites = (owners(&old_facts.graph, one), owners(&new_facts.graph, other));
                    if let (Some(one), Some(other)) = sites {
                        pairs.push(((before, one), (after, other)));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Self { pairs }
    }
}

/// What is affected in one version and not in the other, as what becomes affected there: in the old and the new one.
pub(crate) fn exchange(
    counterparts: &Counterparts,
    old: &BTreeMap<FunctionId, Affected>,
    new: &BTreeMap<FunctionId, Affected>,
) -> (Seeds, Seeds) {
    let level = |affected: &BTreeMap<FunctionId, Affected>, (function, node): Site| {
        let Some(affected) = affected.get(&function) else { return 0 };
        u8::from(affected.is_forward_itself(node)) + u8::from(affected.is_forward_in_full(node))
    };
    let step = |(function, node): Site, level: u8| {
        let rule = if level == 2 { Rule::ThroughOld } else { Rule::OtherVersion };
        (function, Step { node, rule, cause: None })
    };
    let (mut for_old, mut for_new) = (Vec::new(), Vec::new());
    for &(before, after) in &counterparts.pairs {
        let (one, other) = (level(old, before), level(new, after));
        if one > other {
            for_new.push(step(after, one));
        } else if other > one {
            for_old.push(step(before, other));
        }
    }
    (for_old, for_new)
}
