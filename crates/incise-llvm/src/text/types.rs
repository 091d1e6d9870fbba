//! Types: `i32`, `ptr`, `[4 x %struct.point]`, `<{ i8, i32 }>`...
//!
//! A type that holds something we cannot lay out (a scalable vector, a target type, an opaque struct) is opaque as a
//! whole.

use super::cursor::unescape_text;
use super::failure::{Failure, Parse};
use super::reader::{MAXIMUM_DEPTH, Reader, TypeState, too_deep};
use incise_ir::{FloatKind, Type, TypeId};

/// The widest integer type of LLVM.
const MAXIMUM_INTEGER_BITS: u64 = 1 << 23;

impl<'a> Reader<'a, '_> {
    /// Reads a type.
    pub(crate) fn ty(&mut self) -> Parse<TypeId> {
        let mut ty = self.plain_type()?;
        // What follows a type in brackets are the parameters of a function type.
        while self.cursor.byte() == b'(' || self.cursor.peek() == b'(' {
            ty = self.nested(|reader| reader.function_type(ty))?;
        }
        if self.cursor.byte() == b'*' {
            return Failure::broken(
                self.cursor.at,
                "typed pointers ('i8*') are of LLVM 14 or older; LLVM 15 or newer is needed",
            );
        }
        Ok(ty)
    }

    /// Reads a type that an instruction works with. One that we cannot execute makes the instruction unsupported.
    #[inline]
    pub(crate) fn value_type(&mut self) -> Parse<TypeId> {
        self.cursor.skip_space();
        let at = self.cursor.at;
        let ty = self.ty()?;
        self.require_executable(ty, at)?;
        Ok(ty)
    }

    pub(crate) fn require_executable(&self, ty: TypeId, at: usize) -> Parse<()> {
        match self.builder.program.types.get(ty) {
            Type::Opaque => Failure::unknown(at, "values of this type are not supported"),
            Type::Integer(bits) if *bits > 128 => {
                Failure::unknown(at, format!("integers of {bits} bits are not supported"))
            }
            Type::Vector { element, .. } => self.require_executable(*element, at),
            _ => Ok(()),
        }
    }

    fn plain_type(&mut self) -> Parse<TypeId> {
        match self.cursor.peek() {
            b'i' if self.cursor.second_byte().is_ascii_digit() => self.integer_type(),
            b'%' => self.named_type(),
            b'[' => self.nested(Self::array_type),
            b'{' => self.nested(|reader| reader.struct_type(false)),
            b'<' => {
                self.cursor.at += 1;
                if self.cursor.peek() == b'{' {
                    let ty = self.nested(|reader| reader.struct_type(true))?;
                    self.cursor.expect(b'>')?;
                    Ok(ty)
                } else {
                    self.nested(Self::vector_type)
                }
            }
            _ => self.worded_type(),
        }
    }

    fn integer_type(&mut self) -> Parse<TypeId> {
        let at = self.cursor.at;
        self.cursor.at += 1;
        let bits = self.cursor.number()?;
        if let Some(Some(ty)) = self.state.integers.get(bits as usize) {
            return Ok(*ty);
        }
        if bits == 0 || bits > MAXIMUM_INTEGER_BITS {
            return Failure::broken(at, format!("an integer type has 1 to {MAXIMUM_INTEGER_BITS} bits"));
        }
        let needed = self.module.wide_integer_align;
        let i128 = self.builder.program.types.integer(128);
        if bits > 64 && self.builder.program.types.align_of(i128) != needed {
            return Failure::broken(
                at,
                "this module and another one align 128-bit integers differently; compile both with the same clang",
            );
        }
        let ty = self.builder.program.types.integer(bits as u32);
        if let Some(slot) = self.state.integers.get_mut(bits as usize) {
            *slot = Some(ty);
        }
        Ok(ty)
    }

    fn named_type(&mut self) -> Parse<TypeId> {
        let at = self.cursor.at;
        self.cursor.at += 1;
        let name = self.cursor.raw_name()?;
        let Some(&number) = self.module.type_numbers.get(name) else {
            return Failure::broken(at, format!("the type '%{}' is not defined", unescape_text(name)));
        };
        let number = number as usize;
        match self.state.types[number] {
            TypeState::Read(ty) => return Ok(ty),
            TypeState::Reading => {
                let message = format!("the type '%{}' contains itself", unescape_text(name));
                return Failure::broken(at, message);
            }
            TypeState::Unread => {}
        }
        self.state.types[number] = TypeState::Reading;
        let body = self.module.types[number];
        let result = self.nested(|reader| reader.elsewhere(body, Self::ty));
        self.state.types[number] = match &result {
            Ok(ty) => TypeState::Read(*ty),
            Err(_) => TypeState::Unread,
        };
        result
    }

    fn array_type(&mut self) -> Parse<TypeId> {
        self.cursor.at += 1;
        let length = self.cursor.number()?;
        self.cursor.expect_word("x")?;
        let element = self.ty()?;
        self.cursor.expect(b']')?;
        if element == self.builder.common.opaque {
            return Ok(element);
        }
        self.composite(Type::Array { element, length })
    }

    fn vector_type(&mut self) -> Parse<TypeId> {
        let scalable = self.cursor.eat_word(b"vscale");
        if scalable {
            self.cursor.expect_word("x")?;
        }
        let at = self.cursor.at;
        let length = self.cursor.small_number()?;
        self.cursor.expect_word("x")?;
        let element = self.ty()?;
        self.cursor.expect(b'>')?;
        if scalable || element == self.builder.common.opaque {
            return Ok(self.builder.common.opaque);
        }
        if length == 0 || self.builder.program.types.scalar_bits(element).is_none() {
            return Failure::broken(
                at,
                "a vector has one or more integers, floating-point numbers or pointers",
            );
        }
        self.composite(Type::Vector { element, length })
    }

    fn struct_type(&mut self, packed: bool) -> Parse<TypeId> {
        self.cursor.at += 1;
        let mut fields = Vec::new();
        if !self.cursor.eat(b'}') {
            loop {
                fields.push(self.ty()?);
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(b'}')?;
        }
        if fields.contains(&self.builder.common.opaque) {
            return Ok(self.builder.common.opaque);
        }
        self.composite(Type::Struct { fields: fields.into(), packed })
    }

    fn function_type(&mut self, result: TypeId) -> Parse<TypeId> {
        self.cursor.at += 1;
        let mut parameters = Vec::new();
        let mut variadic = false;
        if !self.cursor.eat(b')') {
            loop {
                if self.eat_ellipsis() {
                    variadic = true;
                    break;
                }
                parameters.push(self.ty()?);
                self.skip_attributes()?;
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(b')')?;
        }
        self.composite(Type::Function { result, parameters: parameters.into(), variadic })
    }

    fn composite(&mut self, ty: Type) -> Parse<TypeId> {
        let types = &mut self.builder.program.types;
        let id = types.intern(ty);
        if types.depth_of(id) > MAXIMUM_DEPTH {
            return too_deep(self.cursor.at);
        }
        Ok(id)
    }

    /// Takes `...` if it comes next.
    pub(crate) fn eat_ellipsis(&mut self) -> bool {
        self.cursor.skip_space();
        let found = self.cursor.bytes[self.cursor.at..].starts_with(b"...");
        if found {
            self.cursor.at += 3;
        }
        found
    }

    fn worded_type(&mut self) -> Parse<TypeId> {
        let at = self.cursor.at;
        let float = |reader: &mut Self, kind| Ok(reader.builder.program.types.intern(Type::Float(kind)));
        match self.cursor.word() {
            b"ptr" => self.pointer_type(),
            b"void" => Ok(self.builder.common.void),
            b"float" => float(self, FloatKind::Single),
            b"double" => float(self, FloatKind::Double),
            b"half" => float(self, FloatKind::Half),
            b"bfloat" => float(self, FloatKind::BFloat),
            b"x86_fp80" => float(self, FloatKind::X87),
            b"fp128" => float(self, FloatKind::Quad),
            b"label" | b"metadata" | b"token" | b"opaque" | b"ppc_fp128" | b"x86_mmx" | b"x86_amx" => {
                Ok(self.builder.common.opaque)
            }
            b"target" => {
                if self.cursor.peek() != b'(' {
                    return self.cursor.expected("'('");
                }
                self.cursor.skip_balanced()?;
                Ok(self.builder.common.opaque)
            }
            _ => {
                self.cursor.at = at;
                self.cursor.expected("a type")
            }
        }
    }

    fn pointer_type(&mut self) -> Parse<TypeId> {
        if self.cursor.byte() == b' '
            && self.cursor.second_byte() == b'a'
            && self.cursor.eat_word(b"addrspace")
        {
            self.cursor.expect(b'(')?;
            // A target may give its address spaces names.
            let flat = if self.cursor.peek() == b'"' {
                self.cursor.string()?;
                false
            } else {
                self.cursor.number()? == 0
            };
            self.cursor.expect(b')')?;
            if !flat {
                // Another address space is another memory (a segment of x86, a device's memory).
                return Ok(self.builder.common.opaque);
            }
        }
        Ok(self.builder.common.pointer)
    }

    /// Whether a word starts a type, and so ends a list of attributes and flags.
    pub(crate) fn is_type_word(word: &[u8]) -> bool {
        match word {
            [b'i', digits @ ..] if !digits.is_empty() => digits.iter().all(u8::is_ascii_digit),
            b"ptr" | b"void" | b"float" | b"double" | b"half" | b"bfloat" | b"x86_fp80" | b"fp128"
            | b"label" | b"metadata" | b"token" | b"opaque" | b"ppc_fp128" | b"x86_mmx" | b"x86_amx"
            | b"target" => true,
            _ => false,
        }
    }
}
