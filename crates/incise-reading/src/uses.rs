//! Goes over a function and hands each instruction to the kind of evidence that it may be.

use crate::flow::{Flow, Origins};
use crate::library::{self, Use};
use crate::room::{How, Limit, Reach, reach};
use crate::summary::{Claim, Fact, Summaries, Summary};
use crate::sums::{Key, Sum};
use crate::{callbacks, counted, ends, enumerations, limits, null, passed, room, streams, text};
use incise_ir::{Call, Callee, Id, InstructionId, IntrinsicKind, Op, Operand, Program, Type, TypeId};

/// What a function shows about its inputs.
pub(crate) fn summarize(mut flow: Flow<'_>, summaries: &Summaries) -> Summary {
    let mut summary = Summary::default();
    let mut facts = Vec::new();
    let mut unlimited = Vec::new();
    let mut compared = Vec::new();
    let addresses = computed_addresses(&flow);
    for at in flow.instructions() {
        match &flow.function.instructions[at].op {
            Op::Load { ty, pointer, .. } => access(&mut flow, at, *pointer, *ty, &mut facts, &mut unlimited),
            Op::Store { value, pointer, .. } => {
                let ty = flow.program.operand_type(flow.function, *value);
                access(&mut flow, at, *pointer, ty, &mut facts, &mut unlimited);
            }
            Op::AtomicReadModifyWrite { pointer, .. } | Op::CompareExchange { pointer, .. } => {
                null::dereferenced(&mut flow, at, *pointer, &mut facts);
            }
            Op::IntegerCompare { .. } => {
                null::compared(&mut flow, at, &mut facts);
                enumerations::compared(&mut flow, at, &mut facts);
                compared.push(at);
            }
            Op::Binary { .. } => {
                enumerations::combined(&mut flow, at, &mut facts);
                compared.push(at);
            }
            Op::ElementPointer { .. } if addresses[at.index()] => address(&mut flow, at, &mut facts),
            Op::Call(call) => called(&mut flow, at, call, summaries, &mut facts),
            Op::Invoke { call, .. } => called(&mut flow, at, call, summaries, &mut facts),
            Op::Switch { .. } => enumerations::switched(&mut flow, at, &mut facts),
            Op::Return(Some(value)) => {
                let origins = flow.operand_origins(*value);
                summary.returned.elsewhere |= origins.elsewhere;
                for origin in origins.list {
                    summary.returned.add(origin);
                }
            }
            _ => {}
        }
    }
    // Which of two pointers is the begin depends on what is dereferenced anywhere.
    for at in compared {
        ends::compared(&mut flow, at, &mut facts);
        ends::subtracted(&mut flow, at, &mut facts);
    }
    limits::limits(&mut flow, &mut facts);
    text::walked(&mut flow, &unlimited, &mut facts);
    counted::counted(&mut flow, &unlimited, &mut facts);
    facts.extend(flow.places.members());
    for fact in facts {
        summary.add(fact);
    }
    summary.places = flow.places;
    summary
}

/// An access to memory of the function itself.
fn access(
    flow: &mut Flow<'_>,
    at: InstructionId,
    pointer: Operand,
    ty: TypeId,
    facts: &mut Vec<Fact>,
    unlimited: &mut Vec<InstructionId>,
) {
    if matches!(pointer, Operand::Value(value) if flow.locals.is_followed(value)) {
        return;
    }
    null::dereferenced(flow, at, pointer, facts);
    let node = flow.node(pointer);
    let address = flow.sum(node);
    let mut end = address.clone();
    end.add = end.add.wrapping_add(flow.program.types.store_size(ty) as i64);
    let used = Reach { end, start: address.add, pointer: node, how: How::Access, at };
    if reach(flow, &used, facts) == Limit::None
        || matches!(address.terms.as_slice(), [(Key::InputPlace(_), _)])
    {
        unlimited.push(at);
    }
}

/// An address that is computed and not used for an access: the end of something.
fn address(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Some(result) = flow.function.instructions[at].result else { return };
    let node = flow.node(Operand::Value(result));
    let end = flow.sum(node);
    let inputs = end.terms.len() == 2 && end.terms.iter().all(|term| matches!(term.0, Key::InputPlace(_)));
    if inputs {
        let used = Reach { start: end.add, end, pointer: node, how: How::Address, at };
        reach(flow, &used, facts);
    }
}

/// For each instruction, whether it makes an address that no access uses and no other address is made of.
fn computed_addresses(flow: &Flow<'_>) -> Vec<bool> {
    let mut used = vec![false; flow.function.values.len()];
    for (_, instruction) in flow.function.instructions.iter() {
        let pointer = match &instruction.op {
            Op::Load { pointer, .. } | Op::Store { pointer, .. } => pointer,
            Op::ElementPointer { base, .. } => base,
            _ => continue,
        };
        if let Operand::Value(value) = pointer {
            used[value.index()] = true;
        }
    }
    flow.function
        .instructions
        .iter()
        .map(|(_, instruction)| {
            matches!(instruction.op, Op::ElementPointer { .. })
                && instruction.result.is_some_and(|result| !used[result.index()])
        })
        .collect()
}

/// A call: of the compiler, of the library, or of the program.
fn called(flow: &mut Flow<'_>, at: InstructionId, call: &Call, summaries: &Summaries, facts: &mut Vec<Fact>) {
    match &call.callee {
        Callee::Intrinsic(it) => {
            let (pointers, name): (&[usize], _) = match it.kind {
                IntrinsicKind::MemoryCopy | IntrinsicKind::MemoryCopyInline => (&[0, 1], "memcpy"),
                IntrinsicKind::MemoryMove => (&[0, 1], "memmove"),
                IntrinsicKind::MemorySet | IntrinsicKind::MemorySetInline => (&[0], "memset"),
                _ => return,
            };
            for &pointer in pointers {
                if let (Some(&pointer), Some(&length)) = (call.arguments.get(pointer), call.arguments.get(2))
                {
                    let length = flow.operand_sum(length);
                    extent(flow, at, pointer, &length, name, facts);
                }
            }
        }
        Callee::Direct(callee) => {
            let function = &flow.program.functions[*callee];
            null::declared(flow, at, call, function, facts);
            if !function.is_definition() || function.model {
                streams::given(flow, at, call, &function.name, facts);
            }
            let uses = library::uses(&function.name);
            if !uses.is_empty() && (!function.is_definition() || function.model) {
                for each in uses {
                    library_use(flow, at, call, &function.name, *each, facts);
                }
            } else if let Some(summary) = summaries.get(*callee) {
                let known = passed::KnownCall { at, call, callee: &function.name, summary };
                passed::passed(flow, &known, facts);
            } else if !function.is_definition() {
                given(flow, at, call, &function.name, facts);
            }
        }
        Callee::Indirect(pointer) => {
            null::dereferenced(flow, at, *pointer, facts);
            callbacks::called(flow, at, *pointer, facts);
            streams::given(flow, at, call, "an unknown function", facts);
            given(flow, at, call, "an unknown function", facts);
        }
        Callee::Assembly(_) => {}
    }
}

/// A function that nobody can see into is given bytes and, next to them, their number.
fn given(flow: &mut Flow<'_>, at: InstructionId, call: &Call, callee: &str, facts: &mut Vec<Fact>) {
    for pair in call.arguments.windows(2) {
        let [pointer, length] = *pair else { continue };
        let is_pointer = |operand: Operand| {
            let ty = flow.program.operand_type(flow.function, operand);
            matches!(flow.program.types.get(ty), Type::Pointer)
        };
        if !is_pointer(pointer) || is_pointer(length) {
            continue;
        }
        let (address, length) = (flow.operand_sum(pointer), flow.operand_sum(length));
        let end = address.plus(&length, 1);
        let &[(Key::InputPlace(one), 1), (Key::InputPlace(other), 1)] = end.terms.as_slice() else {
            continue;
        };
        let (bytes, number) = match [one, other].map(|place| flow.is_pointer(Key::InputPlace(place))) {
            [true, false] => (one, other),
            [false, true] => (other, one),
            _ => continue,
        };
        // What moves together, `p + used` and `room - used`, belongs together; else the name has to tell.
        let moves = address.terms.len() > 1;
        if room::is_bytes(flow, bytes) && (moves || room::is_named_length(flow, number)) {
            extent(flow, at, pointer, &length, callee, facts);
        }
    }
}

fn library_use(
    flow: &mut Flow<'_>,
    at: InstructionId,
    call: &Call,
    name: &str,
    each: Use,
    facts: &mut Vec<Fact>,
) {
    let argument = |index: usize| call.arguments.get(index).copied();
    match each {
        Use::Text(index) => {
            if let Some(pointer) = argument(index) {
                text::passed(flow, at, pointer, name, facts);
            }
        }
        Use::Beginning(index) => {
            if let Some(pointer) = argument(index) {
                text::begins(flow, at, pointer, name, facts);
            }
        }
        Use::Format(format, first) => {
            let Some(format) = argument(format).and_then(|format| literal(flow, format)) else { return };
            for value in library::strings_of_format(&format) {
                if let Some(pointer) = argument(first + value) {
                    text::passed(flow, at, pointer, &format!("{name} for %s"), facts);
                }
            }
        }
        Use::Leads(index) => {
            if let Some(pointer) = argument(index) {
                null::dereferenced(flow, at, pointer, facts);
            }
        }
        Use::Bytes(pointer, length) | Use::Wide(pointer, length) => {
            let (Some(pointer), Some(length)) = (argument(pointer), argument(length)) else { return };
            let times = if matches!(each, Use::Wide(..)) { 4 } else { 1 };
            let length = Sum::default().plus(&flow.operand_sum(length), times);
            extent(flow, at, pointer, &length, name, facts);
        }
        Use::Product(pointer, first, second) => {
            let (Some(pointer), Some(first), Some(second)) =
                (argument(pointer), argument(first), argument(second))
            else {
                return;
            };
            let (first, second) = (flow.operand_sum(first), flow.operand_sum(second));
            let length = match (first.constant(), second.constant()) {
                (_, Some(times)) => Sum::default().plus(&first, times),
                (Some(times), None) => Sum::default().plus(&second, times),
                _ => return null::dereferenced(flow, at, pointer, facts),
            };
            extent(flow, at, pointer, &length, name, facts);
        }
        Use::Freed(index) => {
            let Some(pointer) = argument(index) else { return };
            for place in exact(&flow.operand_origins(pointer)) {
                facts.push(Fact {
                    place,
                    claim: Claim::Allocated,
                    words: format!("it is passed to {name}"),
                    at: flow.position(at),
                });
            }
        }
    }
}

/// A pointer that is passed with a length in bytes.
pub(crate) fn extent(
    flow: &mut Flow<'_>,
    at: InstructionId,
    pointer: Operand,
    length: &Sum,
    name: &str,
    facts: &mut Vec<Fact>,
) {
    null::dereferenced(flow, at, pointer, facts);
    let node = flow.node(pointer);
    let address = flow.sum(node);
    let used = Reach {
        end: address.plus(length, 1),
        start: address.add,
        pointer: node,
        how: How::Passed(name.to_owned()),
        at,
    };
    reach(flow, &used, facts);
}

/// The places whose value it may be, unmoved.
pub(crate) fn exact(origins: &Origins) -> Vec<crate::places::PlaceId> {
    origins.list.iter().filter(|origin| origin.is_exact()).map(|origin| origin.place).collect()
}

/// The bytes of a constant that a pointer leads to the start of.
pub(crate) fn literal(flow: &Flow<'_>, operand: Operand) -> Option<Vec<u8>> {
    let crate::locals::LocalNode::Constant(id) = flow.node(operand) else { return None };
    literal_of(flow.program, id)
}

pub(crate) fn literal_of(program: &Program, id: incise_ir::ConstantId) -> Option<Vec<u8>> {
    use incise_ir::ConstantKind;
    let ConstantKind::Global(global) = program.constants[id].kind else { return None };
    let global = &program.globals[global];
    let initializer = &program.constants[global.initializer.filter(|_| global.constant)?];
    match &initializer.kind {
        ConstantKind::Bytes(bytes) => Some(bytes.to_vec()),
        // The empty string.
        ConstantKind::Zero => match program.types.get(initializer.ty) {
            Type::Array { length, .. } => Some(vec![0; usize::try_from(*length).ok()?.min(4096)]),
            _ => None,
        },
        _ => None,
    }
}
