//! Functions and global variables: headers, initialisers, constructors.

use super::failure::{Failure, Parse};
use super::metadata::NodeReference;
use super::reader::Reader;
use super::scan::{ModuleSymbolKind, Variable};
use incise_ir::{
    ConstantId, ConstantKind, Function, FunctionId, Global, GlobalId, Linkage, Parameter, TypeId,
};

impl<'a> Reader<'a, '_> {
    /// Reads a function, its body included.
    pub(crate) fn function(&mut self, symbol: usize, id: FunctionId) -> Parse<()> {
        let description = &self.module.symbols[symbol];
        let (name, linkage) = (description.name(), description.linkage);
        let ModuleSymbolKind::Function { header, body, end } = description.kind else {
            let mut function = Function::declaration(name, linkage, self.builder.common.void);
            function.model = self.state.model;
            self.builder.program.functions[id] = function;
            return Ok(());
        };
        self.body.start(Function::declaration(name, linkage, self.builder.common.void));
        self.body.function.model = self.state.model;
        self.body.length = end - header;
        self.cursor.at = header;
        let debug = self.header(body.is_some())?;
        if let Some(body) = body {
            self.cursor.at = body;
            self.function_body()?;
        }
        let mut function = std::mem::replace(
            &mut self.body.function,
            Function::declaration(String::new(), Linkage::External, self.builder.common.void),
        );
        if let Some(debug) = debug {
            self.describe_function(debug, &mut function);
        }
        name_parameters(&mut function);
        self.builder.program.functions[id] = function;
        self.check_function(id)?;
        self.note_places(id, end);
        Ok(())
    }

    /// Reads the header of a function after `define` or `declare`, and gives the node of its `!dbg`.
    fn header(&mut self, definition: bool) -> Parse<Option<NodeReference>> {
        let mut debug = None;
        loop {
            self.body.function.unshared_result |= self.attributes()?.no_alias;
            if !self.function_attachment(&mut debug)? {
                break;
            }
        }
        self.body.function.result = self.ty()?;
        self.cursor.expect(b'@')?;
        self.cursor.raw_name()?;
        self.parameters(definition)?;
        loop {
            let attributes = self.attributes()?;
            self.body.function.no_return |= attributes.no_return;
            self.body.function.memory = self.body.function.memory.max(attributes.memory);
            if attributes.constant_follows {
                self.typed_constant()?;
            } else if !definition || !self.function_attachment(&mut debug)? {
                return Ok(debug);
            }
        }
    }

    /// Takes `!name !12` if it comes next.
    fn function_attachment(&mut self, debug: &mut Option<NodeReference>) -> Parse<bool> {
        if !self.cursor.eat(b'!') {
            return Ok(false);
        }
        let name = self.cursor.raw_name()?;
        let node = self.metadata_reference()?;
        if name == b"dbg" {
            *debug = Some(node);
        }
        Ok(true)
    }

    fn parameters(&mut self, definition: bool) -> Parse<()> {
        self.cursor.expect(b'(')?;
        if self.cursor.eat(b')') {
            return Ok(());
        }
        loop {
            if self.eat_ellipsis() {
                self.body.function.variadic = true;
                break;
            }
            self.parameter(definition)?;
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')
    }

    fn parameter(&mut self, definition: bool) -> Parse<()> {
        let ty = self.ty()?;
        let attributes = self.attributes()?;
        self.cursor.skip_space();
        let at = self.cursor.at;
        let name = if self.cursor.eat(b'%') { Some(self.cursor.name()?) } else { None };
        let value = self.define_value(name, ty, at)?;
        if definition && ty == self.builder.common.void {
            return Failure::broken(at, "a parameter has a type other than 'void'");
        }
        self.body.function.parameters.push(Parameter {
            name: self.body.function.values[value].name.to_string(),
            ty,
            by_value: attributes.by_value,
            struct_return: attributes.struct_return,
            non_null: attributes.non_null,
            dereferenceable: attributes.dereferenceable,
        });
        Ok(())
    }

    /// Reads a global variable, its initialiser included.
    pub(crate) fn global(&mut self, symbol: usize, id: GlobalId) -> Parse<()> {
        let description = &self.module.symbols[symbol];
        let ModuleSymbolKind::Variable(variable) = &description.kind else { return Ok(()) };
        self.cursor.at = variable.ty;
        let ty = self.ty()?;
        let initializer = if variable.initialized { Some(self.initializer(ty)?) } else { None };
        let mut global = Global {
            name: description.name(),
            linkage: description.linkage,
            ty,
            initializer,
            constant: variable.constant,
            align: variable.align,
            thread_local: variable.thread_local,
            source_name: None,
            debug_type: None,
            location: None,
            model: self.state.model,
        };
        if let Some(debug) = self.global_debug(variable) {
            self.describe_global(debug, &mut global);
        }
        self.builder.program.globals[id] = global;
        Ok(())
    }

    fn global_debug(&mut self, variable: &Variable) -> Option<NodeReference> {
        self.cursor.at = variable.debug?;
        self.metadata_reference().ok()
    }

    /// Reads an initialiser. One that we cannot read is unsupported where it is used.
    fn initializer(&mut self, ty: TypeId) -> Parse<ConstantId> {
        self.cursor.skip_space();
        let at = self.cursor.at;
        match self.constant(ty) {
            Err(failure) if failure.unknown => {
                let bytes = &self.cursor.bytes[at..];
                let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len()).min(200);
                let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
                Ok(self.builder.constant(ty, ConstantKind::Unsupported(text.into())))
            }
            result => result,
        }
    }

    /// The constant that an alias stands for; `None` if it is another alias that is not resolved yet.
    pub(crate) fn alias_target(&mut self, target: usize) -> Parse<Option<ConstantId>> {
        self.cursor.at = target;
        let word = self.cursor.peek_word();
        let ty = if word.is_empty() || Self::is_type_word(word) {
            self.ty()?
        } else {
            self.builder.common.pointer
        };
        match self.constant(ty) {
            Ok(constant) => Ok(Some(constant)),
            Err(failure) if failure.unknown => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors` with their priorities.
    pub(crate) fn structors(&mut self, symbol: usize) -> Parse<Vec<(u64, FunctionId)>> {
        let ModuleSymbolKind::Variable(variable) = &self.module.symbols[symbol].kind else {
            return Ok(Vec::new());
        };
        self.cursor.at = variable.ty;
        let ty = self.ty()?;
        let list = self.initializer(ty)?;
        let constants = &self.builder.program.constants;
        let mut found = Vec::new();
        if let ConstantKind::Aggregate(entries) = &constants[list].kind {
            for &entry in entries {
                let ConstantKind::Aggregate(fields) = &constants[entry].kind else { continue };
                let kinds: Vec<_> = fields.iter().take(2).map(|&field| &constants[field].kind).collect();
                if let [ConstantKind::Integer(priority), ConstantKind::Function(function)] = kinds[..] {
                    found.push((*priority as u64, *function));
                }
            }
        }
        Ok(found)
    }

    /// The size of the type of a variable, for choosing among `common` symbols.
    pub(crate) fn variable_size(&mut self, symbol: usize) -> Parse<u64> {
        let ModuleSymbolKind::Variable(variable) = &self.module.symbols[symbol].kind else { return Ok(0) };
        self.cursor.at = variable.ty;
        let ty = self.ty()?;
        Ok(self.builder.program.types.size_of(ty))
    }
}

/// Gives parameters without a name in the IR the names of the source, where each parameter of the source is one of the
/// IR.
fn name_parameters(function: &mut Function) {
    let hidden = function.parameters.iter().take_while(|parameter| parameter.struct_return).count();
    let named =
        function.variables.iter().filter_map(|variable| variable.parameter).max().unwrap_or(0) as usize;
    if named + hidden != function.parameters.len() {
        return;
    }
    for variable in &function.variables {
        let Some(number) = variable.parameter else { continue };
        if let Some(parameter) = function.parameters.get_mut(number as usize - 1 + hidden)
            && parameter.name.is_empty()
        {
            parameter.name.clone_from(&variable.name);
        }
    }
}

/// A global variable that nothing is known of yet.
pub(crate) fn empty_global(name: String, linkage: Linkage, ty: TypeId) -> Global {
    Global {
        name,
        linkage,
        ty,
        initializer: None,
        constant: false,
        align: 0,
        thread_local: false,
        source_name: None,
        debug_type: None,
        location: None,
        model: false,
    }
}
