//! Where instructions are in the text of their modules, for who puts something before them.

use super::link::{LinkError, ModuleText, link_noting};
use super::reader::Reader;
use incise_ir::{FunctionId, Program};

/// Where the instructions of a function are.
#[derive(Clone, Debug)]
pub struct FunctionText {
    /// The number of its module.
    pub module: usize,
    /// The function.
    pub function: FunctionId,
    /// For each instruction.
    pub instructions: Vec<InstructionText>,
    /// Where its text ends.
    pub end: usize,
}

/// Where an instruction is.
#[derive(Copy, Clone, Debug)]
pub struct InstructionText {
    /// Where it begins.
    pub at: usize,
    /// The pointer that it reads or writes through, with its type, from where to where.
    pub pointer: Option<(usize, usize)>,
}

/// Reads modules into one program, and tells where its instructions are.
pub fn link_with_places(modules: &[ModuleText<'_>]) -> Result<(Program, Vec<FunctionText>), LinkError> {
    let (program, places) = link_noting(modules, Some(Vec::new()))?;
    Ok((program, places.unwrap_or_default()))
}

impl Reader<'_, '_> {
    /// Notes where the function is that was just read.
    pub(super) fn note_places(&mut self, function: FunctionId, end: usize) {
        let Some(places) = &mut self.builder.places else { return };
        let wide = |(from, to): (u32, u32)| (from as usize, to as usize);
        let body = self.body.offsets.iter().zip(&self.body.pointers);
        let text = |(&at, &pointer): (&u32, &Option<(u32, u32)>)| InstructionText {
            at: at as usize,
            pointer: pointer.map(wide),
        };
        let instructions = body.map(text).collect();
        places.push(FunctionText { module: self.state.number, function, instructions, end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_ir::Id;

    const TEXT: &str = "\
@x = global i32 0
define i32 @f(ptr %p) {
entry:
  %0 = load i32, ptr %p, align 4
  store i32 %0, ptr getelementptr (i8, ptr @x, i64 0), align 4
  ret i32 %0
}
declare void @g()
";

    #[test]
    fn instructions_and_their_pointers_are_found_in_the_text() {
        let module = ModuleText { name: "a.ll", text: TEXT.as_bytes() };
        let (program, functions) = link_with_places(&[module]).unwrap();
        let f = functions.iter().find(|each| program.functions[each.function].name == "f").unwrap();
        assert_eq!(f.instructions.len(), program.functions[f.function].instructions.len());
        let starts = |at: usize| TEXT[at..].split(' ').take(3).collect::<Vec<_>>().join(" ");
        let found: Vec<String> = f.instructions.iter().map(|each| starts(each.at)).collect();
        assert_eq!(found, ["%0 = load", "store i32 %0,", "ret i32 %0\n}\ndeclare"]);
        let pointer = |index: usize| f.instructions[index].pointer.map(|(from, to)| &TEXT[from..to]);
        assert_eq!(pointer(0), Some("ptr %p"));
        assert_eq!(pointer(1), Some("ptr getelementptr (i8, ptr @x, i64 0)"));
        assert_eq!(pointer(2), None);
        assert!(f.function.index() < program.functions.len());
    }
}
