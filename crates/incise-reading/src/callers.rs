//! What callers in the program pass: literals, variables with their size, functions.
//!
//! What every caller passes is what comes, if the function cannot be called from elsewhere; otherwise it is evidence
//! that never goes against what the function itself shows.

use crate::flow::Flow;
use crate::locals::LocalNode;
use crate::places::InputPlace;
use crate::summary::Summaries;
use crate::uses::literal;
use incise_ir::{
    Call, Callee, ConstantKind, Function, FunctionId, Linkage, Op, Operand, Program, SourcePosition,
};

/// The most calls that are looked at.
const MOST: usize = 64;

/// What is passed for one parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// A string that stands in the source.
    Literal,
    /// A variable of so many bytes.
    Variable(u64),
    /// A number that stands in the source.
    Number(i64),
    /// A function of the program.
    Function(String),
    /// Anything else.
    Other,
}

/// A call of the function, argument by argument.
pub(crate) struct Caller {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) at: Option<SourcePosition>,
}

/// The callers of a function.
pub(crate) struct Callers {
    pub(crate) list: Vec<Caller>,
    /// Whether there are no others.
    pub(crate) all: bool,
}

/// Finds the calls of a function by its name.
pub(crate) fn callers(program: &Program, entry: FunctionId) -> Callers {
    let address = |kind: &ConstantKind| *kind == ConstantKind::Function(entry);
    let own = program.functions[entry].linkage == Linkage::Internal;
    let mut all = own && !program.constants.iter().any(|(_, constant)| address(&constant.kind));
    let mut list = Vec::new();
    for (id, function) in program.functions.iter() {
        if id == entry || function.model || !calls(function, entry) {
            continue;
        }
        if list.len() >= MOST {
            all = false;
            break;
        }
        let mut flow = Flow::new(program, id, &Summaries::default());
        for at in flow.instructions() {
            let call = match &function.instructions[at].op {
                Op::Call(call) => call,
                Op::Invoke { call, .. } => call,
                _ => continue,
            };
            if call.callee == Callee::Direct(entry) {
                let arguments = arguments(&mut flow, call);
                list.push(Caller { name: function.name.clone(), arguments, at: flow.position(at) });
            }
        }
    }
    Callers { all: all && !list.is_empty(), list }
}

fn calls(function: &Function, entry: FunctionId) -> bool {
    function.instructions.iter().any(|(_, instruction)| match &instruction.op {
        Op::Call(call) => call.callee == Callee::Direct(entry),
        Op::Invoke { call, .. } => call.callee == Callee::Direct(entry),
        _ => false,
    })
}

fn arguments(flow: &mut Flow<'_>, call: &Call) -> Vec<Passed> {
    call.arguments.iter().map(|&argument| passed(flow, argument)).collect()
}

fn passed(flow: &mut Flow<'_>, argument: Operand) -> Passed {
    if let Some(bytes) = literal(flow, argument)
        && bytes.contains(&0)
    {
        return Passed::Literal;
    }
    let node = flow.stripped(flow.node(argument));
    if let LocalNode::Constant(id) = node
        && let ConstantKind::Function(function) = flow.program.constants[id].kind
    {
        return Passed::Function(flow.program.functions[function].name.clone());
    }
    if flow.is_null(argument) && matches!(node, LocalNode::Constant(_)) && is_pointer(flow, argument) {
        return Passed::Other;
    }
    if let Some(number) = flow.constant(node) {
        return Passed::Number(number);
    }
    let Some(place) = flow.origins(node).single_exact() else { return Passed::Other };
    match flow.places.info(place).place {
        InputPlace::Local(local) => match flow.definition(LocalNode::Value(local)) {
            Some(Op::Alloca { ty, count: None, .. }) => Passed::Variable(flow.program.types.size_of(*ty)),
            _ => Passed::Other,
        },
        InputPlace::Global(global) => {
            let ty = flow.program.globals[global].ty;
            Passed::Variable(flow.program.types.size_of(ty))
        }
        _ => Passed::Other,
    }
}

fn is_pointer(flow: &Flow<'_>, operand: Operand) -> bool {
    let ty = flow.program.operand_type(flow.function, operand);
    matches!(flow.program.types.get(ty), incise_ir::Type::Pointer)
}
