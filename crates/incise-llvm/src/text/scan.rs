//! The first pass over a module: where each top-level entity is, without reading what is in it.
//!
//! Function bodies and metadata nodes are only skipped here; they are read later, and metadata only where it is
//! reached.

use super::attributes::memory_use;
use super::cursor::{Cursor, is_top_level_word, unescape_text};
use super::failure::{Failure, Parse};
use incise_ir::{Linkage, MemoryUse};
use rustc_hash::{FxHashMap, FxHashSet};

/// The offset of a metadata node that is not defined.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// The entities of a module.
pub(crate) struct Module<'a> {
    /// What to call the module in messages.
    pub(crate) name: &'a str,
    /// The whole text.
    pub(crate) text: &'a [u8],
    /// The alignment of `i128` in bytes.
    pub(crate) wide_integer_align: u64,
    /// The named types: where the body of each starts.
    pub(crate) types: Vec<usize>,
    /// The number of each named type.
    pub(crate) type_numbers: FxHashMap<&'a [u8], u32>,
    /// For each numbered metadata node, where it starts.
    pub(crate) metadata: Vec<u32>,
    /// The attribute groups that hold `noreturn`.
    pub(crate) no_return_groups: FxHashSet<u32>,
    /// The attribute groups that say what a function does with memory.
    pub(crate) memory_groups: FxHashMap<u32, MemoryUse>,
    /// The symbols, in order.
    pub(crate) symbols: Vec<ModuleSymbol<'a>>,
    /// The number of each symbol.
    pub(crate) symbol_numbers: FxHashMap<&'a [u8], u32>,
}

/// A global variable, function, alias or ifunc of a module.
pub(crate) struct ModuleSymbol<'a> {
    /// Its name as it is written.
    pub(crate) raw_name: &'a [u8],
    /// Where it starts.
    pub(crate) at: usize,
    /// Who can see it.
    pub(crate) linkage: Linkage,
    /// Whether it is `common`: among several of them the largest wins.
    pub(crate) common: bool,
    /// Whether it is a weak reference, whose address is null if nothing defines it.
    pub(crate) weak_reference: bool,
    /// What it is.
    pub(crate) kind: ModuleSymbolKind,
}

/// What a symbol of a module is.
pub(crate) enum ModuleSymbolKind {
    /// A function: where its header goes on after `define` or `declare`, where its body starts, and where it ends.
    Function { header: usize, body: Option<usize>, end: usize },
    /// A variable.
    Variable(Variable),
    /// An alias: where the type of its target starts.
    Alias { target: usize },
    /// A function that is chosen at load time.
    IndirectFunction,
}

/// A global variable as the first pass finds it.
pub(crate) struct Variable {
    pub(crate) constant: bool,
    pub(crate) thread_local: bool,
    /// Where its type starts.
    pub(crate) ty: usize,
    /// Whether an initialiser follows the type.
    pub(crate) initialized: bool,
    pub(crate) align: u64,
    /// Where the metadata of its `!dbg` attachment starts.
    pub(crate) debug: Option<usize>,
}

impl ModuleSymbol<'_> {
    /// Whether the module defines it.
    pub(crate) fn is_definition(&self) -> bool {
        match &self.kind {
            ModuleSymbolKind::Function { body, .. } => body.is_some(),
            ModuleSymbolKind::Variable(variable) => variable.initialized,
            ModuleSymbolKind::Alias { .. } => true,
            ModuleSymbolKind::IndirectFunction => false,
        }
    }

    /// Whether it is a function.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.kind, ModuleSymbolKind::Function { .. } | ModuleSymbolKind::IndirectFunction)
    }

    /// Whether it is a variable.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.kind, ModuleSymbolKind::Variable(_))
    }

    /// Whether it is another name for something.
    pub(crate) fn is_alias(&self) -> bool {
        matches!(self.kind, ModuleSymbolKind::Alias { .. })
    }

    /// Its name; a leading `\01` only says that the name is not to be mangled.
    pub(crate) fn name(&self) -> String {
        let name = unescape_text(self.raw_name);
        match name.strip_prefix('\u{1}') {
            Some(rest) => rest.to_owned(),
            None => name,
        }
    }
}

struct LinkageWords {
    linkage: Linkage,
    common: bool,
    weak_reference: bool,
    declaration: bool,
    thread_local: bool,
}

impl LinkageWords {
    fn new() -> Self {
        Self {
            linkage: Linkage::External,
            common: false,
            weak_reference: false,
            declaration: false,
            thread_local: false,
        }
    }

    fn note(&mut self, word: &[u8]) {
        match word {
            b"private" | b"internal" => self.linkage = Linkage::Internal,
            b"weak" | b"weak_odr" | b"linkonce" | b"linkonce_odr" | b"available_externally" => {
                self.linkage = Linkage::Weak;
            }
            b"common" => {
                self.linkage = Linkage::Weak;
                self.common = true;
            }
            b"extern_weak" => {
                self.weak_reference = true;
                self.declaration = true;
            }
            b"external" => self.declaration = true,
            b"thread_local" => self.thread_local = true,
            _ => {}
        }
    }
}

/// Finds the entities of a module.
pub(crate) fn scan<'a>(name: &'a str, text: &'a [u8]) -> Parse<Module<'a>> {
    if u32::try_from(text.len()).is_err() {
        return Failure::broken(0, "the text is larger than 4 GB");
    }
    let mut scanner = Scanner {
        cursor: Cursor::new(text),
        module: Module {
            name,
            text,
            wide_integer_align: 16,
            types: Vec::new(),
            type_numbers: FxHashMap::default(),
            metadata: Vec::new(),
            no_return_groups: FxHashSet::default(),
            memory_groups: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_numbers: FxHashMap::default(),
        },
    };
    if text.starts_with(b"BC\xC0\xDE") || text.starts_with(b"\xDE\xC0\x17\x0B") {
        return Failure::broken(0, "this is LLVM bitcode; turn it into text with llvm-dis");
    }
    while !scanner.cursor.at_end() {
        scanner.entity()?;
    }
    Ok(scanner.module)
}

struct Scanner<'a> {
    cursor: Cursor<'a>,
    module: Module<'a>,
}

impl<'a> Scanner<'a> {
    fn entity(&mut self) -> Parse<()> {
        match self.cursor.byte() {
            b'!' => self.metadata(),
            b'@' => self.global(),
            b'%' => self.named_type(),
            b'$' => {
                self.cursor.at += 1;
                self.cursor.raw_name()?;
                self.cursor.expect(b'=')?;
                self.cursor.expect_word("comdat")?;
                self.cursor.word();
                Ok(())
            }
            b'^' => self.summary(),
            _ => self.worded_entity(),
        }
    }

    fn worded_entity(&mut self) -> Parse<()> {
        let start = self.cursor.at;
        match self.cursor.word() {
            b"define" => self.function(start, true),
            b"declare" => self.function(start, false),
            b"attributes" => self.attribute_group(),
            b"source_filename" => {
                self.cursor.expect(b'=')?;
                self.cursor.string()?;
                Ok(())
            }
            b"target" => self.target(),
            b"module" => {
                self.cursor.expect_word("asm")?;
                self.cursor.string()?;
                Ok(())
            }
            // How values are ordered in memory is nothing to us; it is written in one line.
            b"uselistorder" | b"uselistorder_bb" => {
                self.cursor.skip_line();
                Ok(())
            }
            _ => {
                self.cursor.at = start;
                self.cursor
                    .expected("a definition of LLVM IR (define, declare, a global, a type, metadata...)")
            }
        }
    }

    fn metadata(&mut self) -> Parse<()> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let number =
            if self.cursor.byte().is_ascii_digit() { Some(self.cursor.small_number()?) } else { None };
        if number.is_none() {
            self.skip_metadata_name()?;
        }
        self.cursor.expect(b'=')?;
        self.cursor.skip_space();
        let node = self.cursor.at;
        self.cursor.eat_word(b"distinct");
        self.cursor.expect(b'!')?;
        if self.cursor.byte() == b'"' {
            self.cursor.string()?;
        } else if self.cursor.byte() == b'{' {
            self.cursor.skip_balanced()?;
        } else {
            self.cursor.word();
            if self.cursor.peek() != b'(' {
                return self.cursor.expected("'('");
            }
            self.cursor.skip_balanced()?;
        }
        if let Some(number) = number {
            let number = number as usize;
            // Nodes are numbered from 0 without large gaps, so a text has more bytes than nodes.
            if number > self.module.text.len() {
                return Failure::broken(start, "this metadata number is too large");
            }
            if number >= self.module.metadata.len() {
                self.module.metadata.resize(number + 1, NO_NODE);
            }
            self.module.metadata[number] = node as u32;
        }
        Ok(())
    }

    fn skip_metadata_name(&mut self) -> Parse<()> {
        // Named metadata may hold escapes outside quotes: `!foo\20bar`.
        let start = self.cursor.at;
        loop {
            let before = self.cursor.at;
            if self.cursor.byte() == b'\\' {
                self.cursor.at += 1;
            }
            let _ = self.cursor.name();
            if self.cursor.at == before {
                break;
            }
        }
        if self.cursor.at == start {
            self.cursor.expected("the name or number of a metadata node")
        } else {
            Ok(())
        }
    }

    fn named_type(&mut self) -> Parse<()> {
        self.cursor.at += 1;
        let start = self.cursor.at;
        let name = self.cursor.raw_name()?;
        self.cursor.expect(b'=')?;
        self.cursor.expect_word("type")?;
        self.cursor.skip_space();
        let body = self.cursor.at;
        self.skip_type()?;
        let number = self.module.types.len() as u32;
        if self.module.type_numbers.insert(name, number).is_some() {
            return Failure::broken(start, format!("the type '%{}' is defined twice", unescape_text(name)));
        }
        self.module.types.push(body);
        Ok(())
    }

    fn global(&mut self) -> Parse<()> {
        let at = self.cursor.at;
        self.cursor.at += 1;
        let raw_name = self.cursor.raw_name()?;
        self.cursor.expect(b'=')?;
        let mut words = LinkageWords::new();
        let kind = loop {
            let word = self.cursor.word();
            match word {
                b"" if self.cursor.byte() == b'(' => self.cursor.skip_balanced()?,
                b"" => return self.cursor.expected("'global', 'constant', 'alias' or 'ifunc'"),
                b"global" | b"constant" => break self.variable(word == b"constant", &words)?,
                b"alias" | b"ifunc" => {
                    self.skip_type()?;
                    self.cursor.expect(b',')?;
                    self.cursor.skip_space();
                    let target = self.cursor.at;
                    self.skip_alias_target()?;
                    self.skip_comma_parts()?;
                    let alias = word == b"alias";
                    break if alias {
                        ModuleSymbolKind::Alias { target }
                    } else {
                        ModuleSymbolKind::IndirectFunction
                    };
                }
                _ if is_top_level_word(word) => {
                    self.cursor.at -= word.len();
                    return self.cursor.expected("'global', 'constant', 'alias' or 'ifunc'");
                }
                _ => words.note(word),
            }
        };
        self.add_symbol(raw_name, at, &words, kind)
    }

    /// The target of an alias: a type and a value, or a constant expression alone.
    fn skip_alias_target(&mut self) -> Parse<()> {
        let is_expression =
            matches!(self.cursor.peek_word(), b"getelementptr" | b"bitcast" | b"inttoptr" | b"addrspacecast");
        if !is_expression {
            self.skip_type()?;
        }
        self.skip_value()
    }

    fn variable(&mut self, constant: bool, words: &LinkageWords) -> Parse<ModuleSymbolKind> {
        self.cursor.skip_space();
        let ty = self.cursor.at;
        self.skip_type()?;
        if !words.declaration {
            self.skip_value()?;
        }
        let (align, debug) = self.skip_comma_parts()?;
        Ok(ModuleSymbolKind::Variable(Variable {
            constant,
            thread_local: words.thread_local,
            ty,
            initialized: !words.declaration,
            align,
            debug,
        }))
    }

    /// Goes past `, section "x", align 4, !dbg !0 #1`, and returns the alignment and where the `!dbg` node is.
    fn skip_comma_parts(&mut self) -> Parse<(u64, Option<usize>)> {
        let mut align = 0;
        let mut debug = None;
        loop {
            if self.cursor.eat(b'#') {
                self.cursor.small_number()?;
                continue;
            }
            if !self.cursor.eat(b',') {
                return Ok((align, debug));
            }
            if self.cursor.eat(b'!') {
                let name = self.cursor.word();
                self.cursor.skip_space();
                if name == b"dbg" && debug.is_none() {
                    debug = Some(self.cursor.at);
                }
                self.skip_metadata_value()?;
                continue;
            }
            match self.cursor.word() {
                b"" => return self.cursor.expected("'align', 'section', 'comdat' or metadata"),
                b"align" => align = self.cursor.alignment()?,
                _ => match self.cursor.peek() {
                    b'"' => drop(self.cursor.string()?),
                    b'(' => self.cursor.skip_balanced()?,
                    byte if byte.is_ascii_digit() => drop(self.cursor.number()?),
                    _ => {}
                },
            }
        }
    }

    fn skip_metadata_value(&mut self) -> Parse<()> {
        self.cursor.expect(b'!')?;
        match self.cursor.byte() {
            b'{' => self.cursor.skip_balanced(),
            b'"' => self.cursor.string().map(drop),
            byte if byte.is_ascii_digit() => self.cursor.number().map(drop),
            _ => {
                self.cursor.word();
                self.cursor.skip_balanced()
            }
        }
    }

    fn function(&mut self, at: usize, definition: bool) -> Parse<()> {
        let header = self.cursor.at;
        let mut words = LinkageWords::new();
        self.skip_to_function_name(at, &mut words)?;
        self.cursor.at += 1;
        let raw_name = self.cursor.raw_name()?;
        if self.cursor.peek() != b'(' {
            return self.cursor.expected("'('");
        }
        self.cursor.skip_balanced()?;
        self.skip_function_attributes(definition)?;
        let body = definition.then_some(self.cursor.at);
        if definition {
            self.cursor.skip_body()?;
        }
        self.add_symbol(
            raw_name,
            at,
            &words,
            ModuleSymbolKind::Function { header, body, end: self.cursor.at },
        )
    }

    fn skip_to_function_name(&mut self, start: usize, words: &mut LinkageWords) -> Parse<()> {
        loop {
            match self.cursor.peek() {
                b'@' => return Ok(()),
                b'(' | b'[' | b'{' | b'<' => self.cursor.skip_balanced()?,
                b'"' => drop(self.cursor.string()?),
                b'%' => {
                    self.cursor.at += 1;
                    self.cursor.raw_name()?;
                }
                b'#' | b'!' | b'=' | b'*' => self.cursor.at += 1,
                byte if byte.is_ascii_digit() => drop(self.cursor.number()?),
                _ => {
                    let word = self.cursor.word();
                    if word.is_empty() || is_top_level_word(word) {
                        return Failure::broken(
                            start,
                            "expected the name of a function ('@...') in this header",
                        );
                    }
                    words.note(word);
                }
            }
        }
    }

    /// Goes past what follows the parameters, up to the `{` of a definition or the end of a declaration.
    fn skip_function_attributes(&mut self, definition: bool) -> Parse<()> {
        loop {
            match self.cursor.peek() {
                b'{' if definition => return Ok(()),
                b'(' => self.cursor.skip_balanced()?,
                b'"' => drop(self.cursor.string()?),
                b'#' | b'=' => self.cursor.at += 1,
                b'!' if definition => {
                    self.cursor.at += 1;
                    self.cursor.word();
                    self.cursor.skip_space();
                    self.skip_metadata_value()?;
                }
                byte if byte.is_ascii_digit() => drop(self.cursor.number()?),
                _ => {
                    let word = self.cursor.word();
                    if word.is_empty() || is_top_level_word(word) {
                        self.cursor.at -= word.len();
                        return if definition { self.cursor.expected("'{'") } else { Ok(()) };
                    }
                    if matches!(word, b"prefix" | b"prologue" | b"personality") {
                        self.skip_type()?;
                        self.skip_value()?;
                    }
                }
            }
        }
    }

    fn add_symbol(
        &mut self,
        raw_name: &'a [u8],
        at: usize,
        words: &LinkageWords,
        kind: ModuleSymbolKind,
    ) -> Parse<()> {
        let number = self.module.symbols.len() as u32;
        if let Some(&other) = self.module.symbol_numbers.get(raw_name) {
            let line =
                memchr::memchr_iter(b'\n', &self.module.text[..self.module.symbols[other as usize].at])
                    .count()
                    + 1;
            let name = unescape_text(raw_name);
            return Failure::broken(at, format!("'@{name}' is defined twice, first in line {line}"));
        }
        self.module.symbol_numbers.insert(raw_name, number);
        let LinkageWords { linkage, common, weak_reference, .. } = *words;
        self.module.symbols.push(ModuleSymbol { raw_name, at, linkage, common, weak_reference, kind });
        Ok(())
    }

    fn attribute_group(&mut self) -> Parse<()> {
        self.cursor.expect(b'#')?;
        let number = self.cursor.small_number()?;
        self.cursor.expect(b'=')?;
        if self.cursor.peek() != b'{' {
            return self.cursor.expected("'{'");
        }
        let start = self.cursor.at;
        self.cursor.skip_balanced()?;
        let mut inside = Cursor::new(&self.module.text[..self.cursor.at - 1]);
        inside.at = start + 1;
        while !inside.at_end() {
            if inside.byte() == b'"' {
                inside.string()?;
            } else {
                let word = inside.word();
                match word {
                    b"" => inside.at += 1,
                    b"noreturn" => drop(self.module.no_return_groups.insert(number)),
                    _ => {}
                }
                if let Some(memory) = memory_use(word, &mut inside)? {
                    self.module.memory_groups.insert(number, memory);
                }
            }
        }
        Ok(())
    }

    fn target(&mut self) -> Parse<()> {
        let kind = self.cursor.word();
        self.cursor.expect(b'=')?;
        self.cursor.skip_space();
        let at = self.cursor.at;
        let value = unescape_text(self.cursor.string()?);
        match kind {
            b"datalayout" => {
                if !value.is_empty() {
                    if !value.starts_with('e') {
                        return Failure::broken(
                            at,
                            "this is a big-endian target; only little-endian 64-bit x86 and ARM (ELF) are supported",
                        );
                    }
                    self.module.wide_integer_align =
                        if value.split('-').any(|part| part == "i128:128") { 16 } else { 8 };
                }
                Ok(())
            }
            b"triple" if !is_supported_triple(&value) => Failure::broken(
                at,
                format!(
                    "the target '{value}' is not supported; compile for x86_64-linux-gnu or aarch64-linux-gnu (64-bit, little-endian, ELF)"
                ),
            ),
            _ => Ok(()),
        }
    }

    /// `^0 = module: (...)`: the summary of link-time optimisation.
    fn summary(&mut self) -> Parse<()> {
        self.cursor.at += 1;
        self.cursor.number()?;
        self.cursor.expect(b'=')?;
        self.cursor.word();
        self.cursor.expect(b':')?;
        if self.cursor.peek() == b'(' { self.cursor.skip_balanced() } else { self.cursor.number().map(drop) }
    }

    /// Goes past a type without reading it.
    fn skip_type(&mut self) -> Parse<()> {
        match self.cursor.peek() {
            b'%' => {
                self.cursor.at += 1;
                self.cursor.raw_name()?;
            }
            b'[' | b'{' | b'<' => self.cursor.skip_balanced()?,
            _ => {
                let word = self.cursor.word();
                if word.is_empty() {
                    return self.cursor.expected("a type");
                }
                if word == b"target" || self.cursor.eat_word(b"addrspace") {
                    self.cursor.skip_balanced()?;
                }
            }
        }
        // The parameters of a function type.
        while self.cursor.peek() == b'(' {
            self.cursor.skip_balanced()?;
        }
        Ok(())
    }

    /// Goes past a constant without reading it.
    fn skip_value(&mut self) -> Parse<()> {
        match self.cursor.peek() {
            b'[' | b'{' | b'<' => return self.cursor.skip_balanced(),
            b'@' | b'%' => {
                self.cursor.at += 1;
                return self.cursor.raw_name().map(drop);
            }
            b'+' | b'-' | b'0'..=b'9' => {
                self.cursor.at += 1;
                while self.cursor.byte().is_ascii_alphanumeric()
                    || matches!(self.cursor.byte(), b'.' | b'+' | b'-')
                {
                    self.cursor.at += 1;
                }
                return Ok(());
            }
            _ => {}
        }
        let word = self.cursor.word();
        match word {
            b"" => self.cursor.expected("a constant"),
            b"c" if self.cursor.byte() == b'"' => self.cursor.string().map(drop),
            b"zeroinitializer" | b"null" | b"none" | b"undef" | b"poison" | b"true" | b"false" => Ok(()),
            b"dso_local_equivalent" | b"no_cfi" => {
                self.cursor.expect(b'@')?;
                self.cursor.raw_name().map(drop)
            }
            _ if word.get(1..3) == Some(b"0x") => Ok(()),
            _ => self.skip_constant_expression(word),
        }
    }

    /// Goes past the flags and operands of a constant expression: `inbounds inrange(0, 8) (...)`.
    fn skip_constant_expression(&mut self, mut word: &'a [u8]) -> Parse<()> {
        loop {
            if self.cursor.peek() == b'(' {
                self.cursor.skip_balanced()?;
                if word != b"inrange" {
                    return Ok(());
                }
            }
            word = self.cursor.word();
            if word.is_empty() && self.cursor.byte() != b'(' {
                return self.cursor.expected("'('");
            }
        }
    }
}

fn is_supported_triple(triple: &str) -> bool {
    let architecture = triple.split('-').next().unwrap_or_default();
    let foreign = ["windows", "darwin", "macos", "apple", "ios", "gnux32", "ilp32", "wasm", "uefi", "cygwin"];
    triple.is_empty()
        || matches!(architecture, "x86_64" | "amd64" | "aarch64" | "arm64")
            && !foreign.iter().any(|name| triple.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_64_bit_little_endian_elf_targets_are_read() {
        assert!(is_supported_triple("x86_64-pc-linux-gnu"));
        assert!(is_supported_triple("aarch64-unknown-linux-gnu"));
        assert!(!is_supported_triple("arm64-apple-macosx14.0.0"));
        assert!(!is_supported_triple("i686-pc-linux-gnu"));
        assert!(!is_supported_triple("x86_64-pc-windows-msvc"));
        assert!(!is_supported_triple("s390x-linux-gnu"));
    }
}
