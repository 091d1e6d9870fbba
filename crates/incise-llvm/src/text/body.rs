//! Function bodies: blocks, values, and the references forward to both.

use super::calls::DebugCall;
use super::cursor::{Name, unescape_text};
use super::debug::NodeKey;
use super::failure::{Failure, Parse};
use super::reader::Reader;
use super::wide::Wide;
use incise_ir::{
    Block, BlockId, Function, FunctionId, Id, Instruction, InstructionId, Linkage, LocationId, Op, Operand,
    TypeId, ValueId, ValueInfo,
};
use rustc_hash::FxHashMap;

/// Marks a value that has been defined.
const DEFINED: u32 = u32::MAX;
const NO_VALUE: u32 = u32::MAX;

/// The function that is being read. Blocks are numbered as they come up, and renumbered in the order of the text at the
/// end.
pub(crate) struct Body<'a> {
    pub(crate) function: Function,
    /// The length of its text in bytes.
    pub(super) length: usize,
    named: FxHashMap<&'a [u8], ValueId>,
    /// For each value number, its id.
    numbered: Vec<u32>,
    /// For each value, where it was used before its definition.
    first_use: Vec<u32>,
    undefined: usize,
    /// The number that the next value or block without a name gets.
    next_number: u32,
    labels: FxHashMap<Name<'a>, u32>,
    /// For each provisional block: where it was first used, and its place in the text.
    blocks: Vec<(usize, Option<BlockId>)>,
    /// The instructions that refer to blocks.
    block_users: Vec<InstructionId>,
    /// For each instruction, where it starts.
    pub(super) offsets: Vec<u32>,
    /// The pointer of the instruction that is being read, with its type: where that begins and ends.
    pub(super) pointer: Option<(u32, u32)>,
    /// The same for each instruction.
    pub(super) pointers: Vec<Option<(u32, u32)>>,
    /// The values of integers of more than 128 bits, which are written out in words.
    pub(super) wide: FxHashMap<Name<'a>, Wide>,
    /// The number of instructions that were added for the one that is being read.
    emitted: usize,
    /// Whether a block is open.
    open: bool,
    /// The variables of the source that have come up.
    pub(super) variables: FxHashMap<NodeKey, usize>,
    /// The call to a debug intrinsic that is being read.
    pub(super) debug_call: Option<DebugCall>,
    /// The named struct that the address of a member is computed of, while that is read.
    pub(super) member_of: Option<&'a [u8]>,
    /// Addresses of members of named structs: their values, and the names.
    pub(super) members: Vec<(ValueId, &'a [u8])>,
    /// The number of elements of the array that the address of one is computed of, while that is read.
    pub(super) element_of: Option<u64>,
    /// Room for a list of operands.
    pub(super) operands: Vec<Operand>,
}

impl Default for Body<'_> {
    fn default() -> Self {
        Self {
            function: Function::declaration(String::new(), Linkage::External, TypeId::from_index(0)),
            length: 0,
            named: FxHashMap::default(),
            numbered: Vec::new(),
            first_use: Vec::new(),
            undefined: 0,
            next_number: 0,
            labels: FxHashMap::default(),
            blocks: Vec::new(),
            block_users: Vec::new(),
            offsets: Vec::new(),
            pointer: None,
            pointers: Vec::new(),
            wide: FxHashMap::default(),
            emitted: 0,
            open: false,
            variables: FxHashMap::default(),
            debug_call: None,
            member_of: None,
            element_of: None,
            members: Vec::new(),
            operands: Vec::new(),
        }
    }
}

impl<'a> Body<'a> {
    /// Starts a function anew.
    pub(crate) fn start(&mut self, function: Function) {
        self.function = function;
        self.named.clear();
        self.numbered.clear();
        self.first_use.clear();
        self.undefined = 0;
        self.next_number = 0;
        self.labels.clear();
        self.blocks.clear();
        self.block_users.clear();
        self.offsets.clear();
        self.pointer = None;
        self.pointers.clear();
        self.wide.clear();
        self.emitted = 0;
        self.open = false;
        self.variables.clear();
        self.member_of = None;
        self.element_of = None;
        self.members.clear();
    }
}

impl<'a> Reader<'a, '_> {
    /// The type of an operand of the function that is being read.
    #[inline]
    pub(crate) fn operand_type(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => self.body.function.values[value].ty,
            Operand::Constant(constant) => self.builder.program.constants[constant].ty,
        }
    }

    /// Reads a type and a value of it.
    #[inline]
    pub(crate) fn typed_operand(&mut self) -> Parse<Operand> {
        let ty = self.value_type()?;
        self.operand(ty)
    }

    /// Reads a value of a type.
    #[inline]
    pub(crate) fn operand(&mut self, ty: TypeId) -> Parse<Operand> {
        if self.cursor.peek() == b'%' {
            let at = self.cursor.at;
            self.cursor.at += 1;
            let name = self.cursor.name()?;
            return Ok(Operand::Value(self.use_value(name, ty, at)?));
        }
        Ok(Operand::Constant(self.constant(ty)?))
    }

    fn lookup(&self, name: Name<'a>) -> Option<ValueId> {
        match name {
            Name::Text(text) => self.body.named.get(text).copied(),
            Name::Number(number) => match self.body.numbered.get(number as usize) {
                Some(&value) if value != NO_VALUE => Some(ValueId::from_index(value as usize)),
                _ => None,
            },
        }
    }

    /// The value of a name, if it has been defined.
    pub(super) fn defined_value(&self, name: Name<'a>) -> Option<ValueId> {
        self.lookup(name).filter(|value| self.body.first_use[value.index()] == DEFINED)
    }

    fn use_value(&mut self, name: Name<'a>, ty: TypeId, at: usize) -> Parse<ValueId> {
        if let Some(value) = self.lookup(name) {
            self.match_type(value, ty, name, at)?;
            return Ok(value);
        }
        self.body.undefined += 1;
        self.add_value(name, ty, at as u32, at)
    }

    /// Checks that a value has a type. The value of an unsupported instruction takes the type of its first use.
    fn match_type(&mut self, value: ValueId, ty: TypeId, name: Name<'a>, at: usize) -> Parse<()> {
        let known = self.body.function.values[value].ty;
        if known == ty {
            return Ok(());
        }
        if known == self.builder.common.opaque {
            self.body.function.values[value].ty = ty;
            return Ok(());
        }
        Failure::broken(at, format!("'%{}' has another type than this", name_text(name)))
    }

    fn add_value(&mut self, name: Name<'a>, ty: TypeId, first_use: u32, at: usize) -> Parse<ValueId> {
        let text = match name {
            Name::Text(text) => unescape_text(text).into(),
            Name::Number(_) => Box::default(),
        };
        let value = self.body.function.values.push(ValueInfo { ty, name: text });
        self.body.first_use.push(first_use);
        match name {
            Name::Text(text) => drop(self.body.named.insert(text, value)),
            Name::Number(number) => {
                let number = number as usize;
                // Values are numbered from 0 without large gaps, so a function has more bytes than values.
                if number > self.body.length {
                    return Failure::broken(at, format!("the number of '%{number}' is too large"));
                }
                if number >= self.body.numbered.len() {
                    self.body.numbered.resize(number + 1, NO_VALUE);
                }
                self.body.numbered[number] = value.index() as u32;
            }
        }
        Ok(value)
    }

    /// Goes on counting from a number that the text gives.
    pub(super) fn note_number(&mut self, name: Name<'a>) {
        if let Name::Number(number) = name {
            self.body.next_number = number.saturating_add(1);
        }
    }

    /// Defines a value. One without a name gets the next number.
    pub(crate) fn define_value(&mut self, name: Option<Name<'a>>, ty: TypeId, at: usize) -> Parse<ValueId> {
        let name = name.unwrap_or(Name::Number(self.body.next_number));
        self.note_number(name);
        match self.lookup(name) {
            None => self.add_value(name, ty, DEFINED, at),
            Some(value) if self.body.first_use[value.index()] == DEFINED => {
                Failure::broken(at, format!("'%{}' is defined twice", name_text(name)))
            }
            Some(value) => {
                if ty != self.builder.common.opaque {
                    self.match_type(value, ty, name, at)?;
                }
                self.body.first_use[value.index()] = DEFINED;
                self.body.undefined -= 1;
                Ok(value)
            }
        }
    }

    /// Reads `label %name`.
    pub(crate) fn label(&mut self) -> Parse<BlockId> {
        self.cursor.expect_word("label")?;
        self.block_name()
    }

    /// Reads `%name` as the name of a block.
    pub(crate) fn block_name(&mut self) -> Parse<BlockId> {
        self.cursor.expect(b'%')?;
        let at = self.cursor.at;
        let name = self.cursor.name()?;
        Ok(BlockId::from_index(self.provisional_block(name, at)))
    }

    fn provisional_block(&mut self, name: Name<'a>, at: usize) -> usize {
        let blocks = &mut self.body.blocks;
        *self.body.labels.entry(name).or_insert_with(|| {
            blocks.push((at, None));
            blocks.len() as u32 - 1
        }) as usize
    }

    /// Reads the body of a function from its `{` to its `}`.
    pub(crate) fn function_body(&mut self) -> Parse<()> {
        self.cursor.expect(b'{')?;
        loop {
            match self.cursor.peek() {
                b'}' => {
                    self.cursor.at += 1;
                    break;
                }
                b'#' => self.debug_record()?,
                b'%' => self.instruction()?,
                _ if self.block_label()? => {}
                b'u' if self.cursor.peek_word().starts_with(b"uselistorder") => self.cursor.skip_line(),
                _ => self.instruction()?,
            }
        }
        self.close_block()?;
        self.finish_body()
    }

    /// Takes the label of a block if one comes next.
    fn block_label(&mut self) -> Parse<bool> {
        let at = self.cursor.at;
        // A word that is no label is the name of an instruction, which is a name too.
        match self.cursor.name() {
            Ok(name) if self.cursor.byte() == b':' => {
                self.cursor.at += 1;
                self.close_block()?;
                self.open_block(Some(name), at)?;
                Ok(true)
            }
            _ => {
                self.cursor.at = at;
                Ok(false)
            }
        }
    }

    fn open_block(&mut self, name: Option<Name<'a>>, at: usize) -> Parse<()> {
        let is_entry = self.body.function.blocks.is_empty();
        let label = match name {
            Some(name) => name_text(name),
            None if is_entry => String::new(),
            None => self.body.next_number.to_string(),
        };
        let name = name.unwrap_or(Name::Number(self.body.next_number));
        if let Name::Number(number) = name {
            self.body.next_number = number.saturating_add(1);
        }
        let first = InstructionId::from_index(self.body.function.instructions.len());
        let block = self.body.function.blocks.push(Block { label, first, end: first });
        let provisional = self.provisional_block(name, at);
        if self.body.blocks[provisional].1.replace(block).is_some() {
            return Failure::broken(at, format!("the block '{}' is defined twice", name_text(name)));
        }
        self.body.open = true;
        Ok(())
    }

    /// Ends the open block, if there is one: it must end in a terminator.
    fn close_block(&mut self) -> Parse<()> {
        if !self.body.open {
            return Ok(());
        }
        self.body.open = false;
        let function = &mut self.body.function;
        let end = InstructionId::from_index(function.instructions.len());
        let block = BlockId::from_index(function.blocks.len() - 1);
        function.blocks[block].end = end;
        if end != function.blocks[block].first {
            let last = InstructionId::from_index(end.index() - 1);
            let op = &mut function.instructions[last].op;
            if op.is_terminator() {
                return Ok(());
            }
            // An instruction that we do not know ends this block, so it is a terminator.
            if let Op::Unsupported(text) = op {
                *op = Op::UnsupportedTerminator(std::mem::take(text));
                return Ok(());
            }
        }
        let label = function.blocks[block].label.clone();
        Failure::broken(self.cursor.at, format!("the block '{label}' does not end in a terminator"))
    }

    /// Adds an instruction to the open block, and opens one if there is none.
    pub(crate) fn push_instruction(&mut self, instruction: Instruction, at: usize) -> Parse<()> {
        if !self.body.open {
            self.open_block(None, at)?;
        }
        let terminator = instruction.op.is_terminator();
        let refers_to_blocks = terminator || matches!(instruction.op, Op::Phi(_));
        if let (Some(structure), Some(value)) = (self.body.member_of.take(), instruction.result) {
            self.body.members.push((value, structure));
        }
        if let (Some(count), Some(value)) = (self.body.element_of.take(), instruction.result) {
            self.body.function.array_elements.push((value, count));
        }
        let id = self.body.function.instructions.push(instruction);
        self.body.offsets.push(at as u32);
        if self.builder.places.is_some() {
            let pointer = self.body.pointer.take();
            self.body.pointers.push(pointer);
        }
        if refers_to_blocks {
            self.body.block_users.push(id);
        }
        if terminator {
            self.close_block()?;
        }
        Ok(())
    }

    /// Adds an instruction that the text does not have, as part of the one that is being read.
    pub(crate) fn emit(&mut self, op: Op, ty: TypeId, at: usize) -> Parse<ValueId> {
        let value = self.body.function.values.push(ValueInfo { ty, name: Box::default() });
        self.body.first_use.push(DEFINED);
        self.body.emitted += 1;
        self.push_instruction(Instruction { op, result: Some(value), location: None }, at)?;
        Ok(value)
    }

    /// Adds an instruction without a value that the text does not have, as part of the one that is being read.
    pub(crate) fn emit_effect(&mut self, op: Op, at: usize) -> Parse<()> {
        self.body.emitted += 1;
        self.push_instruction(Instruction { op, result: None, location: None }, at)
    }

    /// Gives the instructions that were added for another one its location.
    pub(crate) fn locate_emitted(&mut self, location: Option<LocationId>) {
        let end = self.body.function.instructions.len();
        for index in end - std::mem::take(&mut self.body.emitted)..end {
            self.body.function.instructions[InstructionId::from_index(index)].location = location;
        }
    }

    /// Opens the block of an instruction that comes without a label, before the instruction takes a number.
    pub(crate) fn ensure_block(&mut self, at: usize) -> Parse<()> {
        if self.body.open { Ok(()) } else { self.open_block(None, at) }
    }

    /// Checks the function that was just read and put into the program.
    pub(crate) fn check_function(&self, id: FunctionId) -> Parse<()> {
        incise_ir::verify_function(&self.builder.program, id).or_else(|error| {
            let offset = error.instruction.and_then(|instruction| self.body.offsets.get(instruction.index()));
            let at = offset.map_or(self.cursor.at, |&offset| offset as usize);
            Failure::broken(at, error.message)
        })
    }

    fn finish_body(&mut self) -> Parse<()> {
        if self.body.function.blocks.is_empty() {
            return Failure::broken(self.cursor.at, "a function body has at least one block");
        }
        if self.body.undefined > 0 {
            return self.report_undefined_value();
        }
        let mut places = Vec::with_capacity(self.body.blocks.len());
        for (provisional, (at, place)) in self.body.blocks.iter().enumerate() {
            match place {
                Some(place) => places.push(*place),
                None => {
                    let name = self.body.labels.iter().find(|&(_, &block)| block as usize == provisional);
                    let name = name.map(|(&name, _)| name_text(name)).unwrap_or_default();
                    return Failure::broken(*at, format!("the block '%{name}' is not defined"));
                }
            }
        }
        for &user in &self.body.block_users {
            renumber_blocks(&mut self.body.function.instructions[user].op, &places);
        }
        Ok(())
    }

    fn report_undefined_value(&self) -> Parse<()> {
        let first = self.body.first_use.iter().filter(|&&at| at != DEFINED).min();
        let at = first.map_or(self.cursor.at, |&at| at as usize);
        let mut there = self.cursor.clone();
        there.at = at + 1;
        let name = there.name().map(name_text).unwrap_or_default();
        Failure::broken(at, format!("'%{name}' is not defined"))
    }
}

/// Puts the places of blocks in the text in place of their provisional numbers.
fn renumber_blocks(op: &mut Op, places: &[BlockId]) {
    let renumber = |block: &mut BlockId| *block = places[block.index()];
    match op {
        Op::Branch(target) => renumber(target),
        Op::ConditionalBranch { then, otherwise, .. } => {
            renumber(then);
            renumber(otherwise);
        }
        Op::Switch { default, cases, .. } => {
            renumber(default);
            cases.iter_mut().for_each(|(_, target)| renumber(target));
        }
        Op::Invoke { normal, unwind, .. } => {
            renumber(normal);
            renumber(unwind);
        }
        Op::IndirectBranch { targets, .. } => targets.iter_mut().for_each(renumber),
        Op::Phi(incoming) => incoming.iter_mut().for_each(|(block, _)| renumber(block)),
        _ => {}
    }
}

/// A name as people write it, without its sigil.
pub(crate) fn name_text(name: Name<'_>) -> String {
    match name {
        Name::Number(number) => number.to_string(),
        Name::Text(text) => unescape_text(text),
    }
}
