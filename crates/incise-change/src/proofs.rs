//! What a change is proved not to hand on.
//!
//! That two versions of a function do the same for all that they can be given is found out elsewhere, by whoever
//! executes programs. Here it only says where impact ends: what such a function leaves behind is that of the other
//! version, as long as it is given nothing that carries impact. What its statements do on the way may still differ, and
//! stays affected.

use crate::ByItself;
use crate::composition::Effect;
use crate::scope::Outputs;
use incise_ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

/// Functions of which both versions were proved to do the same, as far as that goes.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// By the function in the new version.
    proved: BTreeMap<FunctionId, (ByItself, BTreeSet<Effect>)>,
}

impl Proofs {
    /// Notes that both versions of a function do the same, as far as these effects go.
    pub fn add(&mut self, function: ByItself, equal: BTreeSet<Effect>) {
        self.proved.insert(function.new, (function, equal));
    }

    /// Whether nothing was proved.
    pub fn is_empty(&self) -> bool {
        self.proved.is_empty()
    }

    /// The functions of the new version of which something was proved, with what it is, and whether it is all that they
    /// do.
    pub fn each(&self) -> impl Iterator<Item = (FunctionId, &BTreeSet<Effect>, bool)> {
        self.proved.values().map(|(function, equal)| (function.new, equal, function.effects.is_subset(equal)))
    }

    /// What functions of the new version hold back, or those of the old one.
    pub(crate) fn held_back(&self, is_new: bool) -> BTreeMap<FunctionId, HeldBack> {
        let of = |(function, equal): &(ByItself, BTreeSet<Effect>)| {
            let held = HeldBack {
                result: equal.contains(&Effect::Result),
                globals: equal.contains(&Effect::Variables),
                memory: equal.contains(&Effect::Memory),
                all: function.effects.is_subset(equal),
            };
            (if is_new { function.new } else { function.old }, held)
        };
        self.proved.values().map(of).collect()
    }
}

/// What a function leaves behind as the other version does, if it is given nothing that carries impact.
#[derive(Copy, Clone, Debug)]
pub(crate) struct HeldBack {
    result: bool,
    globals: bool,
    memory: bool,
    /// Whether that is all that it does.
    pub(crate) all: bool,
}

impl HeldBack {
    /// What is left of what a function would hand on.
    pub(crate) fn keep_back(&self, outputs: &mut Outputs) {
        if self.all {
            *outputs = Outputs::default();
            return;
        }
        outputs.result &= !self.result;
        if self.globals {
            outputs.globals.clear();
        }
        if self.memory {
            outputs.memory.clear();
        }
    }
}
