//! The text form of a program, for people and for tests. It looks like LLVM IR where the two agree, and is not read
//! back.

use crate::{
    AtomicOp, AtomicOrdering, BinaryOp, BlockId, Call, Callee, CastOp, ConstantId, ConstantKind, FloatKind,
    FloatPredicate, Function, FunctionId, Global, GlobalId, Id, Instruction, IntegerPredicate, Linkage, Op,
    Operand, Program, Type, TypeId, ValueId,
};
use std::fmt::{Display, Formatter, Result, Write};

/// How deep constants are written out; what is below is `...`.
const MAXIMUM_DEPTH: u32 = 16;

/// The text form of a function, global, type or constant.
pub struct Text<'a, T> {
    program: &'a Program,
    item: T,
}

impl Program {
    /// The text form of a type.
    pub fn type_text(&self, ty: TypeId) -> Text<'_, TypeId> {
        Text { program: self, item: ty }
    }

    /// The text form of a constant, without its type.
    pub fn constant_text(&self, constant: ConstantId) -> Text<'_, ConstantId> {
        Text { program: self, item: constant }
    }

    /// The text form of a global variable.
    pub fn global_text(&self, global: GlobalId) -> Text<'_, GlobalId> {
        Text { program: self, item: global }
    }

    /// The text form of a function.
    pub fn function_text(&self, function: FunctionId) -> Text<'_, FunctionId> {
        Text { program: self, item: function }
    }

    /// The text form of an operand of an instruction of `function`, with its type.
    pub fn operand_text(&self, function: FunctionId, operand: Operand) -> String {
        let mut out = String::new();
        let writer = FunctionWriter { program: self, function: &self.functions[function] };
        // Writing to a string does not fail.
        let _ = writer.typed(&mut out, operand);
        out
    }

    /// The text form of an instruction of `function`, without its location.
    pub fn instruction_text(&self, function: FunctionId, instruction: &Instruction) -> String {
        let mut out = String::new();
        let writer = FunctionWriter { program: self, function: &self.functions[function] };
        let _ = writer.instruction(&mut out, instruction);
        out
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for id in self.globals.ids() {
            writeln!(f, "{}", self.global_text(id))?;
        }
        for id in self.functions.ids() {
            writeln!(f, "\n{}", self.function_text(id))?;
        }
        Ok(())
    }
}

impl Display for Text<'_, TypeId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_type(f, self.program, self.item)
    }
}

impl Display for Text<'_, ConstantId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_constant(f, self.program, self.item, MAXIMUM_DEPTH)
    }
}

impl Display for Text<'_, GlobalId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Global { name, linkage, ty, initializer, constant, align, thread_local, .. } =
            &self.program.globals[self.item];
        write!(f, "@{name} = {}", linkage_word(*linkage))?;
        f.write_str(if *thread_local { "thread_local " } else { "" })?;
        f.write_str(if *constant { "constant " } else { "global " })?;
        write_type(f, self.program, *ty)?;
        if let Some(initializer) = initializer {
            f.write_char(' ')?;
            write_constant(f, self.program, *initializer, MAXIMUM_DEPTH)?;
        }
        if *align > 0 { write!(f, ", align {align}") } else { Ok(()) }
    }
}

impl Display for Text<'_, FunctionId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        FunctionWriter { program: self.program, function: &self.program.functions[self.item] }.function(f)
    }
}

fn linkage_word(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "",
        Linkage::Weak => "weak ",
        Linkage::Internal => "internal ",
    }
}

fn write_list<T>(
    out: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut dyn Write, T) -> Result,
) -> Result {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    Ok(())
}

fn write_type(out: &mut dyn Write, program: &Program, ty: TypeId) -> Result {
    match program.types.get(ty) {
        Type::Void => out.write_str("void"),
        Type::Integer(bits) => write!(out, "i{bits}"),
        Type::Float(kind) => out.write_str(match kind {
            FloatKind::Half => "half",
            FloatKind::BFloat => "bfloat",
            FloatKind::Single => "float",
            FloatKind::Double => "double",
            FloatKind::X87 => "x86_fp80",
            FloatKind::Quad => "fp128",
        }),
        Type::Pointer => out.write_str("ptr"),
        Type::Array { element, length } => {
            write!(out, "[{length} x ")?;
            write_type(out, program, *element)?;
            out.write_char(']')
        }
        Type::Vector { element, length } => {
            write!(out, "<{length} x ")?;
            write_type(out, program, *element)?;
            out.write_char('>')
        }
        Type::Struct { fields, packed } => {
            out.write_str(if *packed { "<{ " } else { "{ " })?;
            write_list(out, fields, |out, &field| write_type(out, program, field))?;
            out.write_str(if *packed { " }>" } else { " }" })
        }
        Type::Function { result, parameters, variadic } => {
            write_type(out, program, *result)?;
            out.write_str(" (")?;
            write_list(out, parameters, |out, &parameter| write_type(out, program, parameter))?;
            out.write_str(if *variadic { ", ...)" } else { ")" })
        }
        Type::Opaque => out.write_str("opaque"),
    }
}

fn write_typed_constant(out: &mut dyn Write, program: &Program, id: ConstantId, depth: u32) -> Result {
    write_type(out, program, program.constants[id].ty)?;
    out.write_char(' ')?;
    write_constant(out, program, id, depth)
}

fn write_constant(out: &mut dyn Write, program: &Program, id: ConstantId, depth: u32) -> Result {
    if depth == 0 {
        return out.write_str("...");
    }
    let constant = &program.constants[id];
    let typed = |out: &mut dyn Write, id: ConstantId| write_typed_constant(out, program, id, depth - 1);
    match &constant.kind {
        ConstantKind::Integer(value) => {
            let bits = program.types.scalar_bits(constant.ty).unwrap_or(128).clamp(1, 128);
            let signed = (value << (128 - bits)) as i128 >> (128 - bits);
            if bits == 1 { write!(out, "{}", *value == 1) } else { write!(out, "{signed}") }
        }
        ConstantKind::WideInteger => out.write_str("wide"),
        ConstantKind::Float(bits) => match program.types.get(constant.ty) {
            Type::Float(FloatKind::Double) => write!(out, "{:?}", f64::from_bits(*bits as u64)),
            Type::Float(FloatKind::Single) => write!(out, "{:?}", f32::from_bits(*bits as u32)),
            _ => write!(out, "0x{bits:X}"),
        },
        ConstantKind::Null => out.write_str("null"),
        ConstantKind::Undef => out.write_str("undef"),
        ConstantKind::Poison => out.write_str("poison"),
        ConstantKind::Zero => out.write_str("zeroinitializer"),
        ConstantKind::Bytes(bytes) => write!(out, "c\"{}\"", bytes.escape_ascii()),
        ConstantKind::Aggregate(elements) => {
            out.write_char('[')?;
            write_list(out, elements, |out, &element| typed(out, element))?;
            out.write_char(']')
        }
        ConstantKind::Global(global) => write!(out, "@{}", program.globals[*global].name),
        ConstantKind::Function(function) => write!(out, "@{}", program.functions[*function].name),
        ConstantKind::Offset { base, offset } => {
            out.write_str("(")?;
            write_constant(out, program, *base, depth - 1)?;
            write!(out, " + {offset})")
        }
        ConstantKind::Cast { op, value } => {
            write!(out, "{}(", cast_word(*op))?;
            typed(out, *value)?;
            out.write_char(')')
        }
        ConstantKind::Binary { op, left, right } => {
            write!(out, "{}(", binary_word(*op))?;
            write_list(out, [*left, *right], |out, id| typed(out, id))?;
            out.write_char(')')
        }
        ConstantKind::Compare { predicate, left, right } => {
            write!(out, "icmp {}(", integer_predicate_word(*predicate))?;
            write_list(out, [*left, *right], |out, id| typed(out, id))?;
            out.write_char(')')
        }
        ConstantKind::Select { condition, then, otherwise } => {
            out.write_str("select(")?;
            write_list(out, [*condition, *then, *otherwise], |out, id| typed(out, id))?;
            out.write_char(')')
        }
        ConstantKind::BlockAddress { function, block } => {
            let function = &program.functions[*function];
            write!(out, "blockaddress(@{}, {})", function.name, block_name(function, *block))
        }
        ConstantKind::Unsupported(text) => write!(out, "unsupported({text})"),
    }
}

fn block_name(function: &Function, block: BlockId) -> String {
    match function.blocks.get(block).map(|block| block.label.as_str()) {
        Some("") | None => format!("%block{}", block.index()),
        Some(label) => format!("%{label}"),
    }
}

struct FunctionWriter<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl FunctionWriter<'_> {
    fn function(&self, out: &mut dyn Write) -> Result {
        let function = self.function;
        let word = if function.is_definition() { "define" } else { "declare" };
        write!(out, "{word} {}", linkage_word(function.linkage))?;
        self.ty(out, function.result)?;
        write!(out, " @{}(", function.name)?;
        write_list(out, function.parameters.iter().enumerate(), |out, (index, parameter)| {
            self.ty(out, parameter.ty)?;
            if let Some(copied) = parameter.by_value {
                out.write_str(" byval(")?;
                self.ty(out, copied)?;
                out.write_char(')')?;
            }
            out.write_str(if parameter.struct_return { " sret " } else { " " })?;
            self.value(out, ValueId::from_index(index))
        })?;
        let dots = match (function.variadic, function.parameters.is_empty()) {
            (true, true) => "...",
            (true, false) => ", ...",
            _ => "",
        };
        write!(out, "{dots})")?;
        if !function.is_definition() {
            return Ok(());
        }
        out.write_str(" {\n")?;
        for id in function.blocks.ids() {
            writeln!(out, "{}:", &block_name(function, id)[1..])?;
            for instruction in function.block_instructions(id) {
                out.write_str("  ")?;
                self.instruction(out, &function.instructions[instruction])?;
                if let Some(location) = function.instructions[instruction].location {
                    let position = self.program.position(location);
                    write!(out, "  ; {}:{}", position, position.column)?;
                }
                out.write_char('\n')?;
            }
        }
        out.write_char('}')
    }

    fn ty(&self, out: &mut dyn Write, ty: TypeId) -> Result {
        write_type(out, self.program, ty)
    }

    fn value(&self, out: &mut dyn Write, value: ValueId) -> Result {
        match self.function.values.get(value).map(|info| &*info.name) {
            Some("") | None => write!(out, "%v{}", value.index()),
            Some(name) => write!(out, "%{name}"),
        }
    }

    fn plain(&self, out: &mut dyn Write, operand: Operand) -> Result {
        match operand {
            Operand::Value(value) => self.value(out, value),
            Operand::Constant(constant) => write_constant(out, self.program, constant, MAXIMUM_DEPTH),
        }
    }

    fn typed(&self, out: &mut dyn Write, operand: Operand) -> Result {
        self.ty(out, self.program.operand_type(self.function, operand))?;
        out.write_char(' ')?;
        self.plain(out, operand)
    }

    fn block(&self, block: BlockId) -> String {
        format!("label {}", block_name(self.function, block))
    }

    fn instruction(&self, out: &mut dyn Write, instruction: &Instruction) -> Result {
        if let Some(result) = instruction.result {
            self.value(out, result)?;
            out.write_str(" = ")?;
        }
        self.op(out, &instruction.op, instruction.result)
    }

    /// A word and its operands with their types.
    fn simple(&self, out: &mut dyn Write, word: &str, operands: &[Operand]) -> Result {
        write!(out, "{word} ")?;
        write_list(out, operands, |out, &operand| self.typed(out, operand))
    }

    /// A word and two operands of one type.
    fn binary(&self, out: &mut dyn Write, words: &str, left: Operand, right: Operand) -> Result {
        write!(out, "{words} ")?;
        self.typed(out, left)?;
        out.write_str(", ")?;
        self.plain(out, right)
    }

    fn op(&self, out: &mut dyn Write, op: &Op, result: Option<ValueId>) -> Result {
        match op {
            Op::Binary { op, left, right, flags } => {
                let flag = |set: bool, word: &'static str| if set { word } else { "" };
                let words = format!(
                    "{}{}{}{}",
                    binary_word(*op),
                    flag(flags.no_unsigned_wrap, " nuw"),
                    flag(flags.no_signed_wrap, " nsw"),
                    flag(flags.exact, " exact")
                );
                self.binary(out, &words, *left, *right)
            }
            Op::FloatNegate(value) => self.simple(out, "fneg", &[*value]),
            Op::IntegerCompare { predicate, left, right } => {
                self.binary(out, &format!("icmp {}", integer_predicate_word(*predicate)), *left, *right)
            }
            Op::FloatCompare { predicate, left, right } => {
                self.binary(out, &format!("fcmp {}", float_predicate_word(*predicate)), *left, *right)
            }
            Op::Cast { op, value } => {
                self.simple(out, cast_word(*op), &[*value])?;
                self.to_result(out, result)
            }
            Op::Alloca { ty, count, align } => {
                out.write_str("alloca ")?;
                self.ty(out, *ty)?;
                if let Some(count) = count {
                    out.write_str(", ")?;
                    self.typed(out, *count)?;
                }
                write!(out, ", align {align}")
            }
            Op::Load { ty, pointer, volatile, ordering } => {
                write!(out, "load {}", access_words(*volatile, *ordering))?;
                self.ty(out, *ty)?;
                out.write_str(", ")?;
                self.typed(out, *pointer)
            }
            Op::Store { value, pointer, volatile, ordering } => {
                write!(out, "store {}", access_words(*volatile, *ordering))?;
                self.typed(out, *value)?;
                out.write_str(", ")?;
                self.typed(out, *pointer)
            }
            Op::AtomicReadModifyWrite { op, pointer, value, ordering } => {
                let words = format!("atomicrmw {} {}", ordering.word(), atomic_word(*op));
                self.simple(out, &words, &[*pointer, *value])
            }
            Op::CompareExchange { pointer, expected, replacement, weak, success, failure } => {
                let weak = if *weak { "weak " } else { "" };
                let words = format!("cmpxchg {weak}{} {}", success.word(), failure.word());
                self.simple(out, &words, &[*pointer, *expected, *replacement])
            }
            Op::Fence { ordering } => write!(out, "fence {}", ordering.word()),
            Op::ElementPointer { base, offset, terms, in_bounds } => {
                write!(out, "address {}", if *in_bounds { "inbounds " } else { "" })?;
                self.plain(out, *base)?;
                if *offset != 0 || terms.is_empty() {
                    write!(out, " + {offset}")?;
                }
                for &(index, stride) in terms {
                    out.write_str(" + ")?;
                    self.typed(out, index)?;
                    write!(out, " * {stride}")?;
                }
                Ok(())
            }
            Op::Select { condition, then, otherwise } => {
                self.simple(out, "select", &[*condition, *then, *otherwise])
            }
            Op::Phi(incoming) => {
                out.write_str("phi ")?;
                write_list(out, incoming, |out, &(block, value)| {
                    out.write_str("[ ")?;
                    self.typed(out, value)?;
                    write!(out, ", {} ]", block_name(self.function, block))
                })
            }
            Op::Call(call) => self.call(out, "call", call),
            Op::ExtractValue { aggregate, indices } => {
                self.simple(out, "extractvalue", &[*aggregate])?;
                indices.iter().try_for_each(|index| write!(out, ", {index}"))
            }
            Op::InsertValue { aggregate, value, indices } => {
                self.simple(out, "insertvalue", &[*aggregate, *value])?;
                indices.iter().try_for_each(|index| write!(out, ", {index}"))
            }
            Op::ExtractElement { vector, index } => self.simple(out, "extractelement", &[*vector, *index]),
            Op::InsertElement { vector, value, index } => {
                self.simple(out, "insertelement", &[*vector, *value, *index])
            }
            Op::ShuffleVector { left, right, mask } => {
                self.simple(out, "shufflevector", &[*left, *right])?;
                out.write_str(", <")?;
                write_list(out, mask, |out, lane| match lane {
                    Some(lane) => write!(out, "{lane}"),
                    None => out.write_str("any"),
                })?;
                out.write_char('>')
            }
            Op::VaArg { list } => {
                self.simple(out, "va_arg", &[*list])?;
                self.to_result(out, result)
            }
            Op::Freeze(value) => self.simple(out, "freeze", &[*value]),
            Op::LandingPad => out.write_str("landingpad"),
            Op::Unsupported(text) | Op::UnsupportedTerminator(text) => write!(out, "unsupported {text:?}"),
            Op::Return(None) => out.write_str("ret void"),
            Op::Return(Some(value)) => self.simple(out, "ret", &[*value]),
            Op::Branch(target) => write!(out, "br {}", self.block(*target)),
            Op::ConditionalBranch { condition, then, otherwise } => {
                self.simple(out, "br", &[*condition])?;
                write!(out, ", {}, {}", self.block(*then), self.block(*otherwise))
            }
            Op::Switch { value, default, cases } => {
                self.simple(out, "switch", &[*value])?;
                write!(out, ", {} [", self.block(*default))?;
                write_list(out, cases, |out, &(case, target)| write!(out, "{case}: {}", self.block(target)))?;
                out.write_char(']')
            }
            Op::Invoke { call, normal, unwind } => {
                self.call(out, "invoke", call)?;
                write!(out, " to {} unwind {}", self.block(*normal), self.block(*unwind))
            }
            Op::IndirectBranch { address, targets } => {
                self.simple(out, "indirectbr", &[*address])?;
                out.write_str(", [")?;
                write_list(out, targets, |out, &target| out.write_str(&self.block(target)))?;
                out.write_char(']')
            }
            Op::Unreachable => out.write_str("unreachable"),
            Op::Resume => out.write_str("resume"),
        }
    }

    fn to_result(&self, out: &mut dyn Write, result: Option<ValueId>) -> Result {
        match result {
            Some(result) => {
                out.write_str(" to ")?;
                self.ty(out, self.function.values[result].ty)
            }
            None => Ok(()),
        }
    }

    fn call(&self, out: &mut dyn Write, word: &str, call: &Call) -> Result {
        write!(out, "{word} ")?;
        self.ty(out, call.result)?;
        out.write_char(' ')?;
        match &call.callee {
            Callee::Direct(function) => write!(out, "@{}", self.program.functions[*function].name)?,
            Callee::Indirect(operand) => self.plain(out, *operand)?,
            Callee::Intrinsic(intrinsic) => write!(out, "@{}", intrinsic.name)?,
            Callee::Assembly(template) => write!(out, "asm {template:?}")?,
        }
        out.write_char('(')?;
        write_list(out, call.arguments.iter().enumerate(), |out, (index, &argument)| {
            self.typed(out, argument)?;
            let copied = call.by_value.iter().any(|&(number, _)| number as usize == index);
            out.write_str(if copied { " byval" } else { "" })
        })?;
        out.write_char(')')
    }
}

fn access_words(volatile: bool, ordering: Option<AtomicOrdering>) -> String {
    let ordering = ordering.map_or_else(String::new, |ordering| format!("atomic {} ", ordering.word()));
    format!("{ordering}{}", if volatile { "volatile " } else { "" })
}

fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::FAdd => "fadd",
        BinaryOp::FSub => "fsub",
        BinaryOp::FMul => "fmul",
        BinaryOp::FDiv => "fdiv",
        BinaryOp::FRem => "frem",
    }
}

fn cast_word(op: CastOp) -> &'static str {
    match op {
        CastOp::Truncate => "trunc",
        CastOp::ZeroExtend => "zext",
        CastOp::SignExtend => "sext",
        CastOp::FloatTruncate => "fptrunc",
        CastOp::FloatExtend => "fpext",
        CastOp::FloatToUnsigned => "fptoui",
        CastOp::FloatToSigned => "fptosi",
        CastOp::UnsignedToFloat => "uitofp",
        CastOp::SignedToFloat => "sitofp",
        CastOp::PointerToInteger => "ptrtoint",
        CastOp::IntegerToPointer => "inttoptr",
        CastOp::Bitcast => "bitcast",
        CastOp::AddressSpace => "addrspacecast",
    }
}

fn integer_predicate_word(predicate: IntegerPredicate) -> &'static str {
    match predicate {
        IntegerPredicate::Equal => "eq",
        IntegerPredicate::NotEqual => "ne",
        IntegerPredicate::UnsignedGreater => "ugt",
        IntegerPredicate::UnsignedGreaterEqual => "uge",
        IntegerPredicate::UnsignedLess => "ult",
        IntegerPredicate::UnsignedLessEqual => "ule",
        IntegerPredicate::SignedGreater => "sgt",
        IntegerPredicate::SignedGreaterEqual => "sge",
        IntegerPredicate::SignedLess => "slt",
        IntegerPredicate::SignedLessEqual => "sle",
    }
}

fn float_predicate_word(predicate: FloatPredicate) -> &'static str {
    match predicate {
        FloatPredicate::False => "false",
        FloatPredicate::OrderedEqual => "oeq",
        FloatPredicate::OrderedGreater => "ogt",
        FloatPredicate::OrderedGreaterEqual => "oge",
        FloatPredicate::OrderedLess => "olt",
        FloatPredicate::OrderedLessEqual => "ole",
        FloatPredicate::OrderedNotEqual => "one",
        FloatPredicate::Ordered => "ord",
        FloatPredicate::UnorderedEqual => "ueq",
        FloatPredicate::UnorderedGreater => "ugt",
        FloatPredicate::UnorderedGreaterEqual => "uge",
        FloatPredicate::UnorderedLess => "ult",
        FloatPredicate::UnorderedLessEqual => "ule",
        FloatPredicate::UnorderedNotEqual => "une",
        FloatPredicate::Unordered => "uno",
        FloatPredicate::True => "true",
    }
}

fn atomic_word(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Exchange => "xchg",
        AtomicOp::Add => "add",
        AtomicOp::Sub => "sub",
        AtomicOp::And => "and",
        AtomicOp::Nand => "nand",
        AtomicOp::Or => "or",
        AtomicOp::Xor => "xor",
        AtomicOp::SignedMax => "max",
        AtomicOp::SignedMin => "min",
        AtomicOp::UnsignedMax => "umax",
        AtomicOp::UnsignedMin => "umin",
        AtomicOp::FAdd => "fadd",
        AtomicOp::FSub => "fsub",
        AtomicOp::FMax => "fmax",
        AtomicOp::FMin => "fmin",
        AtomicOp::UnsignedIncrementWrap => "uinc_wrap",
        AtomicOp::UnsignedDecrementWrap => "udec_wrap",
    }
}
