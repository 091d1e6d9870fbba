//! ASAM's A2L: each `MEASUREMENT` is a node, with its limits.
//!
//! Of the hundreds of kinds of blocks two are needed, and vendors add their own: what is no measurement and no
//! conversion is left alone, whatever it holds. `SYMBOL_LINK`, or Vector's older `LINK_MAP`, names the variable in the
//! program where that is not the measurement's own name. Limits are physical: what a variable holds is compared with
//! them turned back by the conversion, if that is linear (`IDENTICAL`, `LINEAR`, `RAT_FUNC` of that form, or none).

use super::Included;
use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, assembled};
use crate::scanner::{Comments, Scanner, decoded, number};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, Complaint>;

/// States of a measurement with limits.
pub(crate) const BELOW: &str = "below";
pub(crate) const WITHIN: &str = "within";
pub(crate) const ABOVE: &str = "above";

/// Files include files up to here.
const DEEPEST: u32 = 16;

/// How a variable's value becomes a physical one: `factor * value + offset`; `None` if it is not that simple.
type Conversion = Option<(f64, f64)>;

pub(super) fn read(text: &str, included: Included<'_>) -> Result<Network> {
    let mut reader = MeasurementReader::new(included);
    reader.file(text, 0)?;
    let nodes = reader.nodes();
    assembled(reader.name, Format::A2l, nodes, reader.warnings)
}

/// A measurement before its conversion is known.
struct Measurement {
    declared: Declared,
    conversion: String,
    limits: (f64, f64),
    /// Why limits are none of the variable as a whole.
    partial: Option<&'static str>,
}

struct MeasurementReader<'i> {
    included: Included<'i>,
    name: String,
    measurements: Vec<Measurement>,
    conversions: BTreeMap<String, Conversion>,
    warnings: Vec<(u32, String)>,
}

impl<'i> MeasurementReader<'i> {
    fn new(included: Included<'i>) -> Self {
        let (measurements, warnings) = (Vec::new(), Vec::new());
        Self { included, name: String::new(), measurements, conversions: BTreeMap::new(), warnings }
    }

    fn file(&mut self, text: &str, depth: u32) -> Result<()> {
        let mut scanner = Scanner::new(text, Comments::C);
        while !scanner.at_end() {
            let line = scanner.line();
            let (word, quoted) = token(&mut scanner)?;
            match word.as_str() {
                "/begin" if !quoted => match token(&mut scanner)?.0.as_str() {
                    "MEASUREMENT" => self.measurements.push(measurement(&mut scanner, line)?),
                    "COMPU_METHOD" => self.conversion(&mut scanner, line)?,
                    // What is in there is the vendor's, and may look like anything.
                    "IF_DATA" => drop(inner_words(&mut scanner, line, "IF_DATA")?),
                    "PROJECT" if self.name.is_empty() => self.name = token(&mut scanner)?.0,
                    _ => {}
                },
                "/include" if !quoted => {
                    let file = token(&mut scanner)?.0;
                    self.include(&file, line, depth)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a file that another one includes; if it is not there, that is a warning.
    fn include(&mut self, file: &str, line: u32, depth: u32) -> Result<()> {
        if depth >= DEEPEST {
            return Err(Complaint::at(
                line,
                format!("`{file}` is included {DEEPEST} files deep; expected an end"),
            ));
        }
        match (self.included)(file) {
            Ok(bytes) => self.file(&decoded(&bytes), depth + 1).map_err(|complaint| {
                let inner = complaint.line.map_or_else(String::new, |line| format!(":{line}"));
                Complaint::at(line, format!("in the included `{file}`{inner}: {}", complaint.message))
            }),
            Err(why) => {
                self.warnings.push((line, format!("`{file}` is included, and not looked at: {why}")));
                Ok(())
            }
        }
    }

    /// `name "what it is" TYPE "format" "unit" ... /end COMPU_METHOD`
    fn conversion(&mut self, scanner: &mut Scanner<'_>, line: u32) -> Result<()> {
        let words = inner_words(scanner, line, "COMPU_METHOD")?;
        let (Some((name, _)), Some((kind, _))) = (words.first(), words.get(2)) else { return Ok(()) };
        let numbers = |keyword: &str, count: usize| -> Option<Vec<f64>> {
            let at = words.iter().position(|(word, quoted)| !quoted && word == keyword)?;
            words.get(at + 1..at + 1 + count)?.iter().map(|(word, _)| number(word)).collect()
        };
        let conversion = match kind.as_str() {
            "IDENTICAL" => Some((1.0, 0.0)),
            "LINEAR" => numbers("COEFFS_LINEAR", 2).map(|each| (each[0], each[1])),
            // The value is (b x + c) / f for a physical x, if nothing is squared.
            "RAT_FUNC" => numbers("COEFFS", 6).and_then(|each| match each[..] {
                [a, b, c, d, e, f] if (a, d, e) == (0.0, 0.0, 0.0) && b != 0.0 => Some((f / b, -c / b)),
                _ => None,
            }),
            _ => None,
        };
        self.conversions.insert(name.clone(), conversion.filter(|(factor, _)| *factor != 0.0));
        Ok(())
    }

    /// The measurements as nodes, with their limits as what variables hold.
    fn nodes(&mut self) -> Vec<Declared> {
        let mut nodes = Vec::new();
        for Measurement { mut declared, conversion, limits: (lower, upper), partial } in
            std::mem::take(&mut self.measurements)
        {
            let known = match conversion.as_str() {
                "NO_COMPU_METHOD" => Some((1.0, 0.0)),
                name => self.conversions.get(name).copied().flatten(),
            };
            let why = match (partial, known) {
                _ if lower > upper => Some("the lower limit is above the upper one"),
                (Some(why), _) => Some(why),
                (None, None) => Some("values are converted, and not in a line"),
                (None, Some(_)) => None,
            };
            match (why, known) {
                (None, Some((factor, offset))) => {
                    let raw = |physical: f64| (physical - offset) / factor;
                    let (one, other) = (raw(lower), raw(upper));
                    declared.node.limits = Some((one.min(other), one.max(other)));
                    declared.node.states = [BELOW, WITHIN, ABOVE].map(str::to_owned).to_vec();
                }
                (why, _) => {
                    let (line, name) = (declared.node.line, &declared.node.name);
                    let why = why.unwrap_or("values are converted");
                    self.warnings.push((line, format!("the limits of `{name}` are not used: {why}")));
                }
            }
            nodes.push(declared);
        }
        nodes
    }
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
fn measurement(scanner: &mut Scanner<'_>, line: u32) -> Result<Measurement> {
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
    let words = inner_words(scanner, line, &format!("MEASUREMENT` for `{of}"))?;
    let behind = |keyword: &str| {
        let at = words.iter().position(|(word, quoted)| !quoted && word == keyword)?;
        words.get(at + 1).map(|(word, _)| word.clone()).filter(|word| !word.is_empty())
    };
    declared.node.label = behind("SYMBOL_LINK").or_else(|| behind("LINK_MAP"));
    let partial = match (behind("BIT_MASK").or_else(|| behind("BIT_OPERATION")), is_array(&words)) {
        (_, true) => Some("it is an array"),
        (Some(_), false) => Some("it is some bits of its variable"),
        (None, false) => None,
    };
    let [_, _, lower, upper] = numbers;
    Ok(Measurement { declared, conversion, limits: (lower, upper), partial })
}

/// Whether the words of a measurement say that it has several elements.
fn is_array(words: &[(String, bool)]) -> bool {
    let counts = |keyword: &str| {
        let at = words.iter().position(|(word, quoted)| !quoted && word == keyword);
        let behind = at.map(|at| words[at + 1..].iter().map_while(|(word, _)| word.parse::<u64>().ok()));
        behind.is_some_and(|mut counts| counts.any(|count| count > 1))
    };
    counts("MATRIX_DIM") || counts("ARRAY_SIZE")
}

/// The words of a block up to its end, those of the blocks in it among them; whether each was in quotes.
fn inner_words(scanner: &mut Scanner<'_>, line: u32, block: &str) -> Result<Vec<(String, bool)>> {
    let mut inner = 0_u32;
    let mut words = Vec::new();
    loop {
        if scanner.at_end() {
            let message = format!("expected `/end {block}`, found the end of the file");
            return Err(Complaint::at(line, message));
        }
        match token(scanner)? {
            (word, false) if word == "/begin" => inner += 1,
            (word, false) if word == "/end" && inner > 0 => {
                inner -= 1;
                // The name of the block that ends.
                token(scanner)?;
            }
            (word, false) if word == "/end" => {
                token(scanner)?;
                return Ok(words);
            }
            each => words.push(each),
        }
    }
}

fn hexadecimal(word: &str) -> Option<f64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
    u64::from_str_radix(digits, 16).ok().map(|value| value as f64)
}
