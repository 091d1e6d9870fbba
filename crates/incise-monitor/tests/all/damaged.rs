//! Nothing in a file makes a reader panic or hang: random networks, specifications and measurements with letters
//! replaced, put in and left out, pieces doubled and cut off. `INCISE_LONG=1` tries a million files.

use crate::write::{Random, network, written};
use incise_monitor::{Format, Map, matched, read_as};

const SPECIFICATION: &str =
    "INPUT\n a, b: bool;\n s: float;\nDEFINE\n f := s > 1;\nFTSPEC\n x: G[0,9] (a -> F[0,5] b);\n f;\n";
const MEASUREMENTS: &str = "/begin PROJECT p \"\"\n/begin MEASUREMENT N \"a\" UWORD NO_COMPU_METHOD 0 0 0 8000 SYMBOL_LINK \"n\" 0 \
    /begin IF_DATA X /end IF_DATA /end MEASUREMENT\n/* c */ /begin MEASUREMENT M \"b\" SWORD CM 1 1 -1 0x10 /end MEASUREMENT\n/end PROJECT";
const MAP: &str = "entry = \"f\"\nhealth_prefixes = [\"H_\"]\n[nodes.A]\nvariable = \"a.b\"\nkind = \"sensor\"\n\
    thresholds = [{ below = 1, state = \"x\" }, { equals = 2.5, state = \"y\" }, { state = \"z\" }]\n";
const TOKENS: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "|",
    "\"",
    "\\",
    "/*",
    "*/",
    "%",
    "--",
    "table",
    "default",
    "999999999999999999999",
    "-1e309",
    "<!DOCTYPE x [<!ENTITY a \"&a;\">]>",
    "&a;",
    "\u{feff}",
    "/begin",
    "=",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.insert(at, random.below(256) as u8),
            3 => bytes.truncate(at),
            4 => {
                let end = (at + random.below(40)).min(bytes.len());
                drop(bytes.drain(at..end));
            }
            5 => {
                let end = (at + random.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => drop(bytes.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes())),
        }
    }
}

#[test]
fn damaged_files_are_refused_or_read() {
    let files: u64 = if std::env::var_os("INCISE_LONG").is_some() { 1_000_000 } else { 30_000 };
    let formats = [Format::Bif, Format::XmlBif, Format::Xdsl, Format::Net, Format::C2po, Format::A2l];
    let (mut refused, mut read) = (0, 0);
    for seed in 0..files {
        let mut random = Random::new(seed);
        let format = formats[random.below(formats.len())];
        let text = match format {
            Format::C2po => SPECIFICATION.to_owned(),
            Format::A2l => MEASUREMENTS.to_owned(),
            _ => written(&network(&mut random, 5), format, &mut random),
        };
        let mut bytes = text.into_bytes();
        damage(&mut bytes, &mut random);
        match read_as("damaged", &bytes, format) {
            Ok(network) => {
                read += 1;
                let matched = matched(&network, &Map::default(), &[]).expect("no map, no mistake");
                assert_eq!(matched.len(), network.nodes.len());
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("damaged"), "{error}");
            }
        }
    }
    assert!(refused > files / 4 && read > files / 20, "{refused} refused, {read} read");
}

#[test]
fn damaged_maps_are_refused_or_read() {
    let maps: u64 = if std::env::var_os("INCISE_LONG").is_some() { 200_000 } else { 10_000 };
    let mut refused = 0;
    for seed in 0..maps {
        let mut random = Random::new(seed);
        let mut bytes = MAP.as_bytes().to_vec();
        damage(&mut bytes, &mut random);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            refused += u64::from(Map::parse(text).is_err());
        }
    }
    assert!(refused > maps / 4, "{refused}");
}
