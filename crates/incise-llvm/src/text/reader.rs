//! The state of reading one module: where we are in its text, and what has been resolved of it so far.

use super::body::Body;
use super::builder::Builder;
use super::cursor::Cursor;
use super::debug::DebugState;
use super::failure::{Failure, Parse};
use super::scan::Module;
use incise_ir::{ConstantId, FunctionId, GlobalId, Intrinsic, TypeId};
use std::collections::VecDeque;

/// How deep types and constants may nest. Real programs stay below 50; each level costs stack.
pub(crate) const MAXIMUM_DEPTH: u32 = 200;

/// What a symbol of a module stands for in the program.
#[derive(Clone, Debug)]
pub(crate) enum SymbolTarget {
    Function(FunctionId),
    Global(GlobalId),
    /// An alias, or a weak reference that nothing defines.
    Constant(ConstantId),
    Intrinsic(Intrinsic),
    /// A symbol without a value, such as `llvm.used`, or an alias that is not resolved yet.
    Nothing,
    /// A symbol of a model that nothing has referred to yet.
    Unassigned,
}

/// What has been resolved of a named type.
#[derive(Copy, Clone)]
pub(crate) enum TypeState {
    Unread,
    Reading,
    Read(TypeId),
}

/// What has been resolved of a module.
pub(crate) struct ModuleState {
    /// What each symbol stands for.
    pub(crate) targets: Vec<SymbolTarget>,
    pub(crate) types: Vec<TypeState>,
    /// The integer types of up to 128 bits that have come up.
    pub(crate) integers: [Option<TypeId>; 129],
    pub(crate) debug: DebugState,
    /// Its number among those that are linked.
    pub(crate) number: usize,
    /// Whether what is read belongs to a library model.
    pub(crate) model: bool,
    /// The symbols of models that are needed and not read yet.
    pub(crate) queue: VecDeque<usize>,
}

impl ModuleState {
    pub(crate) fn new(module: &Module<'_>, model: bool) -> Self {
        Self {
            targets: vec![
                if model { SymbolTarget::Unassigned } else { SymbolTarget::Nothing };
                module.symbols.len()
            ],
            types: vec![TypeState::Unread; module.types.len()],
            integers: [None; 129],
            debug: DebugState::new(module.metadata.len()),
            number: 0,
            model,
            queue: VecDeque::new(),
        }
    }
}

/// Reads parts of a module into a program.
pub(crate) struct Reader<'a, 'b> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) module: &'b Module<'a>,
    pub(crate) state: &'b mut ModuleState,
    pub(crate) builder: &'b mut Builder,
    pub(crate) body: Body<'a>,
    depth: u32,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(crate) fn new(module: &'b Module<'a>, state: &'b mut ModuleState, builder: &'b mut Builder) -> Self {
        Self { cursor: Cursor::new(module.text), module, state, builder, body: Body::default(), depth: 0 }
    }

    /// Reads something that may hold more of its kind, and fails if that goes too deep.
    #[inline]
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAXIMUM_DEPTH {
            return too_deep(self.cursor.at);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads something at another place of the text.
    pub(crate) fn elsewhere<T>(&mut self, at: usize, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let here = std::mem::replace(&mut self.cursor.at, at);
        let result = read(self);
        self.cursor.at = here;
        result
    }
}

/// Fails because of too deep nesting.
pub(crate) fn too_deep<T>(at: usize) -> Parse<T> {
    Failure::broken(at, format!("types and constants nest more than {MAXIMUM_DEPTH} levels deep here"))
}
