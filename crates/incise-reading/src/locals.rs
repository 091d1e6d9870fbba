//! Local variables as values: which value a load of a local reads, so that loops and copies can be followed.
//!
//! Unoptimised code keeps every variable in the frame. Variables whose address goes nowhere are brought into the form
//! of Cytron and others, "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph" (1991):
//! joins stand where definitions meet, and each load has one definition. The program itself is left as it is.

use incise_ir::{BlockId, Cfg, ConstantId, Dominators, Function, Id, InstructionId, Op, Operand, ValueId};

/// A value in a function, after locals were followed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LocalNode {
    /// A parameter or the result of an instruction.
    Value(ValueId),
    /// A constant.
    Constant(ConstantId),
    /// What a variable holds where ways meet.
    Join(u32),
    /// A variable that was not given a value.
    Unset,
}

/// What a variable holds at the start of a block that several ways lead to.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    pub(crate) block: BlockId,
    /// The value for each block that control comes from, in the order of the predecessors.
    pub(crate) incoming: Vec<(BlockId, LocalNode)>,
}

/// The variables of a function, followed.
pub(crate) struct Locals {
    pub(crate) joins: Vec<Join>,
    /// For each value that is a load of a variable: what it reads.
    reads: Vec<Option<LocalNode>>,
    /// For each value: whether it is the place of a variable that was followed.
    followed: Vec<bool>,
    /// Joins that stand for another value.
    same: Vec<Option<LocalNode>>,
}

impl Locals {
    pub(crate) fn new(function: &Function, cfg: &Cfg, dominators: &Dominators) -> Self {
        let variables = followed_variables(function);
        let mut builder = Builder::new(function, cfg, dominators, &variables);
        builder.place_joins();
        builder.rename();
        let mut locals = Self {
            same: vec![None; builder.joins.len()],
            joins: builder.joins,
            reads: builder.reads,
            followed: variables.iter().map(Option::is_some).collect(),
        };
        locals.simplify();
        locals
    }

    /// The value of an operand.
    pub(crate) fn node(&self, operand: Operand) -> LocalNode {
        match operand {
            Operand::Constant(constant) => LocalNode::Constant(constant),
            Operand::Value(value) => self.resolve(LocalNode::Value(value)),
        }
    }

    /// Whether a value is the place of a variable whose loads and stores are followed.
    pub(crate) fn is_followed(&self, value: ValueId) -> bool {
        self.followed[value.index()]
    }

    fn resolve(&self, mut node: LocalNode) -> LocalNode {
        // Loads read joins or values that are no loads of variables: two kinds of steps, and no cycle.
        loop {
            node = match node {
                LocalNode::Value(value) => match self.reads[value.index()] {
                    Some(read) => read,
                    None => return node,
                },
                LocalNode::Join(join) => match self.same[join as usize] {
                    Some(same) => same,
                    None => return node,
                },
                other => return other,
            };
        }
    }

    /// Finds the joins at which all ways bring the same.
    fn simplify(&mut self) {
        loop {
            let mut changed = false;
            for join in 0..self.joins.len() {
                if self.same[join].is_some() {
                    continue;
                }
                let mut one = None;
                let mut several = false;
                for &(_, incoming) in &self.joins[join].incoming {
                    let incoming = self.resolve(incoming);
                    if incoming == LocalNode::Join(join as u32) || Some(incoming) == one {
                        continue;
                    }
                    several |= one.is_some();
                    one = Some(incoming);
                }
                if let (Some(one), false) = (one, several) {
                    self.same[join] = Some(one);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for join in 0..self.joins.len() {
            for at in 0..self.joins[join].incoming.len() {
                let (_, incoming) = self.joins[join].incoming[at];
                self.joins[join].incoming[at].1 = self.resolve(incoming);
            }
        }
    }

    /// The joins that stand for themselves.
    pub(crate) fn live_joins(&self) -> impl Iterator<Item = (u32, &Join)> {
        self.joins
            .iter()
            .enumerate()
            .filter(|(number, _)| self.same[*number].is_none())
            .map(|(number, join)| (number as u32, join))
    }
}

/// For each value that is the place of a variable of one scalar and is only loaded from and stored to: its number.
fn followed_variables(function: &Function) -> Vec<Option<u32>> {
    let mut types = vec![None; function.values.len()];
    for (_, instruction) in function.instructions.iter() {
        if let (Op::Alloca { ty, count: None, .. }, Some(result)) = (&instruction.op, instruction.result) {
            types[result.index()] = Some(*ty);
        }
    }
    let mut spoilt = vec![false; function.values.len()];
    for (_, instruction) in function.instructions.iter() {
        let mut plain = None;
        match &instruction.op {
            Op::Load { ty, pointer: Operand::Value(pointer), volatile: false, .. } => {
                plain = Some(*pointer).filter(|pointer| types[pointer.index()] == Some(*ty));
            }
            Op::Store { value, pointer: Operand::Value(pointer), volatile: false, .. } => {
                let stored = match value {
                    Operand::Value(value) => Some(function.values[*value].ty),
                    Operand::Constant(_) => types[pointer.index()],
                };
                plain = Some(*pointer)
                    .filter(|pointer| types[pointer.index()] == stored && *value != Operand::Value(*pointer));
                if let Operand::Value(value) = value {
                    spoilt[value.index()] = true;
                }
            }
            _ => {}
        }
        if plain.is_none() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Value(value) = operand {
                    spoilt[value.index()] = true;
                }
            });
        }
    }
    let mut count = 0;
    (0..function.values.len())
        .map(|value| {
            let followed = types[value].is_some() && !spoilt[value];
            followed.then(|| {
                count += 1;
                count - 1
            })
        })
        .collect()
}

struct Builder<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    variables: &'a [Option<u32>],
    count: usize,
    joins: Vec<Join>,
    /// For each block, the variables that have a join there.
    at_block: Vec<Vec<(u32, u32)>>,
    reads: Vec<Option<LocalNode>>,
}

impl<'a> Builder<'a> {
    fn new(
        function: &'a Function,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        variables: &'a [Option<u32>],
    ) -> Self {
        Self {
            function,
            cfg,
            dominators,
            variables,
            count: variables.iter().flatten().count(),
            joins: Vec::new(),
            at_block: vec![Vec::new(); function.blocks.len()],
            reads: vec![None; function.values.len()],
        }
    }

    fn variable(&self, pointer: Operand) -> Option<u32> {
        match pointer {
            Operand::Value(value) => self.variables[value.index()],
            Operand::Constant(_) => None,
        }
    }

    fn place_joins(&mut self) {
        let frontiers = frontiers(self.cfg, self.dominators);
        let mut defined: Vec<Vec<BlockId>> = vec![Vec::new(); self.count];
        for &block in self.cfg.reverse_postorder() {
            for at in self.function.block_instructions(block) {
                if let Op::Store { pointer, .. } = self.function.instructions[at].op
                    && let Some(variable) = self.variable(pointer)
                    && defined[variable as usize].last() != Some(&block)
                {
                    defined[variable as usize].push(block);
                }
            }
        }
        let mut has = vec![u32::MAX; self.function.blocks.len()];
        for (variable, mut work) in defined.into_iter().enumerate() {
            let variable = variable as u32;
            while let Some(block) = work.pop() {
                for &frontier in &frontiers[block.index()] {
                    if std::mem::replace(&mut has[frontier.index()], variable) == variable {
                        continue;
                    }
                    self.at_block[frontier.index()].push((variable, self.joins.len() as u32));
                    self.joins.push(Join { block: frontier, incoming: Vec::new() });
                    work.push(frontier);
                }
            }
        }
    }

    /// Walks over the tree of dominators with the value that each variable holds.
    fn rename(&mut self) {
        let Some(entry) = self.function.entry() else { return };
        let mut children: Vec<Vec<BlockId>> = vec![Vec::new(); self.function.blocks.len()];
        for &block in self.cfg.reverse_postorder() {
            if let Some(parent) = self.dominators.immediate(block) {
                children[parent.index()].push(block);
            }
        }
        let mut holds = vec![LocalNode::Unset; self.count];
        let mut undo: Vec<(u32, LocalNode)> = Vec::new();
        let mut stack = vec![(entry, 0, 0)];
        while let Some((block, next, start)) = stack.pop() {
            if next == 0 {
                self.enter(block, &mut holds, &mut undo);
            }
            match children[block.index()].get(next) {
                Some(&child) => {
                    stack.push((block, next + 1, start));
                    stack.push((child, 0, undo.len()));
                }
                None => {
                    for (variable, before) in undo.drain(start..).rev() {
                        holds[variable as usize] = before;
                    }
                }
            }
        }
    }

    fn enter(&mut self, block: BlockId, holds: &mut [LocalNode], undo: &mut Vec<(u32, LocalNode)>) {
        let mut set = |holds: &mut [LocalNode], variable: u32, node: LocalNode| {
            undo.push((variable, std::mem::replace(&mut holds[variable as usize], node)));
        };
        for &(variable, join) in &self.at_block[block.index()] {
            set(holds, variable, LocalNode::Join(join));
        }
        for at in self.function.block_instructions(block) {
            self.step(at, holds, &mut set);
        }
        for &successor in self.cfg.successors(block) {
            for &(variable, join) in &self.at_block[successor.index()] {
                self.joins[join as usize].incoming.push((block, holds[variable as usize]));
            }
        }
    }

    fn step(
        &mut self,
        at: InstructionId,
        holds: &mut [LocalNode],
        set: &mut impl FnMut(&mut [LocalNode], u32, LocalNode),
    ) {
        let instruction = &self.function.instructions[at];
        match instruction.op {
            Op::Load { pointer, .. } => {
                if let (Some(variable), Some(result)) = (self.variable(pointer), instruction.result) {
                    self.reads[result.index()] = Some(holds[variable as usize]);
                }
            }
            Op::Store { value, pointer, .. } => {
                if let Some(variable) = self.variable(pointer) {
                    let node = match value {
                        Operand::Constant(constant) => LocalNode::Constant(constant),
                        Operand::Value(value) => self.reads[value.index()].unwrap_or(LocalNode::Value(value)),
                    };
                    set(holds, variable, node);
                }
            }
            _ => {}
        }
    }
}

/// For each block, the blocks at which its dominance ends.
fn frontiers(cfg: &Cfg, dominators: &Dominators) -> Vec<Vec<BlockId>> {
    let mut found: Vec<Vec<BlockId>> = vec![Vec::new(); cfg.block_count()];
    for &block in cfg.reverse_postorder() {
        if cfg.predecessors(block).len() < 2 {
            continue;
        }
        for &predecessor in cfg.predecessors(block) {
            if !cfg.is_reachable(predecessor) {
                continue;
            }
            let mut runner = Some(predecessor);
            while let Some(at) = runner
                && Some(at) != dominators.immediate(block)
            {
                if found[at.index()].last() != Some(&block) {
                    found[at.index()].push(block);
                }
                runner = dominators.immediate(at);
            }
        }
    }
    found
}
