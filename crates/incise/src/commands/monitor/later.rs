//! What later calls can do to nodes that one call leaves the same: they begin with what the earlier one left behind.
//!
//! One call of the entry is compared, from any state that both versions have in common. A controller is called again
//! and again: a variable that differs after one call, and that the next one reads, carries the change on. That is
//! followed by the static rules, in both versions, until nothing is added.

use super::names::Observable;
use super::plan::Plan;
use incise_change::{Base, Inputs, Scope};
use incise_ir::{FunctionId, GlobalId};
use incise_report::monitor::MonitorNode;
use incise_vocabulary::Mark;
use std::collections::BTreeSet;

/// So many calls are followed; what is found by then grows seldom.
const MOST_CALLS: u32 = 16;
/// So many names are shown.
const SHOWN: usize = 6;

/// What later calls can do.
pub(super) struct LaterCalls {
    /// In words.
    pub(super) note: String,
    /// The nodes with variables that can differ then, by their numbers.
    nodes: Vec<usize>,
}

impl LaterCalls {
    /// Marks these nodes, and those that follow them.
    pub(super) fn mark(&self, nodes: &mut [MonitorNode]) {
        for &at in &self.nodes {
            nodes[at].later = true;
        }
        loop {
            let names: BTreeSet<String> =
                nodes.iter().filter(|node| node.later).map(|node| node.name.clone()).collect();
            let follows = |node: &MonitorNode| node.follows.iter().any(|name| names.contains(name));
            let mut marked = false;
            for node in nodes.iter_mut() {
                if node.mark == Mark::Same && !node.later && follows(node) {
                    (node.later, marked) = (true, true);
                }
            }
            if !marked {
                return;
            }
        }
    }
}

/// What later calls can do; `None` if they add nothing. `left` are the symbols that the change can concern after one
/// call.
pub(super) fn later_calls(
    plan: &Plan<'_>,
    nodes: &[MonitorNode],
    left: &BTreeSet<String>,
    entry: &str,
    versions: [(Scope<'_>, FunctionId); 2],
) -> Option<LaterCalls> {
    let proved = proved(plan, nodes);
    let carried: BTreeSet<String> = left.iter().filter(|symbol| !proved.contains(*symbol)).cloned().collect();
    let (mut read, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for (mut scope, function) in versions {
        let (used, found) = followed(&mut scope, function, &carried);
        read.extend(used);
        reached.extend(found);
    }
    let concerned = |&(at, node): &(usize, &MonitorNode)| {
        let symbols = plan.operands(at).iter().filter_map(|&number| plan.named(number).symbol());
        node.mark == Mark::Same && symbols.into_iter().any(|symbol| reached.contains(&symbol))
    };
    let (numbers, names): (Vec<usize>, Vec<&str>) =
        nodes.iter().enumerate().filter(concerned).map(|(at, node)| (at, node.name.as_str())).unzip();
    if names.is_empty() {
        return None;
    }
    let note = format!(
        "one call of {entry} is compared: later calls begin with what it left in {}, by which {} can differ then",
        some_of(&read.iter().map(String::as_str).collect::<Vec<_>>()),
        some_of(&names)
    );
    Some(LaterCalls { note, nodes: numbers })
}

/// The variables that are proved the same as a whole.
fn proved(plan: &Plan<'_>, nodes: &[MonitorNode]) -> BTreeSet<String> {
    let same = nodes.iter().enumerate().filter(|(_, node)| node.mark == Mark::Same);
    let whole = same.filter_map(|(at, _)| match plan.observable(at) {
        Some(Observable::Global { symbol, path }) if !path.contains(['.', '[']) => Some(symbol.clone()),
        _ => None,
    });
    whole.collect()
}

/// Which of the carried variables calls read, and what is concerned after them.
fn followed(
    scope: &mut Scope<'_>,
    entry: FunctionId,
    carried: &BTreeSet<String>,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let program = scope.program;
    let name = |global: &GlobalId| program.globals[*global].name.clone();
    let named = program.globals.iter().filter(|(_, each)| carried.contains(&each.name));
    let first: BTreeSet<GlobalId> = named.map(|(id, _)| id).collect();
    let mut globals = first.clone();
    let mut reached: BTreeSet<GlobalId> = BTreeSet::new();
    for _ in 0..MOST_CALLS {
        let inputs = Inputs { globals: globals.clone(), ..Inputs::default() };
        let call = scope.activate(entry, inputs);
        reached = scope.activation(call).outputs.globals.clone();
        let before = globals.len();
        globals.extend(&reached);
        if globals.len() == before {
            break;
        }
    }
    let mut read = BTreeSet::new();
    for (&function, facts) in &scope.functions {
        for node in facts.graph.ids() {
            let places = facts.dependence.footprint(node).own_reads.iter();
            let globals = places.filter_map(|place| match place.base {
                Base::Global(global) if first.contains(&global) => Some(global),
                _ => None,
            });
            let inputs = Inputs { globals: globals.collect(), ..Inputs::default() };
            read.extend(scope.inputs_read(function, node, &inputs).globals);
        }
    }
    let shown =
        |global: &GlobalId| program.globals[*global].source_name.clone().unwrap_or_else(|| name(global));
    let read = read.iter().map(shown).collect();
    (read, reached.iter().map(name).collect())
}

fn some_of(names: &[&str]) -> String {
    match names.len().checked_sub(SHOWN) {
        Some(more @ 2..) => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
