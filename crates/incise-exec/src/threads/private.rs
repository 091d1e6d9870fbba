//! Local variables that no other thread can come by: their addresses go nowhere.

use incise_ir::{Callee, CastOp, Function, Op, Operand, Program, ValueId};

/// Whether the address of a local variable is only used to read and write it, also by functions that keep no address.
pub(crate) fn is_private(program: &Program, function: &Function, variable: ValueId) -> bool {
    let mut addresses = vec![variable];
    let mut next = 0;
    while let Some(&address) = addresses.get(next) {
        next += 1;
        for (_, instruction) in function.instructions.iter() {
            let mut used = false;
            instruction.op.for_each_operand(|operand| used |= operand == Operand::Value(address));
            if !used {
                continue;
            }
            match goes(program, &instruction.op, address) {
                Goes::Nowhere => {}
                Goes::Away => return false,
                Goes::On => addresses.extend(instruction.result.filter(|result| !addresses.contains(result))),
            }
        }
    }
    true
}

/// Where an address goes in an instruction.
enum Goes {
    Nowhere,
    /// The result leads to the same object.
    On,
    /// Others may have it.
    Away,
}

fn goes(program: &Program, op: &Op, address: ValueId) -> Goes {
    let is = |operand: Operand| operand == Operand::Value(address);
    match op {
        Op::Load { .. } | Op::IntegerCompare { .. } => Goes::Nowhere,
        Op::Store { value, .. } if !is(*value) => Goes::Nowhere,
        Op::AtomicReadModifyWrite { value, .. } if !is(*value) => Goes::Nowhere,
        Op::CompareExchange { expected, replacement, .. } if !is(*expected) && !is(*replacement) => {
            Goes::Nowhere
        }
        Op::ElementPointer { base, terms, .. } if is(*base) && !terms.iter().any(|(index, _)| is(*index)) => {
            Goes::On
        }
        Op::Cast { op: CastOp::Bitcast, .. } => Goes::On,
        Op::Call(call) => match &call.callee {
            Callee::Intrinsic(_) => Goes::On,
            Callee::Direct(function) => {
                let (function, count) = (&program.functions[*function], call.arguments.len());
                let kept = kept_argument(&function.name);
                let given = |at: usize| call.arguments.get(at).is_some_and(|argument| is(*argument));
                let keeps = (0..count).any(|at| given(at) && kept == Some(at));
                let native = crate::native::is_native(&function.name)
                    || super::native::lookup(&function.name).is_some();
                let known = !function.is_definition() && native;
                if known && !keeps { Goes::Nowhere } else { Goes::Away }
            }
            _ => Goes::Away,
        },
        _ => Goes::Away,
    }
}

/// The argument of a native function that is given to others.
fn kept_argument(name: &str) -> Option<usize> {
    match name {
        "pthread_create" => Some(3),
        "thrd_create" => Some(2),
        "pthread_exit" => Some(0),
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "memset" | "__memset_chk" => None,
        "pthread_setspecific" | "tss_set" => Some(1),
        _ => None,
    }
}
