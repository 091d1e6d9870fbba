//! Calls, invokes, landing pads, and the debug information that comes as calls or records.

use super::cursor::unescape_text;
use super::debug::VariableTie;
use super::failure::{Failure, Parse};
use super::instructions::Operation;
use super::metadata::NodeReference;
use super::reader::{Reader, SymbolTarget};
use incise_ir::{Call, Callee, ConstantKind, IntrinsicKind, Op, Operand, Type, TypeId};

/// A variable that a call to a debug intrinsic declares, until the location of the call is known.
pub(super) struct DebugCall {
    variable: NodeReference,
    tie: VariableTie,
    storage: Option<Operand>,
}

impl<'a> Reader<'a, '_> {
    /// Reads a call after the word `call`.
    pub(super) fn call_instruction(&mut self) -> Parse<Operation> {
        self.skip_attributes()?;
        let at = self.cursor.at;
        let ty = self.ty()?;
        if let Some(kind) = self.debug_intrinsic() {
            self.debug_call(kind)?;
            self.skip_call_attributes()?;
            return Ok(None);
        }
        let call = self.call(ty, at)?;
        let result = call.result;
        Ok(Some((Op::Call(Box::new(call)), result)))
    }

    /// Reads a call from its callee on. `ty` is the type of the result or of the function.
    fn call(&mut self, ty: TypeId, at: usize) -> Parse<Call> {
        let result = match *self.builder.program.types.get(ty) {
            Type::Function { result, .. } => result,
            _ => ty,
        };
        if result != self.builder.common.void {
            self.require_executable(result, at)?;
        }
        let callee = self.callee()?;
        let (arguments, by_value) = self.arguments()?;
        self.skip_call_attributes()?;
        Ok(Call { callee, arguments, by_value, result })
    }

    fn callee(&mut self) -> Parse<Callee> {
        let pointer = self.builder.common.pointer;
        if self.cursor.peek() == b'@' {
            let at = self.cursor.at;
            self.cursor.at += 1;
            let name = self.cursor.raw_name()?;
            match self.target(name, at)? {
                SymbolTarget::Function(function) => return Ok(Callee::Direct(*function)),
                SymbolTarget::Intrinsic(intrinsic) => return Ok(Callee::Intrinsic(intrinsic.clone())),
                _ => {}
            }
            let constant = self.symbol_constant(name, at)?;
            return Ok(match self.builder.program.constants[constant].kind {
                ConstantKind::Function(function) => Callee::Direct(function),
                _ => Callee::Indirect(Operand::Constant(constant)),
            });
        }
        if self.cursor.eat_word(b"asm") {
            while matches!(
                self.cursor.peek_word(),
                b"sideeffect" | b"alignstack" | b"inteldialect" | b"unwind"
            ) {
                self.cursor.word();
            }
            let template = unescape_text(self.cursor.string()?);
            self.cursor.expect(b',')?;
            self.cursor.string()?;
            return Ok(Callee::Assembly(template.into()));
        }
        let operand = self.operand(pointer)?;
        if let Operand::Constant(constant) = operand
            && let ConstantKind::Function(function) = self.builder.program.constants[constant].kind
        {
            return Ok(Callee::Direct(function));
        }
        Ok(Callee::Indirect(operand))
    }

    #[allow(clippy::type_complexity)]
    fn arguments(&mut self) -> Parse<(Box<[Operand]>, Box<[(u32, TypeId)]>)> {
        self.cursor.expect(b'(')?;
        let mut arguments = std::mem::take(&mut self.body.operands);
        arguments.clear();
        let mut by_value = Vec::new();
        if !self.cursor.eat(b')') {
            loop {
                if self.cursor.eat_word(b"metadata") {
                    self.skip_metadata_argument()?;
                    let kind = ConstantKind::Unsupported("metadata".into());
                    let constant = self.builder.constant(self.builder.common.opaque, kind);
                    arguments.push(Operand::Constant(constant));
                } else {
                    let ty = self.value_type()?;
                    if !matches!(self.cursor.peek(), b'%' | b'@') {
                        let attributes = self.attributes()?;
                        if let Some(copied) = attributes.by_value {
                            by_value.push((arguments.len() as u32, copied));
                        }
                    }
                    arguments.push(self.operand(ty)?);
                }
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(b')')?;
        }
        let boxed = arguments.as_slice().into();
        self.body.operands = arguments;
        Ok((boxed, by_value.into()))
    }

    /// Goes past a metadata argument, up to the comma or bracket after it.
    fn skip_metadata_argument(&mut self) -> Parse<()> {
        loop {
            match self.cursor.peek() {
                b',' | b')' => return Ok(()),
                b'(' | b'{' | b'[' | b'<' => self.cursor.skip_balanced()?,
                b'"' => drop(self.cursor.string()?),
                0 | b'\n' => return self.cursor.expected("')'"),
                _ => self.cursor.at += 1,
            }
        }
    }

    /// Reads an invoke after its name.
    pub(super) fn invoke(&mut self) -> Parse<(Op, TypeId)> {
        self.skip_attributes()?;
        let at = self.cursor.at;
        let ty = self.ty()?;
        let call = self.call(ty, at)?;
        self.cursor.expect_word("to")?;
        let normal = self.label()?;
        self.cursor.expect_word("unwind")?;
        let unwind = self.label()?;
        let result = call.result;
        Ok((Op::Invoke { call: Box::new(call), normal, unwind }, result))
    }

    /// Reads a landing pad after its name.
    pub(super) fn landing_pad(&mut self) -> Parse<(Op, TypeId)> {
        let ty = self.value_type()?;
        loop {
            match self.cursor.peek_word() {
                b"cleanup" => drop(self.cursor.word()),
                b"catch" | b"filter" => {
                    self.cursor.word();
                    self.typed_constant()?;
                }
                _ => return Ok((Op::LandingPad, ty)),
            }
        }
    }

    /// The kind of the debug intrinsic that is called here, if it is one.
    fn debug_intrinsic(&mut self) -> Option<IntrinsicKind> {
        let here = self.cursor.at;
        if self.cursor.peek() != b'@' {
            return None;
        }
        self.cursor.at += 1;
        let name = self.cursor.raw_name().ok();
        let kind = match name.and_then(|name| self.target(name, here).ok()) {
            Some(SymbolTarget::Intrinsic(intrinsic)) => intrinsic.kind,
            _ => IntrinsicKind::Unknown,
        };
        match kind {
            IntrinsicKind::DebugDeclare
            | IntrinsicKind::DebugValue
            | IntrinsicKind::DebugAssign
            | IntrinsicKind::DebugLabel => Some(kind),
            _ => {
                self.cursor.at = here;
                None
            }
        }
    }

    /// Reads the arguments of a debug intrinsic: `(metadata ptr %x, metadata !12, metadata !DIExpression())`.
    fn debug_call(&mut self, kind: IntrinsicKind) -> Parse<()> {
        if self.cursor.peek() != b'(' {
            return self.cursor.expected("'('");
        }
        let start = self.cursor.at;
        self.cursor.skip_balanced()?;
        let end = self.cursor.at;
        self.cursor.at = start + 1;
        self.body.debug_call = self.debug_arguments(kind == IntrinsicKind::DebugDeclare).ok().flatten();
        self.cursor.at = end;
        Ok(())
    }

    /// Reads `ptr %x, !12, !DIExpression()`, each with or without `metadata` before it.
    fn debug_arguments(&mut self, declare: bool) -> Parse<Option<DebugCall>> {
        self.cursor.eat_word(b"metadata");
        let mut storage = None;
        if self.cursor.peek() == b'!' {
            self.metadata_reference()?;
        } else {
            storage = self.known_operand()?;
        }
        self.cursor.expect(b',')?;
        self.cursor.eat_word(b"metadata");
        let variable = self.metadata_reference()?;
        self.cursor.expect(b',')?;
        self.cursor.eat_word(b"metadata");
        let expression = self.metadata_reference()?;
        if !self.is_empty_expression(expression) {
            storage = None;
        }
        let tie = if declare { VariableTie::Declare } else { VariableTie::Value };
        Ok(Some(DebugCall { variable, tie, storage }))
    }

    /// Reads a type and a value that debug information refers to. A value that is not defined yet is not worth keeping.
    fn known_operand(&mut self) -> Parse<Option<Operand>> {
        let ty = self.value_type()?;
        if self.cursor.peek() == b'%' {
            self.cursor.at += 1;
            let name = self.cursor.name()?;
            return Ok(self.defined_value(name).map(Operand::Value));
        }
        let constant = self.constant(ty)?;
        let kind = &self.builder.program.constants[constant].kind;
        let unknown =
            matches!(kind, ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Unsupported(_));
        Ok((!unknown).then_some(Operand::Constant(constant)))
    }

    fn is_empty_expression(&self, expression: NodeReference) -> bool {
        match self.module.node(expression) {
            Some(node) => node.kind == b"DIExpression" && node.holds_nothing(),
            None => false,
        }
    }

    /// Notes the variable of a debug intrinsic, now that it is known where the call stands.
    pub(super) fn finish_debug_call(&mut self, debug: Option<NodeReference>) {
        let Some(DebugCall { variable, tie, storage }) = self.body.debug_call.take() else { return };
        // A variable of an inlined function is not one of this function.
        if debug.is_none_or(|debug| !self.is_inlined(debug)) {
            self.declare_variable(variable, tie, storage);
        }
    }

    /// Reads a debug record of LLVM 19 or newer: `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`.
    pub(crate) fn debug_record(&mut self) -> Parse<()> {
        let at = self.cursor.at;
        self.cursor.at += 1;
        let word = self.cursor.word();
        if !word.starts_with(b"dbg_") {
            return Failure::broken(at, "expected an instruction, a label or '}'");
        }
        if self.cursor.peek() != b'(' {
            return self.cursor.expected("'('");
        }
        let start = self.cursor.at;
        self.cursor.skip_balanced()?;
        let end = self.cursor.at;
        if matches!(word, b"dbg_declare" | b"dbg_value") {
            self.cursor.at = start + 1;
            // What we cannot read here only tells the names of variables, so it is passed over.
            if let Ok(Some(call)) = self.debug_arguments(word == b"dbg_declare") {
                let location = self.cursor.eat(b',').then(|| self.metadata_reference().ok()).flatten();
                self.body.debug_call = Some(call);
                self.finish_debug_call(location);
            }
            self.cursor.at = end;
        }
        Ok(())
    }
}
