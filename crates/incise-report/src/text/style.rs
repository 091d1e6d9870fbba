//! How text is dressed: the colours of a terminal, when asked for, and the words of who gives advice.

use crate::text::{Advice, Adviser};

/// Whether text is coloured, and who words advice.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Style {
    color: bool,
    advise: Option<Adviser>,
}

impl Style {
    pub(crate) fn new(color: bool, advise: Option<Adviser>) -> Self {
        Self { color, advise }
    }

    /// What can be done, in the words of who shows the text; `None` if that has none.
    pub(crate) fn advice(self, advice: Advice) -> Option<&'static str> {
        self.advise.and_then(|advise| advise(advice))
    }

    /// The same in parentheses behind a text; empty if there are no words for it.
    pub(crate) fn hint(self, advice: Advice) -> String {
        self.advice(advice).map_or_else(String::new, |words| format!(" ({words})"))
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("1;33", text)
    }
}
