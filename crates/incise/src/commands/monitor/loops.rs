//! Loops that the change reaches: whether a version comes to its end hangs on them.
//!
//! What the change has no influence on is the same wherever both versions return. Where not all paths were followed,
//! and the change decides how often a loop is gone round, one of them may not.

use crate::change::model::call_site;
use incise_change::Scope;
use incise_ir::FunctionId;

/// A loop that goes round as the change says, in words.
pub(super) fn reached(scope: &mut Scope<'_>, entry: FunctionId) -> Option<String> {
    let root = scope.root(entry);
    let scope = &*scope;
    for (function, activations) in scope.reached(&[root]) {
        let graph = &scope.facts(function).graph;
        let repeating = graph.repeating();
        for id in activations {
            let affected = &scope.activation(id).affected;
            let decides =
                |node: &incise_change::NodeId| repeating[node.index()] && affected.is_forward(*node);
            if let Some(node) = graph.ids().find(decides) {
                return Some(call_site(scope, (function, node)).words());
            }
        }
    }
    None
}
