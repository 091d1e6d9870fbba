//! The part of a machine that makes inputs, and reads at the end what became of them.
//!
//! Nothing here decides or forks: an input is symbols in memory, and conditions that hold of them.

use crate::config::Config;
use crate::decisions::decider::Decider;
use crate::decisions::oracle::Oracle;
use crate::engine::constants::Constants;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::distinct::Candidates;
use crate::exploration::finish::Sink;
use crate::externals::KnownBefore;
use crate::inputs::given_values::Tracing;
use crate::inputs::streams::Stream;
use crate::memory::pages::BlankPages;
use crate::memory::{Object, ObjectInfo, Slot};
use crate::native::Natives;
use incise_ir::Program;
use incise_solver::{ExprId, Exprs, Solver};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The inputs that were made, as far as others refer to them.
#[derive(Default)]
pub struct MadeInputs {
    /// The objects that pointer inputs lead to.
    pub(crate) pointees: FxHashMap<String, Slot>,
    /// The addresses that pointer inputs have if they are not null.
    pub(crate) addresses: FxHashMap<String, ExprId>,
    /// The part of the object that is filled next which a pointer leads to, and the pointer.
    pub(crate) member: Option<(String, String)>,
    /// The number of elements before the first named one of the array that is filled next.
    pub(crate) first_index: u64,
    /// Whether the inputs of the first state are being made.
    pub(crate) starting: bool,
    /// The streams among the inputs.
    pub streams: Vec<Stream>,
    /// Pointer inputs that are the ends of what others begin.
    pub(crate) ends: Vec<(String, String)>,
    /// Pointer inputs that may lead into what others lead to.
    pub(crate) overlaps: Vec<(String, String)>,
    /// The pointer inputs that lead to arrays without an end, and how many bytes these are taken to have at least.
    pub rooms: Vec<(String, ExprId)>,
    /// What outsiders know who are being called: they may give pointers to that.
    pub(crate) known_before: Rc<[KnownBefore]>,
    /// Whether inputs that are given are not what inputs are taken to be.
    pub unnatural: bool,
}

/// What of a machine it takes to make inputs.
pub struct InputMaker<'m> {
    pub(crate) program: &'m Program,
    pub(crate) config: &'m Config,
    pub(crate) exprs: &'m mut Exprs,
    pub(crate) solver: &'m mut Solver,
    pub(crate) constants: &'m mut Constants,
    pub(crate) natives: &'m Natives,
    pub(crate) pages: &'m mut BlankPages,
    pub(crate) made: &'m mut MadeInputs,
    pub(crate) tracing: Option<&'m mut Tracing>,
    pub(crate) oracle: Option<&'m mut dyn Oracle>,
    pub(crate) sink: &'m mut Sink,
}

impl Decider<'_> {
    /// The part that makes inputs.
    pub fn inputs(&mut self) -> InputMaker<'_> {
        self.inputs_and_candidates().0
    }

    /// The same, beside what is known of models.
    #[inline]
    pub(crate) fn inputs_and_candidates(&mut self) -> (InputMaker<'_>, &mut Candidates) {
        let maker = InputMaker {
            program: self.program,
            config: self.config,
            exprs: &mut self.exprs,
            solver: &mut self.solver,
            constants: &mut self.constants,
            natives: &self.natives,
            pages: &mut self.pages,
            made: &mut self.made,
            tracing: self.tracing.as_deref_mut(),
            oracle: self.oracle.as_mut().map(|oracle| &mut **oracle as &mut dyn Oracle),
            sink: &mut self.sink,
        };
        (maker, &mut self.candidates)
    }
}

impl InputMaker<'_> {
    pub(crate) fn zeroed_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        self.pages.zeroed_object(info, size)
    }

    /// A scalar value as an expression; one that was never initialised gets an arbitrary value.
    pub(crate) fn expr(&mut self, state: &mut State, value: &Value, width: u32) -> ExprId {
        value.expression(self.exprs, state, width)
    }
}
