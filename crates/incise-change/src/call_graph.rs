//! Who calls whom: the functions of a program and the calls between them, with the place of each.
//!
//! Calls by address are resolved by the points-to analysis of the [`Effects`]; where an address may come from
//! elsewhere, every function whose address is used and whose parameters fit stands for it, and the call is marked as
//! not resolved.

use crate::effects::Effects;
use crate::library;
use incise_ir::{Callee, FunctionId, Id, InstructionId, IntrinsicKind, Op, Program, SourcePosition};

/// A function of a call graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallNode {
    /// The function.
    pub function: FunctionId,
    /// Its name.
    pub name: String,
    /// The file that it is defined in, where known.
    pub file: Option<String>,
    /// The line that it starts at, 0 if unknown.
    pub line: u32,
    /// Whether it has a body.
    pub defined: bool,
    /// Whether it belongs to a library model and not to the user's program.
    pub model: bool,
}

/// How a function is called.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallKind {
    /// By its name.
    Direct,
    /// By its address, and all addresses that come there are known.
    Pointer,
    /// By an address that may come from elsewhere, or of which nothing is known: its parameters fit.
    Guessed,
    /// By the C library, when the program exits.
    Exit,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallEdge {
    /// The function that calls.
    pub caller: FunctionId,
    /// The function that is called; `None` for code that nobody can see.
    pub callee: Option<FunctionId>,
    /// The call.
    pub instruction: InstructionId,
    /// Where it stands.
    pub position: Option<SourcePosition>,
    /// How the function is called.
    pub kind: CallKind,
}

/// A call that nobody can see through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnresolvedCall {
    /// The function that calls.
    pub caller: FunctionId,
    /// The call.
    pub instruction: InstructionId,
    /// What is called.
    pub callee: UnresolvedCallee,
}

/// What is called and cannot be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnresolvedCallee {
    /// A function without a body, of which nothing is known.
    External(FunctionId),
    /// An address that may come from elsewhere; the functions whose address is used and whose parameters fit.
    Pointer(Vec<FunctionId>),
    /// Assembly.
    Assembly,
    /// An operation of the compiler that is not known.
    Operation,
}

/// The functions of a program and the calls between them.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The functions, in the order of the program.
    pub nodes: Vec<CallNode>,
    /// The calls, in the order of the callers and their instructions; those of one call in the order of the called
    /// functions.
    pub edges: Vec<CallEdge>,
    /// For each function, where its calls begin in `edges`.
    starts: Vec<usize>,
    /// For each function, the calls of it, as positions in `edges`.
    callers: Vec<Vec<usize>>,
}

impl CallGraph {
    /// The call graph of a program.
    pub fn new(program: &Program, effects: &Effects) -> Self {
        let nodes = program.functions.iter().map(|(id, function)| CallNode {
            function: id,
            name: function.name.clone(),
            file: function.file.map(|file| program.files[file].name.to_string()),
            line: function.line,
            defined: function.is_definition(),
            model: function.model,
        });
        let mut graph =
            Self { nodes: nodes.collect(), edges: Vec::new(), starts: Vec::new(), callers: Vec::new() };
        for id in program.functions.ids() {
            graph.starts.push(graph.edges.len());
            graph.add_calls(program, effects, id);
        }
        graph.starts.push(graph.edges.len());
        graph.callers = vec![Vec::new(); graph.nodes.len()];
        for (position, edge) in graph.edges.iter().enumerate() {
            if let Some(callee) = edge.callee {
                graph.callers[callee.index()].push(position);
            }
        }
        graph
    }

    /// The calls that a function makes, in order.
    pub fn calls(&self, caller: FunctionId) -> &[CallEdge] {
        &self.edges[self.starts[caller.index()]..self.starts[caller.index() + 1]]
    }

    /// The calls of a function, in order.
    pub fn callers(&self, callee: FunctionId) -> impl Iterator<Item = &CallEdge> {
        self.callers[callee.index()].iter().map(|&position| &self.edges[position])
    }

    /// The calls that could not be resolved: by an address that may come from elsewhere, or of code that nobody can
    /// see.
    pub fn unresolved(&self) -> impl Iterator<Item = &CallEdge> {
        self.edges.iter().filter(|edge| edge.callee.is_none() || edge.kind == CallKind::Guessed)
    }

    /// The calls that a function makes itself and that nobody can see through, in order: each call once.
    pub fn unresolved_in(&self, program: &Program, caller: FunctionId) -> Vec<UnresolvedCall> {
        let mut found: Vec<UnresolvedCall> = Vec::new();
        for edge in self.calls(caller) {
            let (Op::Call(call) | Op::Invoke { call, .. }) =
                &program.functions[caller].instructions[edge.instruction].op
            else {
                continue;
            };
            let callee = match (&call.callee, edge.callee) {
                (Callee::Assembly(_), _) => UnresolvedCallee::Assembly,
                (Callee::Intrinsic(_), _) => UnresolvedCallee::Operation,
                (Callee::Direct(_), Some(callee)) if is_unseen(program, callee) => {
                    UnresolvedCallee::External(callee)
                }
                (Callee::Indirect(_) | Callee::Direct(_), callee) if edge.kind == CallKind::Guessed => {
                    UnresolvedCallee::Pointer(callee.into_iter().collect())
                }
                // The address of a function without a body.
                (Callee::Indirect(_), Some(callee)) if is_unseen(program, callee) => {
                    UnresolvedCallee::External(callee)
                }
                _ => continue,
            };
            match (found.last_mut(), callee) {
                (
                    Some(UnresolvedCall { instruction, callee: UnresolvedCallee::Pointer(known), .. }),
                    UnresolvedCallee::Pointer(more),
                ) if *instruction == edge.instruction => {
                    known.extend(more);
                }
                (_, callee) => {
                    found.push(UnresolvedCall { caller, instruction: edge.instruction, callee });
                }
            }
        }
        found
    }

    fn add_calls(&mut self, program: &Program, effects: &Effects, caller: FunctionId) {
        for (at, instruction) in program.functions[caller].instructions.iter() {
            let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { continue };
            let position = instruction.location.map(|location| program.position(location));
            let edge =
                |callee, kind| CallEdge { caller, callee, instruction: at, position: position.clone(), kind };
            let Some(targets) = effects.targets(program, caller, at) else {
                let unknown = match &call.callee {
                    Callee::Intrinsic(intrinsic) => intrinsic.kind == IntrinsicKind::Unknown,
                    Callee::Assembly(template) => !template.trim().is_empty(),
                    _ => false,
                };
                self.edges.extend(unknown.then(|| edge(None, CallKind::Direct)));
                continue;
            };
            let by_address = if targets.resolved { CallKind::Pointer } else { CallKind::Guessed };
            // A function that is called by its name may call others that it is given, in new threads.
            let kind = |function: Option<FunctionId>| match &call.callee {
                Callee::Direct(callee) if function.is_none_or(|function| function == *callee) => {
                    CallKind::Direct
                }
                _ => by_address,
            };
            if targets.functions.is_empty() {
                self.edges.push(edge(None, kind(None)));
            }
            for function in targets.functions {
                self.edges.push(edge(Some(function), kind(Some(function))));
                let called = &program.functions[function];
                if !called.is_definition() {
                    let handlers = effects.exit_handlers(&called.name).iter();
                    self.edges.extend(handlers.map(|&handler| edge(Some(handler), CallKind::Exit)));
                }
            }
        }
    }
}

/// Whether a function has no body, and what it does is not known by its name.
fn is_unseen(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    !function.is_definition() && !library::is_known(&function.name)
}
