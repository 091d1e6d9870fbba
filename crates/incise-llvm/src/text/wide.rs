//! Integers of more than 128 bits, written out in words of 64 bits.
//!
//! Clang reads and writes a long run of bit-fields through one integer as wide as the run, so such integers come up in
//! plain C: loaded, shifted by constants, masked, cut to size, stored. These instructions are turned into instructions
//! on words, the lowest first; the unused bits of the highest word are zero. What goes beyond (arguments, phis,
//! multiplication) stays unsupported.

use super::cursor::Name;
use super::failure::{Failure, Parse};
use super::reader::Reader;
use incise_ir::{BinaryOp, CastOp, ConstantKind, Instruction, Op, Operand, Type, TypeId};

/// The widest integer that is written out.
const MAXIMUM_BITS: u32 = 4096;

/// An integer in words, the lowest first.
#[derive(Clone)]
pub(super) struct Wide {
    bits: u32,
    words: Box<[Operand]>,
}

/// What a wide instruction gives.
enum WideOutcome {
    Nothing,
    Wide(Wide),
    /// The last instruction of those that were written out, and its type.
    Narrow(Op, TypeId),
}

fn word_count(bits: u32) -> usize {
    bits.div_ceil(64) as usize
}

impl<'a> Reader<'a, '_> {
    /// Reads an instruction on wide integers, from its name on. Fails as unknown if it is not one that we can write
    /// out.
    pub(super) fn wide_instruction(&mut self, name: Option<Name<'a>>, at: usize) -> Parse<()> {
        let outcome = self.wide_operation(at)?;
        let debug = self.attachments()?;
        let location = debug.and_then(|debug| self.location(debug));
        self.locate_emitted(location);
        match (outcome, name) {
            (WideOutcome::Nothing, None) => Ok(()),
            (WideOutcome::Wide(wide), Some(name)) => {
                self.note_number(name);
                self.body.wide.insert(name, wide);
                Ok(())
            }
            (WideOutcome::Narrow(op, ty), name) => {
                let result = Some(self.define_value(name, ty, at)?);
                self.push_instruction(Instruction { op, result, location }, at)
            }
            _ => Failure::unknown(at, "this instruction is not supported on wide integers"),
        }
    }

    fn wide_operation(&mut self, at: usize) -> Parse<WideOutcome> {
        let word = self.cursor.word();
        match word {
            b"load" => self.wide_load(at).map(WideOutcome::Wide),
            b"store" => self.wide_store(at).map(|()| WideOutcome::Nothing),
            b"and" => self.wide_bitwise(BinaryOp::And, at).map(WideOutcome::Wide),
            b"or" => self.wide_bitwise(BinaryOp::Or, at).map(WideOutcome::Wide),
            b"xor" => self.wide_bitwise(BinaryOp::Xor, at).map(WideOutcome::Wide),
            b"shl" | b"lshr" | b"ashr" => self.wide_shift(word, at).map(WideOutcome::Wide),
            b"zext" => self.wide_extend(false, at).map(WideOutcome::Wide),
            b"sext" => self.wide_extend(true, at).map(WideOutcome::Wide),
            b"trunc" => self.wide_truncate(at),
            b"freeze" => {
                let bits = self.wide_type()?;
                self.wide_operand(bits).map(WideOutcome::Wide)
            }
            _ => Failure::unknown(at, "this instruction is not supported on wide integers"),
        }
    }

    /// Reads the type of a wide integer.
    fn wide_type(&mut self) -> Parse<u32> {
        let at = self.cursor.at;
        let ty = self.ty()?;
        match *self.builder.program.types.get(ty) {
            Type::Integer(bits) if bits > 128 && bits <= MAXIMUM_BITS => Ok(bits),
            _ => Failure::unknown(at, "expected an integer of more than 128 bits"),
        }
    }

    /// Reads a value of a wide integer type.
    fn wide_operand(&mut self, bits: u32) -> Parse<Wide> {
        let at = self.cursor.at;
        if self.cursor.eat(b'%') {
            let name = self.cursor.name()?;
            return match self.body.wide.get(&name) {
                Some(wide) if wide.bits == bits => Ok(wide.clone()),
                _ => {
                    Failure::unknown(at, "this wide integer comes from an instruction that is not supported")
                }
            };
        }
        let words = self.wide_literal(bits)?;
        let words = words.into_iter().map(|word| self.word_constant(word)).collect();
        Ok(Wide { bits, words })
    }

    /// Reads a decimal literal into words.
    fn wide_literal(&mut self, bits: u32) -> Parse<Vec<u64>> {
        let negative = self.cursor.eat(b'-');
        let start = self.cursor.at;
        let mut words = vec![0u64; word_count(bits)];
        while self.cursor.byte().is_ascii_digit() {
            let mut carry = u128::from(self.cursor.byte() - b'0');
            for word in &mut words {
                let value = u128::from(*word) * 10 + carry;
                *word = value as u64;
                carry = value >> 64;
            }
            self.cursor.at += 1;
        }
        if self.cursor.at == start {
            return Failure::unknown(start, "expected an integer");
        }
        if negative {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
        }
        if !bits.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= (1 << (bits % 64)) - 1;
        }
        Ok(words)
    }

    fn word_type(&mut self) -> TypeId {
        self.builder.program.types.integer(64)
    }

    fn word_constant(&mut self, value: u64) -> Operand {
        let ty = self.word_type();
        Operand::Constant(self.builder.constant(ty, ConstantKind::Integer(u128::from(value))))
    }

    fn emit_binary(&mut self, op: BinaryOp, left: Operand, right: Operand, at: usize) -> Parse<Operand> {
        let ty = self.operand_type(left);
        let op = Op::Binary { op, left, right, flags: Default::default() };
        Ok(Operand::Value(self.emit(op, ty, at)?))
    }

    fn emit_cast(&mut self, op: CastOp, value: Operand, bits: u32, at: usize) -> Parse<Operand> {
        let ty = self.builder.program.types.integer(bits);
        Ok(Operand::Value(self.emit(Op::Cast { op, value }, ty, at)?))
    }

    /// Clears the bits of the highest word that are not the integer's.
    fn trimmed(&mut self, bits: u32, mut words: Vec<Operand>, at: usize) -> Parse<Wide> {
        if !bits.is_multiple_of(64)
            && let Some(last) = words.pop()
        {
            let mask = self.word_constant((1 << (bits % 64)) - 1);
            words.push(self.emit_binary(BinaryOp::And, last, mask, at)?);
        }
        Ok(Wide { bits, words: words.into() })
    }

    /// The address of word `index` at a pointer.
    fn word_address(&mut self, pointer: Operand, index: usize, at: usize) -> Parse<Operand> {
        if index == 0 {
            return Ok(pointer);
        }
        let op = Op::ElementPointer {
            base: pointer,
            offset: index as i64 * 8,
            terms: Box::default(),
            in_bounds: true,
        };
        let ty = self.builder.common.pointer;
        Ok(Operand::Value(self.emit(op, ty, at)?))
    }

    /// The number of bits that word `index` takes in memory.
    fn stored_bits(bits: u32, index: usize) -> u32 {
        (bits.div_ceil(8) * 8 - index as u32 * 64).min(64)
    }

    fn wide_load(&mut self, at: usize) -> Parse<Wide> {
        let volatile = self.cursor.eat_word(b"volatile");
        let bits = self.wide_type()?;
        self.cursor.expect(b',')?;
        let pointer = self.pointer_operand()?;
        let mut words = Vec::with_capacity(word_count(bits));
        for index in 0..word_count(bits) {
            let pointer = self.word_address(pointer, index, at)?;
            let stored = Self::stored_bits(bits, index);
            let ty = self.builder.program.types.integer(stored);
            let loaded = self.emit(Op::Load { ty, pointer, volatile, ordering: None }, ty, at)?;
            let mut word = Operand::Value(loaded);
            if stored < 64 {
                word = self.emit_cast(CastOp::ZeroExtend, word, 64, at)?;
            }
            words.push(word);
        }
        if bits % 8 == 0 { Ok(Wide { bits, words: words.into() }) } else { self.trimmed(bits, words, at) }
    }

    fn wide_store(&mut self, at: usize) -> Parse<()> {
        let volatile = self.cursor.eat_word(b"volatile");
        let bits = self.wide_type()?;
        let value = self.wide_operand(bits)?;
        self.cursor.expect(b',')?;
        let pointer = self.pointer_operand()?;
        for (index, &word) in value.words.iter().enumerate() {
            let pointer = self.word_address(pointer, index, at)?;
            let stored = Self::stored_bits(bits, index);
            let value = if stored < 64 { self.emit_cast(CastOp::Truncate, word, stored, at)? } else { word };
            self.emit_effect(Op::Store { value, pointer, volatile, ordering: None }, at)?;
        }
        Ok(())
    }

    fn wide_bitwise(&mut self, op: BinaryOp, at: usize) -> Parse<Wide> {
        self.arithmetic_flags();
        let bits = self.wide_type()?;
        let left = self.wide_operand(bits)?;
        self.cursor.expect(b',')?;
        let right = self.wide_operand(bits)?;
        let mut words = Vec::with_capacity(left.words.len());
        for (&left, &right) in left.words.iter().zip(&right.words) {
            words.push(self.emit_binary(op, left, right, at)?);
        }
        Ok(Wide { bits, words: words.into() })
    }

    fn wide_shift(&mut self, word: &[u8], at: usize) -> Parse<Wide> {
        self.arithmetic_flags();
        let bits = self.wide_type()?;
        let value = self.wide_operand(bits)?;
        self.cursor.expect(b',')?;
        self.cursor.skip_space();
        let amount = match self.cursor.byte() {
            b'0'..=b'9' => self.cursor.number()?,
            _ => return Failure::unknown(at, "a shift of a wide integer by an amount that is not constant"),
        };
        if amount >= u64::from(bits) {
            return Failure::unknown(at, "a shift of a wide integer by more than its width");
        }
        let (whole, part) = ((amount / 64) as usize, amount % 64);
        match word {
            b"shl" => {
                let zero = self.word_constant(0);
                let source = |index: usize| index.checked_sub(whole).map_or(zero, |index| value.words[index]);
                let mut words = Vec::with_capacity(value.words.len());
                for index in 0..value.words.len() {
                    let below = index.checked_sub(1).map_or(zero, source);
                    words.push(self.joined_word(below, source(index), 64 - part, at)?);
                }
                self.trimmed(bits, words, at)
            }
            _ => {
                let fill = if word == b"ashr" { self.sign_word(&value, at)? } else { self.word_constant(0) };
                let mut source = value.words.to_vec();
                if word == b"ashr" && bits % 64 != 0 {
                    // The unused bits of the highest word take the sign too.
                    let used = self.word_constant((1 << (bits % 64)) - 1);
                    let above = self.word_constant(!((1 << (bits % 64)) - 1));
                    let last = source.len() - 1;
                    let low = self.emit_binary(BinaryOp::And, source[last], used, at)?;
                    let high = self.emit_binary(BinaryOp::And, fill, above, at)?;
                    source[last] = self.emit_binary(BinaryOp::Or, low, high, at)?;
                }
                let pick = |index: usize| source.get(index).copied().unwrap_or(fill);
                let mut words = Vec::with_capacity(source.len());
                for index in 0..source.len() {
                    words.push(self.joined_word(pick(index + whole), pick(index + whole + 1), part, at)?);
                }
                self.trimmed(bits, words, at)
            }
        }
    }

    /// The 64 bits that start at bit `from` (0 to 64) of two words one above the other.
    fn joined_word(&mut self, low: Operand, high: Operand, from: u64, at: usize) -> Parse<Operand> {
        match from {
            0 => return Ok(low),
            64 => return Ok(high),
            _ => {}
        }
        let (right, left) = (self.word_constant(from), self.word_constant(64 - from));
        let low = self.emit_binary(BinaryOp::LShr, low, right, at)?;
        let high = self.emit_binary(BinaryOp::Shl, high, left, at)?;
        self.emit_binary(BinaryOp::Or, low, high, at)
    }

    /// A word of all zeros or all ones: the sign of the integer.
    fn sign_word(&mut self, value: &Wide, at: usize) -> Parse<Operand> {
        let mut top = value.words[value.words.len() - 1];
        if !value.bits.is_multiple_of(64) {
            let up = self.word_constant(u64::from(64 - value.bits % 64));
            top = self.emit_binary(BinaryOp::Shl, top, up, at)?;
        }
        let amount = self.word_constant(63);
        self.emit_binary(BinaryOp::AShr, top, amount, at)
    }

    fn wide_extend(&mut self, signed: bool, at: usize) -> Parse<Wide> {
        self.arithmetic_flags();
        let value = self.typed_operand()?;
        self.cursor.expect_word("to")?;
        let bits = self.wide_type()?;
        let narrow = match *self.builder.program.types.get(self.operand_type(value)) {
            Type::Integer(bits) => bits,
            _ => return Failure::unknown(at, "a conversion of something that is no integer"),
        };
        let extend = if signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let double = if narrow < 128 { self.emit_cast(extend, value, 128, at)? } else { value };
        let ty = self.operand_type(double);
        let amount = Operand::Constant(self.builder.constant(ty, ConstantKind::Integer(64)));
        let low = self.emit_cast(CastOp::Truncate, double, 64, at)?;
        let upper = self.emit_binary(BinaryOp::LShr, double, amount, at)?;
        let high = self.emit_cast(CastOp::Truncate, upper, 64, at)?;
        let fill = if signed {
            let amount = self.word_constant(63);
            self.emit_binary(BinaryOp::AShr, high, amount, at)?
        } else {
            self.word_constant(0)
        };
        let mut words = vec![low, high];
        words.resize(word_count(bits), fill);
        self.trimmed(bits, words, at)
    }

    fn wide_truncate(&mut self, at: usize) -> Parse<WideOutcome> {
        self.arithmetic_flags();
        let bits = self.wide_type()?;
        let value = self.wide_operand(bits)?;
        self.cursor.expect_word("to")?;
        let ty = self.ty()?;
        let bits = match *self.builder.program.types.get(ty) {
            Type::Integer(narrow) if narrow < bits => narrow,
            _ => return Failure::unknown(at, "a conversion to something that is no narrower integer"),
        };
        if bits > 128 {
            let words = value.words[..word_count(bits)].to_vec();
            return self.trimmed(bits, words, at).map(WideOutcome::Wide);
        }
        if bits < 64 {
            return Ok(WideOutcome::Narrow(Op::Cast { op: CastOp::Truncate, value: value.words[0] }, ty));
        }
        if bits == 64 {
            return Ok(WideOutcome::Narrow(Op::Freeze(value.words[0]), ty));
        }
        let low = self.emit_cast(CastOp::ZeroExtend, value.words[0], 128, at)?;
        let high = self.emit_cast(CastOp::ZeroExtend, value.words[1], 128, at)?;
        let double = self.operand_type(low);
        let amount = Operand::Constant(self.builder.constant(double, ConstantKind::Integer(64)));
        let high = self.emit_binary(BinaryOp::Shl, high, amount, at)?;
        if bits == 128 {
            let op = Op::Binary { op: BinaryOp::Or, left: low, right: high, flags: Default::default() };
            return Ok(WideOutcome::Narrow(op, ty));
        }
        let value = self.emit_binary(BinaryOp::Or, low, high, at)?;
        Ok(WideOutcome::Narrow(Op::Cast { op: CastOp::Truncate, value }, ty))
    }
}
