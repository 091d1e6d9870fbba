//! Changes of random programs with threads, as people make them: locks that are added, removed and moved, statements
//! that are changed, exchanged, removed and added, threads that are added.

use super::case::{Case, Condition, Op, Variable};
use crate::Random;

/// So often another change is tried where one makes no program.
const TRIES: usize = 60;

/// A program that was changed once or twice; what it does may be the same.
pub fn mutated(case: &Case, random: &mut Random) -> Case {
    let mut changed = case.clone();
    for _ in 0..1 + random.below(2) {
        for _ in 0..TRIES {
            let mut tried = changed.clone();
            change(&mut tried, random);
            if tried.threads.iter().skip(1).all(|ops| is_sound(ops)) {
                changed = tried;
                break;
            }
        }
    }
    changed
}

fn change(case: &mut Case, random: &mut Random) {
    let others = case.threads.len() - 1;
    if random.percent(6) && others < 3 {
        let copied = case.threads[1 + random.below(others)].clone();
        case.threads.push(copied);
        let new = case.threads.len() - 1;
        case.threads[0].insert(others, Op::Create(new));
        *case = case.clone().joining();
        return;
    }
    let thread = 1 + random.below(others);
    let ops = &mut case.threads[thread];
    let at = random.below(ops.len().max(1));
    match random.below(10) {
        0 | 1 => remove_lock(ops, random),
        2 | 3 => add_lock(ops, random),
        4 | 5 if ops.len() > 1 => {
            let at = random.below(ops.len() - 1);
            ops.swap(at, at + 1);
        }
        6 if ops.len() > 1 => drop(ops.remove(at)),
        7 => ops.insert(at, another(random)),
        8 => {
            if let Some(op) = ops.get_mut(at) {
                *op = changed_variable(op);
            }
        }
        _ => {
            if let Some(op) = ops.get_mut(at) {
                *op = changed_number(op, random);
            }
        }
    }
}

/// Takes a lock and the unlock that belongs to it away.
fn remove_lock(ops: &mut Vec<Op>, random: &mut Random) {
    let locks: Vec<usize> = (0..ops.len()).filter(|&at| matches!(ops[at], Op::Lock(_))).collect();
    if locks.is_empty() {
        return;
    }
    let at = random.pick(&locks);
    let Op::Lock(lock) = ops[at] else { return };
    let unlock = (at..ops.len()).find(|&later| matches!(ops[later], Op::Unlock(other) if other == lock));
    if let Some(unlock) = unlock {
        ops.remove(unlock);
    }
    ops.remove(at);
}

/// Puts a lock around some operations.
fn add_lock(ops: &mut Vec<Op>, random: &mut Random) {
    let lock = random.below(super::case::LOCKS);
    let first = random.below(ops.len() + 1);
    let last = first + random.below(ops.len() - first + 1);
    ops.insert(last, Op::Unlock(lock));
    ops.insert(first, Op::Lock(lock));
}

fn another(random: &mut Random) -> Op {
    let number = random.below(3) as i32;
    match random.below(4) {
        0 => Op::Read(Variable::Atomic(random.below(2))),
        1 => Op::Write(Variable::Plain(random.below(2)), number),
        2 => Op::Add(random.below(2), number + 1),
        _ => Op::WriteSum(Variable::Atomic(1), number),
    }
}

/// The same with an atomic variable for a plain one, or the other way round.
fn changed_variable(op: &Op) -> Op {
    let other = |variable: &Variable| match *variable {
        Variable::Atomic(1) => Variable::Plain(1),
        Variable::Plain(number) => Variable::Atomic(number),
        same => same,
    };
    match op {
        Op::Read(variable) => Op::Read(other(variable)),
        // What is compared and exchanged is never symbolic.
        Op::WriteSum(variable, number) if other(variable) != Variable::Atomic(0) => {
            Op::WriteSum(other(variable), *number)
        }
        Op::Write(variable, number) => Op::Write(other(variable), *number),
        same => same.clone(),
    }
}

fn changed_number(op: &Op, random: &mut Random) -> Op {
    let number = random.below(3) as i32;
    match op {
        Op::Write(variable, _) => Op::Write(*variable, number + 1),
        Op::WriteSum(variable, _) => Op::WriteSum(*variable, number),
        Op::WriteInput(variable, _) => Op::WriteInput(*variable, number),
        Op::Add(variable, _) => Op::Add(*variable, number + 1),
        Op::Exchange(variable, _, new) => Op::Exchange(*variable, number, *new),
        Op::Assert(_) => Op::Assert(number),
        Op::ExitIf(_) => Op::ExitIf(number),
        Op::SkipIf(Condition::Register(_), count) => Op::SkipIf(Condition::Register(number), *count),
        Op::SkipIf(Condition::Input(_), count) => Op::SkipIf(Condition::Input(number), *count),
        Op::Await(variable, _) => Op::Await(*variable, number),
        Op::Signal => Op::Broadcast,
        Op::Broadcast => Op::Signal,
        same => same.clone(),
    }
}

/// Whether locks are used as they must be: taken when they are not held, given back when they are, and held by whoever
/// waits. What is skipped must leave them as they are.
fn is_sound(ops: &[Op]) -> bool {
    let (mut held, mut shared) = ([false; super::case::LOCKS], false);
    let mut skipped = false;
    for op in ops {
        if std::mem::take(&mut skipped) && op.is_structural() {
            return false;
        }
        let fine = match *op {
            Op::Lock(lock) => !std::mem::replace(&mut held[lock], true),
            Op::Unlock(lock) => std::mem::replace(&mut held[lock], false),
            Op::TryLock(lock) => !held[lock],
            Op::ReadLock | Op::WriteLock => !std::mem::replace(&mut shared, true),
            Op::UnlockShared => std::mem::replace(&mut shared, false),
            Op::TryReadLock => !shared,
            Op::Wait | Op::TimedWait | Op::WaitWhile(..) => held[0] && !held[1] && !shared,
            Op::SkipIf(..) => {
                skipped = true;
                true
            }
            _ => true,
        };
        if !fine {
            return false;
        }
    }
    !skipped && held == [false; super::case::LOCKS] && !shared && !ops.is_empty()
}
