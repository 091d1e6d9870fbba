//! What declarations and callers say of parameters, beside what the function itself shows.

use crate::callers::{Caller, Callers, Passed, callers};
use crate::declared::add_declared;
use crate::model::{Evidence, Reading, Source, Taken, Unit, What};
use crate::places::{Places, pointee, size};
use incise_ir::{DebugType, DebugTypeId, Encoding, FunctionId, Program, SourcePosition};

/// A parameter as the source declares it.
pub(crate) struct Declared {
    index: usize,
    pub(crate) name: String,
    pub(crate) ty: Option<DebugTypeId>,
    /// The bytes of an element, where it is a pointer.
    pub(crate) element: u64,
}

/// Adds what declarations and callers say to a reading.
pub(crate) fn combine(program: &Program, entry: FunctionId, reading: &mut Reading) {
    let parameters = declared(program, entry);
    for parameter in &parameters {
        attributes(program, entry, parameter, reading);
    }
    add_declared(program, entry, &parameters, reading);
    let callers = callers(program, entry);
    if !callers.list.is_empty() {
        for parameter in &parameters {
            pointer_from_callers(program, parameter, &parameters, &callers, reading);
            number_from_callers(parameter, &callers, reading);
            functions_from_callers(parameter, &callers, reading);
        }
    }
    reading.parts.sort_by_key(|taken| {
        let root = crate::containers::root(&taken.input);
        parameters.iter().position(|parameter| parameter.name == root).unwrap_or(usize::MAX)
    });
}

fn declared(program: &Program, entry: FunctionId) -> Vec<Declared> {
    let function = &program.functions[entry];
    let mut places = Places::default();
    let mut found = Vec::new();
    for (index, parameter) in function.parameters.iter().enumerate() {
        if parameter.by_value.is_some() || parameter.struct_return {
            continue;
        }
        let place = places.parameter(function, index as u32);
        let info = places.info(place);
        found.push(Declared {
            index,
            name: info.name.clone().unwrap_or_default(),
            ty: info.ty,
            element: size(program, pointee(program, info.ty)),
        });
    }
    found
}

/// What the declaration of a parameter says.
fn attributes(program: &Program, entry: FunctionId, declared: &Declared, reading: &mut Reading) {
    let parameter = &program.functions[entry].parameters[declared.index];
    let bytes = parameter.dereferenceable;
    if !parameter.non_null && bytes == 0 {
        return;
    }
    let words = match bytes {
        0 => "it is declared nonnull".to_owned(),
        bytes => format!("it is declared to lead to {bytes} bytes"),
    };
    reading.checked.remove(&declared.name);
    add(reading, &declared.name, What::NotNull, Source::Attribute, &words, None);
    let least = bytes / declared.element.max(1);
    if least > 1 && !tells_size(reading, &declared.name) {
        add(reading, &declared.name, What::Elements { least, most: None }, Source::Attribute, &words, None);
    }
}

pub(crate) fn add(
    reading: &mut Reading,
    input: &str,
    what: What,
    source: Source,
    words: &str,
    place: Option<SourcePosition>,
) {
    if reading.parts.iter().any(|taken| taken.input == input && taken.what == what) {
        return;
    }
    let evidence = Evidence { source, words: words.to_owned(), place };
    reading.parts.push(Taken { input: input.to_owned(), what, evidence });
}

/// Whether it is known how much a pointer leads to.
fn tells_size(reading: &Reading, name: &str) -> bool {
    reading.parts.iter().any(|taken| match &taken.what {
        What::Text | What::Room { .. } => taken.input == name,
        What::EndOf { begin } => begin == name || taken.input == name,
        _ => false,
    })
}

/// What callers pass for a pointer: strings, variables, variables with their size.
fn pointer_from_callers(
    program: &Program,
    declared: &Declared,
    parameters: &[Declared],
    callers: &Callers,
    reading: &mut Reading,
) {
    let there = |caller: &&Caller| {
        matches!(caller.arguments.get(declared.index), Some(Passed::Literal | Passed::Variable(_)))
    };
    let Some(first) = callers.list.iter().find(there) else { return };
    let words = |what: &str| format!("{} passes {what}", first.name);
    if !callers.list.iter().all(|caller| there(&caller)) {
        return;
    }
    // A check says that null means something, unless nobody can pass it.
    if callers.all || !reading.checked.contains(&declared.name) {
        reading.checked.remove(&declared.name);
        let words = words("an address");
        add(reading, &declared.name, What::NotNull, Source::Caller, &words, first.at.clone());
    }
    if tells_size(reading, &declared.name) {
        return;
    }
    let literal = |caller: &Caller| caller.arguments.get(declared.index) == Some(&Passed::Literal);
    if callers.list.iter().all(literal) && is_character(program, declared.ty) {
        reading
            .parts
            .retain(|taken| taken.input != declared.name || !matches!(taken.what, What::Elements { .. }));
        add(reading, &declared.name, What::Text, Source::Caller, &words("a string"), first.at.clone());
        return;
    }
    if let Some((number, unit)) = sized_by(declared, parameters, callers) {
        let what = What::Room { number, unit, more: 0 };
        add(
            reading,
            &declared.name,
            what,
            Source::Caller,
            &words("a variable with its size"),
            first.at.clone(),
        );
        return;
    }
    let bytes = callers.list.iter().map(|caller| match caller.arguments.get(declared.index) {
        Some(Passed::Variable(bytes)) => *bytes,
        _ => 0,
    });
    let least = bytes.min().unwrap_or(0) / declared.element.max(1);
    if least > 1 && declared.element > 0 {
        let what = What::Elements { least, most: None };
        add(reading, &declared.name, what, Source::Caller, &words("a variable"), first.at.clone());
    }
}

/// The parameter for which every caller passes the size of the variable that it passes for a pointer.
fn sized_by(declared: &Declared, parameters: &[Declared], callers: &Callers) -> Option<(String, Unit)> {
    for other in parameters.iter().filter(|other| other.index != declared.index) {
        for (unit, bytes) in [(Unit::Elements, declared.element), (Unit::Bytes, 1)] {
            let fits = callers.list.iter().all(|caller| {
                match (caller.arguments.get(declared.index), caller.arguments.get(other.index)) {
                    (Some(Passed::Variable(size)), Some(Passed::Number(number))) => {
                        bytes > 0 && *number > 1 && u64::try_from(*number).is_ok_and(|it| it * bytes == *size)
                    }
                    _ => false,
                }
            });
            if fits {
                return Some((other.name.clone(), unit));
            }
        }
    }
    None
}

/// What callers pass for a number, if there are no others: constants.
fn number_from_callers(declared: &Declared, callers: &Callers, reading: &mut Reading) {
    if !callers.all {
        return;
    }
    let mut numbers = Vec::new();
    for caller in &callers.list {
        match caller.arguments.get(declared.index) {
            Some(Passed::Number(number)) => numbers.push(i128::from(*number)),
            _ => return,
        }
    }
    if let (Some(&low), Some(&high)) = (numbers.iter().min(), numbers.iter().max()) {
        let words = format!("{} passes it", callers.list[0].name);
        let place = callers.list[0].at.clone();
        add(reading, &declared.name, What::Range { low, high }, Source::Caller, &words, place);
    }
}

/// The functions that callers pass.
fn functions_from_callers(declared: &Declared, callers: &Callers, reading: &mut Reading) {
    let mut passed: Vec<String> = Vec::new();
    let mut others = !callers.all;
    for caller in &callers.list {
        match caller.arguments.get(declared.index) {
            Some(Passed::Function(name)) if !passed.contains(name) => passed.push(name.clone()),
            Some(Passed::Function(_)) => {}
            _ => others = true,
        }
    }
    passed.sort();
    for taken in &mut reading.parts {
        if taken.input == declared.name
            && let What::Calls { functions, unknown } = &mut taken.what
        {
            *unknown = others;
            *functions = std::mem::take(&mut passed);
        }
    }
}

fn is_character(program: &Program, ty: Option<DebugTypeId>) -> bool {
    let target = pointee(program, ty).and_then(|ty| program.resolve_debug_type(ty));
    target.is_some_and(|id| {
        matches!(
            program.debug_types[id],
            DebugType::Basic { encoding: Encoding::SignedChar | Encoding::UnsignedChar, bits: 8, .. }
        )
    })
}
