//! Linking by name: several modules become one program.
//!
//! External symbols are one across modules: a strong definition wins over weak ones and over declarations. Internal
//! symbols stay apart. All modules are scanned before anything is read, so the order of the modules matters only among
//! weak definitions (the first wins) and for the order of ids.

use super::builder::Builder;
use super::failure::{Failure, Parse};
use super::places::FunctionText;
use super::reader::{ModuleState, Reader, SymbolTarget};
use super::scan::{Module, ModuleSymbol, ModuleSymbolKind, scan};
use super::symbols::empty_global;
use crate::ReadError;
use incise_ir::{ConstantKind, Intrinsic, Linkage, Program, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A module to link.
#[derive(Copy, Clone, Debug)]
pub struct ModuleText<'a> {
    /// What to call it in messages: the path of its source.
    pub name: &'a str,
    /// The LLVM IR text.
    pub text: &'a [u8],
}

/// Why modules do not make a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// A module that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Two definitions of one name.
    #[error("'{name}' is defined both in {first} and in {second}")]
    Duplicate {
        /// The name.
        name: String,
        /// The module that defines it first.
        first: String,
        /// The module that defines it again.
        second: String,
    },
    /// A name that is a function in one module and a variable in another.
    #[error("'{name}' is a function in {function} and a variable in {variable}")]
    KindMismatch {
        /// The name.
        name: String,
        /// A module where it is a function.
        function: String,
        /// A module where it is a variable.
        variable: String,
    },
    /// Aliases that stand for each other.
    #[error("{module}: the alias '{name}' stands for itself or for something that is not supported")]
    Alias {
        /// The name.
        name: String,
        /// The module that defines it.
        module: String,
    },
}

/// Reads modules into one program.
pub fn link(modules: &[ModuleText<'_>]) -> Result<Program, LinkError> {
    Ok(link_noting(modules, None)?.0)
}

/// The same, with notes where instructions are if there is a list for them.
pub(super) fn link_noting(
    modules: &[ModuleText<'_>],
    places: Option<Vec<FunctionText>>,
) -> Result<(Program, Option<Vec<FunctionText>>), LinkError> {
    let modules: Vec<Module<'_>> = modules.iter().map(scan_module).collect::<Result<_, _>>()?;
    let wide_integer_align = modules.first().map_or(16, |module| module.wide_integer_align);
    let state = |(number, module)| ModuleState { number, ..ModuleState::new(module, false) };
    let mut linker = Linker {
        builder: Builder::new(Program::new(wide_integer_align)),
        states: modules.iter().enumerate().map(state).collect(),
        winners: Vec::new(),
        modules: &modules,
    };
    linker.builder.places = places;
    linker.choose_winners()?;
    linker.assign_targets()?;
    linker.read_symbols()?;
    linker.read_structors()?;
    linker.builder.resolve_block_addresses();
    linker.builder.program.symbols = linker.symbol_table();
    Ok((linker.builder.program, linker.builder.places))
}

/// Scans a module.
pub(crate) fn scan_module<'a>(module: &ModuleText<'a>) -> Result<Module<'a>, ReadError> {
    scan(module.name, module.text)
        .map_err(|failure| ReadError::at(module.name, module.text, failure.at, failure.message))
}

/// A failure in a module, with the file and line.
pub(crate) fn read_error(module: &Module<'_>, failure: Failure) -> ReadError {
    ReadError::at(module.name, module.text, failure.at, failure.message)
}

/// The place of a symbol: its module and its number there.
type LinkPlace = (usize, usize);

struct Linker<'a, 'b> {
    modules: &'b [Module<'a>],
    states: Vec<ModuleState>,
    builder: Builder,
    /// For each symbol of each module, the place of the definition or declaration that is taken.
    winners: Vec<Vec<LinkPlace>>,
}

impl<'a> Linker<'a, '_> {
    fn symbol(&self, place: LinkPlace) -> &ModuleSymbol<'a> {
        &self.modules[place.0].symbols[place.1]
    }

    fn module_name(&self, place: LinkPlace) -> String {
        self.modules[place.0].name.to_owned()
    }

    /// The places of all symbols, in order.
    fn places(&self) -> impl Iterator<Item = LinkPlace> + use<> {
        let counts: Vec<usize> = self.modules.iter().map(|module| module.symbols.len()).collect();
        counts
            .into_iter()
            .enumerate()
            .flat_map(|(module, count)| (0..count).map(move |number| (module, number)))
    }

    fn wins(&self, place: LinkPlace) -> bool {
        self.winners[place.0][place.1] == place
    }

    /// Reads something of one module.
    fn with_reader<T>(
        &mut self,
        module: usize,
        read: impl FnOnce(&mut Reader<'a, '_>) -> Parse<T>,
    ) -> Result<T, ReadError> {
        let mut reader = Reader::new(&self.modules[module], &mut self.states[module], &mut self.builder);
        read(&mut reader).map_err(|failure| read_error(&self.modules[module], *failure))
    }

    /// Decides which definition or declaration of each external name is taken.
    fn choose_winners(&mut self) -> Result<(), LinkError> {
        let mut chosen: FxHashMap<String, LinkPlace> = FxHashMap::default();
        let is_shared =
            |symbol: &ModuleSymbol<'_>| symbol.linkage != Linkage::Internal && !is_reserved(symbol);
        for place in self.places() {
            if !is_shared(self.symbol(place)) {
                continue;
            }
            let name = self.symbol(place).name();
            match chosen.get(&name) {
                Some(&old) if !self.replaces(&name, old, place)? => {}
                _ => drop(chosen.insert(name, place)),
            }
        }
        self.winners = self.modules.iter().map(|module| vec![(0, 0); module.symbols.len()]).collect();
        for place in self.places() {
            let symbol = self.symbol(place);
            let winner = if is_shared(symbol) { chosen.get(&symbol.name()).copied() } else { None };
            self.winners[place.0][place.1] = winner.unwrap_or(place);
        }
        Ok(())
    }

    /// Whether a symbol is taken instead of the one that was chosen so far.
    fn replaces(&mut self, name: &str, old: LinkPlace, new: LinkPlace) -> Result<bool, LinkError> {
        let (old_symbol, new_symbol) = (self.symbol(old), self.symbol(new));
        let has_alias = old_symbol.is_alias() || new_symbol.is_alias();
        if old_symbol.is_function() != new_symbol.is_function() && !has_alias {
            let (function, variable) = if old_symbol.is_function() { (old, new) } else { (new, old) };
            return Err(LinkError::KindMismatch {
                name: name.to_owned(),
                function: self.module_name(function),
                variable: self.module_name(variable),
            });
        }
        let (old_rank, new_rank) = (rank(old_symbol), rank(new_symbol));
        if old_symbol.common && new_symbol.common {
            let old_size = self.with_reader(old.0, |reader| reader.variable_size(old.1))?;
            let new_size = self.with_reader(new.0, |reader| reader.variable_size(new.1))?;
            return Ok(new_size > old_size);
        }
        if old_rank == STRONG && new_rank == STRONG {
            let (first, second) = (self.module_name(old), self.module_name(new));
            return Err(LinkError::Duplicate { name: name.to_owned(), first, second });
        }
        Ok(new_rank > old_rank)
    }

    /// Gives ids to all symbols, and tells each module what its symbols stand for.
    fn assign_targets(&mut self) -> Result<(), LinkError> {
        let mut aliases = Vec::new();
        for place in self.places() {
            if !self.wins(place) {
                continue;
            }
            let symbol = &self.modules[place.0].symbols[place.1];
            self.states[place.0].targets[place.1] = new_target(symbol, &mut self.builder);
            if let ModuleSymbolKind::Alias { target } = symbol.kind {
                aliases.push((place, target));
            }
        }
        self.share_targets();
        // Rounds, because an alias may stand for another one, also of another module.
        while !aliases.is_empty() {
            let mut open = Vec::new();
            for &(place, target) in &aliases {
                match self.with_reader(place.0, |reader| reader.alias_target(target))? {
                    Some(constant) => {
                        self.states[place.0].targets[place.1] = SymbolTarget::Constant(constant)
                    }
                    None => open.push((place, target)),
                }
            }
            if let (Some(&(place, _)), true) = (open.first(), open.len() == aliases.len()) {
                return Err(LinkError::Alias {
                    name: self.symbol(place).name(),
                    module: self.module_name(place),
                });
            }
            aliases = open;
            self.share_targets();
        }
        Ok(())
    }

    /// Copies the targets of winners to the symbols that gave way to them.
    fn share_targets(&mut self) {
        for place in self.places() {
            let winner = self.winners[place.0][place.1];
            if winner != place {
                self.states[place.0].targets[place.1] = self.states[winner.0].targets[winner.1].clone();
            }
        }
    }

    fn read_symbols(&mut self) -> Result<(), LinkError> {
        for module in 0..self.modules.len() {
            let provided: Vec<usize> = (0..self.modules[module].symbols.len())
                .filter(|&number| self.wins((module, number)))
                .collect();
            self.with_reader(module, |reader| {
                for number in provided {
                    match reader.state.targets[number] {
                        SymbolTarget::Function(id) => reader.function(number, id)?,
                        SymbolTarget::Global(id) => reader.global(number, id)?,
                        _ => {}
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Collects constructors and destructors, by priority and then in the order of modules.
    fn read_structors(&mut self) -> Result<(), LinkError> {
        let (mut constructors, mut destructors) = (Vec::new(), Vec::new());
        for module in 0..self.modules.len() {
            let number_of = |name: &[u8]| self.modules[module].symbol_numbers.get(name).copied();
            let lists = [number_of(b"llvm.global_ctors"), number_of(b"llvm.global_dtors")];
            for (list, found) in lists.into_iter().zip([&mut constructors, &mut destructors]) {
                if let Some(number) = list {
                    found.extend(self.with_reader(module, |reader| reader.structors(number as usize))?);
                }
            }
        }
        constructors.sort_by_key(|&(priority, _)| priority);
        destructors.sort_by_key(|&(priority, _)| std::cmp::Reverse(priority));
        self.builder.program.constructors = constructors.into_iter().map(|(_, function)| function).collect();
        self.builder.program.destructors = destructors.into_iter().map(|(_, function)| function).collect();
        Ok(())
    }

    /// The names of the program: the external ones, and internal ones where only one module has them.
    fn symbol_table(&self) -> BTreeMap<String, Symbol> {
        let mut table = BTreeMap::new();
        let mut internal: BTreeMap<String, Option<Symbol>> = BTreeMap::new();
        for place in self.places().filter(|&place| self.wins(place)) {
            let target = &self.states[place.0].targets[place.1];
            let Some(found) = target_symbol(target, &self.builder.program) else { continue };
            let symbol = self.symbol(place);
            if symbol.linkage == Linkage::Internal {
                internal.entry(symbol.name()).and_modify(|known| *known = None).or_insert(Some(found));
            } else {
                table.insert(symbol.name(), found);
            }
        }
        for (name, symbol) in internal {
            if let Some(symbol) = symbol {
                table.entry(name).or_insert(symbol);
            }
        }
        table
    }
}

const STRONG: u32 = 3;

/// How much a symbol counts against others of its name.
fn rank(symbol: &ModuleSymbol<'_>) -> u32 {
    match (symbol.is_definition(), symbol.linkage, symbol.weak_reference) {
        (true, Linkage::Weak, _) => 2,
        (true, ..) => STRONG,
        (false, _, false) => 1,
        (false, _, true) => 0,
    }
}

/// Whether a name is LLVM's own: an intrinsic, or a list such as `llvm.used`.
pub(crate) fn is_reserved(symbol: &ModuleSymbol<'_>) -> bool {
    symbol.raw_name.starts_with(b"llvm.")
}

/// What a target is called in the program's table of names.
pub(crate) fn target_symbol(target: &SymbolTarget, program: &Program) -> Option<Symbol> {
    match *target {
        SymbolTarget::Function(function) => Some(Symbol::Function(function)),
        SymbolTarget::Global(global) => Some(Symbol::Global(global)),
        SymbolTarget::Constant(constant) => match program.constants[constant].kind {
            ConstantKind::Null => None,
            ConstantKind::Function(function) => Some(Symbol::Function(function)),
            ConstantKind::Global(global) => Some(Symbol::Global(global)),
            _ => Some(Symbol::Alias(constant)),
        },
        SymbolTarget::Intrinsic(_) | SymbolTarget::Nothing | SymbolTarget::Unassigned => None,
    }
}

/// Makes a place in the program for a symbol.
pub(crate) fn new_target(symbol: &ModuleSymbol<'_>, builder: &mut Builder) -> SymbolTarget {
    if is_reserved(symbol) {
        let intrinsic = if symbol.is_function() { Intrinsic::from_name(&symbol.name()) } else { None };
        return intrinsic.map_or(SymbolTarget::Nothing, SymbolTarget::Intrinsic);
    }
    if symbol.weak_reference {
        return SymbolTarget::Constant(builder.constant(builder.common.pointer, ConstantKind::Null));
    }
    match symbol.kind {
        ModuleSymbolKind::Function { .. } | ModuleSymbolKind::IndirectFunction => {
            let function =
                incise_ir::Function::declaration(symbol.name(), symbol.linkage, builder.common.void);
            SymbolTarget::Function(builder.program.functions.push(function))
        }
        ModuleSymbolKind::Variable(_) => {
            let global = empty_global(symbol.name(), symbol.linkage, builder.common.opaque);
            SymbolTarget::Global(builder.program.globals.push(global))
        }
        ModuleSymbolKind::Alias { .. } => SymbolTarget::Nothing,
    }
}
