//! Damaged texts: no panic, no hang, and what is accepted verifies. The example `fuzz_reader` does the same a million
//! times.

use crate::mutate::{Random, mutate, seeds, shrink};
use incise_llvm::{ModuleText, link};

#[test]
fn damaged_texts_are_refused_or_verify() {
    let seeds = seeds();
    let mut accepted = 0;
    // Numbers that the example does not start with.
    for number in 1_000_000_000..1_000_008_000 {
        let mut random = Random::new(number);
        let (seed, other) = (seeds[random.below(seeds.len())], seeds[random.below(seeds.len())]);
        let small = shrink(seed, &mut random);
        let text = mutate(&small, other, &mut random);
        if let Ok(program) = link(&[ModuleText { name: "fuzz.ll", text: &text }]) {
            accepted += 1;
            if let Err(error) = incise_ir::verify(&program) {
                panic!("input {number} is accepted, but: {error}");
            }
        }
    }
    assert!(
        accepted > 500,
        "only {accepted} damaged texts were accepted: the damage is too great to tell anything"
    );
}

#[test]
fn every_truncation_is_refused_or_verifies() {
    let text = seeds()[0];
    for length in (0..text.len()).step_by(7) {
        if let Ok(program) = link(&[ModuleText { name: "cut.ll", text: &text[..length] }]) {
            incise_ir::verify(&program).unwrap_or_else(|error| panic!("cut at {length}: {error}"));
        }
    }
}
