//! A whole program: everything that was read, linked by name.

use crate::arena::{Arena, define_id};
use crate::declared::DeclaredSizes;
use crate::{
    Constant, ConstantId, DebugType, DebugTypeId, FileId, Function, FunctionId, Linkage, Location,
    LocationId, Operand, SourceFile, SourcePosition, TypeId, Types,
};
use std::collections::BTreeMap;

define_id!(
    /// A global variable of a program.
    GlobalId,
    "global"
);

/// A global variable.
#[derive(Clone, Hash, Debug)]
pub struct Global {
    /// The symbol's name.
    pub name: String,
    /// Who can see it.
    pub linkage: Linkage,
    /// What it holds.
    pub ty: TypeId,
    /// What it holds at the start; `None` for one that is only declared.
    pub initializer: Option<ConstantId>,
    /// Whether it is read-only.
    pub constant: bool,
    /// Its alignment in bytes; 0 for that of its type.
    pub align: u64,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Its name in the source, where debug information tells (a `static` local has a longer symbol name).
    pub source_name: Option<String>,
    /// Its type in the source.
    pub debug_type: Option<DebugTypeId>,
    /// Where it is declared.
    pub location: Option<LocationId>,
    /// Whether it belongs to a library model and not to the user's program.
    pub model: bool,
}

impl Global {
    /// What the models of the C library call the variable behind `errno`.
    pub const ERRNO: &'static str = "__incise_errno";

    /// Whether it is `errno`, and the program itself looks at it or sets it.
    pub fn is_errno_of_program(&self) -> bool {
        self.name == Self::ERRNO && self.source_name.is_some()
    }
}

/// What a name of the program stands for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A function.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// Another name for a constant address.
    Alias(ConstantId),
}

/// A program. Made by a reader, then never changed.
#[derive(Clone, Debug)]
pub struct Program {
    /// All types.
    pub types: Types,
    /// All constants.
    pub constants: Arena<ConstantId, Constant>,
    /// All global variables.
    pub globals: Arena<GlobalId, Global>,
    /// All functions.
    pub functions: Arena<FunctionId, Function>,
    /// The names that all modules see, and those of internal symbols where no other module has the same.
    pub symbols: BTreeMap<String, Symbol>,
    /// The source files.
    pub files: Arena<FileId, SourceFile>,
    /// The positions that instructions come from.
    pub locations: Arena<LocationId, Location>,
    /// The types of the source.
    pub debug_types: Arena<DebugTypeId, DebugType>,
    /// The functions to run before `main`, in order.
    pub constructors: Vec<FunctionId>,
    /// The functions to run after `main` returns or the program exits, in order.
    pub destructors: Vec<FunctionId>,
    /// What declarations say of sizes.
    pub declared: DeclaredSizes,
}

impl Program {
    /// An empty program. `wide_integer_align` is the alignment of `i128` in bytes.
    pub fn new(wide_integer_align: u64) -> Self {
        Self {
            types: Types::new(wide_integer_align),
            constants: Arena::new(),
            globals: Arena::new(),
            functions: Arena::new(),
            symbols: BTreeMap::new(),
            files: Arena::new(),
            locations: Arena::new(),
            debug_types: Arena::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            declared: DeclaredSizes::default(),
        }
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        match self.symbols.get(name)? {
            Symbol::Function(function) => Some(*function),
            _ => None,
        }
    }

    /// The global variable of that name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        match self.symbols.get(name)? {
            Symbol::Global(global) => Some(*global),
            _ => None,
        }
    }

    /// The type of an operand of an instruction of `function`.
    pub fn operand_type(&self, function: &Function, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => function.values[value].ty,
            Operand::Constant(constant) => self.constants[constant].ty,
        }
    }

    /// A location as text for people: the file, line and column of the code itself.
    pub fn position(&self, location: LocationId) -> SourcePosition {
        let location = self.locations[location];
        SourcePosition {
            file: self.files[location.file].name.clone(),
            line: location.line,
            column: location.column,
        }
    }

    /// A type of the source without typedefs and qualifiers; `None` is `void`.
    pub fn resolve_debug_type(&self, mut id: DebugTypeId) -> Option<DebugTypeId> {
        // Bounded, because broken debug information may hold a cycle.
        for _ in 0..64 {
            match &self.debug_types[id] {
                DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => id = (*target)?,
                _ => return Some(id),
            }
        }
        None
    }
}
