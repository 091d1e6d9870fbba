//! What inputs are taken to be when a suite is brought over: what they were when it was made, unless that means
//! nothing in the new version.

use incise_exec::{Config, Sizes};
use incise_ir::parameters::parameter_names;
use incise_ir::{FunctionId, Program};
use incise_reading::{InputReading, Reading, Source, Taken, What};

/// Another reading than that of the suite, and why it has to be.
pub(crate) struct ChangedReading {
    reading: Reading,
    /// `None` if they stay.
    sizes: Option<Sizes>,
    pub(crate) why: String,
}

impl ChangedReading {
    /// Whether the inputs of the new version have to be taken otherwise than the suite does. With another signature no
    /// test fits any more, and nothing ties it to what was taken.
    pub(crate) fn of(
        config: &Config,
        old: &Program,
        (new, entry): (&Program, FunctionId),
        other_signature: bool,
    ) -> Option<Self> {
        let stored = &config.inputs.reading;
        let parameters = parameter_names(new, &new.functions[entry]);
        let is_there = |path: &str| {
            let root = root(path);
            let global = |name: &str| {
                new.globals
                    .iter()
                    .any(|(_, global)| global.name == name || global.source_name.as_deref() == Some(name))
            };
            root.is_empty() || parameters.iter().any(|name| name == root) || global(root)
        };
        let applies = |taken: &&Taken| inputs_of(taken).all(is_there);
        let natural = InputReading { initial: config.inputs.initial.clone(), ..InputReading::default() };
        let inferred = natural.reading(new, entry);
        let lost = stored.parts.iter().find(|taken| !applies(taken));
        if lost.is_some() || other_signature {
            let said = stored.parts.iter().filter(|taken| taken.evidence.source == Source::Contract);
            let said: Vec<Taken> = said.filter(applies).cloned().collect();
            let inferred = if config.inputs.any_size { Reading::default() } else { inferred };
            let why = match lost {
                Some(lost) => format!("the suite takes it that {lost}, which NEW does not have"),
                None => "the function has another signature".to_owned(),
            };
            let why = format!("inputs are read anew from NEW: {why}");
            return Some(Self { reading: inferred.with(&said), sizes: Some(Sizes::default()), why });
        }
        // Null means something once the new version asks for it.
        let before = old.function_named(&config.entry).map(|entry| natural.reading(old, entry));
        let asks = |taken: &Taken| {
            taken.what == What::NotNull
                && taken.evidence.source != Source::Contract
                && inferred.is_checked(&taken.input)
                && !before.as_ref().is_some_and(|before| before.is_checked(&taken.input))
        };
        let (asked, parts): (Vec<Taken>, Vec<Taken>) = stored.parts.iter().cloned().partition(asks);
        let first = asked.first()?;
        let why = format!("NEW compares {} with null, and may be given null now", first.input);
        Some(Self { reading: Reading { parts, ..stored.clone() }, sizes: None, why })
    }

    /// Whether everything is as large as at first again.
    pub(crate) fn starts_small(&self) -> bool {
        self.sizes.is_some()
    }

    /// Takes inputs that way from now on.
    pub(crate) fn apply(&self, config: &mut Config) {
        config.inputs.reading = self.reading.clone();
        if let Some(sizes) = &self.sizes {
            config.inputs.sizes = sizes.clone();
        }
    }
}

/// The inputs that a fact names.
fn inputs_of(taken: &Taken) -> impl Iterator<Item = &str> {
    let other = match &taken.what {
        What::Room { number: other, .. }
        | What::EndOf { begin: other }
        | What::AtMost { number: other }
        | What::Below { number: other }
        | What::MaySame { other }
        | What::MayOverlap { other }
        | What::Apart { other } => Some(other.as_str()),
        _ => None,
    };
    std::iter::once(taken.input.as_str()).chain(other.into_iter().flat_map(incise_reading::factors))
}

/// The variable that an expression begins with; empty if it begins with a number.
fn root(path: &str) -> &str {
    let name = incise_reading::root(path);
    if name.starts_with(|c: char| c.is_ascii_digit()) { "" } else { name }
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn expressions_begin_with_a_variable() {
        let roots = ["name", "*names", "list->data", "&table", "v.n", "4"].map(root);
        assert_eq!(roots, ["name", "names", "list", "table", "v", ""]);
    }
}
