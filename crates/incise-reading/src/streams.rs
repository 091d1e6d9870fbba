//! Pointers to streams of the C library: what is done with them.

use crate::flow::Flow;
use crate::library;
use crate::null;
use crate::places::pointee;
use crate::summary::{Claim, Fact};
use crate::uses::exact;
use incise_ir::{Call, DebugType, DebugTypeId, InstructionId, Program};

/// The tag of the struct behind `FILE`.
const FILE_TAG: &str = "_IO_FILE";

/// Whether a type is that of a pointer to a stream.
pub(crate) fn is_stream(program: &Program, ty: Option<DebugTypeId>) -> bool {
    let target = pointee(program, ty).and_then(|ty| program.resolve_debug_type(ty));
    target.is_some_and(
        |id| matches!(&program.debug_types[id], DebugType::Composite { name, .. } if name == FILE_TAG),
    )
}

/// A call of something that the program does not define, or that nobody knows: what it does with the streams that it is
/// given.
pub(crate) fn given(flow: &mut Flow<'_>, at: InstructionId, call: &Call, name: &str, facts: &mut Vec<Fact>) {
    let used = library::stream(name);
    if let Some((index, _)) = used
        && let Some(&pointer) = call.arguments.get(index)
    {
        null::dereferenced(flow, at, pointer, facts);
    }
    for (index, &argument) in call.arguments.iter().enumerate() {
        for place in exact(&flow.operand_origins(argument)) {
            if !is_stream(flow.program, flow.places.info(place).ty) {
                continue;
            }
            let read = match used {
                Some((known, read)) if known == index => read,
                _ if library::leaves_stream_alone(name) => continue,
                _ => true,
            };
            facts.push(Fact {
                place,
                claim: Claim::Stream { read },
                words: format!("it is passed to {name}"),
                at: flow.position(at),
            });
        }
    }
}
