//! Changes to a function, as people make them: one operator, one statement, one branch.

use super::generate::{COMPARISONS, Generator, OPERATORS};
use super::tree::{Atom, Condition, FunctionTree, Leaf, STEPS, Statement, Type};

/// How often a mutation that did not fit is tried anew.
const ATTEMPTS: usize = 40;

/// What was done to a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mutation {
    /// An operator, a constant or a variable is another.
    Atom,
    /// A statement was added.
    Added,
    /// A statement was removed, with all that is in it.
    Removed,
    /// One side of a branch was removed.
    SideRemoved,
    /// An `else` was added.
    ElseAdded,
    /// A statement was moved.
    Moved,
    /// Two neighbours changed places.
    Swapped,
    /// A condition is the opposite.
    Negated,
    /// What was done if a condition holds is done if it does not, and the other way round.
    SidesSwapped,
    /// A statement got a condition around it.
    Wrapped,
    /// A statement with blocks was replaced by its first block.
    Unwrapped,
    /// The type of a local is another.
    Type,
}

const MUTATIONS: [Mutation; 16] = [
    Mutation::Atom,
    Mutation::Atom,
    Mutation::Atom,
    Mutation::Atom,
    Mutation::Atom,
    Mutation::Added,
    Mutation::Removed,
    Mutation::SideRemoved,
    Mutation::ElseAdded,
    Mutation::Moved,
    Mutation::Swapped,
    Mutation::Negated,
    Mutation::SidesSwapped,
    Mutation::Wrapped,
    Mutation::Unwrapped,
    Mutation::Type,
];

/// Changes a function in one place. The pieces that it adds are made by the function's own generator, so that they use
/// what is there.
pub(super) fn mutate(tree: &mut FunctionTree, generator: &mut Generator) -> Option<Mutation> {
    for _ in 0..ATTEMPTS {
        let mutation = generator.random.pick(&MUTATIONS);
        let mut changed = tree.clone();
        if apply(mutation, &mut changed, generator).is_some() && changed.is_valid() {
            *tree = changed;
            return Some(mutation);
        }
    }
    None
}

fn apply(mutation: Mutation, tree: &mut FunctionTree, generator: &mut Generator) -> Option<()> {
    if mutation == Mutation::Type {
        // The first is the one that pointers can point to.
        let index = 1 + generator.random.below(tree.locals.len());
        let local = tree.locals.get_mut(index)?;
        local.kind =
            generator.random.pick(&[Type::Short, Type::SignedChar, Type::UnsignedChar, Type::Unsigned]);
        return Some(());
    }
    let blocks = tree.count_blocks();
    let number = generator.random.below(blocks);
    if mutation == Mutation::Atom && number == 0 && generator.random.percent(30) {
        return change_atom(generator, &mut |found| tree.result.atoms(found));
    }
    let block = tree.block_mut(number)?;
    if mutation == Mutation::Added {
        let at = generator.random.below(block.len() + 1);
        let added = if generator.random.percent(75) { generator.plain() } else { wrapped(None, generator) };
        block.insert(at, added);
        return Some(());
    }
    if block.is_empty() {
        return None;
    }
    let at = generator.random.below(block.len());
    match mutation {
        Mutation::Atom => change_atom(generator, &mut |found| block[at].atoms(found)),
        Mutation::Removed => {
            block.remove(at);
            Some(())
        }
        Mutation::SideRemoved => remove_side(&mut block[at], generator),
        Mutation::ElseAdded => match &mut block[at] {
            Statement::If(_, _, otherwise @ None) => {
                *otherwise = Some(vec![generator.plain()]);
                Some(())
            }
            _ => None,
        },
        Mutation::Moved => {
            let statement = block.remove(at);
            let target = tree.block_mut(generator.random.below(tree.count_blocks()))?;
            let at = generator.random.below(target.len() + 1);
            target.insert(at, statement);
            Some(())
        }
        Mutation::Swapped if at + 1 < block.len() => {
            block.swap(at, at + 1);
            Some(())
        }
        Mutation::Negated => match &mut block[at] {
            Statement::If(condition, ..) => {
                let opposite = match &*condition {
                    Condition::Not(inner) => (**inner).clone(),
                    other => Condition::Not(Box::new(other.clone())),
                };
                *condition = opposite;
                Some(())
            }
            _ => None,
        },
        Mutation::SidesSwapped => match &mut block[at] {
            Statement::If(_, then, Some(otherwise)) => {
                std::mem::swap(then, otherwise);
                Some(())
            }
            _ => None,
        },
        Mutation::Wrapped => {
            let inner = block.remove(at);
            block.insert(at, wrapped(Some(inner), generator));
            Some(())
        }
        Mutation::Unwrapped => {
            let inside = block[at].blocks_mut().into_iter().next().map(std::mem::take)?;
            block.splice(at..=at, inside);
            Some(())
        }
        _ => None,
    }
}

fn wrapped(inner: Option<Statement>, generator: &mut Generator) -> Statement {
    let inner = inner.unwrap_or_else(|| generator.plain());
    Statement::If(generator.condition(), vec![inner], None)
}

fn remove_side(statement: &mut Statement, generator: &mut Generator) -> Option<()> {
    match statement {
        Statement::If(_, then, otherwise) => {
            if generator.random.percent(60) && otherwise.is_some() {
                *otherwise = None;
            } else {
                then.clear();
            }
            Some(())
        }
        Statement::Switch(_, cases, otherwise) => {
            if generator.random.percent(30) && otherwise.is_some() {
                *otherwise = None;
            } else {
                cases.remove(generator.random.below(cases.len()));
            }
            Some(())
        }
        _ => None,
    }
}

/// A walk over the atoms of something.
type Walk<'a> = dyn FnMut(&mut dyn FnMut(Atom<'_>)) + 'a;

fn change_atom(generator: &mut Generator, walk: &mut Walk<'_>) -> Option<()> {
    let mut count = 0;
    walk(&mut |_| count += 1);
    if count == 0 {
        return None;
    }
    let wanted = generator.random.below(count);
    let mut index = 0;
    let mut changed = false;
    walk(&mut |atom| {
        if index == wanted {
            changed = change(atom, generator);
        }
        index += 1;
    });
    changed.then_some(())
}

fn change(atom: Atom<'_>, generator: &mut Generator) -> bool {
    match atom {
        Atom::Leaf(leaf) => {
            // What is constant stays constant: the generator counts on it.
            let other = match leaf {
                Leaf::Constant(number) => Leaf::Constant(*number + generator.random.pick(&[-1, 1])),
                _ => generator.variable(),
            };
            let differs = *leaf != other;
            *leaf = other;
            differs
        }
        Atom::Comparison(operator) => another(operator, &COMPARISONS, generator),
        Atom::Operator(operator) => another(operator, &OPERATORS, generator),
        Atom::Division(operator) => another(operator, &["/", "%"], generator),
        Atom::Step(step) => another(step, &STEPS, generator),
        Atom::Number(number) => {
            *number += if *number > 2 { -1 } else { 1 };
            true
        }
        Atom::Object(object) => {
            let other = generator.object();
            let differs = *object != other;
            *object = other;
            differs
        }
        Atom::Junction(condition) => {
            let (both, left, right) = match condition {
                Condition::Both(left, right) => (true, left.clone(), right.clone()),
                Condition::Either(left, right) => (false, left.clone(), right.clone()),
                _ => return false,
            };
            *condition = if both { Condition::Either(left, right) } else { Condition::Both(left, right) };
            true
        }
    }
}

fn another(current: &mut &'static str, choices: &[&'static str], generator: &mut Generator) -> bool {
    let other = generator.random.pick(choices);
    let differs = *current != other;
    *current = other;
    differs
}
