//! What a function can name: places that can be assigned to, and what there is of each kind.

use super::statements::Writer;
use crate::c::{Element, Expression, Kind, Local};

impl<'a> Writer<'a> {
    fn parameters(&self, kind: Kind) -> impl Iterator<Item = &'a str> + use<'a> {
        let parameters = self.function().parameters.iter();
        parameters.filter(move |each| each.kind == kind).map(|each| each.name.as_str())
    }

    fn numbers_of_program(&self) -> Vec<String> {
        let number = self.program.number;
        match self.program.inputs {
            Some(_) => vec![format!("@g{number}_0"), format!("@g{number}_1")],
            None => Vec::new(),
        }
    }

    /// The numbers among the locals.
    pub(super) fn local_numbers(&self) -> Vec<String> {
        let locals = self.function().locals.iter();
        locals
            .filter_map(|local| match local {
                Local::Number(_, name, _) => Some(name.clone()),
                _ => None,
            })
            .collect()
    }

    /// The numbers that can be assigned to.
    pub(crate) fn places(&self) -> Vec<String> {
        let mut found: Vec<String> = self.parameters(Kind::Number).map(str::to_owned).collect();
        found.extend(self.numbers_of_program());
        found.extend(self.parameters(Kind::Pointer).map(|name| format!("*P({name})")));
        for name in self.parameters(Kind::Record) {
            found.extend([format!("{name}->x"), format!("{name}->y")]);
        }
        if self.program.inputs.as_ref().is_some_and(|inputs| inputs.record) {
            found.push(format!("@o{}.x", self.program.number));
        }
        for local in &self.function().locals {
            match local {
                // Locals are the most likely target.
                Local::Number(_, name, _) => found.extend([(); 3].map(|()| name.clone())),
                Local::Static(name, _) => found.push(name.clone()),
                Local::Record(name, ..) => found.extend([format!("{name}.x"), format!("{name}.y")]),
                Local::Pointing(Kind::Pointer, name, _) => found.push(format!("*P({name})")),
                _ => {}
            }
        }
        found
    }

    /// A number as it is read where values have to be small.
    fn small(&self, name: String) -> Expression {
        let parameter = self.function().parameters.iter().find(|each| each.name == name);
        let is_local = self.function().locals.iter().any(|local| local.name() == Some(&name));
        let is_small = parameter.map_or(is_local, |parameter| parameter.small);
        let mask = if parameter.is_some() { 7 } else { 3 };
        let named = Expression::number(name);
        if is_small { named } else { named.low(mask) }
    }

    /// The small numbers that can be read, and call nothing.
    pub(super) fn numbers(&self) -> Vec<Expression> {
        let parameters: Vec<&str> = self.parameters(Kind::Number).collect();
        // Parameters are what a function is most about.
        let names = parameters.repeat(2).into_iter().map(str::to_owned).chain(self.places());
        let mut found: Vec<Expression> = names.map(|name| self.small(name)).collect();
        found.extend(self.parameters(Kind::Depth).map(|name| Expression::Name(Kind::Depth, name.to_owned())));
        found.extend(self.parameters(Kind::Operation).map(|name| Expression::number(format!("{name}->k"))));
        found
    }

    /// What of a kind can be named, besides numbers.
    pub(crate) fn pool(&self, kind: Kind) -> Vec<String> {
        let number = self.program.number;
        let mut found: Vec<String> = self.parameters(kind).map(str::to_owned).collect();
        match kind {
            Kind::Number | Kind::Counter | Kind::Depth | Kind::Declared => {}
            Kind::Pointer => found.extend(self.pointers()),
            Kind::Array if self.program.inputs.is_some() => found.push(format!("@t{number}")),
            Kind::Record if self.program.inputs.as_ref().is_some_and(|inputs| inputs.record) => {
                found.push(format!("&@o{number}"));
            }
            Kind::Function => {
                let later = self.program.functions.iter().skip(self.index + 1);
                found.extend(later.filter(|each| each.is_unary()).map(|each| each.name.clone()));
                found.extend(self.parameters(Kind::Operation).map(|name| format!("{name}->f")));
            }
            Kind::Array | Kind::Record | Kind::Operation => {}
        }
        found.extend(self.function().locals.iter().filter_map(|local| match (kind, local) {
            (Kind::Array, Local::Array(name, _)) => Some(name.clone()),
            (Kind::Record, Local::Record(name, ..)) => Some(format!("&{name}")),
            (Kind::Function, Local::Pointing(Kind::Function, name, _)) => Some(name.clone()),
            (Kind::Function, Local::Operation(name, _)) => Some(format!("{name}.f")),
            (Kind::Operation, Local::Operation(name, _)) => Some(format!("&{name}")),
            _ => None,
        }));
        found
    }

    fn pointers(&self) -> Vec<String> {
        let mut found: Vec<String> =
            self.numbers_of_program().iter().map(|name| format!("&{name}")).collect();
        found.extend(self.parameters(Kind::Record).map(|name| format!("&{name}->y")));
        found.extend(self.parameters(Kind::Array).map(|name| format!("&{name}[1]")));
        for local in &self.function().locals {
            match local {
                // A change may give others another type.
                Local::Number(_, name, _) if name == "x" || !self.generator.features.all_types => {
                    found.extend([format!("&{name}"), format!("&{name}")]);
                }
                Local::Static(name, _) => found.push(format!("&{name}")),
                Local::Record(name, ..) => found.push(format!("&{name}.x")),
                Local::Array(name, _) => found.push(format!("&{name}[2]")),
                Local::Pointing(Kind::Pointer, name, _) => found.push(name.clone()),
                _ => {}
            }
        }
        if self.generator.has.failures {
            found.push("(int *)0".to_owned());
        }
        found
    }

    /// An element of one of the arrays.
    pub(crate) fn element(&mut self, index: Expression, masked: usize) -> Element {
        let arrays = self.pool(Kind::Array);
        let array = self.generator.random.pick(&arrays);
        let masked = !self.generator.has.failures || self.generator.random.percent(masked);
        let last = if array == "table" { 7 } else { 3 };
        Element { array, index: Box::new(index), last, masked }
    }
}
