//! The functions of these tests: how their input is carried, and what is done with each of its elements.

/// How a function is given its elements.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carrier {
    /// A pointer and a number of elements.
    Length,
    /// A string.
    Text,
    /// A pointer to the first element and one behind the last.
    Range,
    /// A struct with a pointer and a number of elements.
    Block,
    /// A struct with a number of elements that ends with them.
    Tail,
    /// A pointer and a number of elements, and another pointer with room for a number of elements.
    Copy,
    /// A list.
    List,
    /// A binary tree.
    Tree,
}

impl Carrier {
    pub const ALL: [Self; 8] =
        [Self::Length, Self::Text, Self::Range, Self::Block, Self::Tail, Self::Copy, Self::List, Self::Tree];

    /// Its number in the judge.
    pub fn number(self) -> usize {
        self as usize
    }
}

/// The type of an element.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Element {
    Byte,
    Short,
    Word,
}

impl Element {
    pub const ALL: [Self; 3] = [Self::Byte, Self::Short, Self::Word];

    pub fn bytes(self) -> usize {
        1 << self as usize
    }

    pub fn name(self) -> &'static str {
        ["unsigned char", "unsigned short", "unsigned"][self as usize]
    }
}

/// A function. What makes no difference to what it does is in `style` and in the forms of its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub number: usize,
    pub carrier: Carrier,
    pub element: Element,
    pub start: u32,
    /// The factors of the left and of the right subtree.
    pub factors: [u32; 2],
    pub style: usize,
    pub heads: Vec<Head>,
    pub limit: Limit,
    pub steps: Vec<Step>,
}

/// What is done before the elements are gone over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Head {
    /// With fewer elements there is nothing to do.
    AtLeast { count: usize, result: u32 },
    /// One element is looked at; in a tree, the bits behind the first one lead there.
    Probe { index: usize, value: u32, more: u32 },
}

/// Where the loop ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    All,
    AllButLast,
    /// One too far: only the new version does that.
    Beyond,
    /// Not later than at this element, or below this level of a tree.
    Capped(usize),
}

/// What is done with an element, and in which of several forms it is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub what: What,
    pub form: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    Add,
    Mix,
    Xor(u32),
    When(&'static str, u32, u32),
    At { index: usize, value: u32, more: u32 },
    From { index: usize, more: u32 },
    Stop(u32),
    Give(u32),
    Again(u32),
    Write(u32),
}

impl Function {
    /// The constants that elements are compared with.
    pub fn constants(&self) -> Vec<u32> {
        let heads = self.heads.iter().filter_map(|head| match head {
            Head::Probe { value, .. } => Some(*value),
            Head::AtLeast { .. } => None,
        });
        let steps = self.steps.iter().filter_map(|step| match step.what {
            What::When(_, value, _) | What::Stop(value) | What::Give(value) => Some(value),
            What::At { value, .. } => Some(value),
            _ => None,
        });
        heads.chain(steps).collect()
    }

    pub fn writes(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.what, What::Write(_)))
    }
}
