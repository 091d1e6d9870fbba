//! Changes of programs with threads: locks added, removed and moved; statements changed, exchanged, added, deleted;
//! threads added.

use super::{Concurrent, LOCKS, Op, SEMAPHORES, VARIABLES, access, condition};
use crate::Random;

/// Changes one thing; now and then nothing.
pub(super) fn change(program: &mut Concurrent, random: &mut Random) {
    if random.percent(8) {
        let ops = (0..1 + random.below(3)).map(|_| access(random)).collect();
        program.threads.push(ops);
        let at = random.below(program.main.len() + 1);
        program.main.insert(at, Op::Create(program.threads.len() - 1));
        return;
    }
    let lists = 1 + program.threads.len() + program.helpers.len();
    let list = match random.below(lists) {
        0 => &mut program.main,
        at if at <= program.threads.len() => &mut program.threads[at - 1],
        at => &mut program.helpers[at - 1 - program.threads.len()],
    };
    match random.below(11) {
        0 | 1 => modify(list, random),
        2 | 3 if list.len() > 1 => {
            let at = random.below(list.len() - 1);
            if !starts_before(&list[at], &list[at + 1]) {
                list.swap(at, at + 1);
            }
        }
        4 => {
            let at = random.below(list.len() + 1);
            list.insert(at, access(random));
        }
        5 => remove(list, random),
        6 => {
            let lock = random.below(LOCKS);
            let (from, to) = (random.below(list.len() + 1), random.below(list.len() + 1));
            list.insert(from.max(to), Op::Unlock(lock));
            list.insert(from.min(to), Op::Lock(lock));
        }
        7 => remove_lock(list, random),
        8 => {
            let at = random.below(list.len() + 1);
            let semaphore = random.below(SEMAPHORES);
            list.insert(at, if random.percent(60) { Op::Post(semaphore) } else { Op::Take(semaphore) });
        }
        9 if list.len() > 2 => {
            // Further than to the neighbour.
            let (from, to) = (random.below(list.len()), random.below(list.len()));
            if !matches!(list[from], Op::Create(_) | Op::Join(_)) {
                let op = list.remove(from);
                list.insert(to.min(list.len()), op);
            }
        }
        _ => modify(list, random),
    }
}

/// Whether two statements must stay in their order: a thread is not waited for before it is started.
fn starts_before(first: &Op, second: &Op) -> bool {
    matches!((first, second), (Op::Create(one), Op::Join(other)) if one == other)
}

fn modify(list: &mut [Op], random: &mut Random) {
    if list.is_empty() {
        return;
    }
    let at = random.below(list.len());
    let number = random.below(3) as i32;
    match &mut list[at] {
        Op::Read(variable) | Op::CallWith(_, variable) => *variable = random.below(VARIABLES),
        Op::Write(variable, known) | Op::WriteSum(variable, known) | Op::WriteInput(variable, known) => {
            match random.percent(50) {
                true => *variable = random.below(VARIABLES),
                false => *known = number,
            }
        }
        Op::Compute(known) | Op::Assert(known) => *known = number + 2,
        Op::Await(variable, known) => (*variable, *known) = (random.below(VARIABLES), number),
        Op::Lock(lock) | Op::Unlock(lock) => *lock = random.below(LOCKS),
        Op::Post(semaphore) | Op::Take(semaphore) => *semaphore = random.below(SEMAPHORES),
        Op::If(known, inner) => match random.percent(50) {
            true => *known = condition(random),
            false => modify(inner, random),
        },
        Op::Arrive | Op::Call(_) | Op::Create(_) | Op::Join(_) => {}
    }
}

fn remove(list: &mut Vec<Op>, random: &mut Random) {
    if list.is_empty() {
        return;
    }
    let at = random.below(list.len());
    if !matches!(list[at], Op::Create(_) | Op::Lock(_) | Op::Unlock(_)) {
        list.remove(at);
    }
}

/// Takes the first lock away, with its unlock or, rarely, without.
fn remove_lock(list: &mut Vec<Op>, random: &mut Random) {
    let Some(at) = list.iter().position(|op| matches!(op, Op::Lock(_))) else { return modify(list, random) };
    let Op::Lock(lock) = list.remove(at) else { return };
    let end = list.iter().position(|op| *op == Op::Unlock(lock));
    if let Some(end) = end.filter(|_| random.percent(95)) {
        list.remove(end);
    }
}
