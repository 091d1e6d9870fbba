//! Constants and constant expressions.

use super::cursor::{Name, unescape, unescape_text};
use super::failure::{Failure, Parse};
use super::numbers;
use super::reader::{Reader, SymbolTarget};
use incise_ir::{BinaryOp, BlockId, CastOp, ConstantId, ConstantKind, Id, IntegerPredicate, Type, TypeId};

/// The most lanes that a `splat` is written out for.
const MAXIMUM_SPLAT: u32 = 1 << 16;

/// The kinds of types that decide how a constant is read.
enum Shape {
    Integer(u32),
    Float(incise_ir::FloatKind),
    Pointer,
    Aggregate,
    Other,
}

impl<'a> Reader<'a, '_> {
    /// Reads a type and a constant of it.
    pub(crate) fn typed_constant(&mut self) -> Parse<ConstantId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    /// Reads a constant of a type.
    pub(crate) fn constant(&mut self, ty: TypeId) -> Parse<ConstantId> {
        match (self.shape(ty), self.cursor.peek()) {
            (Shape::Integer(bits), b'0'..=b'9' | b'-') => {
                let kind = numbers::integer(&mut self.cursor, bits)?;
                Ok(self.builder.constant(ty, kind))
            }
            (Shape::Float(kind), b'0'..=b'9' | b'-' | b'+') => {
                let bits = numbers::float(&mut self.cursor, kind)?;
                Ok(self.builder.constant(ty, ConstantKind::Float(bits)))
            }
            (Shape::Pointer, b'@') => {
                let at = self.cursor.at;
                self.cursor.at += 1;
                let name = self.cursor.raw_name()?;
                self.symbol_constant(name, at)
            }
            (Shape::Aggregate, b'[' | b'{' | b'<') => self.nested(|reader| reader.aggregate(ty)),
            (_, b'a'..=b'z') => self.worded_constant(ty),
            _ => self.cursor.expected("a constant"),
        }
    }

    fn shape(&self, ty: TypeId) -> Shape {
        match self.builder.program.types.get(ty) {
            Type::Integer(bits) => Shape::Integer(*bits),
            Type::Float(kind) => Shape::Float(*kind),
            Type::Pointer => Shape::Pointer,
            Type::Struct { .. } | Type::Array { .. } | Type::Vector { .. } => Shape::Aggregate,
            _ => Shape::Other,
        }
    }

    /// The address of a symbol of this module.
    pub(crate) fn symbol_constant(&mut self, name: &[u8], at: usize) -> Parse<ConstantId> {
        let pointer = self.builder.common.pointer;
        let kind = match self.target(name, at)? {
            SymbolTarget::Function(function) => ConstantKind::Function(*function),
            SymbolTarget::Global(global) => ConstantKind::Global(*global),
            SymbolTarget::Constant(constant) => return Ok(*constant),
            SymbolTarget::Intrinsic(_) | SymbolTarget::Nothing | SymbolTarget::Unassigned => {
                let message = format!("the address of '@{}' is not supported", unescape_text(name));
                return Failure::unknown(at, message);
            }
        };
        Ok(self.builder.constant(pointer, kind))
    }

    /// What a symbol of this module stands for.
    pub(crate) fn target(&mut self, name: &[u8], at: usize) -> Parse<&SymbolTarget> {
        match self.module.symbol_numbers.get(name) {
            Some(&number) => {
                let number = number as usize;
                if matches!(self.state.targets[number], SymbolTarget::Unassigned) {
                    self.assign_model_target(number);
                }
                Ok(&self.state.targets[number])
            }
            None => {
                Failure::broken(at, format!("'@{}' is neither defined nor declared", unescape_text(name)))
            }
        }
    }

    fn aggregate(&mut self, ty: TypeId) -> Parse<ConstantId> {
        let at = self.cursor.at;
        let close: &[u8] = match (self.cursor.byte(), self.cursor.second_byte()) {
            (b'[', _) => b"]",
            (b'{', _) => b"}",
            (_, b'{') => b"}>",
            _ => b">",
        };
        self.cursor.at += close.len();
        let mut elements = Vec::new();
        if !self.cursor.eat(close[0]) {
            loop {
                let element_at = self.cursor.at;
                let element = self.typed_constant()?;
                let expected = self.builder.program.types.element_type(ty, elements.len() as u64);
                if expected != Some(self.builder.program.constants[element].ty) {
                    return Failure::broken(element_at, "this element does not fit the type of the constant");
                }
                elements.push(element);
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(close[0])?;
        }
        if let Some(&angle) = close.get(1) {
            self.cursor.expect(angle)?;
        }
        if self.builder.program.types.element_count(ty) != Some(elements.len() as u64) {
            return Failure::broken(at, "this constant has fewer elements than its type");
        }
        Ok(self.builder.constant(ty, ConstantKind::Aggregate(elements.into())))
    }

    fn worded_constant(&mut self, ty: TypeId) -> Parse<ConstantId> {
        let at = self.cursor.at;
        let word = self.cursor.word();
        let kind = match (word, self.shape(ty)) {
            (b"true", Shape::Integer(1)) => ConstantKind::Integer(1),
            (b"false", Shape::Integer(1)) => ConstantKind::Integer(0),
            (b"null", Shape::Pointer) => ConstantKind::Null,
            (b"undef", _) => ConstantKind::Undef,
            (b"poison", _) => ConstantKind::Poison,
            (b"zeroinitializer", shape) => zero(shape),
            (b"c", Shape::Aggregate) if self.cursor.byte() == b'"' => self.bytes(ty)?,
            (b"splat", Shape::Aggregate) => self.nested(|reader| reader.splat(ty))?,
            (b"dso_local_equivalent" | b"no_cfi", Shape::Pointer) => {
                self.cursor.expect(b'@')?;
                let name = self.cursor.raw_name()?;
                return self.symbol_constant(name, at);
            }
            (b"blockaddress", Shape::Pointer) => return self.block_address(ty),
            (b"null" | b"true" | b"false" | b"c" | b"splat" | b"none", _) => {
                return Failure::broken(at, "this constant does not fit its type");
            }
            ([b'u' | b's', b'0', b'x', ..], Shape::Integer(bits)) => {
                self.cursor.at = at;
                numbers::integer(&mut self.cursor, bits)?
            }
            _ => return self.nested(|reader| reader.expression(word, ty, at)),
        };
        Ok(self.builder.constant(ty, kind))
    }

    /// The constant of a type whose bits are all zero.
    pub(crate) fn zero_constant(&mut self, ty: TypeId) -> ConstantId {
        let kind = zero(self.shape(ty));
        self.builder.constant(ty, kind)
    }

    /// `c"text\00"`.
    fn bytes(&mut self, ty: TypeId) -> Parse<ConstantKind> {
        let at = self.cursor.at;
        let bytes = unescape(self.cursor.string()?);
        match *self.builder.program.types.get(ty) {
            Type::Array { element, length }
                if element == self.builder.common.byte && length == bytes.len() as u64 =>
            {
                Ok(ConstantKind::Bytes(bytes.into_owned().into()))
            }
            _ => Failure::broken(at, format!("this string of {} bytes does not fit its type", bytes.len())),
        }
    }

    /// `splat (i32 7)`: all lanes of a vector.
    fn splat(&mut self, ty: TypeId) -> Parse<ConstantKind> {
        self.cursor.expect(b'(')?;
        let at = self.cursor.at;
        let lane = self.typed_constant()?;
        self.cursor.expect(b')')?;
        match *self.builder.program.types.get(ty) {
            Type::Vector { element, length } if element == self.builder.program.constants[lane].ty => {
                if length > MAXIMUM_SPLAT {
                    return Failure::unknown(at, "vectors of this length are not supported");
                }
                Ok(ConstantKind::Aggregate(vec![lane; length as usize].into()))
            }
            _ => Failure::broken(at, "this lane does not fit the type of the vector"),
        }
    }

    /// `blockaddress(@function, %label)`.
    fn block_address(&mut self, ty: TypeId) -> Parse<ConstantId> {
        self.cursor.expect(b'(')?;
        self.cursor.expect(b'@')?;
        let at = self.cursor.at;
        let name = self.cursor.raw_name()?;
        let function = match self.target(name, at)? {
            SymbolTarget::Function(function) => *function,
            _ => return Failure::unknown(at, "the address of a block of something that is not a function"),
        };
        self.cursor.expect(b',')?;
        self.cursor.expect(b'%')?;
        let label = match self.cursor.name()? {
            Name::Number(number) => number.to_string(),
            Name::Text(text) => unescape_text(text),
        };
        self.cursor.expect(b')')?;
        let constant =
            self.builder.constant(ty, ConstantKind::BlockAddress { function, block: BlockId::from_index(0) });
        self.builder.block_addresses.push((constant, function, label));
        Ok(constant)
    }

    /// A constant expression that starts with `word`.
    fn expression(&mut self, word: &[u8], ty: TypeId, at: usize) -> Parse<ConstantId> {
        let kind = if let Some(op) = cast_op(word) {
            self.cast_expression(op, ty)?
        } else if let Some(op) = binary_op(word) {
            self.binary_expression(op, ty)?
        } else {
            match word {
                b"getelementptr" => return self.element_pointer_expression(ty, at),
                b"icmp" => self.compare_expression()?,
                b"select" => self.select_expression()?,
                _ => {
                    self.cursor.at = at;
                    return self.unknown_expression(ty);
                }
            }
        };
        let constant = self.builder.constant(ty, kind);
        match incise_ir::verify_constant(&self.builder.program, constant) {
            Ok(()) => Ok(constant),
            Err(_) => Failure::broken(at, "the types of this constant expression do not fit each other"),
        }
    }

    /// A constant expression that we do not know is unsupported where it is used.
    pub(crate) fn unknown_expression(&mut self, ty: TypeId) -> Parse<ConstantId> {
        let start = self.cursor.at;
        loop {
            match self.cursor.peek() {
                b'(' => {
                    self.cursor.skip_balanced()?;
                    let text = String::from_utf8_lossy(&self.cursor.bytes[start..self.cursor.at]);
                    let kind = ConstantKind::Unsupported(text.into_owned().into());
                    return Ok(self.builder.constant(ty, kind));
                }
                b'a'..=b'z' => drop(self.cursor.word()),
                _ => {
                    self.cursor.at = start;
                    return self.cursor.expected("a constant");
                }
            }
        }
    }

    fn cast_expression(&mut self, op: CastOp, ty: TypeId) -> Parse<ConstantKind> {
        self.arithmetic_flags();
        self.cursor.expect(b'(')?;
        let value = self.typed_constant()?;
        self.cursor.expect_word("to")?;
        let at = self.cursor.at;
        if self.ty()? != ty {
            return Failure::broken(at, "the conversion gives another type than the one before it");
        }
        self.cursor.expect(b')')?;
        Ok(ConstantKind::Cast { op, value })
    }

    fn operand_pair(&mut self) -> Parse<(ConstantId, ConstantId)> {
        self.cursor.expect(b'(')?;
        let left = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.at;
        let right = self.typed_constant()?;
        self.cursor.expect(b')')?;
        let constants = &self.builder.program.constants;
        if constants[left].ty != constants[right].ty {
            return Failure::broken(at, "the two operands have different types");
        }
        Ok((left, right))
    }

    fn binary_expression(&mut self, op: BinaryOp, ty: TypeId) -> Parse<ConstantKind> {
        self.arithmetic_flags();
        let at = self.cursor.at;
        let (left, right) = self.operand_pair()?;
        if self.builder.program.constants[left].ty != ty {
            return Failure::broken(at, "the operation gives another type than the one before it");
        }
        Ok(ConstantKind::Binary { op, left, right })
    }

    fn compare_expression(&mut self) -> Parse<ConstantKind> {
        self.arithmetic_flags();
        let predicate = self.integer_predicate()?;
        let (left, right) = self.operand_pair()?;
        Ok(ConstantKind::Compare { predicate, left, right })
    }

    fn select_expression(&mut self) -> Parse<ConstantKind> {
        self.cursor.expect(b'(')?;
        let condition = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let then = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let otherwise = self.typed_constant()?;
        self.cursor.expect(b')')?;
        Ok(ConstantKind::Select { condition, then, otherwise })
    }

    /// Reads `eq`, `slt`...
    pub(crate) fn integer_predicate(&mut self) -> Parse<IntegerPredicate> {
        let at = self.cursor.at;
        Ok(match self.cursor.word() {
            b"eq" => IntegerPredicate::Equal,
            b"ne" => IntegerPredicate::NotEqual,
            b"ugt" => IntegerPredicate::UnsignedGreater,
            b"uge" => IntegerPredicate::UnsignedGreaterEqual,
            b"ult" => IntegerPredicate::UnsignedLess,
            b"ule" => IntegerPredicate::UnsignedLessEqual,
            b"sgt" => IntegerPredicate::SignedGreater,
            b"sge" => IntegerPredicate::SignedGreaterEqual,
            b"slt" => IntegerPredicate::SignedLess,
            b"sle" => IntegerPredicate::SignedLessEqual,
            _ => {
                self.cursor.at = at;
                return self.cursor.expected("a comparison of integers");
            }
        })
    }
}

fn zero(shape: Shape) -> ConstantKind {
    match shape {
        Shape::Integer(bits) if bits <= 128 => ConstantKind::Integer(0),
        Shape::Float(_) => ConstantKind::Float(0),
        Shape::Pointer => ConstantKind::Null,
        _ => ConstantKind::Zero,
    }
}

/// The conversion of that name.
pub(crate) fn cast_op(word: &[u8]) -> Option<CastOp> {
    Some(match word {
        b"trunc" => CastOp::Truncate,
        b"zext" => CastOp::ZeroExtend,
        b"sext" => CastOp::SignExtend,
        b"fptrunc" => CastOp::FloatTruncate,
        b"fpext" => CastOp::FloatExtend,
        b"fptoui" => CastOp::FloatToUnsigned,
        b"fptosi" => CastOp::FloatToSigned,
        b"uitofp" => CastOp::UnsignedToFloat,
        b"sitofp" => CastOp::SignedToFloat,
        b"ptrtoint" | b"ptrtoaddr" => CastOp::PointerToInteger,
        b"inttoptr" => CastOp::IntegerToPointer,
        b"bitcast" => CastOp::Bitcast,
        b"addrspacecast" => CastOp::AddressSpace,
        _ => return None,
    })
}

/// The arithmetic of that name.
pub(crate) fn binary_op(word: &[u8]) -> Option<BinaryOp> {
    Some(match word {
        b"add" => BinaryOp::Add,
        b"sub" => BinaryOp::Sub,
        b"mul" => BinaryOp::Mul,
        b"and" => BinaryOp::And,
        b"or" => BinaryOp::Or,
        b"xor" => BinaryOp::Xor,
        b"shl" => BinaryOp::Shl,
        b"lshr" => BinaryOp::LShr,
        b"ashr" => BinaryOp::AShr,
        b"udiv" => BinaryOp::UDiv,
        b"sdiv" => BinaryOp::SDiv,
        b"urem" => BinaryOp::URem,
        b"srem" => BinaryOp::SRem,
        b"fadd" => BinaryOp::FAdd,
        b"fsub" => BinaryOp::FSub,
        b"fmul" => BinaryOp::FMul,
        b"fdiv" => BinaryOp::FDiv,
        b"frem" => BinaryOp::FRem,
        _ => return None,
    })
}
