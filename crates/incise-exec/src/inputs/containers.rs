//! Pointer inputs that lead to a member of a struct: the whole struct is made, and the pointer leads into it.
//!
//! The whole is named by the expression that leads to it, `container_of(l, struct item, link)`; the member itself keeps
//! the names that it has behind the pointer, so that the nodes of a list are `l->next->next`.

use crate::engine::state::State;
use crate::inputs::input::Pointed;
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::Shape;
use incise_ir::DebugTypeId;
use incise_reading::{What, container_of, containing};
use incise_solver::{BinaryOp, ExprId, SymbolKind};

/// A struct that a pointer input leads into.
struct Whole {
    /// The pointer to it as an expression of C.
    path: String,
    ty: DebugTypeId,
    /// The type and the member, for people.
    title: String,
    member: String,
    /// The bytes from its start to the member.
    offset: u64,
}

impl InputMaker<'_> {
    /// The address that a pointer input leads to if it is that of a member of a struct.
    pub(crate) fn member_address(&mut self, state: &mut State, path: &str, depth: u32) -> Option<ExprId> {
        let mut address = None;
        for whole in self.wholes(path) {
            let Some(shape) = Shape::of_debug_type(self.program, whole.ty) else { continue };
            if shape.size() < whole.offset {
                continue;
            }
            let pointed = Pointed {
                input: path,
                path: whole.path.clone(),
                target: Some(whole.ty),
                offset: whole.offset,
                member: Some(format!("{}->{}", whole.path, whole.member)),
            };
            let own = self.object_behind(state, pointed, shape, depth);
            address = Some(match address {
                None => own,
                Some(others) => {
                    let name = format!("{path} is in {}", whole.title);
                    let here = self.leaf_symbol(&name, 1, SymbolKind::Bool);
                    self.exprs.ite(here, own, others)
                }
            });
        }
        address
    }

    /// The structs that a pointer may lead into, as far as the program has them.
    fn wholes(&self, path: &str) -> Vec<Whole> {
        let found = self.config.inputs.reading.of(path).filter_map(|what| {
            let What::MemberOf { whole, member } = what else { return None };
            let (ty, offset) = containing(self.program, whole, member)?;
            let path = container_of(path, whole, member);
            Some(Whole { path, ty, title: whole.clone(), member: member.clone(), offset })
        });
        found.collect()
    }

    /// An address some bytes behind another.
    pub(crate) fn moved(&mut self, address: ExprId, bytes: u64) -> ExprId {
        let bytes = self.exprs.constant(u128::from(bytes), 64);
        self.exprs.binary(BinaryOp::Add, address, bytes)
    }
}
