//! Instructions as numbers: the function, and either the number of a place in it or, for an instruction at which a
//! program only ever ends, that of the instruction.

use incise_ir::places::{place_number, places};
use incise_ir::{Function, FunctionId, Id, InstructionId, Program};
use incise_report::{Schedule, Site};

/// Functions are counted from 1, so that no site is 0.
fn number(function: FunctionId, low: u64) -> u64 {
    (function.index() as u64 + 1) << 32 | low
}

/// The number of a place of a function.
pub(super) fn of_place(function: FunctionId, place: usize) -> u64 {
    number(function, place as u64 * 2)
}

/// The number of an instruction that is none.
pub(super) fn of_instruction(function: FunctionId, instruction: u32) -> u64 {
    number(function, u64::from(instruction) * 2 + 1)
}

/// The functions of a symbol that have a body, in order.
fn named<'p>(program: &'p Program, name: &str) -> impl Iterator<Item = (FunctionId, &'p Function)> {
    let name = name.to_owned();
    program.functions.iter().filter(move |(_, function)| function.name == name && function.is_definition())
}

/// The function of a site.
pub(super) fn function_of<'p>(program: &'p Program, site: &Site) -> Option<(FunctionId, &'p Function)> {
    named(program, &site.function).nth(site.same_named as usize)
}

/// The function of the program that a function of another text of it is.
pub(crate) fn counterpart(program: &Program, other: &Program, function: FunctionId) -> Option<FunctionId> {
    let name = &other.functions[function].name;
    let number = named(other, name).position(|(id, _)| id == function)?;
    named(program, name).nth(number).map(|(id, _)| id)
}

/// The number of a site; the error says why it has none.
pub(super) fn of_site(program: &Program, site: &Site) -> Result<u64, String> {
    let (id, function) = function_of(program, site)
        .ok_or_else(|| format!("the schedule has a step in {}, which is not there", site.function))?;
    if site.instruction as usize >= function.instructions.len() {
        return Err(format!("the schedule has a step in {} that is not there", site.function));
    }
    Ok(match place_number(program, function, site.instruction) {
        Some(place) => of_place(id, place as usize),
        None => of_instruction(id, site.instruction),
    })
}

/// What the runtime says, with the places in it as people know them: `@FUNCTION.NUMBER` is such a place, and `step
/// NUMBER: ` at the beginning is one of the schedule.
pub(crate) fn in_words(program: &Program, schedule: Option<&Schedule>, text: &str) -> String {
    let mut words = String::new();
    let step = text.strip_prefix("step ").and_then(|rest| rest.split_once(": "));
    let known = step.and_then(|(number, rest)| {
        let index = number.parse::<usize>().ok()?.checked_sub(1)?;
        Some((number, rest, schedule?.steps.get(index)?))
    });
    let text = match known {
        Some((number, rest, step)) => {
            let place = step.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            let object = step.object.as_ref().map_or_else(String::new, |object| format!(" {object}"));
            words = format!("at step {number} (thread {}: {}{object}{place}) ", step.thread, step.event);
            rest
        }
        None => text,
    };
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        words.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let first = digits(after);
        let second = after.get(first + 1..).map_or(0, digits);
        let numbers = after[..first]
            .parse::<u64>()
            .ok()
            .zip(after.get(first + 1..first + 1 + second).and_then(|text| text.parse::<u64>().ok()));
        match numbers {
            Some((function, low)) => {
                words.push_str(&place(program, function, low));
                rest = &after[first + 1 + second..];
            }
            None => {
                words.push('@');
                rest = after;
            }
        }
    }
    words.push_str(rest);
    words
}

fn place(program: &Program, function: u64, low: u64) -> String {
    let index = (function as usize).wrapping_sub(1);
    if index >= program.functions.len() {
        return "the end of the program".to_owned();
    }
    let function = &program.functions[FunctionId::from_index(index)];
    let instruction = match low % 2 {
        0 => places(program, function).get(low as usize / 2).map(|(id, _)| *id),
        _ => Some(InstructionId::from_index(low as usize / 2)),
    };
    let location = instruction
        .filter(|id| id.index() < function.instructions.len())
        .and_then(|id| function.instructions[id].location);
    match location.map(|location| program.position(location)) {
        Some(position) => format!("{}:{} (in {})", position.file, position.line, function.name),
        None => format!("a place in {}", function.name),
    }
}
