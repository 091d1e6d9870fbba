//! The inputs of a witness, as the judge takes them. What is not natural is refused.

use super::Pair;
use super::model::Carrier;
use incise_exec::{Input, InputValue};

/// The most elements that the judge takes.
const MOST: usize = 200;

/// Reads the inputs of one path.
struct Given<'a> {
    inputs: &'a [Input],
    size: usize,
}

/// The line for the judge; nothing if it is too large for that. An error says why the input is not natural.
pub fn line(pair: &Pair, inputs: &[Input]) -> Result<Option<String>, String> {
    let given = Given { inputs, size: pair.new.element.bytes() };
    let (mut room, mut nodes) = (0, 0);
    let (values, count) = match pair.new.carrier {
        Carrier::Length => given.counted("p", "n")?,
        Carrier::Text => given.text()?,
        Carrier::Range => given.range()?,
        Carrier::Block => given.block()?,
        Carrier::Tail => given.tail()?,
        Carrier::Copy => {
            room = given.number("room")?;
            if given.elements("to").len() < room.min(MOST) {
                return Err(format!("to has less room than {room} elements"));
            }
            given.counted("from", "n")?
        }
        Carrier::List => {
            let values = given.list();
            let count = values.len();
            (values, count)
        }
        Carrier::Tree => {
            let Some((mask, values)) = given.tree() else { return Ok(None) };
            nodes = mask;
            (values, 0)
        }
    };
    if values.len() > MOST || room > MOST || count > MOST {
        return Ok(None);
    }
    let extra = if nodes == 0 { values.len() - count } else { 0 };
    let words: Vec<String> = values.iter().map(u64::to_string).collect();
    let number = pair.new.number;
    Ok(Some(format!("{number} {count} {extra} {room} {nodes} {} {}\n", values.len(), words.join(" "))))
}

impl Given<'_> {
    fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// A number; what is not given is zero.
    fn number(&self, name: &str) -> Result<usize, String> {
        let bytes = self.input(name).map_or(&[][..], |input| &input.bytes);
        usize::try_from(little_endian(bytes)).map_err(|error| error.to_string())
    }

    /// The bytes behind a pointer; none if it is null or nothing was made of it.
    fn bytes(&self, pointer: &str) -> &[u8] {
        self.input(&format!("*{pointer}")).map_or(&[], |input| &input.bytes)
    }

    fn elements(&self, pointer: &str) -> Vec<u64> {
        self.bytes(pointer).chunks(self.size).map(little_endian).collect()
    }

    fn enough(&self, pointer: &str, count: usize) -> Result<(Vec<u64>, usize), String> {
        let values = self.elements(pointer);
        match values.len() < count {
            true => Err(format!("{pointer} has {} elements, and not {count}", values.len())),
            false => Ok((values, count)),
        }
    }

    fn counted(&self, pointer: &str, count: &str) -> Result<(Vec<u64>, usize), String> {
        self.enough(pointer, self.number(count)?)
    }

    fn text(&self) -> Result<(Vec<u64>, usize), String> {
        let bytes = self.bytes("s");
        let length = bytes.iter().position(|&byte| byte == 0).ok_or("s does not end")?;
        Ok((bytes[..length].iter().map(|&byte| u64::from(byte)).collect(), length))
    }

    fn range(&self) -> Result<(Vec<u64>, usize), String> {
        let end = self.input("end").ok_or("there is no end")?;
        let begin = self.input("p").ok_or("there is no start")?;
        match (&begin.value, &end.value) {
            (InputValue::Pointer(None), InputValue::Pointer(None)) => Ok((Vec::new(), 0)),
            (InputValue::Pointer(Some(_)), InputValue::Pointer(Some(place))) => {
                self.enough("p", offset(place).ok_or_else(|| format!("end is {place}"))? / self.size)
            }
            other => Err(format!("start and end are {other:?}")),
        }
    }

    fn block(&self) -> Result<(Vec<u64>, usize), String> {
        let bytes = self.bytes("b");
        if bytes.len() < 12 {
            return Err("b leads nowhere".to_owned());
        }
        self.enough("b->data", little_endian(&bytes[8..12]) as usize)
    }

    fn tail(&self) -> Result<(Vec<u64>, usize), String> {
        let bytes = self.bytes("b");
        if bytes.len() < 4 {
            return Err("b leads nowhere".to_owned());
        }
        let values: Vec<u64> = bytes[4..].chunks_exact(self.size).map(little_endian).collect();
        let count = little_endian(&bytes[..4]) as usize;
        match values.len() < count {
            true => Err(format!("there are {} items, and not {count}", values.len())),
            false => Ok((values, count)),
        }
    }

    fn list(&self) -> Vec<u64> {
        let mut values = Vec::new();
        let mut pointer = "l".to_owned();
        while values.len() <= MOST {
            let bytes = self.bytes(&pointer);
            if bytes.len() < 16 || self.is_null(&pointer) {
                break;
            }
            values.push(little_endian(&bytes[..4]));
            if bytes[8..16] == [0; 8] {
                break;
            }
            pointer += "->next";
        }
        values
    }

    fn is_null(&self, pointer: &str) -> bool {
        self.input(pointer).is_some_and(|input| input.bytes.iter().all(|&byte| byte == 0))
    }

    /// The nodes and their values; nothing if the tree is too deep.
    fn tree(&self) -> Option<(u32, Vec<u64>)> {
        let mut values = vec![0; 16];
        let mut nodes = 0;
        let mut waiting = vec![(1_usize, "t".to_owned())];
        while let Some((number, pointer)) = waiting.pop() {
            let bytes = self.bytes(&pointer);
            if bytes.len() < 24 || self.is_null(&pointer) {
                continue;
            }
            if number >= values.len() {
                return None;
            }
            nodes |= 1 << number;
            values[number] = little_endian(&bytes[..4]);
            for (side, (name, at)) in [("left", 8), ("right", 16)].into_iter().enumerate() {
                if bytes[at..at + 8] != [0; 8] {
                    waiting.push((2 * number + side, format!("{pointer}->{name}")));
                }
            }
        }
        Some((nodes, values))
    }
}

/// How many bytes behind the start of its object a place is: `*p` is 0, `*p+8` is 8.
fn offset(place: &str) -> Option<usize> {
    match place.strip_prefix("*p")?.strip_prefix('+') {
        None => Some(0),
        Some(bytes) => bytes.parse().ok(),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}
