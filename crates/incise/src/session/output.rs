//! Standard output is data, standard error is talk.

use crate::arguments::ColorChoice;
use anyhow::{Context, Result};
use std::io::{self, BufWriter, IsTerminal, Write};

/// Writes data to standard output. A reader that goes away early (`incise run ... | head`) is no error.
pub(crate) fn write_data(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if is_broken_pipe(&error) => {
            // What is still in the buffer has no reader.
            let _ = out.into_parts();
            Ok(())
        }
        other => other.context("standard output cannot be written"),
    }
}

fn is_broken_pipe(error: &io::Error) -> bool {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return true;
    }
    // serde_json wraps the error of the writer.
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.is_some_and(|inner| inner.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether standard output is coloured.
pub(crate) fn color_output(choice: ColorChoice) -> bool {
    wanted(choice, io::stdout().is_terminal())
}

/// Whether standard error is coloured.
pub(crate) fn color_talk(choice: ColorChoice) -> bool {
    wanted(choice, io::stderr().is_terminal())
}

fn wanted(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}

/// Says something to the user, on standard error.
pub(crate) fn talk(text: &str) {
    // Nobody can be told when this fails.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
