//! The program under construction: what all modules share.

use incise_ir::{Constant, ConstantId, ConstantKind, FileId, FunctionId, Program, SourceFile, Type, TypeId};
use rustc_hash::FxHashMap;

/// A program under construction, with the tables that keep equal things one.
pub(crate) struct Builder {
    pub(crate) program: Program,
    constants: FxHashMap<Constant, ConstantId>,
    files: FxHashMap<SourceFile, FileId>,
    /// The addresses of blocks whose function may not have been read yet: the constant, the function, the label.
    pub(crate) block_addresses: Vec<(ConstantId, FunctionId, String)>,
    /// The types that come up everywhere.
    pub(crate) common: CommonTypes,
    /// Where the instructions of each function are in the text, if somebody wants to know.
    pub(crate) places: Option<Vec<super::places::FunctionText>>,
}

/// The types that come up everywhere.
#[derive(Copy, Clone)]
pub(crate) struct CommonTypes {
    pub(crate) void: TypeId,
    pub(crate) pointer: TypeId,
    pub(crate) opaque: TypeId,
    pub(crate) bit: TypeId,
    pub(crate) byte: TypeId,
}

impl Builder {
    /// Goes on with a program that exists.
    pub(crate) fn new(mut program: Program) -> Self {
        let common = CommonTypes {
            void: program.types.void(),
            pointer: program.types.pointer(),
            opaque: program.types.intern(Type::Opaque),
            bit: program.types.integer(1),
            byte: program.types.integer(8),
        };
        let files = program.files.iter().map(|(id, file)| (file.clone(), id)).collect();
        Self {
            program,
            constants: FxHashMap::default(),
            files,
            block_addresses: Vec::new(),
            common,
            places: None,
        }
    }

    /// The id of a constant; scalars and addresses are interned, large constants are not worth hashing.
    pub(crate) fn constant(&mut self, ty: TypeId, kind: ConstantKind) -> ConstantId {
        let constant = Constant { ty, kind };
        if matches!(
            constant.kind,
            ConstantKind::Aggregate(_) | ConstantKind::Bytes(_) | ConstantKind::BlockAddress { .. }
        ) {
            return self.program.constants.push(constant);
        }
        if let Some(&id) = self.constants.get(&constant) {
            return id;
        }
        let id = self.program.constants.push(constant.clone());
        self.constants.insert(constant, id);
        id
    }

    /// The id of a source file.
    pub(crate) fn file(&mut self, file: SourceFile) -> FileId {
        if let Some(&id) = self.files.get(&file) {
            return id;
        }
        let id = self.program.files.push(file.clone());
        self.files.insert(file, id);
        id
    }

    /// Fills in the addresses of blocks, once all functions have been read.
    pub(crate) fn resolve_block_addresses(&mut self) {
        for (constant, function, label) in std::mem::take(&mut self.block_addresses) {
            let found =
                self.program.functions[function].blocks.iter().find(|(_, block)| block.label == label);
            self.program.constants[constant].kind = match found {
                Some((block, _)) => ConstantKind::BlockAddress { function, block },
                None => ConstantKind::Unsupported(format!("the address of the block '{label}'").into()),
            };
        }
    }
}
