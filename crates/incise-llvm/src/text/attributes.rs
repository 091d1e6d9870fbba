//! Attributes, calling conventions and flags: mostly skipped, whatever they are called.

use super::constants::{binary_op, cast_op};
use super::cursor::{Cursor, is_top_level_word};
use super::failure::Parse;
use super::reader::Reader;
use incise_ir::{ArithmeticFlags, MemoryUse, TypeId};

/// What we keep of the attributes of a parameter, an argument or a function.
#[derive(Default)]
pub(crate) struct Attributes {
    /// The type of a `byval` argument.
    pub(crate) by_value: Option<TypeId>,
    pub(crate) struct_return: bool,
    pub(crate) non_null: bool,
    /// The bytes of `dereferenceable`.
    pub(crate) dereferenceable: u64,
    pub(crate) no_return: bool,
    pub(crate) no_alias: bool,
    pub(crate) memory: MemoryUse,
    /// Whether the last word was one that a constant follows (`personality`).
    pub(crate) constant_follows: bool,
}

impl<'a> Reader<'a, '_> {
    /// Goes past attributes, calling conventions and flags, up to a type, a value or punctuation.
    pub(crate) fn skip_attributes(&mut self) -> Parse<()> {
        self.attributes().map(drop)
    }

    /// Reads attributes, calling conventions and flags, up to a type, a value or punctuation.
    pub(crate) fn attributes(&mut self) -> Parse<Attributes> {
        let mut found = Attributes::default();
        loop {
            match self.cursor.peek() {
                b'"' => {
                    self.cursor.string()?;
                    if self.cursor.eat(b'=') {
                        self.cursor.string()?;
                    }
                }
                b'#' => {
                    self.cursor.at += 1;
                    let group = self.cursor.small_number()?;
                    found.no_return |= self.module.no_return_groups.contains(&group);
                    if let Some(&memory) = self.module.memory_groups.get(&group) {
                        found.memory = found.memory.max(memory);
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let at = self.cursor.at;
                    let word = self.cursor.word();
                    if Self::is_type_word(word) || is_value_word(word) || is_top_level_word(word) {
                        self.cursor.at = at;
                        return Ok(found);
                    }
                    self.attribute(word, &mut found)?;
                }
                _ => return Ok(found),
            }
        }
    }

    fn attribute(&mut self, word: &[u8], found: &mut Attributes) -> Parse<()> {
        if let Some(memory) = memory_use(word, &mut self.cursor)? {
            found.memory = found.memory.max(memory);
            return Ok(());
        }
        match word {
            b"byval" if self.cursor.peek() == b'(' => {
                self.cursor.at += 1;
                found.by_value = Some(self.ty()?);
                return self.cursor.expect(b')');
            }
            b"dereferenceable" if self.cursor.peek() == b'(' => {
                self.cursor.at += 1;
                found.dereferenceable = self.cursor.number()?;
                return self.cursor.expect(b')');
            }
            b"sret" => found.struct_return = true,
            b"nonnull" => found.non_null = true,
            b"noalias" => found.no_alias = true,
            b"noreturn" => found.no_return = true,
            b"align" | b"alignstack" | b"cc" if self.cursor.peek().is_ascii_digit() => {
                return self.cursor.number().map(drop);
            }
            b"prefix" | b"prologue" | b"personality" => found.constant_follows = true,
            b"section" | b"partition" | b"gc" => return self.cursor.string().map(drop),
            _ => {}
        }
        // A constant that follows `personality` and the like starts with a type, so brackets here are the attribute's
        // own.
        if self.cursor.byte() == b'(' || (word == b"comdat" && self.cursor.peek() == b'(') {
            self.cursor.skip_balanced()?;
        }
        Ok(())
    }

    /// Goes past the attributes of a call and its operand bundles. They end with the line or at an instruction.
    pub(crate) fn skip_call_attributes(&mut self) -> Parse<()> {
        loop {
            while matches!(self.cursor.byte(), b' ' | b'\t') {
                self.cursor.at += 1;
            }
            match self.cursor.byte() {
                b'[' | b'(' => self.cursor.skip_balanced()?,
                b'"' => {
                    self.cursor.string()?;
                    if self.cursor.eat(b'=') {
                        self.cursor.string()?;
                    }
                }
                b'#' | b'0'..=b'9' => self.cursor.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let at = self.cursor.at;
                    let word = self.cursor.word();
                    if word == b"to" || is_instruction_word(word) {
                        self.cursor.at = at;
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads `nuw nsw exact` and skips other flags of arithmetic.
    pub(crate) fn arithmetic_flags(&mut self) -> ArithmeticFlags {
        let mut flags = ArithmeticFlags::default();
        loop {
            let word = self.cursor.peek_word();
            match word {
                b"nuw" => flags.no_unsigned_wrap = true,
                b"nsw" => flags.no_signed_wrap = true,
                b"exact" => flags.exact = true,
                b"disjoint" | b"nneg" | b"samesign" => {}
                _ if is_fast_math_flag(word) => {}
                _ => return flags,
            }
            self.cursor.at += word.len();
        }
    }
}

/// What an attribute says of memory, if it is about that: `memory(none)`, and `readnone` as older compilers have it.
pub(crate) fn memory_use(word: &[u8], cursor: &mut Cursor<'_>) -> Parse<Option<MemoryUse>> {
    Ok(match word {
        b"readnone" => Some(MemoryUse::None),
        b"readonly" => Some(MemoryUse::Reads),
        b"memory" if cursor.byte() == b'(' => {
            let start = cursor.at + 1;
            cursor.skip_balanced()?;
            let text = &cursor.bytes[start..cursor.at - 1];
            let has = |word: &[u8]| text.windows(word.len()).any(|part| part == word);
            // `readwrite` and `write` of some kind of memory: anything.
            Some(match (has(b"write"), has(b"read")) {
                (true, _) => MemoryUse::Any,
                (false, true) => MemoryUse::Reads,
                (false, false) => MemoryUse::None,
            })
        }
        _ => None,
    })
}

fn is_fast_math_flag(word: &[u8]) -> bool {
    matches!(word, b"fast" | b"nnan" | b"ninf" | b"nsz" | b"arcp" | b"contract" | b"reassoc" | b"afn")
}

/// Whether a word starts a value, and so ends a list of attributes.
fn is_value_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"true"
            | b"false"
            | b"null"
            | b"none"
            | b"undef"
            | b"poison"
            | b"zeroinitializer"
            | b"c"
            | b"asm"
            | b"splat"
            | b"getelementptr"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"ptrtoint"
            | b"ptrtoaddr"
            | b"inttoptr"
            | b"bitcast"
            | b"addrspacecast"
            | b"trunc"
            | b"zext"
            | b"sext"
            | b"fptrunc"
            | b"fpext"
            | b"fptoui"
            | b"fptosi"
            | b"uitofp"
            | b"sitofp"
            | b"add"
            | b"sub"
            | b"mul"
            | b"shl"
            | b"lshr"
            | b"ashr"
            | b"and"
            | b"or"
            | b"xor"
            | b"icmp"
            | b"fcmp"
            | b"select"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
    )
}

/// Whether a word is the name of an instruction that we know.
fn is_instruction_word(word: &[u8]) -> bool {
    binary_op(word).is_some()
        || cast_op(word).is_some()
        || matches!(
            word,
            b"load"
                | b"store"
                | b"getelementptr"
                | b"br"
                | b"call"
                | b"tail"
                | b"musttail"
                | b"notail"
                | b"icmp"
                | b"fcmp"
                | b"alloca"
                | b"ret"
                | b"phi"
                | b"switch"
                | b"select"
                | b"fneg"
                | b"freeze"
                | b"unreachable"
                | b"extractvalue"
                | b"insertvalue"
                | b"extractelement"
                | b"insertelement"
                | b"shufflevector"
                | b"atomicrmw"
                | b"cmpxchg"
                | b"fence"
                | b"va_arg"
                | b"invoke"
                | b"landingpad"
                | b"resume"
                | b"indirectbr"
        )
}
