//! Random functions, changes that matter at some size or depth, and other ways to say the same.

use super::model::{Carrier, Element, Function, Head, Limit, Step, What};
use crate::random::Random;

/// Planted differences are at most here.
const FURTHEST: usize = 11;

pub struct Generator {
    pub random: Random,
    carrier: Carrier,
}

impl Generator {
    pub fn new(mut random: Random) -> Self {
        let carrier = random.pick(&Carrier::ALL);
        Self { random, carrier }
    }

    pub fn function(&mut self, number: usize) -> Function {
        let carrier = self.carrier;
        let linked = matches!(carrier, Carrier::List | Carrier::Tree);
        let element = match carrier {
            Carrier::Text => Element::Byte,
            _ if linked => Element::Word,
            _ => self.random.pick(&[Element::Byte, Element::Byte, Element::Short, Element::Word]),
        };
        let mut steps: Vec<Step> = (0..1 + self.random.below(2)).map(|_| self.step(false)).collect();
        if self.random.percent(35) {
            let branching = self.step(true);
            steps.insert(self.random.below(steps.len() + 1), branching);
        }
        let heads = if self.random.percent(30) { vec![self.head()] } else { Vec::new() };
        Function {
            number,
            carrier,
            element,
            start: self.random.below(4) as u32,
            factors: [3, 5],
            style: self.random.below(4),
            heads,
            limit: Limit::All,
            steps,
        }
    }

    fn value(&mut self) -> u32 {
        match self.carrier {
            Carrier::Text => 97 + self.random.below(5) as u32,
            _ if self.random.percent(15) => self.random.pick(&[100, 200, 255]),
            _ => self.random.below(10) as u32,
        }
    }

    fn index(&mut self) -> usize {
        match self.carrier {
            Carrier::Tree => self.random.below(4),
            Carrier::List => self.random.below(7),
            _ => self.random.below(FURTHEST + 1),
        }
    }

    fn more(&mut self) -> u32 {
        1 + self.random.below(9) as u32
    }

    fn step(&mut self, branching: bool) -> Step {
        let (value, more) = (self.value(), self.more());
        let tree = self.carrier == Carrier::Tree;
        let what = match (branching, self.random.below(4)) {
            (false, 0) => What::Mix,
            (false, 1) => What::Xor(more),
            (false, 2) if !tree && self.carrier != Carrier::Text && self.random.percent(30) => {
                What::Write(more)
            }
            (false, _) => What::Add,
            (true, 0) if !tree => What::Stop(value),
            (true, 1) if !tree => What::Give(value),
            (true, 2) if !tree => What::Again(more),
            (true, _) => What::When(self.random.pick(&["==", "<", ">", "!="]), value, more),
        };
        Step { what, form: self.random.below(6) }
    }

    fn head(&mut self) -> Head {
        let (value, more) = (self.value(), self.more());
        match self.carrier {
            Carrier::Tree => Head::Probe { index: 1 + self.random.below(15), value, more },
            Carrier::List if self.random.percent(40) => {
                Head::AtLeast { count: self.random.below(3), result: more }
            }
            Carrier::List => Head::Probe { index: self.random.below(4), value, more },
            _ if self.random.percent(40) => Head::AtLeast { count: 1 + self.random.below(6), result: more },
            _ => Head::Probe { index: self.index(), value, more },
        }
    }

    /// Changes something that probably matters, for inputs that are large or deep enough.
    pub fn change(&mut self, function: &mut Function) {
        let (value, more, index) = (self.value(), self.more(), self.index());
        let at = self.random.below(function.steps.len() + 1);
        let form = self.random.below(6);
        match self.random.below(10) {
            0..3 => function.steps.insert(at, Step { what: What::At { index, value, more }, form }),
            3 => function.steps.insert(at, Step { what: What::From { index, more }, form }),
            4 => self.change_step(function),
            5 => self.change_steps(function),
            6 => function.limit = Limit::Capped(1 + index),
            7 => function.limit = self.random.pick(&[Limit::AllButLast, Limit::Beyond]),
            8 => self.change_head(function),
            _ => {
                let index = if function.carrier == Carrier::Tree { 1 + self.random.below(15) } else { index };
                function.heads.push(Head::Probe { index, value, more });
            }
        }
    }

    fn change_step(&mut self, function: &mut Function) {
        let (value, more) = (self.value(), self.more());
        let at = self.random.below(function.steps.len());
        let what = &mut function.steps[at].what;
        *what = match what.clone() {
            What::When(operator, old, _) if self.random.percent(50) => What::When(operator, old, more),
            What::When(_, old, more) => What::When(self.random.pick(&["<=", ">=", "=="]), old, more),
            What::Stop(old) => What::Stop(old + 1),
            What::Give(old) => What::Give(old + 1),
            What::Again(old) => What::Again(old + 1),
            What::Xor(old) => What::Xor(old + 1),
            What::Write(old) => What::Write(old ^ 1),
            What::Add | What::Mix => What::Xor(value),
            planted => planted,
        };
    }

    fn change_steps(&mut self, function: &mut Function) {
        let at = self.random.below(function.steps.len());
        match self.random.below(4) {
            0 if function.carrier == Carrier::Tree => function.factors.swap(0, 1),
            0 if function.steps.len() > 1 => drop(function.steps.remove(at)),
            1 if at > 0 => function.steps.swap(at - 1, at),
            2 => {
                let step = self.step(true);
                function.steps.insert(at, step);
            }
            _ => function.start += 1,
        }
    }

    fn change_head(&mut self, function: &mut Function) {
        let index = self.index();
        match function.heads.first_mut() {
            Some(Head::AtLeast { count, .. }) => *count += 1,
            Some(Head::Probe { more, .. }) if self.random.percent(40) => *more += 1,
            Some(Head::Probe { index: old, .. }) => *old = index.max(1),
            None => {
                let head = self.head();
                function.heads.push(head);
            }
        }
    }

    /// Says something in another way.
    pub fn refactor(&mut self, function: &mut Function) {
        let at = self.random.below(function.steps.len());
        match self.random.below(3) {
            0 => function.style = (function.style + 1 + self.random.below(3)) % 4,
            _ => function.steps[at].form += 1,
        }
    }
}
