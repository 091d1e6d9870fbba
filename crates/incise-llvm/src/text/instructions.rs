//! Instructions: the dispatch, arithmetic, aggregates and control flow.
//!
//! An instruction that holds something we do not know becomes unsupported by itself; a broken one fails the file.

use super::cursor::Name;
use super::failure::{Failure, Parse};
use super::metadata::NodeReference;
use super::numbers;
use super::reader::Reader;
use incise_ir::{
    BinaryOp, BlockId, CastOp, ConstantKind, FloatPredicate, Instruction, Op, Operand, Type, TypeId,
};

/// An instruction and the type of its result, or nothing if it only carries debug information.
pub(super) type Operation = Option<(Op, TypeId)>;

impl<'a> Reader<'a, '_> {
    /// Reads an instruction with its metadata.
    pub(crate) fn instruction(&mut self) -> Parse<()> {
        let at = self.cursor.at;
        self.ensure_block(at)?;
        let mut name = None;
        if self.cursor.eat(b'%') {
            name = Some(self.cursor.name()?);
            self.cursor.expect(b'=')?;
        }
        self.cursor.skip_space();
        let start = self.cursor.at;
        let operation = self.operation().and_then(|operation| Ok((operation, self.attachments()?)));
        match operation {
            Ok((Some((op, ty)), debug)) => self.finish_instruction(op, ty, name, debug, at),
            Ok((None, debug)) => {
                self.finish_debug_call(debug);
                Ok(())
            }
            Err(failure) if failure.unknown => {
                self.cursor.at = start;
                match self.wide_instruction(name, at) {
                    Ok(()) => Ok(()),
                    Err(_) => self.unsupported_instruction(start, name, at),
                }
            }
            Err(failure) => Err(failure),
        }
    }

    fn finish_instruction(
        &mut self,
        op: Op,
        ty: TypeId,
        name: Option<Name<'a>>,
        debug: Option<NodeReference>,
        at: usize,
    ) -> Parse<()> {
        let void = ty == self.builder.common.void;
        if void && name.is_some() {
            return Failure::broken(at, "this instruction has no value that could be named");
        }
        let result = if void { None } else { Some(self.define_value(name, ty, at)?) };
        let location = debug.and_then(|debug| self.location(debug));
        self.locate_emitted(location);
        self.push_instruction(Instruction { op, result, location }, at)
    }

    /// Keeps an instruction that we do not know in its own words.
    fn unsupported_instruction(&mut self, start: usize, name: Option<Name<'a>>, at: usize) -> Parse<()> {
        self.cursor.at = start;
        let opcode = self.cursor.peek_word();
        if opcode.is_empty() {
            return self.cursor.expected("an instruction");
        }
        self.skip_instruction()?;
        let bytes = self.cursor.bytes[start..self.cursor.at].trim_ascii_end();
        let text: Box<str> = String::from_utf8_lossy(bytes).into();
        let op = match opcode {
            b"callbr" | b"catchswitch" | b"catchret" | b"cleanupret" | b"switch" | b"br" | b"ret"
            | b"resume" | b"indirectbr" | b"invoke" => Op::UnsupportedTerminator(text),
            _ => Op::Unsupported(text),
        };
        let debug = memchr::memmem::rfind(bytes, b"!dbg !").and_then(|found| {
            let here = std::mem::replace(&mut self.cursor.at, start + found + b"!dbg ".len());
            let reference = self.metadata_reference().ok();
            self.cursor.at = here;
            reference
        });
        let ty = if name.is_some() { self.builder.common.opaque } else { self.builder.common.void };
        self.finish_instruction(op, ty, name, debug, at)
    }

    /// Goes past an instruction: to the end of its line, or of the line where its last bracket closes.
    fn skip_instruction(&mut self) -> Parse<()> {
        loop {
            match self.cursor.byte() {
                b'(' | b'[' | b'{' | b'<' => self.cursor.skip_balanced()?,
                b'"' => drop(self.cursor.string()?),
                b'}' => return Ok(()),
                b'\n' | b';' => {
                    let end = self.cursor.at;
                    // Some instructions go on in the next line.
                    if !matches!(
                        self.cursor.peek_word(),
                        b"to" | b"unwind" | b"catch" | b"cleanup" | b"filter"
                    ) {
                        self.cursor.at = end;
                        return Ok(());
                    }
                }
                0 if self.cursor.at >= self.cursor.bytes.len() => return Ok(()),
                _ => self.cursor.at += 1,
            }
        }
    }

    /// Reads `, align 4, !dbg !7, !tbaa !8` and gives the node of `!dbg`.
    pub(super) fn attachments(&mut self) -> Parse<Option<NodeReference>> {
        let mut debug = None;
        while self.cursor.byte() == b',' || self.cursor.peek() == b',' {
            self.cursor.at += 1;
            if self.cursor.peek() == b'!' {
                self.cursor.at += 1;
                let name = self.cursor.word();
                while matches!(self.cursor.byte(), b'.' | b'\\' | b'-') {
                    self.cursor.at += 1;
                    self.cursor.name().ok();
                }
                let node = self.metadata_reference()?;
                if name == b"dbg" {
                    debug = Some(node);
                }
            } else if self.cursor.eat_word(b"align") {
                self.cursor.number()?;
            } else {
                return self.cursor.expected("'align' or metadata");
            }
        }
        Ok(debug)
    }

    /// Takes `!12`, `!{...}`, `!"..."` or `!DILocation(...)`.
    pub(crate) fn metadata_reference(&mut self) -> Parse<NodeReference> {
        self.cursor.skip_space();
        let at = self.cursor.at;
        self.cursor.expect(b'!')?;
        match self.cursor.byte() {
            b'0'..=b'9' => return Ok(NodeReference::Number(self.cursor.small_number()?)),
            b'"' => drop(self.cursor.string()?),
            b'{' => self.cursor.skip_balanced()?,
            _ => {
                self.cursor.word();
                if self.cursor.peek() != b'(' {
                    return self.cursor.expected("metadata");
                }
                self.cursor.skip_balanced()?;
            }
        }
        Ok(NodeReference::Inline(at))
    }

    /// Reads an instruction from its name on.
    fn operation(&mut self) -> Parse<Operation> {
        let at = self.cursor.at;
        let word = self.cursor.word();
        let void = self.builder.common.void;
        let plain = |op| Ok(Some((op, void)));
        match word {
            b"load" => self.load().map(Some),
            b"store" => plain(self.store()?),
            b"getelementptr" => self.element_pointer().map(Some),
            b"br" => plain(self.branch()?),
            b"call" => self.call_instruction(),
            b"tail" | b"musttail" | b"notail" => {
                self.cursor.expect_word("call")?;
                self.call_instruction()
            }
            b"icmp" => self.integer_compare().map(Some),
            b"alloca" => self.alloca().map(Some),
            b"ret" => plain(self.return_instruction()?),
            b"phi" => self.phi().map(Some),
            b"switch" => plain(self.switch()?),
            b"select" => self.select().map(Some),
            b"fcmp" => self.float_compare().map(Some),
            b"fneg" => {
                self.arithmetic_flags();
                let value = self.typed_operand()?;
                Ok(Some((Op::FloatNegate(value), self.operand_type(value))))
            }
            b"freeze" => {
                let value = self.typed_operand()?;
                Ok(Some((Op::Freeze(value), self.operand_type(value))))
            }
            b"unreachable" => plain(Op::Unreachable),
            b"extractvalue" => self.extract_value().map(Some),
            b"insertvalue" => self.insert_value().map(Some),
            b"extractelement" => self.extract_element().map(Some),
            b"insertelement" => self.insert_element().map(Some),
            b"shufflevector" => self.shuffle_vector().map(Some),
            b"atomicrmw" => self.atomic_read_modify_write().map(Some),
            b"cmpxchg" => self.compare_exchange().map(Some),
            b"fence" => plain(self.fence()?),
            b"va_arg" => {
                let list = self.typed_operand()?;
                self.cursor.expect(b',')?;
                Ok(Some((Op::VaArg { list }, self.value_type()?)))
            }
            b"invoke" => self.invoke().map(Some),
            b"landingpad" => self.landing_pad().map(Some),
            b"resume" => {
                self.typed_operand()?;
                plain(Op::Resume)
            }
            b"indirectbr" => plain(self.indirect_branch()?),
            _ => {
                if let Some(op) = super::constants::binary_op(word) {
                    return self.binary(op).map(Some);
                }
                if let Some(op) = super::constants::cast_op(word) {
                    return self.cast(op).map(Some);
                }
                self.cursor.at = at;
                self.cursor.expected("an instruction")
            }
        }
    }

    /// Reads `type left, right`.
    fn operands_of_one_type(&mut self) -> Parse<(Operand, Operand, TypeId)> {
        let ty = self.value_type()?;
        let left = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let right = self.operand(ty)?;
        Ok((left, right, ty))
    }

    fn binary(&mut self, op: BinaryOp) -> Parse<(Op, TypeId)> {
        let flags = self.arithmetic_flags();
        let (left, right, ty) = self.operands_of_one_type()?;
        Ok((Op::Binary { op, left, right, flags }, ty))
    }

    fn cast(&mut self, op: CastOp) -> Parse<(Op, TypeId)> {
        self.arithmetic_flags();
        let value = self.typed_operand()?;
        self.cursor.expect_word("to")?;
        let ty = self.value_type()?;
        Ok((Op::Cast { op, value }, ty))
    }

    /// `i1`, or a vector of as many `i1` as `ty` has lanes.
    fn comparison_type(&mut self, ty: TypeId) -> TypeId {
        let bit = self.builder.common.bit;
        match *self.builder.program.types.get(ty) {
            Type::Vector { length, .. } => {
                self.builder.program.types.intern(Type::Vector { element: bit, length })
            }
            _ => bit,
        }
    }

    fn integer_compare(&mut self) -> Parse<(Op, TypeId)> {
        self.arithmetic_flags();
        let predicate = self.integer_predicate()?;
        let (left, right, ty) = self.operands_of_one_type()?;
        Ok((Op::IntegerCompare { predicate, left, right }, self.comparison_type(ty)))
    }

    fn float_compare(&mut self) -> Parse<(Op, TypeId)> {
        self.arithmetic_flags();
        let at = self.cursor.at;
        let predicate = match self.cursor.word() {
            b"false" => FloatPredicate::False,
            b"oeq" => FloatPredicate::OrderedEqual,
            b"ogt" => FloatPredicate::OrderedGreater,
            b"oge" => FloatPredicate::OrderedGreaterEqual,
            b"olt" => FloatPredicate::OrderedLess,
            b"ole" => FloatPredicate::OrderedLessEqual,
            b"one" => FloatPredicate::OrderedNotEqual,
            b"ord" => FloatPredicate::Ordered,
            b"ueq" => FloatPredicate::UnorderedEqual,
            b"ugt" => FloatPredicate::UnorderedGreater,
            b"uge" => FloatPredicate::UnorderedGreaterEqual,
            b"ult" => FloatPredicate::UnorderedLess,
            b"ule" => FloatPredicate::UnorderedLessEqual,
            b"une" => FloatPredicate::UnorderedNotEqual,
            b"uno" => FloatPredicate::Unordered,
            b"true" => FloatPredicate::True,
            _ => {
                self.cursor.at = at;
                return self.cursor.expected("a comparison of floating-point numbers");
            }
        };
        let (left, right, ty) = self.operands_of_one_type()?;
        Ok((Op::FloatCompare { predicate, left, right }, self.comparison_type(ty)))
    }

    fn select(&mut self) -> Parse<(Op, TypeId)> {
        self.arithmetic_flags();
        let condition = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let then = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.at;
        let otherwise = self.typed_operand()?;
        let ty = self.operand_type(then);
        if self.operand_type(otherwise) != ty {
            return Failure::broken(at, "the two values of this 'select' have different types");
        }
        Ok((Op::Select { condition, then, otherwise }, ty))
    }

    fn phi(&mut self) -> Parse<(Op, TypeId)> {
        self.arithmetic_flags();
        let ty = self.value_type()?;
        let mut incoming = Vec::new();
        loop {
            self.cursor.expect(b'[')?;
            let value = self.operand(ty)?;
            self.cursor.expect(b',')?;
            let block = self.block_name()?;
            self.cursor.expect(b']')?;
            incoming.push((block, value));
            if self.cursor.peek() != b',' {
                break;
            }
            let comma = self.cursor.at;
            self.cursor.at += 1;
            if self.cursor.peek() != b'[' {
                self.cursor.at = comma;
                break;
            }
        }
        Ok((Op::Phi(incoming.into()), ty))
    }

    fn branch(&mut self) -> Parse<Op> {
        if self.cursor.peek_word() == b"label" {
            return Ok(Op::Branch(self.label()?));
        }
        let at = self.cursor.at;
        let condition = self.typed_operand()?;
        if self.operand_type(condition) != self.builder.common.bit {
            return Failure::broken(at, "the condition of a branch is an 'i1'");
        }
        self.cursor.expect(b',')?;
        let then = self.label()?;
        self.cursor.expect(b',')?;
        let otherwise = self.label()?;
        Ok(Op::ConditionalBranch { condition, then, otherwise })
    }

    fn return_instruction(&mut self) -> Parse<Op> {
        let at = self.cursor.at;
        let result = self.body.function.result;
        if self.cursor.eat_word(b"void") {
            if result != self.builder.common.void {
                return Failure::broken(at, "this function returns a value");
            }
            return Ok(Op::Return(None));
        }
        let value = self.typed_operand()?;
        if self.operand_type(value) != result {
            return Failure::broken(at, "this value has another type than the function returns");
        }
        Ok(Op::Return(Some(value)))
    }

    fn switch(&mut self) -> Parse<Op> {
        let value = self.typed_operand()?;
        let ty = self.operand_type(value);
        self.cursor.expect(b',')?;
        let default = self.label()?;
        self.cursor.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.cursor.eat(b']') {
            let at = self.cursor.at;
            let case = self.switch_case(ty, at)?;
            self.cursor.expect(b',')?;
            cases.push((case, self.label()?));
        }
        Ok(Op::Switch { value, default, cases: cases.into() })
    }

    fn switch_case(&mut self, ty: TypeId, at: usize) -> Parse<u128> {
        let bits = match self.builder.program.types.get(ty) {
            Type::Integer(bits) => *bits,
            _ => return Failure::broken(at, "a switch chooses by an integer"),
        };
        if self.ty()? != ty {
            return Failure::broken(at, "this case has another type than the value of the switch");
        }
        match self.cursor.peek_word() {
            b"true" | b"false" => Ok(u128::from(self.cursor.word() == b"true")),
            _ => match numbers::integer(&mut self.cursor, bits)? {
                ConstantKind::Integer(value) => Ok(value),
                _ => Failure::unknown(at, "integers of more than 128 bits are not supported"),
            },
        }
    }

    fn indirect_branch(&mut self) -> Parse<Op> {
        let address = self.typed_operand()?;
        self.cursor.expect(b',')?;
        self.cursor.expect(b'[')?;
        let mut targets: Vec<BlockId> = Vec::new();
        if !self.cursor.eat(b']') {
            loop {
                targets.push(self.label()?);
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(b']')?;
        }
        Ok(Op::IndirectBranch { address, targets: targets.into() })
    }
}
