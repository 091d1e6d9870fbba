//! Values as JSON, for every schema: see `docs/json.md`.

use crate::{FloatFormat, Origin, Place, Value};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

/// The largest integer that every JSON reader keeps exactly: 2^53 - 1.
const EXACT: u128 = (1 << 53) - 1;

/// A value as JSON.
pub(crate) fn value(value: &Value) -> Json {
    match value {
        Value::Signed(number) | Value::Enumerator(None, number) => signed(*number),
        Value::Unsigned(number) => unsigned(*number),
        Value::Character(byte) => json!(*byte as i8),
        Value::Boolean(truth) => json!(truth),
        Value::Float(format, bits) => match format.to_double(*bits) {
            (number, true) if number.is_finite() => json!(number),
            (number, true) => json!(if number > 0.0 { "inf" } else { "-inf" }),
            (number, false) if number.is_nan() => json!("nan"),
            (_, false) => json!(format!("{}:{bits:#x}", format.name())),
        },
        Value::Pointer(None) => Json::Null,
        Value::Pointer(Some(target)) => json!(format!("&{target}")),
        Value::Enumerator(Some(name), _) => json!(name),
        Value::Struct(members) => {
            let mut object = Map::new();
            for (index, (name, member)) in members.iter().enumerate() {
                // An anonymous member still needs a key.
                let key = if name.is_empty() { format!("#{index}") } else { name.clone() };
                object.insert(unused_key(&object, key), self::value(member));
            }
            Json::Object(object)
        }
        Value::Array(elements) => elements.iter().map(self::value).collect(),
        Value::Text(bytes) => json!(latin1(bytes)),
        Value::Bytes(bytes) => json!(bytes),
    }
}

/// A value that is written at once, as [`value`] has it.
pub(crate) struct ShownValue<'a>(pub(crate) &'a Value);

impl Serialize for ShownValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            // Most values are numbers, and these need no detour.
            Value::Signed(number) if number.unsigned_abs() <= EXACT => {
                serializer.serialize_i64(*number as i64)
            }
            Value::Unsigned(number) if *number <= EXACT => serializer.serialize_u64(*number as u64),
            other => value(other).serialize(serializer),
        }
    }
}

/// What [`value`] wrote of an object with these bytes, as far as it can be told from JSON: it reads as before, but may
/// be of another type.
pub(crate) fn read_value(json: &Json, bytes: &[u8]) -> Value {
    // The depth of what is read is bounded by the JSON reader.
    match json {
        Json::Null => Value::Pointer(None),
        Json::Bool(truth) => Value::Boolean(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Value::Signed(i128::from(number)),
            (None, Some(number)) => Value::Float(FloatFormat::Double, u128::from(number.to_bits())),
            (None, None) => Value::Bytes(bytes.to_vec()),
        },
        Json::String(text) => read_text(text, bytes),
        Json::Array(elements) => {
            let same = elements.len() == bytes.len()
                && elements
                    .iter()
                    .zip(bytes)
                    .all(|(element, &byte)| element.as_u64() == Some(u64::from(byte)));
            if same {
                return Value::Bytes(bytes.to_vec());
            }
            Value::Array(elements.iter().map(|element| read_value(element, &[])).collect())
        }
        Json::Object(members) => Value::Struct(
            members.iter().map(|(name, member)| (name.clone(), read_value(member, &[]))).collect(),
        ),
    }
}

fn read_text(text: &str, bytes: &[u8]) -> Value {
    if !bytes.is_empty() && from_latin1(text).as_deref() == Some(bytes) {
        return Value::Text(bytes.to_vec());
    }
    if let Some(target) = text.strip_prefix('&') {
        return Value::Pointer(Some(target.to_owned()));
    }
    match (text.parse::<i128>(), text.parse::<u128>()) {
        (Ok(number), _) => Value::Signed(number),
        (_, Ok(number)) => Value::Unsigned(number),
        // An enumerator, a special number, or text inside of something larger.
        _ => Value::Enumerator(Some(text.to_owned()), 0),
    }
}

/// An integer as a number where that is exact everywhere, else as a string of its digits.
pub(crate) fn signed(number: i128) -> Json {
    if number.unsigned_abs() <= EXACT { json!(number as i64) } else { json!(number.to_string()) }
}

/// As [`signed`].
pub(crate) fn unsigned(number: u128) -> Json {
    if number <= EXACT { json!(number as u64) } else { json!(number.to_string()) }
}

/// Bytes as a string in which each character is the byte of its code point: nothing is lost, and ASCII reads as itself.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte as char).collect()
}

/// The bytes of a string that [`latin1`] made; `None` if it holds a larger character.
pub(crate) fn from_latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect()
}

/// Bytes as two hexadecimal digits each.
#[cfg(test)]
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(DIGITS[usize::from(digit)] as char);
        }
    }
    text
}

#[cfg(test)]
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The bytes of a string that [`hex`] made.
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| (digit as char).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// A place as JSON, or null.
pub(crate) fn place(place: Option<&Place>) -> Json {
    place.map_or(Json::Null, |place| json!({"file": place.file, "line": place.line, "column": place.column}))
}

/// Where an input comes from, as JSON.
pub(crate) fn origin(origin: &Origin) -> Json {
    // Maps of texts and numbers can always be written.
    serde_json::to_value(ShownOrigin(origin)).unwrap_or_default()
}

/// Where an input comes from, written at once.
pub(crate) struct ShownOrigin<'a>(pub(crate) &'a Origin);

impl Serialize for ShownOrigin<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut put = |kind: &str, name: &str, text: &str| {
            map.serialize_entry("kind", kind)?;
            map.serialize_entry(name, text)
        };
        match self.0 {
            Origin::Pointee(pointer) => put("pointee", "pointer", pointer)?,
            Origin::Stream(pointer) => put("stream", "pointer", pointer)?,
            Origin::Global(symbol) => put("global", "symbol", symbol)?,
            Origin::Nondet(function) => put("nondet", "function", function)?,
            Origin::External(function) => put("external", "function", function)?,
            Origin::Callback(pointer) => put("callback", "pointer", pointer)?,
            Origin::Written { function, call, way } => {
                put("written", "function", function)?;
                map.serialize_entry("call", call)?;
                map.serialize_entry("way", way)?;
            }
            Origin::Klee => map.serialize_entry("kind", "klee")?,
            Origin::Device => map.serialize_entry("kind", "device")?,
            Origin::Volatile => map.serialize_entry("kind", "volatile")?,
            Origin::Heap { within, offset, addend } => {
                put("heap", "within", within)?;
                map.serialize_entry("offset", offset)?;
                map.serialize_entry("addend", addend)?;
            }
            Origin::Stdin => map.serialize_entry("kind", "stdin")?,
            Origin::File(name) => put("file", "name", name)?,
            Origin::Environment(name) => put("environment", "name", name)?,
            Origin::Time => map.serialize_entry("kind", "time")?,
            Origin::Extent(input) => put("extent", "input", input)?,
            Origin::Parameter(index) => {
                map.serialize_entry("kind", "parameter")?;
                map.serialize_entry("index", index)?;
            }
            Origin::Argument(index) => {
                map.serialize_entry("kind", "argument")?;
                map.serialize_entry("index", index)?;
            }
        }
        map.end()
    }
}

/// What [`origin`] wrote, as it is read.
#[derive(Deserialize)]
pub(crate) struct OriginDocument<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    index: Option<u32>,
    pointer: Option<String>,
    symbol: Option<String>,
    function: Option<String>,
    call: Option<u32>,
    way: Option<String>,
    name: Option<String>,
    input: Option<String>,
    within: Option<String>,
    offset: Option<u64>,
    addend: Option<u64>,
}

impl OriginDocument<'_> {
    /// The origin; none if something is missing or the kind is not known.
    pub(crate) fn read(self) -> Option<Origin> {
        Some(match self.kind.as_ref() {
            "parameter" => Origin::Parameter(self.index?),
            "pointee" => Origin::Pointee(self.pointer?),
            "stream" => Origin::Stream(self.pointer?),
            "global" => Origin::Global(self.symbol?),
            "klee" => Origin::Klee,
            "device" => Origin::Device,
            "volatile" => Origin::Volatile,
            "heap" => Origin::Heap { within: self.within?, offset: self.offset?, addend: self.addend? },
            "nondet" => Origin::Nondet(self.function?),
            "argument" => Origin::Argument(self.index?),
            "stdin" => Origin::Stdin,
            "file" => Origin::File(self.name?),
            "environment" => Origin::Environment(self.name?),
            "time" => Origin::Time,
            "extent" => Origin::Extent(self.input?),
            "external" => Origin::External(self.function?),
            "callback" => Origin::Callback(self.pointer?),
            "written" => Origin::Written { function: self.function?, call: self.call?, way: self.way? },
            _ => return None,
        })
    }
}

/// `key`, or the first of `key_1`, `key_2`... that the object does not hold yet, as KLEE numbers objects of one name.
pub(crate) fn unused_key(object: &Map<String, Json>, key: String) -> String {
    if !object.contains_key(&key) {
        return key;
    }
    (1u64..).map(|number| format!("{key}_{number}")).find(|name| !object.contains_key(name)).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_integers_are_strings() {
        assert_eq!(signed(-(1 << 53) + 1), json!(-9007199254740991i64));
        assert_eq!(signed(-(1 << 53)), json!("-9007199254740992"));
        assert_eq!(unsigned(u128::MAX), json!("340282366920938463463374607431768211455"));
    }

    #[test]
    fn floats_are_exact_or_strings() {
        assert_eq!(value(&Value::Float(FloatFormat::Double, u128::from(0.1f64.to_bits()))), json!(0.1));
        assert_eq!(value(&Value::Float(FloatFormat::Single, 0x7f80_0000)), json!("inf"));
        assert_eq!(value(&Value::Float(FloatFormat::Single, 0x7fc0_0000)), json!("nan"));
        let third = 0x3ffd_aaaa_aaaa_aaaa_aaab;
        assert_eq!(value(&Value::Float(FloatFormat::X87, third)), json!("x87:0x3ffdaaaaaaaaaaaaaaab"));
    }

    #[test]
    fn values_that_were_read_are_shown_as_before() {
        let members = vec![
            ("next".to_owned(), Value::Pointer(Some("list->next".to_owned()))),
            ("none".to_owned(), Value::Pointer(None)),
            ("keys".to_owned(), Value::Array(vec![Value::Signed(-1), Value::Unsigned(u128::MAX)])),
            ("color".to_owned(), Value::Enumerator(Some("RED".to_owned()), 3)),
            ("good".to_owned(), Value::Boolean(true)),
            ("d".to_owned(), Value::Float(FloatFormat::Double, u128::from(0.5f64.to_bits()))),
        ];
        let all = [
            (Value::Struct(members), vec![0; 40]),
            (Value::Text(b"a\xff\0".to_vec()), b"a\xff\0".to_vec()),
            (Value::Bytes(vec![1, 2]), vec![1, 2]),
            (Value::Signed(i128::MIN), vec![0; 16]),
        ];
        for (each, bytes) in all {
            assert_eq!(read_value(&value(&each), &bytes).to_string(), each.to_string());
        }
    }

    #[test]
    fn bytes_survive_both_ways() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_latin1(&latin1(&all)).unwrap(), all);
        assert_eq!(from_hex(&hex(&all)).unwrap(), all);
        assert_eq!((from_hex("0"), from_hex("zz"), from_latin1("\u{100}")), (None, None, None));
    }

    #[test]
    fn origins_survive_both_ways() {
        let all = [
            Origin::Parameter(3),
            Origin::Pointee("list->next".to_owned()),
            Origin::Stream("reader->in".to_owned()),
            Origin::Global("counter".to_owned()),
            Origin::Klee,
            Origin::Device,
            Origin::Volatile,
            Origin::Heap { within: "*list".to_owned(), offset: 8, addend: 16 },
            Origin::Nondet("__VERIFIER_nondet_int".to_owned()),
            Origin::Argument(1),
            Origin::Stdin,
            Origin::File("in \u{ff}.txt".to_owned()),
            Origin::Environment("HOME".to_owned()),
            Origin::Time,
            Origin::Extent("stdin".to_owned()),
            Origin::External("time".to_owned()),
            Origin::Callback("hooks->get".to_owned()),
            Origin::Written { function: "read".to_owned(), call: 2, way: "arg2".to_owned() },
        ];
        let read =
            |text: &str| serde_json::from_str::<OriginDocument<'_>>(text).ok().and_then(OriginDocument::read);
        for each in all {
            assert_eq!(read(&origin(&each).to_string()), Some(each));
        }
        for wrong in [r#"{"kind": "parameter", "index": -1}"#, r#"{"kind": "global"}"#, r#"{"kind": "x"}"#] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn members_of_the_same_name_are_kept_apart() {
        let members = vec![
            (String::new(), Value::Signed(1)),
            ("x".to_owned(), Value::Signed(2)),
            ("x".to_owned(), Value::Signed(3)),
        ];
        assert_eq!(value(&Value::Struct(members)), json!({"#0": 1, "x": 2, "x_1": 3}));
    }
}
