//! Statements as C-like text, for people, where the source is not at hand: `p->next->key < key`. A good effort, not a
//! decompiler: implicit conversions are left out, deep expressions are cut, and what has no C form is shown by the
//! operation's name.

use crate::graph::{NodeId, NodeKind, StatementGraph};
use crate::symbols::is_compiler_made;
use incise_ir::{
    BinaryOp, BlockId, Call, Callee, CastOp, ConstantId, ConstantKind, DebugMember, DebugType, DebugTypeId,
    FloatKind, FloatPredicate, Function, Id, InstructionId, IntegerPredicate, IntrinsicKind, Op, Operand,
    Program, Type, ValueId,
};

/// How deep an expression is shown.
const MAXIMUM_DEPTH: usize = 12;
/// How long a text gets before it is cut.
const MAXIMUM_LENGTH: usize = 160;
/// How long an argument gets before it is cut.
const MAXIMUM_ARGUMENT: usize = 48;

/// A statement as C-like text. For many statements of one function, [`Describer`] is faster.
pub fn describe(program: &Program, graph: &StatementGraph, node: NodeId) -> String {
    Describer::new(program, graph).describe(node)
}

/// Shows the statements of a function.
pub struct Describer<'a> {
    program: &'a Program,
    function: &'a Function,
    graph: &'a StatementGraph,
    definitions: Vec<Option<InstructionId>>,
}

/// An expression: its text, how strongly it binds, its type in the source where known.
struct Text {
    text: String,
    strength: u8,
    ty: Option<DebugTypeId>,
}

/// The strength of names, calls, members and indices.
const ATOM: u8 = 15;
const UNARY: u8 = 14;
const CHOICE: u8 = 2;

impl Text {
    fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), strength: ATOM, ty: None }
    }

    fn with(text: String, strength: u8) -> Self {
        Self { text, strength, ty: None }
    }

    fn typed(self, ty: Option<DebugTypeId>) -> Self {
        Self { ty, ..self }
    }

    /// The text, in parentheses unless it binds at least so strongly.
    fn at(&self, strength: u8) -> String {
        if self.strength >= strength { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl<'a> Describer<'a> {
    /// For the statements of a graph.
    pub fn new(program: &'a Program, graph: &'a StatementGraph) -> Self {
        let function = &program.functions[graph.function];
        let mut definitions = vec![None; function.values.len()];
        for (id, instruction) in function.instructions.iter() {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(id);
            }
        }
        Self { program, function, graph, definitions }
    }

    /// A statement as C-like text.
    pub fn describe(&self, node: NodeId) -> String {
        let statement = self.graph.node(node);
        let shown = statement.roots.iter().copied().filter(|&root| !self.is_part(root, &statement.roots));
        let texts: Vec<String> = shown.map(|root| self.root(root, statement.kind)).collect();
        let text = texts.join("; ");
        match text.char_indices().nth(MAXIMUM_LENGTH) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    /// An argument of a call as C-like text; empty if there is none.
    pub fn argument(&self, call: InstructionId, index: usize) -> String {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &self.function.instructions[call].op else {
            return String::new();
        };
        let Some(&argument) = call.arguments.get(index) else { return String::new() };
        let by_value = call.by_value.iter().any(|(number, _)| *number as usize == index);
        let text = match by_value {
            true => self.place(argument, MAXIMUM_DEPTH).text,
            false => self.operand(argument, MAXIMUM_DEPTH).text,
        };
        match text.char_indices().nth(MAXIMUM_ARGUMENT) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    fn op(&self, value: ValueId) -> Option<&Op> {
        self.definitions[value.index()].map(|id| &self.function.instructions[id].op)
    }

    /// Whether a root is shown as part of another one of its statement, which uses its result.
    fn is_part(&self, root: InstructionId, roots: &[InstructionId]) -> bool {
        let Some(result) = self.function.instructions[root].result else { return false };
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work: Vec<InstructionId> = roots.iter().copied().filter(|&other| other > root).collect();
        while let Some(id) = work.pop() {
            let mut used = false;
            self.function.instructions[id].op.for_each_operand(|operand| {
                let Operand::Value(value) = operand else { return };
                used |= value == result;
                if let Some(definition) = self.definitions[value.index()].filter(|id| seen.insert(*id)) {
                    work.push(definition);
                }
            });
            if used {
                return true;
            }
        }
        false
    }

    fn root(&self, root: InstructionId, kind: NodeKind) -> String {
        let depth = MAXIMUM_DEPTH;
        match &self.function.instructions[root].op {
            Op::Store { value, .. } if kind == NodeKind::Return => {
                format!("return {}", self.operand(*value, depth).text)
            }
            Op::Store { value, pointer, .. } => self.assignment(*value, *pointer),
            Op::Return(Some(value)) => format!("return {}", self.operand(*value, depth).text),
            Op::ConditionalBranch { condition, .. } => self.operand(*condition, depth).text,
            Op::Switch { value, .. } => format!("switch ({})", self.operand(*value, depth).text),
            Op::IndirectBranch { address, .. } => {
                format!("goto *{}", self.operand(*address, depth).at(UNARY))
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.call(call, depth).text,
            Op::Alloca { count: Some(count), .. } => {
                let name = self.function.instructions[root].result.map(|value| self.local(value).text);
                format!("{}[{}]", name.unwrap_or_default(), self.operand(*count, depth).text)
            }
            op => match self.function.instructions[root].result {
                Some(value) => self.value(value, depth).text,
                None => name_of(op).to_owned(),
            },
        }
    }

    fn assignment(&self, value: Operand, pointer: Operand) -> String {
        let ty = self.program.operand_type(self.function, value);
        let target = self.scalar(self.place(pointer, MAXIMUM_DEPTH), ty);
        let value = self.operand(value, MAXIMUM_DEPTH);
        format!("{} = {}", target.text, value.text)
    }

    fn operand(&self, operand: Operand, depth: usize) -> Text {
        match operand {
            Operand::Value(value) => self.value(value, depth),
            Operand::Constant(constant) => self.constant(constant, depth),
        }
    }

    fn value(&self, value: ValueId, depth: usize) -> Text {
        let Some(depth) = depth.checked_sub(1) else { return Text::atom("...") };
        let Some(op) = self.op(value) else { return self.parameter(value) };
        match op {
            Op::Binary { op, left, right, .. } => self.binary(*op, *left, *right, depth),
            Op::IntegerCompare { predicate, left, right } => {
                self.comparison(integer_sign(*predicate), *left, *right, depth)
            }
            Op::FloatCompare { predicate, left, right } => {
                self.comparison(float_sign(*predicate), *left, *right, depth)
            }
            Op::FloatNegate(value) => {
                Text::with(format!("-{}", self.operand(*value, depth).at(UNARY)), UNARY)
            }
            Op::Cast { op, value } => self.cast(*op, *value, depth),
            Op::Freeze(value) => self.operand(*value, depth),
            Op::Load { ty, pointer, .. } => self.scalar(self.place(*pointer, depth), *ty),
            Op::Alloca { .. } | Op::ElementPointer { .. } => self.address(Operand::Value(value), depth),
            Op::Select { condition, then, otherwise } => {
                let condition = self.operand(*condition, depth);
                self.choice(&condition, *then, *otherwise, depth)
            }
            Op::Phi(incoming) => self.joined(value, incoming, depth),
            Op::Call(call) | Op::Invoke { call, .. } => self.call(call, depth),
            Op::ExtractValue { aggregate, indices } => {
                let indices: Vec<String> = indices.iter().map(u32::to_string).collect();
                Text::atom(format!("{}.{}", self.operand(*aggregate, depth).at(ATOM), indices.join(".")))
            }
            op => self.named(op, depth),
        }
    }

    /// An operation that C has no sign for.
    fn named(&self, op: &Op, depth: usize) -> Text {
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(self.operand(operand, depth).text));
        Text::atom(format!("{}({})", name_of(op), operands.join(", ")))
    }

    fn binary(&self, op: BinaryOp, left: Operand, right: Operand, depth: usize) -> Text {
        let (sign, strength) = match op {
            BinaryOp::Mul | BinaryOp::FMul => ("*", 13),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => ("/", 13),
            BinaryOp::URem | BinaryOp::SRem | BinaryOp::FRem => ("%", 13),
            BinaryOp::Add | BinaryOp::FAdd => ("+", 12),
            BinaryOp::Sub | BinaryOp::FSub => ("-", 12),
            BinaryOp::Shl => ("<<", 11),
            BinaryOp::LShr | BinaryOp::AShr => (">>", 11),
            BinaryOp::And => ("&", 8),
            BinaryOp::Xor => ("^", 7),
            BinaryOp::Or => ("|", 6),
        };
        let (constant, zero) = (self.integer(right), self.integer(left) == Some(0));
        let all_ones = constant == Some(-1);
        if op == BinaryOp::Xor && all_ones {
            let sign = if self.is_bit(left) { "!" } else { "~" };
            return Text::with(format!("{sign}{}", self.operand(left, depth).at(UNARY)), UNARY);
        }
        if op == BinaryOp::Sub && zero {
            return Text::with(format!("-{}", self.operand(right, depth).at(UNARY)), UNARY);
        }
        let left = self.operand(left, depth);
        if let (BinaryOp::Add, Some(number @ i128::MIN..0)) = (op, constant) {
            return Text::with(format!("{} - {}", left.at(strength), number.unsigned_abs()), strength);
        }
        let right = self.operand(right, depth);
        Text::with(format!("{} {sign} {}", left.at(strength), right.at(strength + 1)), strength)
    }

    fn comparison(&self, sign: &str, left: Operand, right: Operand, depth: usize) -> Text {
        // A comparison that was made a number is compared with zero again.
        if sign == "!="
            && self.integer(right) == Some(0)
            && let Some(bit) = self.widened_bit(left)
        {
            return self.operand(bit, depth);
        }
        let strength = if sign == "==" || sign == "!=" { 9 } else { 10 };
        let (left, right) = (self.operand(left, depth), self.operand(right, depth));
        Text::with(format!("{} {sign} {}", left.at(strength), right.at(strength + 1)), strength)
    }

    /// The truth value that a number was made from.
    fn widened_bit(&self, operand: Operand) -> Option<Operand> {
        let Operand::Value(value) = operand else { return None };
        match self.op(value)? {
            Op::Cast { op: CastOp::ZeroExtend, value } if self.is_bit(*value) => Some(*value),
            _ => None,
        }
    }

    fn is_bit(&self, operand: Operand) -> bool {
        let ty = self.program.operand_type(self.function, operand);
        matches!(self.program.types.get(ty), Type::Integer(1))
    }

    fn cast(&self, op: CastOp, value: Operand, depth: usize) -> Text {
        let inner = self.operand(value, depth);
        match op {
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                Text::with(format!("(int){}", inner.at(UNARY)), UNARY)
            }
            CastOp::PointerToInteger => Text::with(format!("(long){}", inner.at(UNARY)), UNARY),
            CastOp::IntegerToPointer => Text::with(format!("(void *){}", inner.at(UNARY)), UNARY),
            _ => inner,
        }
    }

    fn choice(&self, condition: &Text, then: Operand, otherwise: Operand, depth: usize) -> Text {
        let (then, otherwise) = (self.operand(then, depth), self.operand(otherwise, depth));
        let text =
            format!("{} ? {} : {}", condition.at(CHOICE + 1), then.at(CHOICE + 1), otherwise.at(CHOICE));
        Text::with(text, CHOICE)
    }

    /// A value that depends on where control came from: `&&`, `||`, `?:`, or just its name.
    fn joined(&self, value: ValueId, incoming: &[(BlockId, Operand)], depth: usize) -> Text {
        if let [(first, left), (second, right)] = *incoming {
            if let (true, Some(known)) = (self.is_bit(right), self.integer(left)) {
                let (sign, strength) = if known == 0 { ("&&", 5) } else { ("||", 4) };
                if let Some((condition, then, _)) = self.branch(first) {
                    let (left, right) = (self.operand(condition, depth), self.operand(right, depth));
                    // The condition of `&&` leads on if it holds, that of `||` if it does not; otherwise it is negated.
                    let leads_on = then == second || self.graph.cfg.predecessors(second) == [then];
                    let left = if leads_on == (known == 0) {
                        left.at(strength)
                    } else {
                        format!("!{}", left.at(UNARY))
                    };
                    let text = format!("{left} {sign} {}", right.at(strength + 1));
                    return Text::with(text, strength);
                }
            }
            let before = |block: BlockId| match self.graph.cfg.predecessors(block) {
                [only] => Some(*only),
                _ => None,
            };
            if let (Some(above), true) = (before(first), before(first) == before(second))
                && let Some((condition, then, otherwise)) = self.branch(above)
            {
                let condition = self.operand(condition, depth);
                match (first, second) {
                    pair if pair == (then, otherwise) => return self.choice(&condition, left, right, depth),
                    pair if pair == (otherwise, then) => return self.choice(&condition, right, left, depth),
                    _ => {}
                }
            }
        }
        self.local(value)
    }

    /// What ends a block in two ways: the condition and the blocks it leads to.
    fn branch(&self, block: BlockId) -> Option<(Operand, BlockId, BlockId)> {
        match self.function.instructions[self.function.terminator(block)].op {
            Op::ConditionalBranch { condition, then, otherwise } => Some((condition, then, otherwise)),
            _ => None,
        }
    }

    fn call(&self, call: &Call, depth: usize) -> Text {
        let mut arguments: Vec<Operand> = call.arguments.to_vec();
        let name = match &call.callee {
            Callee::Direct(function) => self.program.functions[*function].name.clone(),
            Callee::Indirect(pointer) => self.operand(*pointer, depth).at(ATOM),
            Callee::Assembly(_) => "asm".to_owned(),
            Callee::Intrinsic(intrinsic) => {
                if let (IntrinsicKind::MemoryCopy, [to, from, ..]) = (intrinsic.kind, &arguments[..]) {
                    let (to, from) = (self.place(*to, depth), self.place(*from, depth));
                    return Text::with(format!("{} = {}", to.text, from.text), 1);
                }
                // What follows the name says the types.
                let name = intrinsic.name.trim_start_matches("llvm.");
                if matches!(intrinsic.kind, IntrinsicKind::MemorySet | IntrinsicKind::MemoryMove) {
                    arguments.truncate(3);
                }
                name.split('.').next().unwrap_or(name).to_owned()
            }
        };
        let arguments: Vec<String> = arguments.iter().map(|&each| self.operand(each, depth).text).collect();
        let ty = match &call.callee {
            Callee::Direct(function) => self.program.functions[*function].debug_signature.first().copied(),
            _ => None,
        };
        Text::atom(format!("{name}({})", arguments.join(", "))).typed(ty.flatten())
    }

    fn parameter(&self, value: ValueId) -> Text {
        let number = u32::try_from(value.index() + 1).ok();
        let variable = self.function.variables.iter().find(|variable| variable.parameter == number);
        let named = self.function.parameters.get(value.index()).map(|parameter| parameter.name.clone());
        let name = variable.map(|variable| variable.name.clone()).or(named).filter(|name| !name.is_empty());
        Text::atom(name.unwrap_or_else(|| format!("argument{}", value.index() + 1)))
            .typed(variable.and_then(|variable| variable.ty))
    }

    /// A local or joined value by its name.
    fn local(&self, value: ValueId) -> Text {
        let storage = Some(Operand::Value(value));
        let variable = self.function.variables.iter().find(|variable| variable.storage == storage);
        if let Some(variable) = variable {
            return Text::atom(variable.name.clone()).typed(variable.ty);
        }
        let name = &self.function.values[value].name;
        let name = name.strip_suffix(".addr").unwrap_or(name);
        Text::atom(if name.is_empty() { format!("v{}", value.index()) } else { name.to_owned() })
    }

    /// An address as a value.
    fn address(&self, operand: Operand, depth: usize) -> Text {
        let place = self.place(operand, depth);
        // An array is its own address, and so is its first element.
        let is_array = place.ty.is_some_and(|ty| {
            let resolved = self.program.resolve_debug_type(ty).map(|ty| &self.program.debug_types[ty]);
            matches!(resolved, Some(DebugType::Array { .. }))
        });
        if is_array {
            return place;
        }
        if let Some(array) = place.text.strip_suffix("[0]") {
            return Text::atom(array);
        }
        match place.text.strip_prefix('*') {
            Some(pointer) => Text::with(pointer.to_owned(), UNARY),
            None => Text::with(format!("&{}", place.at(UNARY)), UNARY),
        }
    }

    /// What lies at an address.
    fn place(&self, pointer: Operand, depth: usize) -> Text {
        let Some(depth) = depth.checked_sub(1) else { return Text::atom("...") };
        match pointer {
            Operand::Constant(constant) => self.constant_place(constant, depth),
            Operand::Value(value) => match self.op(value) {
                Some(Op::Alloca { .. }) => self.local(value),
                Some(Op::ElementPointer { base, offset, terms, .. }) => {
                    self.element(*base, *offset, terms, depth)
                }
                _ => self.behind(&self.value(value, depth)),
            },
        }
    }

    /// The first member of a struct, where a scalar is read or written: its address is that of the struct.
    fn scalar(&self, mut place: Text, ty: incise_ir::TypeId) -> Text {
        if self.program.types.scalar_bits(ty).is_none() {
            return place;
        }
        for _ in 0..MAXIMUM_DEPTH {
            if self.member(place.ty, 0).is_none() {
                break;
            }
            place = self.part(&place, 0, None);
        }
        place
    }

    /// What a pointer points to.
    fn behind(&self, pointer: &Text) -> Text {
        let text = match pointer.text.strip_prefix('&') {
            Some(place) => place.to_owned(),
            None => format!("*{}", pointer.at(UNARY)),
        };
        Text::with(text, UNARY).typed(self.pointee(pointer.ty))
    }

    fn element(&self, base: Operand, offset: i64, terms: &[(Operand, i64)], depth: usize) -> Text {
        let is_place = match base {
            Operand::Constant(_) => true,
            Operand::Value(value) => {
                matches!(self.op(value), Some(Op::Alloca { .. } | Op::ElementPointer { .. }))
            }
        };
        let index = match terms {
            [] => None,
            [(index, _)] => Some(self.operand(*index, depth).text),
            _ => Some("...".to_owned()),
        };
        if is_place {
            let whole = self.place(base, depth);
            return self.part(&whole, offset, index);
        }
        let pointer = self.operand(base, depth);
        let whole = Text::atom(pointer.at(ATOM)).typed(self.pointee(pointer.ty));
        if let Some(index) = index {
            return Text::atom(format!("{}[{index}]", whole.text)).typed(whole.ty);
        }
        let size = whole.ty.and_then(|ty| self.bytes(ty)).unwrap_or(0);
        if size > 0 && offset != 0 && offset % size == 0 {
            return Text::atom(format!("{}[{}]", whole.text, offset / size)).typed(whole.ty);
        }
        if offset == 0 || self.member(whole.ty, offset).is_some() {
            return self.part(&self.behind(&pointer), offset, None);
        }
        Text::atom(format!("{}[{offset}]", whole.text))
    }

    /// A part of something that has a place of its own.
    fn part(&self, whole: &Text, offset: i64, index: Option<String>) -> Text {
        let resolved = whole.ty.and_then(|ty| self.program.resolve_debug_type(ty));
        let element = match resolved.map(|ty| &self.program.debug_types[ty]) {
            Some(DebugType::Array { element, counts }) => match counts.len() {
                0 | 1 => Some(*element),
                _ => None,
            },
            _ => None,
        };
        if let Some(index) = index {
            return Text::atom(format!("{}[{index}]", whole.at(ATOM))).typed(element);
        }
        if let Some(size) = element.and_then(|element| self.bytes(element)).filter(|&size| size > 0) {
            return Text::atom(format!("{}[{}]", whole.at(ATOM), offset / size)).typed(element);
        }
        // `*p` with a member is `p->member`.
        if let Some(member) = self.member(whole.ty, offset) {
            let text = match whole.text.strip_prefix('*') {
                Some(pointer) => format!("{pointer}->{}", member.name),
                None => format!("{}.{}", whole.at(ATOM), member.name),
            };
            let rest = offset - i64::try_from(member.offset_bits / 8).unwrap_or(offset);
            let found = Text::atom(text).typed(Some(member.ty));
            return if rest == 0 { found } else { self.part(&found, rest, None) };
        }
        match offset {
            0 => Text::with(whole.text.clone(), whole.strength),
            _ => Text::atom(format!("{}[{offset}]", whole.at(ATOM))),
        }
    }

    fn pointee(&self, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
        match &self.program.debug_types[self.program.resolve_debug_type(ty?)?] {
            DebugType::Pointer(target) => *target,
            DebugType::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    fn member(&self, ty: Option<DebugTypeId>, offset: i64) -> Option<&DebugMember> {
        let bits = u64::try_from(offset).ok()?.checked_mul(8)?;
        match &self.program.debug_types[self.program.resolve_debug_type(ty?)?] {
            DebugType::Composite { members, .. } => {
                let holds = |member: &&DebugMember| {
                    let end = member.offset_bits.saturating_add(member.bits.max(1));
                    member.offset_bits <= bits && bits < end && !member.name.is_empty()
                };
                members.iter().find(holds)
            }
            _ => None,
        }
    }

    fn bytes(&self, ty: DebugTypeId) -> Option<i64> {
        let bits = match &self.program.debug_types[self.program.resolve_debug_type(ty)?] {
            DebugType::Basic { bits, .. }
            | DebugType::Composite { bits, .. }
            | DebugType::Enumeration { bits, .. } => *bits,
            DebugType::Pointer(_) => 64,
            _ => return None,
        };
        i64::try_from(bits / 8).ok()
    }

    /// A constant integer, signed.
    fn integer(&self, operand: Operand) -> Option<i128> {
        let Operand::Constant(constant) = operand else { return None };
        let constant = &self.program.constants[constant];
        let bits = self.program.types.scalar_bits(constant.ty)?;
        match constant.kind {
            ConstantKind::Integer(number) => {
                let unused = 128_u32.checked_sub(bits)?;
                Some(((number << unused) as i128) >> unused)
            }
            ConstantKind::Zero => Some(0),
            _ => None,
        }
    }

    fn constant(&self, id: ConstantId, depth: usize) -> Text {
        let constant = &self.program.constants[id];
        if let Some(number) = self.integer(Operand::Constant(id)) {
            let number = if self.is_bit(Operand::Constant(id)) { number.abs() } else { number };
            return Text::with(number.to_string(), if number < 0 { UNARY } else { ATOM });
        }
        match &constant.kind {
            ConstantKind::Null => Text::atom("NULL"),
            ConstantKind::Float(bits) => Text::atom(self.float(constant.ty, *bits)),
            ConstantKind::Function(function) => Text::atom(&*self.program.functions[*function].name),
            ConstantKind::Global(_) | ConstantKind::Offset { .. } => {
                let place = self.constant_place(id, depth);
                if place.text.starts_with('"') { place } else { self.address(Operand::Constant(id), depth) }
            }
            ConstantKind::Undef | ConstantKind::Poison => Text::atom("undefined"),
            _ => Text::atom("..."),
        }
    }

    fn constant_place(&self, id: ConstantId, depth: usize) -> Text {
        let Some(depth) = depth.checked_sub(1) else { return Text::atom("...") };
        match self.program.constants[id].kind {
            ConstantKind::Global(global) => {
                let variable = &self.program.globals[global];
                if is_compiler_made(self.program, global)
                    && let Some(content) = variable.initializer
                {
                    return match &self.program.constants[content].kind {
                        ConstantKind::Bytes(bytes) => Text::atom(literal(bytes)),
                        _ => Text::atom("{...}"),
                    };
                }
                let name = variable.source_name.as_ref().unwrap_or(&variable.name);
                Text::atom(&**name).typed(variable.debug_type)
            }
            ConstantKind::Offset { base, offset } => {
                let whole = self.constant_place(base, depth);
                self.part(&whole, offset, None)
            }
            ConstantKind::Cast { value, .. } => self.constant_place(value, depth),
            _ => self.behind(&self.constant(id, depth)),
        }
    }

    fn float(&self, ty: incise_ir::TypeId, bits: u128) -> String {
        match self.program.types.get(ty) {
            Type::Float(FloatKind::Single) => format!("{:?}", f32::from_bits(bits as u32)),
            Type::Float(FloatKind::Double) => format!("{:?}", f64::from_bits(bits as u64)),
            _ => format!("{bits:#x}"),
        }
    }
}

/// A string literal as C writes it, cut if it is long.
fn literal(bytes: &[u8]) -> String {
    const MAXIMUM: usize = 40;
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let shown: String =
        bytes.iter().take(MAXIMUM).map(|&byte| std::ascii::escape_default(byte).to_string()).collect();
    let rest = if bytes.len() > MAXIMUM { "..." } else { "" };
    format!("\"{shown}{rest}\"")
}

fn integer_sign(predicate: IntegerPredicate) -> &'static str {
    use IntegerPredicate::*;
    match predicate {
        Equal => "==",
        NotEqual => "!=",
        UnsignedGreater | SignedGreater => ">",
        UnsignedGreaterEqual | SignedGreaterEqual => ">=",
        UnsignedLess | SignedLess => "<",
        UnsignedLessEqual | SignedLessEqual => "<=",
    }
}

fn float_sign(predicate: FloatPredicate) -> &'static str {
    use FloatPredicate::*;
    match predicate {
        OrderedEqual | UnorderedEqual => "==",
        OrderedNotEqual | UnorderedNotEqual => "!=",
        OrderedGreater | UnorderedGreater => ">",
        OrderedGreaterEqual | UnorderedGreaterEqual => ">=",
        OrderedLess | UnorderedLess => "<",
        OrderedLessEqual | UnorderedLessEqual => "<=",
        False | True | Ordered | Unordered => "?",
    }
}

fn name_of(op: &Op) -> &str {
    match op {
        Op::AtomicReadModifyWrite { .. } => "atomic_fetch",
        Op::CompareExchange { .. } => "atomic_compare_exchange",
        Op::Fence { .. } => "atomic_thread_fence",
        Op::VaArg { .. } => "va_arg",
        Op::ExtractElement { .. } => "extract",
        Op::InsertElement { .. } | Op::InsertValue { .. } => "insert",
        Op::ShuffleVector { .. } => "shuffle",
        Op::Unsupported(text) | Op::UnsupportedTerminator(text) => text,
        Op::LandingPad | Op::Resume => "exception",
        _ => "operation",
    }
}
