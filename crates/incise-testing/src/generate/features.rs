//! What random programs may contain. A test chooses the kind of programs that it needs.

use crate::random::Random;

/// How a generator makes programs.
#[derive(Clone, Debug)]
pub struct Features {
    /// In how many of a hundred programs something may occur.
    pub chances: Parts<usize>,
    pub arithmetic: Arithmetic,
    /// How many functions there are besides the entry, at least and at most.
    pub functions: (usize, usize),
    /// Whether those functions call each other, or nothing.
    pub is_deep: bool,
    /// How many parameters an entry has: one of these.
    pub parameters: &'static [usize],
    /// How many statements and conditions an entry has: one of these.
    pub sizes: &'static [(usize, usize)],
    /// How deep blocks are nested, and how many statements they have at most.
    pub deepest: usize,
    pub constants: &'static [i32],
    /// Numbers of all types, or of one.
    pub all_types: bool,
    /// `?:` and conditions as values.
    pub choices: bool,
    pub switches: bool,
    /// `break` and `continue`.
    pub jumps: bool,
    /// Global variables that are inputs.
    pub globals: bool,
    /// Only a few low bits of each input count, so that all inputs can be tried.
    pub few_inputs: bool,
    /// Whether programs end. Those that nobody executes need not.
    pub ends: bool,
    /// Whether each statement is marked, so that native runs can be recorded.
    pub marked: bool,
    /// Whether only functions change that the entry may call.
    pub changes_below: bool,
}

/// How numbers are computed with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Values stay small, so that nothing overflows; and expressions are such that clang makes of them the branches
    /// that the text shows.
    Small,
    /// Anything, and it wraps around.
    Wrapping,
}

/// Something for each thing that a program may contain.
#[derive(Clone, Debug, Default)]
pub struct Parts<T> {
    pub loops: T,
    /// Divisions, indices and pointers that can fail.
    pub failures: T,
    pub calls: T,
    /// `abort`, `exit`, and in the middle `return`.
    pub leaves: T,
    pub pointers: T,
    pub arrays: T,
    pub records: T,
    /// Pointers to functions, and tables of them.
    pub callbacks: T,
    pub statics: T,
    pub recursion: T,
    pub output: T,
    /// Most things have nothing to do with each other: a statement works on one variable, from one input.
    pub lanes: T,
}

impl Parts<usize> {
    pub(super) fn draw(&self, random: &mut Random) -> Parts<bool> {
        let mut draw = |chance: usize| random.percent(chance);
        Parts {
            loops: draw(self.loops),
            failures: draw(self.failures),
            calls: draw(self.calls),
            leaves: draw(self.leaves),
            pointers: draw(self.pointers),
            arrays: draw(self.arrays),
            records: draw(self.records),
            callbacks: draw(self.callbacks),
            statics: draw(self.statics),
            recursion: draw(self.recursion),
            output: draw(self.output),
            lanes: draw(self.lanes),
        }
    }
}

impl Features {
    /// Functions of small numbers, with few and simple functions below them: for what is said of single functions.
    pub fn functions() -> Self {
        Self {
            chances: Parts {
                loops: 45,
                failures: 40,
                calls: 35,
                leaves: 100,
                pointers: 20,
                arrays: 25,
                ..Parts::default()
            },
            arithmetic: Arithmetic::Small,
            functions: (1, 2),
            is_deep: false,
            parameters: &[1, 2, 2, 3, 3, 3],
            sizes: &[(3, 2), (5, 4), (8, 6), (11, 8), (14, 10)],
            deepest: 3,
            constants: &[-1, 0, 0, 1, 1, 2, 2, 3, 4],
            all_types: true,
            choices: true,
            switches: true,
            jumps: true,
            globals: true,
            few_inputs: false,
            ends: true,
            marked: true,
            changes_below: false,
        }
    }

    /// Programs of several functions that call each other in all ways: for what is said across calls.
    pub fn programs() -> Self {
        Self {
            chances: Parts {
                loops: 30,
                failures: 35,
                calls: 100,
                leaves: 30,
                pointers: 55,
                arrays: 35,
                records: 40,
                callbacks: 35,
                statics: 25,
                recursion: 20,
                ..Parts::default()
            },
            functions: (2, 5),
            is_deep: true,
            parameters: &[3],
            sizes: &[(4, 2), (5, 2), (6, 3), (8, 4)],
            deepest: 2,
            all_types: false,
            choices: false,
            switches: false,
            jumps: false,
            ..Self::functions()
        }
    }

    /// Programs with so few inputs that all can be tried, and arithmetic of all kinds: for verdicts.
    pub fn few_inputs() -> Self {
        Self {
            chances: Parts {
                loops: 40,
                failures: 40,
                calls: 100,
                leaves: 20,
                arrays: 100,
                output: 25,
                lanes: 50,
                ..Parts::default()
            },
            arithmetic: Arithmetic::Wrapping,
            functions: (0, 2),
            is_deep: true,
            parameters: &[3],
            sizes: &[(4, 2), (5, 3), (7, 4), (9, 5)],
            deepest: 2,
            constants: &[0, 1, 1, 2, 2, 3, 4, 5, 7],
            all_types: false,
            jumps: false,
            few_inputs: true,
            marked: false,
            ..Self::functions()
        }
    }

    /// The same, and only functions change that the entry may call.
    pub fn few_inputs_changed_below() -> Self {
        Self { functions: (1, 2), changes_below: true, ..Self::few_inputs() }
    }

    /// A function of two bytes, whose inputs can all be tried as well.
    pub fn two_bytes() -> Self {
        Self {
            chances: Parts { loops: 100, arrays: 100, ..Parts::default() },
            functions: (0, 0),
            parameters: &[2],
            sizes: &[(2, 3), (4, 4), (6, 5)],
            deepest: 3,
            constants: &[0, 1, 2, 5, 7, 16, 100, 127, 128, 255, -1, -3],
            all_types: true,
            globals: false,
            few_inputs: false,
            ..Self::few_inputs()
        }
    }

    /// Functions that nobody executes: loops need not end, and call what is elsewhere.
    pub fn texts() -> Self {
        Self {
            chances: Parts { loops: 100, calls: 100, leaves: 100, arrays: 100, ..Parts::default() },
            functions: (0, 0),
            parameters: &[2],
            sizes: &[(3, 3), (6, 6), (10, 9), (14, 12)],
            deepest: 3,
            few_inputs: false,
            ends: false,
            ..Self::few_inputs()
        }
    }
}
