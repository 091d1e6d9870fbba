//! Enumerations: a number is taken to be one of its enumerators where the function gives up on all others.
//!
//! A `switch` without a default does something on other numbers, if only nothing; so does one with a default that
//! returns. Neither says that they do not come.

use crate::flow::Flow;
use crate::null::is_end;
use crate::summary::{Claim, Fact};
use incise_ir::{DebugType, InstructionId, Op};

/// A `switch` over an enumeration whose default does not go on.
pub(crate) fn switched(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::Switch { value, default, .. } = flow.function.instructions[at].op else { return };
    if !is_end(flow, default) {
        return;
    }
    let node = flow.stripped(flow.node(value));
    let Some(place) = flow.origins(node).single_exact() else { return };
    if flow.places.is_input(place) && matches!(flow.debug_type(place), Some(DebugType::Enumeration { .. })) {
        facts.push(Fact {
            place,
            claim: Claim::Enumerator,
            words: "the function gives up on other values".to_owned(),
            at: flow.position(at),
        });
    }
}
