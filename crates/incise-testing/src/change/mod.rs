//! What becomes of a program: changes as people make them, which probably matter, and other ways to say the same.
//! Neither has to be what it is called: the judges tell.
mod part;
mod rewrite;

pub use rewrite::rewrite;
pub(crate) use rewrite::said_otherwise;

use crate::c::{Expression, Function, Program, Statement, Type};
use crate::generate::{Arithmetic, Generator, STEPS, Writer};
use part::{can_change, change_part};

/// How often a change that did not fit is tried anew.
const ATTEMPTS: usize = 40;

/// What was done to a program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mutation {
    /// An operator, a constant, a variable or another part of an expression is another.
    Part,
    /// What is assigned to is another.
    Place,
    /// A statement was added.
    Added,
    /// A statement was added that a condition decides about.
    AddedDecision,
    /// Something that leaves was added, under a condition.
    AddedLeave,
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
    /// What was done if a condition holds is done if it does not, and the other way round; or a case goes on or ends.
    SidesSwapped,
    /// A statement got a condition around it.
    Wrapped,
    /// A statement with blocks was replaced by its first block.
    Unwrapped,
    /// The type of a local is another, or what it starts with.
    Local,
    /// A function that only this version has is called.
    Function,
    /// Another function is in the table.
    Table,
}

impl Mutation {
    pub const ALL: [Self; 17] = {
        use Mutation::*;
        [
            Part,
            Place,
            Added,
            AddedDecision,
            AddedLeave,
            Removed,
            SideRemoved,
            ElseAdded,
            Moved,
            Swapped,
            Negated,
            SidesSwapped,
            Wrapped,
            Unwrapped,
            Local,
            Function,
            Table,
        ]
    };
}

/// Changes a program in one place.
pub fn mutate(program: &mut Program, generator: &mut Generator) -> Option<Mutation> {
    for _ in 0..ATTEMPTS {
        let mutation =
            if generator.random.percent(35) { Mutation::Part } else { generator.random.pick(&Mutation::ALL) };
        if try_once(program, mutation, generator) {
            return Some(mutation);
        }
    }
    None
}

/// Changes a program in this way, if there is a place where that is possible.
pub fn apply(program: &mut Program, mutation: Mutation, generator: &mut Generator) -> bool {
    (0..ATTEMPTS).any(|_| try_once(program, mutation, generator))
}

fn try_once(program: &mut Program, mutation: Mutation, generator: &mut Generator) -> bool {
    let index = chosen_function(program, generator);
    let mut changed = program.clone();
    let fits = match mutation {
        Mutation::Function => add_function(&mut changed, index, generator),
        Mutation::Table => change_table(&mut changed, generator),
        _ => {
            let mut writer = Writer::new(generator, program, index);
            let done = change(mutation, &mut changed.functions[index], &mut writer);
            changed.functions[index].counters = writer.counters;
            done
        }
    };
    let fits = fits.is_some() && changed != *program && changed.functions.iter().all(Function::is_valid);
    if fits {
        *program = changed;
    }
    fits
}

/// Where functions call each other any of them, mostly the entry otherwise.
pub(crate) fn chosen_function(program: &Program, generator: &mut Generator) -> usize {
    let count = program.functions.len();
    let features = &generator.features;
    let any = features.is_deep && features.arithmetic == Arithmetic::Small;
    match features.changes_below {
        true => 1 + generator.random.below(count - 1),
        false if !any && generator.random.percent(60) => 0,
        false => generator.random.below(count),
    }
}

fn change(mutation: Mutation, function: &mut Function, writer: &mut Writer<'_>) -> Option<()> {
    match mutation {
        Mutation::Part => return at_part(function, writer, can_change, change_part),
        Mutation::Local => return change_local(function, writer),
        _ => {}
    }
    let number = writer.below(function.count_blocks());
    let block = function.block_mut(number);
    let added = match mutation {
        Mutation::Added => Some(writer.plain()),
        Mutation::AddedDecision => Some(Statement::If(writer.condition(), vec![writer.plain()], Vec::new())),
        Mutation::AddedLeave => Some(Statement::If(writer.condition(), vec![writer.leave()?], Vec::new())),
        _ => None,
    };
    if let Some(added) = added {
        block.insert(writer.below(block.len() + 1), added);
        return Some(());
    }
    let at = writer.below(block.len().max(1));
    if at >= block.len() {
        return None;
    }
    match mutation {
        Mutation::Removed => drop(block.remove(at)),
        Mutation::Swapped if at + 1 < block.len() => block.swap(at, at + 1),
        Mutation::Wrapped => {
            let inner = block.remove(at);
            block.insert(at, Statement::If(writer.condition(), vec![inner], Vec::new()));
        }
        Mutation::Unwrapped => {
            let inside = block[at].blocks_mut().into_iter().next().map(std::mem::take)?;
            block.splice(at..=at, inside);
        }
        Mutation::Moved => {
            let statement = block.remove(at);
            let number = writer.below(function.count_blocks());
            let target = function.block_mut(number);
            target.insert(writer.below(target.len() + 1), statement);
        }
        _ => return change_statement(mutation, &mut block[at], writer),
    }
    Some(())
}

fn change_statement(mutation: Mutation, statement: &mut Statement, writer: &mut Writer<'_>) -> Option<()> {
    match (mutation, statement) {
        (
            Mutation::Place,
            Statement::Assign(place @ (Expression::Name(..) | Expression::Element(_)), value),
        ) => {
            let points = matches!(value, Expression::Name(kind, _) if *kind != crate::c::Kind::Number);
            *place = if points { return None } else { writer.place() };
        }
        (Mutation::Place, Statement::Step(_, step)) => *step = writer.pick(&STEPS),
        (Mutation::Place, Statement::Loop(each)) => {
            let turns = each.turns()?;
            *turns += if *turns > 2 { -1 } else { 1 };
        }
        (Mutation::SideRemoved, Statement::If(_, then, otherwise)) => {
            if writer.percent(60) && !otherwise.is_empty() { otherwise.clear() } else { then.clear() }
        }
        (Mutation::SideRemoved, Statement::Switch(_, cases, otherwise)) => {
            if writer.percent(30) && otherwise.is_some() {
                *otherwise = None;
            } else {
                cases.remove(writer.below(cases.len()));
            }
        }
        (Mutation::ElseAdded, Statement::If(_, _, otherwise)) if otherwise.is_empty() => {
            otherwise.push(writer.plain());
        }
        (Mutation::Negated, Statement::If(condition, ..)) => {
            let inner = std::mem::replace(condition, Expression::Constant(0));
            *condition = inner.negated();
        }
        (Mutation::SidesSwapped, Statement::If(_, then, otherwise)) => std::mem::swap(then, otherwise),
        (Mutation::SidesSwapped, Statement::Switch(_, cases, _)) => {
            let case = writer.below(cases.len());
            cases[case].falls_through = !cases[case].falls_through;
        }
        _ => return None,
    }
    Some(())
}

/// Does something to one of the parts of expressions that it can be done to.
pub(crate) fn at_part(
    function: &mut Function,
    writer: &mut Writer<'_>,
    fits: impl Fn(&Expression) -> bool,
    act: impl Fn(&mut Expression, &mut Writer<'_>),
) -> Option<()> {
    let mut count = 0;
    function.each_expression(&mut |part| count += usize::from(fits(part)));
    if count == 0 {
        return None;
    }
    let mut left = Some(writer.below(count));
    function.each_expression(&mut |part| {
        if fits(part) && left.is_some() {
            left = left.and_then(|left| left.checked_sub(1));
            if left.is_none() {
                act(part, writer);
            }
        }
    });
    Some(())
}

/// Another type, or another constant to start with. What pointers can point to stays an `int`.
fn change_local(function: &mut Function, writer: &mut Writer<'_>) -> Option<()> {
    use crate::c::Local;
    let at = writer.below(function.locals.len().max(1));
    match function.locals.get_mut(at)? {
        Local::Number(kind, name, _)
            if name != "x" && writer.generator.features.all_types && writer.percent(50) =>
        {
            *kind = writer.pick(&[Type::Short, Type::SignedChar, Type::UnsignedChar, Type::Unsigned]);
        }
        Local::Number(_, _, initial) => *initial = writer.constant(),
        Local::Static(_, initial) | Local::Record(_, initial, _) => *initial = writer.pick(&[1, 3, 7]),
        _ => return None,
    }
    Some(())
}

/// A function that only this version has, and a call of it.
fn add_function(program: &mut Program, caller: usize, generator: &mut Generator) -> Option<()> {
    if !generator.has.calls || !generator.features.is_deep || generator.features.few_inputs {
        return None;
    }
    let added = program.functions.len();
    let function = generator.signature(Program::function_name(program.number, added), true);
    program.functions.push(function);
    generator.fill(program, added);
    let before = program.clone();
    let call = Writer::new(generator, &before, caller).call_statement(added)?;
    let function = &mut program.functions[caller];
    let block = function.block_mut(generator.random.below(before.functions[caller].count_blocks()));
    block.insert(generator.random.below(block.len() + 1), call);
    Some(())
}

/// Another function in the table. Those that are called through it come after all that call them, whichever they are.
fn change_table(program: &mut Program, generator: &mut Generator) -> Option<()> {
    let [first, second] = program.table?;
    let later = first.min(second)..program.functions.len();
    let unary: Vec<usize> = later.filter(|&index| program.functions[index].is_unary()).collect();
    program.table = Some([first, generator.random.pick(&unary)]);
    Some(())
}
