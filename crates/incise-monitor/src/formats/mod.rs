//! The formats that monitors are written in, one a file.

mod a2l;
mod bif;
mod c2po;
mod net;
mod xdsl;
mod xml;
mod xmlbif;

pub(crate) use a2l::{ABOVE, BELOW, WITHIN};

use crate::error::{Complaint, ReadError};
use crate::network::{Format, Network};
use crate::scanner::decoded;

/// The formats by the ends of file names.
const ENDINGS: [(&str, Format); 8] = [
    (".bif", Format::Bif),
    (".xmlbif", Format::XmlBif),
    (".bifxml", Format::XmlBif),
    (".xdsl", Format::Xdsl),
    (".net", Format::Net),
    (".hugin", Format::Net),
    (".c2po", Format::C2po),
    (".a2l", Format::A2l),
];

/// The format that a file has by its name, or by what it begins with where the name says nothing (`.xml`).
pub fn format_of(name: &str, bytes: &[u8]) -> Option<Format> {
    let lower = name.to_lowercase();
    let by_name = ENDINGS.iter().find(|(end, _)| lower.ends_with(end)).map(|(_, format)| *format);
    by_name.or_else(|| {
        let head = decoded(&bytes[..bytes.len().min(4096)]);
        let names = [("<BIF", Format::XmlBif), ("<smile", Format::Xdsl)];
        names.into_iter().find(|(word, _)| head.contains(word)).map(|(_, format)| format)
    })
}

/// Gives the bytes of a file that another one includes, or says why it does not.
pub type Included<'i> = &'i dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Reads a monitor. `name` is what errors call the file, and tells its format. Files that it includes are not there.
pub fn read(name: &str, bytes: &[u8]) -> Result<Network, ReadError> {
    read_with(name, bytes, &|_| Err("no files are included here".to_owned()))
}

/// Reads a monitor that may include files.
pub fn read_with(name: &str, bytes: &[u8], included: Included<'_>) -> Result<Network, ReadError> {
    let Some(format) = format_of(name, bytes) else {
        let known = ENDINGS.map(|(end, _)| end).join(", ");
        let message =
            format!("expected a network, a specification or measurements: a file that ends in {known}");
        return Err(ReadError { file: name.to_owned(), line: None, message });
    };
    read_format(name, bytes, format, included)
}

/// Reads a monitor of a format.
pub fn read_as(name: &str, bytes: &[u8], format: Format) -> Result<Network, ReadError> {
    read_format(name, bytes, format, &|_| Err("no files are included here".to_owned()))
}

fn read_format(
    name: &str,
    bytes: &[u8],
    format: Format,
    included: Included<'_>,
) -> Result<Network, ReadError> {
    let text = decoded(bytes);
    let read = match format {
        Format::Bif => bif::read(&text),
        Format::XmlBif => xmlbif::read(&text),
        Format::Xdsl => xdsl::read(&text),
        Format::Net => net::read(&text),
        Format::C2po => c2po::read(&text),
        Format::A2l => a2l::read(&text, included),
    };
    let network = read.map_err(|complaint: Complaint| complaint.in_file(name))?;
    match network.nodes.is_empty() {
        false => Ok(network),
        true => {
            let message = format!("expected at least one {}, found none", format.part());
            Err(ReadError { file: name.to_owned(), line: None, message })
        }
    }
}
