//! The content of statements: what each does, as an expression over variables, whatever registers and temporaries the
//! compiler used.
//!
//! Locals, parameters and joined values (phis) are variables, and who calls says which variables of two versions are
//! the same. Everything else is told by its operation and operands. A value that was read or computed before another
//! root of the same statement is told apart from one that was made after it.

use crate::fingerprint::{constant_operand, for_each_operand, is_silent};
use crate::hash::{Fingerprint, Mixer};
use crate::roots::{Next, Roots};
use incise_ir::{Callee, Id, InstructionId, IntrinsicKind, Op, Operand};
use std::hash::Hash;

/// The contents of a function's values and roots, for one choice of what its variables are.
pub(crate) struct Contents {
    /// For each value, what it is.
    values: Vec<Fingerprint>,
    /// For each value, whether it matters when it was made.
    timed: Vec<bool>,
    /// For each root, what it does.
    pub(crate) roots: Vec<Fingerprint>,
    /// For each root, what it does it to: roots with the same target may be two versions of one.
    pub(crate) targets: Vec<Fingerprint>,
    /// For each root, what happens after it and before the next of its block without belonging to a statement.
    after: Vec<Fingerprint>,
    /// The same for each block, before its first root.
    leading: Vec<Fingerprint>,
}

impl Contents {
    /// The contents, given what each variable (parameter, local, phi) is.
    pub(crate) fn new(roots: &Roots<'_>, variables: &[Option<Fingerprint>]) -> Self {
        let function = roots.function;
        let mut contents = Self {
            values: vec![Fingerprint::default(); function.values.len()],
            timed: vec![false; function.values.len()],
            roots: vec![Fingerprint::default(); roots.len()],
            targets: vec![Fingerprint::default(); roots.len()],
            after: vec![Fingerprint::default(); roots.len()],
            leading: vec![Fingerprint::default(); function.blocks.len()],
        };
        for (value, variable) in contents.values.iter_mut().zip(variables) {
            *value = variable.unwrap_or_default();
        }
        // Each value is made before it is used, except by phis, which are variables.
        for &block in roots.graph.cfg.reverse_postorder() {
            for id in function.block_instructions(block) {
                contents.add_value(roots, id, variables);
            }
        }
        for root in 0..roots.len() {
            contents.roots[root] = contents.root(roots, root);
            contents.targets[root] = contents.target(roots, root);
        }
        for &block in roots.graph.cfg.reverse_postorder() {
            contents.add_loose(roots, block);
        }
        contents
    }

    /// What an operand is.
    pub(crate) fn operand(
        &self,
        roots: &Roots<'_>,
        op: &Op,
        position: usize,
        operand: Operand,
    ) -> Fingerprint {
        match operand {
            Operand::Value(value) => self.values[value.index()],
            Operand::Constant(constant) => constant_operand(roots.symbols, op, position, constant),
        }
    }

    /// How far before its user an operand was made, if that matters.
    pub(crate) fn displacement(
        &self,
        roots: &Roots<'_>,
        operand: Operand,
        user: InstructionId,
    ) -> Option<(InstructionId, usize)> {
        let Operand::Value(value) = operand else { return None };
        let definition = roots.definition(value).filter(|_| self.timed[value.index()])?;
        Some((definition, roots.displacement(definition, user)?))
    }

    /// What happens, without belonging to a statement, on the way from a root (`None`: the function's entry) on one of
    /// its sides, and where it leads.
    pub(crate) fn edge(&self, roots: &Roots<'_>, from: Option<usize>, side: usize) -> (Next, Fingerprint) {
        let mut mixer = Mixer::new("edge");
        let start = match from {
            None => roots.function.entry(),
            Some(root) => {
                mix_if_any(self.after[root], &mut mixer);
                let block = roots.block(roots.list[root]);
                if root + 1 < roots.block_roots(block).end {
                    return (Next::Root(root + 1), mixer.done());
                }
                let next = roots.graph.cfg.successors(block).get(side).copied();
                if next.is_none() {
                    mix_end(roots, block, &mut mixer);
                }
                next
            }
        };
        let Some(start) = start else { return (Next::End, mixer.done()) };
        let mut last = start;
        let next = roots.first_from(start, |block| {
            mix_if_any(self.leading[block.index()], &mut mixer);
            last = block;
        });
        if next == Next::End {
            mix_end(roots, last, &mut mixer);
        }
        (next, mixer.done())
    }

    fn add_value(&mut self, roots: &Roots<'_>, id: InstructionId, variables: &[Option<Fingerprint>]) {
        let instruction = &roots.function.instructions[id];
        let Some(result) = instruction.result else { return };
        if variables[result.index()].is_some() {
            return;
        }
        let mut mixer = Mixer::new(if roots.number(id).is_some() { "result" } else { "value" });
        self.mix(roots, id, &mut mixer);
        self.values[result.index()] = mixer.done();
        if roots.number(id).is_none() {
            let mut timed = roots.is_timed(&instruction.op);
            instruction.op.for_each_operand(|operand| {
                timed |= matches!(operand, Operand::Value(value) if self.timed[value.index()]);
            });
            self.timed[result.index()] = timed;
        }
    }

    fn mix(&self, roots: &Roots<'_>, id: InstructionId, mixer: &mut Mixer) {
        let instruction = &roots.function.instructions[id];
        mixer.fingerprint(roots.shape(id));
        for_each_operand(roots.program, &instruction.op, |position, operand| {
            self.mix_operand(roots, (id, &instruction.op, position, operand), mixer);
        });
    }

    fn mix_operand(
        &self,
        roots: &Roots<'_>,
        (user, op, position, operand): (InstructionId, &Op, usize, Operand),
        mixer: &mut Mixer,
    ) {
        mixer.fingerprint(self.operand(roots, op, position, operand));
        if let Some((_, distance)) = self.displacement(roots, operand, user) {
            mixer.word(distance as u64);
        }
    }

    fn root(&self, roots: &Roots<'_>, root: usize) -> Fingerprint {
        let (id, op) = (roots.list[root], roots.op(root));
        let mut mixer = Mixer::new("root");
        if let Some(value) = roots.returned(root) {
            mixer.text("return");
            mixer.fingerprint(roots.symbols.ty(roots.program.operand_type(roots.function, value)));
            self.mix_operand(roots, (id, op, 0, value), &mut mixer);
            return mixer.done();
        }
        match op {
            Op::Switch { value, default, cases } => {
                mixer.text("switch");
                mixer.fingerprint(roots.symbols.ty(roots.program.operand_type(roots.function, *value)));
                self.mix_operand(roots, (id, op, 0, *value), &mut mixer);
                let sides = roots.graph.cfg.successors(roots.block(id));
                let side = |block| sides.iter().position(|&each| each == block).unwrap_or(usize::MAX);
                let mut cases: Vec<_> = cases.iter().map(|&(value, block)| (value, side(block))).collect();
                cases.sort_unstable();
                cases.hash(&mut mixer);
                side(*default).hash(&mut mixer);
            }
            Op::Phi(incoming) => {
                // Which value comes along which edge is looked at when the edges are known.
                mixer.text("phi");
                let result = roots.function.instructions[id].result;
                let ty = result.map(|result| roots.function.values[result].ty);
                ty.iter().for_each(|&ty| mixer.fingerprint(roots.symbols.ty(ty)));
                mixer.word(incoming.len() as u64);
                let parts = incoming.iter().map(|&(_, operand)| {
                    let mut part = Mixer::new("incoming");
                    self.mix_operand(roots, (id, op, 0, operand), &mut part);
                    part.done()
                });
                mixer.fingerprint(parts.fold(Fingerprint::default(), Fingerprint::plus));
            }
            _ => self.mix(roots, id, &mut mixer),
        }
        mixer.done()
    }

    fn target(&self, roots: &Roots<'_>, root: usize) -> Fingerprint {
        let op = roots.op(root);
        let mut mixer = Mixer::new("target");
        if roots.returned(root).is_some() {
            mixer.text("return");
            return mixer.done();
        }
        match op {
            Op::ConditionalBranch { .. } | Op::Switch { .. } | Op::IndirectBranch { .. } => {
                mixer.text("condition")
            }
            Op::Store { pointer, .. } => {
                mixer.text("store");
                mixer.fingerprint(self.operand(roots, op, 1, *pointer));
            }
            Op::Call(call) | Op::Invoke { call, .. } => {
                mixer.text("call");
                match &call.callee {
                    Callee::Direct(function) => mixer.fingerprint(roots.symbols.function(*function)),
                    Callee::Indirect(pointer) => mixer.fingerprint(self.operand(roots, op, 0, *pointer)),
                    Callee::Assembly(template) => mixer.text(template),
                    Callee::Intrinsic(intrinsic) => {
                        intrinsic.kind.hash(&mut mixer);
                        if let (true, Some(&place)) = (writes_memory(intrinsic.kind), call.arguments.first())
                        {
                            mixer.fingerprint(self.operand(roots, op, 0, place));
                        }
                    }
                }
            }
            _ => std::mem::discriminant(op).hash(&mut mixer),
        }
        mixer.done()
    }

    fn add_loose(&mut self, roots: &Roots<'_>, block: incise_ir::BlockId) {
        let mut at = None;
        let mut mixer: Option<Mixer> = None;
        let mut ends = Vec::new();
        for id in roots.function.block_instructions(block) {
            if let Some(root) = roots.number(id) {
                ends.push((at, mixer.take()));
                at = Some(root);
            } else if roots.is_loose(id) && !is_silent(&roots.function.instructions[id].op) {
                self.mix(roots, id, mixer.get_or_insert_with(|| Mixer::new("loose")));
            }
        }
        ends.push((at, mixer));
        for (at, mixer) in ends {
            let Some(mixer) = mixer else { continue };
            match at {
                Some(root) => self.after[root] = mixer.done(),
                None => self.leading[block.index()] = mixer.done(),
            }
        }
    }
}

fn mix_if_any(part: Fingerprint, mixer: &mut Mixer) {
    if part != Fingerprint::default() {
        mixer.fingerprint(part);
    }
}

/// Returning is another end than reaching what must not be reached.
fn mix_end(roots: &Roots<'_>, block: incise_ir::BlockId, mixer: &mut Mixer) {
    let end = &roots.function.instructions[roots.function.terminator(block)].op;
    mixer.word(u64::from(matches!(end, Op::Return(_))));
}

fn writes_memory(kind: IntrinsicKind) -> bool {
    use IntrinsicKind::{
        MemoryCopy, MemoryCopyInline, MemoryMove, MemorySet, MemorySetInline, VaCopy, VaStart,
    };
    matches!(
        kind,
        MemoryCopy | MemoryCopyInline | MemoryMove | MemorySet | MemorySetInline | VaCopy | VaStart
    )
}
