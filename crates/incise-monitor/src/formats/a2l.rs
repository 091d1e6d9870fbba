//! ASAM's A2L: each `MEASUREMENT` is a node, with its limits.
//!
//! Of the hundreds of kinds of blocks one is needed, and vendors add their own: what is no measurement is left alone,
//! whatever it holds. `SYMBOL_LINK` names the variable in the program where that is not the measurement's own name.
//! Limits are physical; they bound the variable only where its conversion changes nothing (`NO_COMPU_METHOD`).

use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, assembled};
use crate::scanner::{Comments, Scanner, number};

type Result<T> = std::result::Result<T, Complaint>;

/// States of a measurement with limits.
pub(crate) const BELOW: &str = "below";
pub(crate) const WITHIN: &str = "within";
pub(crate) const ABOVE: &str = "above";

pub(super) fn read(text: &str) -> Result<Network> {
    let mut scanner = Scanner::new(text, Comments::C);
    let mut nodes = Vec::new();
    let mut warnings = Vec::new();
    let mut name = String::new();
    while !scanner.at_end() {
        let line = scanner.line();
        match token(&mut scanner)?.0.as_str() {
            "/begin" => match token(&mut scanner)?.0.as_str() {
                "MEASUREMENT" => nodes.push(measurement(&mut scanner, line, &mut warnings)?),
                "PROJECT" if name.is_empty() => name = token(&mut scanner)?.0,
                _ => {}
            },
            "/include" => {
                let file = token(&mut scanner)?.0;
                warnings.push((line, format!("`{file}` is included, and not looked at")));
            }
            _ => {}
        }
    }
    assembled(name, Format::A2l, nodes, warnings)
}

/// The next word or text; whether it was in quotes.
fn token(scanner: &mut Scanner<'_>) -> Result<(String, bool)> {
    if scanner.peek() == Some('"') {
        let mut text = scanner.quoted()?.unwrap_or_default();
        // A quote in a text may be doubled.
        while scanner.rest().starts_with('"') {
            text.push('"');
            text += &scanner.quoted()?.unwrap_or_default();
        }
        return Ok((text, true));
    }
    match scanner.word("\"") {
        "" => Err(scanner.expected("more behind `/begin`")),
        word => Ok((word.to_owned(), false)),
    }
}

/// `name "what it is" TYPE conversion resolution accuracy lower upper ... /end MEASUREMENT`
fn measurement(scanner: &mut Scanner<'_>, line: u32, warnings: &mut Vec<(u32, String)>) -> Result<Declared> {
    let name = token(scanner)?.0;
    let mut declared = Declared::new(name, NodeClass::Measurement, line);
    let of = declared.node.name.clone();
    if !token(scanner)?.1 {
        let message = format!("expected what `{of}` is, in quotes, behind its name");
        return Err(Complaint::at(line, message));
    }
    let (_, conversion) = (token(scanner)?, token(scanner)?.0);
    let mut numbers = [0.0; 4];
    for each in &mut numbers {
        let (word, _) = token(scanner)?;
        let Some(value) = number(&word).or_else(|| hexadecimal(&word)) else {
            let message = format!(
                "expected four numbers behind the conversion of `{of}` (resolution, accuracy, limits), found `{word}`"
            );
            return Err(Complaint::at(line, message));
        };
        *each = value;
    }
    rest(scanner, &mut declared, line)?;
    let [_, _, lower, upper] = numbers;
    if conversion == "NO_COMPU_METHOD" && lower <= upper {
        declared.node.limits = Some((lower, upper));
        declared.node.states = [BELOW, WITHIN, ABOVE].map(str::to_owned).to_vec();
    } else {
        let why =
            if lower > upper { "the lower limit is above the upper one" } else { "values are converted" };
        warnings.push((line, format!("the limits of `{of}` are not used: {why}")));
    }
    Ok(declared)
}

/// What may follow in a measurement, up to its end.
fn rest(scanner: &mut Scanner<'_>, declared: &mut Declared, line: u32) -> Result<()> {
    let mut inner = 0_u32;
    loop {
        if scanner.at_end() {
            let message = format!(
                "expected `/end MEASUREMENT` for `{}`, found the end of the file",
                declared.node.name
            );
            return Err(Complaint::at(line, message));
        }
        match token(scanner)? {
            (word, false) if word == "/begin" => inner += 1,
            (word, false) if word == "/end" && inner > 0 => inner -= 1,
            (word, false) if word == "/end" => {
                token(scanner)?;
                return Ok(());
            }
            (word, false) if word == "SYMBOL_LINK" && inner == 0 => {
                declared.node.label = Some(token(scanner)?.0).filter(|symbol| !symbol.is_empty());
            }
            _ => {}
        }
    }
}

fn hexadecimal(word: &str) -> Option<f64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
    u64::from_str_radix(digits, 16).ok().map(|value| value as f64)
}
