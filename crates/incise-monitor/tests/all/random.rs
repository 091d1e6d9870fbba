//! Random networks are written in each format and read back as they were.

use crate::write::{Random, bare, network, written};
use incise_monitor::{Format, read_as};

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let made = network(&mut random, 24);
        for format in [Format::Bif, Format::XmlBif, Format::Xdsl, Format::Net] {
            let text = written(&made, format, &mut random);
            let read =
                read_as("random", text.as_bytes(), format).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.warnings, [], "seed {seed}, {}", format.name());
            assert_eq!(bare(read), bare(made.clone()), "seed {seed}, {}", format.name());
        }
    }
}
