//! Instructions that touch memory.

use super::failure::{Failure, Parse};
use super::reader::Reader;
use incise_ir::{AtomicOp, AtomicOrdering, Op, Operand, Type, TypeId};

impl<'a> Reader<'a, '_> {
    /// Reads a pointer operand with its type.
    pub(super) fn pointer_operand(&mut self) -> Parse<Operand> {
        self.cursor.skip_space();
        let at = self.cursor.at;
        let ty = self.value_type()?;
        if ty != self.builder.common.pointer {
            return Failure::broken(at, "expected a pointer ('ptr')");
        }
        let operand = self.operand(ty)?;
        self.body.pointer = Some((at as u32, self.cursor.at as u32));
        Ok(operand)
    }

    /// Reads `atomic volatile`, in any order.
    fn access_flags(&mut self) -> (bool, bool) {
        let (mut atomic, mut volatile) = (false, false);
        loop {
            let word = self.cursor.peek_word();
            match word {
                b"atomic" => atomic = true,
                b"volatile" => volatile = true,
                _ => return (atomic, volatile),
            }
            self.cursor.at += word.len();
        }
    }

    /// Reads an ordering, after `syncscope("...")` if there is one.
    fn ordering(&mut self) -> Parse<AtomicOrdering> {
        if self.cursor.eat_word(b"syncscope") {
            if self.cursor.peek() != b'(' {
                return self.cursor.expected("'('");
            }
            self.cursor.skip_balanced()?;
        }
        let word = self.cursor.peek_word();
        match AtomicOrdering::of_word(word) {
            Some(ordering) => {
                self.cursor.at += word.len();
                Ok(ordering)
            }
            None => self.cursor.expected("how this atomic access is ordered"),
        }
    }

    pub(super) fn load(&mut self) -> Parse<(Op, TypeId)> {
        let (atomic, volatile) = self.access_flags();
        let ty = self.first_class_type()?;
        self.cursor.expect(b',')?;
        let pointer = self.pointer_operand()?;
        let ordering = if atomic { Some(self.ordering()?) } else { None };
        Ok((Op::Load { ty, pointer, volatile, ordering }, ty))
    }

    /// Reads a type that a value can have.
    fn first_class_type(&mut self) -> Parse<TypeId> {
        self.cursor.skip_space();
        let at = self.cursor.at;
        let ty = self.value_type()?;
        match self.builder.program.types.get(ty) {
            Type::Void | Type::Function { .. } => Failure::broken(at, "there are no values of this type"),
            _ => Ok(ty),
        }
    }

    pub(super) fn store(&mut self) -> Parse<Op> {
        let (atomic, volatile) = self.access_flags();
        let value = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let pointer = self.pointer_operand()?;
        let ordering = if atomic { Some(self.ordering()?) } else { None };
        Ok(Op::Store { value, pointer, volatile, ordering })
    }

    pub(super) fn alloca(&mut self) -> Parse<(Op, TypeId)> {
        while matches!(self.cursor.peek_word(), b"inalloca" | b"swifterror") {
            self.cursor.word();
        }
        let ty = self.first_class_type()?;
        let mut count = None;
        let mut align = 0;
        loop {
            let comma = self.cursor.at;
            if !self.cursor.eat(b',') {
                break;
            }
            if self.cursor.peek() == b'!' {
                self.cursor.at = comma;
                break;
            }
            match self.cursor.peek_word() {
                b"align" => {
                    self.cursor.word();
                    align = self.cursor.alignment()?;
                }
                b"addrspace" => {
                    self.cursor.word();
                    let at = self.cursor.at;
                    self.cursor.expect(b'(')?;
                    if self.cursor.number()? != 0 {
                        return Failure::unknown(at, "address spaces are not supported");
                    }
                    self.cursor.expect(b')')?;
                }
                _ if count.is_none() => count = Some(self.count_operand()?),
                _ => return self.cursor.expected("'align'"),
            }
        }
        if align == 0 {
            align = self.builder.program.types.align_of(ty);
        }
        Ok((Op::Alloca { ty, count, align }, self.builder.common.pointer))
    }

    fn count_operand(&mut self) -> Parse<Operand> {
        let at = self.cursor.at;
        let count = self.typed_operand()?;
        match self.builder.program.types.get(self.operand_type(count)) {
            Type::Integer(_) => Ok(count),
            _ => Failure::broken(at, "the number of elements is an integer"),
        }
    }

    pub(super) fn fence(&mut self) -> Parse<Op> {
        Ok(Op::Fence { ordering: self.ordering()? })
    }

    pub(super) fn compare_exchange(&mut self) -> Parse<(Op, TypeId)> {
        let weak = self.cursor.eat_word(b"weak");
        self.cursor.eat_word(b"volatile");
        let pointer = self.pointer_operand()?;
        self.cursor.expect(b',')?;
        let expected = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.at;
        let replacement = self.typed_operand()?;
        let (success, failure) = (self.ordering()?, self.ordering()?);
        let ty = self.operand_type(expected);
        if self.operand_type(replacement) != ty {
            return Failure::broken(at, "the two values of this 'cmpxchg' have different types");
        }
        let fields = [ty, self.builder.common.bit].into();
        let result = self.builder.program.types.intern(Type::Struct { fields, packed: false });
        Ok((Op::CompareExchange { pointer, expected, replacement, weak, success, failure }, result))
    }

    pub(super) fn atomic_read_modify_write(&mut self) -> Parse<(Op, TypeId)> {
        self.cursor.eat_word(b"volatile");
        let at = self.cursor.at;
        let op = match self.cursor.word() {
            b"xchg" => AtomicOp::Exchange,
            b"add" => AtomicOp::Add,
            b"sub" => AtomicOp::Sub,
            b"and" => AtomicOp::And,
            b"nand" => AtomicOp::Nand,
            b"or" => AtomicOp::Or,
            b"xor" => AtomicOp::Xor,
            b"max" => AtomicOp::SignedMax,
            b"min" => AtomicOp::SignedMin,
            b"umax" => AtomicOp::UnsignedMax,
            b"umin" => AtomicOp::UnsignedMin,
            b"fadd" => AtomicOp::FAdd,
            b"fsub" => AtomicOp::FSub,
            b"fmax" => AtomicOp::FMax,
            b"fmin" => AtomicOp::FMin,
            b"uinc_wrap" => AtomicOp::UnsignedIncrementWrap,
            b"udec_wrap" => AtomicOp::UnsignedDecrementWrap,
            _ => {
                self.cursor.at = at;
                return self.cursor.expected("the operation of this 'atomicrmw'");
            }
        };
        let pointer = self.pointer_operand()?;
        self.cursor.expect(b',')?;
        let value = self.typed_operand()?;
        let ordering = self.ordering()?;
        Ok((Op::AtomicReadModifyWrite { op, pointer, value, ordering }, self.operand_type(value)))
    }
}
