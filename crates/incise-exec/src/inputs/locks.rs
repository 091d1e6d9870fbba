//! Locks in inputs: they begin as they are initialised, and nobody holds them.
//!
//! What a lock holds is nobody's business but that of the functions for it, and a function that is given one relies on
//! it. Semaphores and barriers have counts that their functions cannot tell; they stay what they are.

use crate::inputs::input::Leaf;
use crate::inputs::maker::InputMaker;
use crate::memory::Object;
use incise_ir::{DebugType, DebugTypeId, Program};

/// How deep types may nest.
const DEPTH: u32 = 24;
/// The most locks of one element.
const MOST: usize = 4096;

/// A lock in a type: where, how many bytes, and the number that it begins with.
#[derive(Copy, Clone, Debug)]
struct Lock {
    offset: u64,
    bytes: u64,
    first: u8,
}

impl Lock {
    fn byte(self, at: u64) -> Option<u8> {
        let within = (self.offset..self.offset + self.bytes).contains(&at);
        within.then_some(if at == self.offset { self.first } else { 0 })
    }
}

/// The number that a lock of a type of that name begins with.
fn first_of(name: &str) -> Option<u8> {
    match name {
        "pthread_mutex_t" | "pthread_cond_t" | "pthread_rwlock_t" | "pthread_once_t" => Some(0),
        "mtx_t" | "cnd_t" | "once_flag" => Some(0),
        "pthread_spinlock_t" => Some(1),
        _ => None,
    }
}

/// Whether a type is that of a lock, and of nothing else.
pub fn is_lock(program: &Program, id: DebugTypeId) -> bool {
    let mut found = Vec::new();
    find(program, id, 0, 0, &mut found);
    matches!(found.as_slice(), [lock] if lock.offset == 0 && bytes_of(program, id) == Some(lock.bytes))
}

/// The bytes of a type.
fn bytes_of(program: &Program, id: DebugTypeId) -> Option<u64> {
    Some(match &program.debug_types[program.resolve_debug_type(id)?] {
        DebugType::Basic { bits, .. }
        | DebugType::Composite { bits, .. }
        | DebugType::Enumeration { bits, .. } => bits / 8,
        DebugType::Pointer(_) => 8,
        DebugType::Array { element, counts } => {
            let count = counts.iter().map(|count| count.unwrap_or(0)).product::<u64>();
            bytes_of(program, *element)?.checked_mul(count)?
        }
        _ => return None,
    })
}

fn find(program: &Program, id: DebugTypeId, offset: u64, depth: u32, found: &mut Vec<Lock>) {
    if depth > DEPTH || found.len() >= MOST {
        return;
    }
    match &program.debug_types[id] {
        DebugType::Typedef { name, target } => match first_of(name) {
            Some(first) => {
                let bytes = bytes_of(program, id).unwrap_or(0);
                found.push(Lock { offset, bytes, first });
            }
            None => target.iter().for_each(|&target| find(program, target, offset, depth + 1, found)),
        },
        DebugType::Qualified { target, .. } => {
            target.iter().for_each(|&target| find(program, target, offset, depth + 1, found));
        }
        DebugType::Composite { members, union: false, .. } => {
            for member in members.iter().filter(|member| !member.bit_field) {
                find(program, member.ty, offset + member.offset_bits / 8, depth + 1, found);
            }
        }
        DebugType::Array { element, counts } => {
            let count = counts.iter().map(|count| count.unwrap_or(0)).product::<u64>();
            let Some(stride) = bytes_of(program, *element) else { return };
            let before = found.len();
            find(program, *element, offset, depth + 1, found);
            let of_one: Vec<Lock> = found[before..].to_vec();
            for index in (1..count).take(MOST) {
                let next = |lock: &Lock| Lock { offset: lock.offset + index * stride, ..*lock };
                found.extend(of_one.iter().map(next));
                if of_one.is_empty() || found.len() >= MOST {
                    return;
                }
            }
        }
        _ => {}
    }
}

impl InputMaker<'_> {
    /// Gives the locks of an input that was made of an object from some byte on what they begin with.
    pub(crate) fn locks_begin_free(&mut self, object: &Object, offset: u64, leaves: &mut [Leaf]) {
        if self.config.threads.is_none() {
            return;
        }
        let Some(id) = object.info.debug_type else { return };
        let mut locks = Vec::new();
        find(self.program, id, 0, 0, &mut locks);
        let stride = bytes_of(self.program, id).unwrap_or(0).max(1);
        if locks.is_empty() {
            return;
        }
        for leaf in leaves {
            // There may be several elements of the type.
            let at = (offset + leaf.offset) % stride;
            let bytes = (0..u64::from(leaf.bytes)).map(|byte| {
                locks
                    .iter()
                    .find_map(|lock| lock.byte(at + byte))
                    .map(|value| u128::from(value) << (8 * byte))
            });
            if let Some(bytes) = bytes.collect::<Option<Vec<u128>>>() {
                leaf.expr = self.exprs.constant(bytes.iter().sum(), leaf.bytes * 8);
            }
        }
    }
}
