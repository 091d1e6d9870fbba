//! Functions, blocks and values.

use crate::arena::{Arena, define_id};
use crate::{DebugTypeId, FileId, Id, Instruction, InstructionId, LocationId, Operand, TypeId};

define_id!(
    /// A function of a program.
    FunctionId,
    "fn"
);
define_id!(
    /// A basic block of a function.
    BlockId,
    "block"
);
define_id!(
    /// A parameter, or the result of an instruction, of a function.
    ValueId,
    "v"
);

/// Who can see a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Seen by all modules.
    External,
    /// Seen by all modules, and gives way to another definition (`weak`, `linkonce`, `common`).
    Weak,
    /// Seen by its own module only (`static`).
    Internal,
}

/// What a function may do with memory, as its attributes say.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MemoryUse {
    /// Read and write anything that it can reach.
    #[default]
    Any,
    /// Read, and write nothing (`pure`).
    Reads,
    /// Nothing: its result depends on its arguments alone (`const`).
    None,
}

/// A function. One without blocks is a declaration.
#[derive(Clone, Hash, Debug)]
pub struct Function {
    /// The symbol's name.
    pub name: String,
    /// Who can see it.
    pub linkage: Linkage,
    /// What it returns.
    pub result: TypeId,
    /// Its parameters; their values are the first of `values`, in order.
    pub parameters: Vec<Parameter>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// The blocks; the first is the entry.
    pub blocks: Arena<BlockId, Block>,
    /// The instructions of all blocks, block after block.
    pub instructions: Arena<InstructionId, Instruction>,
    /// The parameters and the results of instructions.
    pub values: Arena<ValueId, ValueInfo>,
    /// The variables that the source declares.
    pub variables: Vec<LocalVariable>,
    /// The file it is defined in.
    pub file: Option<FileId>,
    /// The line it starts at, 0 if unknown.
    pub line: u32,
    /// The types of its result and parameters in the source (result first), where known.
    pub debug_signature: Vec<Option<DebugTypeId>>,
    /// Addresses of members of structs that pointers were cast to, and these structs; by their values, in order.
    pub cast_members: Vec<(ValueId, DebugTypeId)>,
    /// Addresses of elements of arrays, and how many elements these have; by their values, in order.
    pub array_elements: Vec<(ValueId, u64)>,
    /// Whether calling it never returns.
    pub no_return: bool,
    /// What it may do with memory.
    pub memory: MemoryUse,
    /// Whether it belongs to a library model and not to the user's program.
    pub model: bool,
}

impl Function {
    /// A function without parameters and body: what readers and tests begin with.
    pub fn declaration(name: impl Into<String>, linkage: Linkage, result: TypeId) -> Self {
        Self {
            name: name.into(),
            linkage,
            result,
            parameters: Vec::new(),
            variadic: false,
            blocks: Arena::new(),
            instructions: Arena::new(),
            values: Arena::new(),
            variables: Vec::new(),
            file: None,
            line: 0,
            debug_signature: Vec::new(),
            cast_members: Vec::new(),
            array_elements: Vec::new(),
            no_return: false,
            memory: MemoryUse::Any,
            model: false,
        }
    }

    /// Whether calls of it are no events: it is declared to depend on its arguments alone, and these and its result are
    /// numbers.
    pub fn is_constant(&self, types: &crate::Types) -> bool {
        let number = |ty| types.scalar_bits(ty).is_some() && !matches!(types.get(ty), crate::Type::Pointer);
        let plain = |parameter: &Parameter| {
            number(parameter.ty) && parameter.by_value.is_none() && !parameter.struct_return
        };
        self.memory == MemoryUse::None
            && !self.variadic
            && number(self.result)
            && self.parameters.iter().all(plain)
    }

    /// The entry block; `None` for a declaration.
    pub fn entry(&self) -> Option<BlockId> {
        (!self.blocks.is_empty()).then(|| BlockId::from_index(0))
    }

    /// Whether there is a body.
    pub fn is_definition(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The value of parameter `index`.
    pub fn parameter_value(&self, index: usize) -> ValueId {
        ValueId::from_index(index)
    }

    /// The ids of a block's instructions, the terminator last.
    pub fn block_instructions(
        &self,
        block: BlockId,
    ) -> impl DoubleEndedIterator<Item = InstructionId> + use<> {
        let block = &self.blocks[block];
        (block.first.index()..block.end.index()).map(InstructionId::from_index)
    }

    /// The terminator of a block.
    pub fn terminator(&self, block: BlockId) -> InstructionId {
        InstructionId::from_index(self.blocks[block].end.index() - 1)
    }

    /// The blocks that control can go to from a block, each once, in the order of the terminator.
    pub fn successors(&self, block: BlockId) -> Vec<BlockId> {
        let mut found = Vec::new();
        self.instructions[self.terminator(block)].op.for_each_successor(|target| {
            if !found.contains(&target) {
                found.push(target);
            }
        });
        found
    }
}

/// A parameter of a function.
#[derive(Clone, Hash, Debug)]
pub struct Parameter {
    /// Its name in the source or the IR; empty if it has none.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// If the argument points to a copy that the caller makes (`byval`): the type of what is copied.
    pub by_value: Option<TypeId>,
    /// Whether it points to where the result goes (`sret`).
    pub struct_return: bool,
    /// Whether it is declared not to be null (`nonnull`).
    pub non_null: bool,
    /// How many bytes it is declared to lead to (`static N` in brackets); 0 if that is not said.
    pub dereferenceable: u64,
}

/// A run of instructions that ends in a terminator.
#[derive(Clone, Hash, Debug)]
pub struct Block {
    /// Its label; empty if it has none.
    pub label: String,
    /// Its first instruction.
    pub first: InstructionId,
    /// One past its last instruction.
    pub end: InstructionId,
}

/// What is known of a value without executing.
#[derive(Clone, Hash, Debug)]
pub struct ValueInfo {
    /// Its type.
    pub ty: TypeId,
    /// Its name in the IR; empty if it is numbered.
    pub name: Box<str>,
}

/// A variable that the source declares in a function.
#[derive(Clone, Hash, Debug)]
pub struct LocalVariable {
    /// Its name.
    pub name: String,
    /// Its type in the source.
    pub ty: Option<DebugTypeId>,
    /// Where it lives (an `alloca`, by `dbg.declare`) or what it is (by `dbg.value`).
    pub storage: Option<Operand>,
    /// Whether the storage is the address of the variable; otherwise it is its value.
    pub by_address: bool,
    /// For a parameter, its number from 1.
    pub parameter: Option<u32>,
    /// Where it is declared.
    pub location: Option<LocationId>,
}
