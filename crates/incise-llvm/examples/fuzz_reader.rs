//! Reads damaged texts, a million by default, and stops at the first that makes the reader panic, hang, or accept what
//! does not verify: `cargo run --release --example fuzz_reader -- [COUNT] [FIRST]`. Equal numbers give equal texts.

#[path = "../tests/all/support/mutate.rs"]
mod mutate;

use incise_llvm::{Models, ModuleText, link, link_models};
use mutate::{Random, mutate, seeds, shrink};
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (count, first) = match (arguments.next(), arguments.next()) {
        (None, _) => (1_000_000, 0),
        (Some(Ok(count)), None) => (count, 0),
        (Some(Ok(count)), Some(Ok(first))) => (count, first),
        _ => return eprintln!("usage: fuzz_reader [COUNT] [FIRST]"),
    };
    let seeds = seeds();
    let (mut accepted, mut slowest, start) = (0u64, Duration::ZERO, Instant::now());
    for number in first..first + count {
        let mut random = Random::new(number);
        let seed = seeds[random.below(seeds.len())];
        let other = seeds[random.below(seeds.len())];
        let small = shrink(seed, &mut random);
        let text = mutate(&small, other, &mut random);
        // A stack overflow ends the process, so the text must be on disk before.
        if std::env::var_os("FUZZ_SAVE").is_some() {
            std::fs::write("fuzz_input.ll", &text).expect("the text is written");
        }
        let begin = Instant::now();
        let outcome = std::panic::catch_unwind(|| {
            let Ok(mut program) = link(&[ModuleText { name: "fuzz.ll", text: &text }]) else { return false };
            if number % 8 == 0
                && let Ok(models) = Models::scan("models.ll", seed)
            {
                let _ = link_models(&mut program, &models);
            }
            incise_ir::verify(&program).expect("what is accepted verifies");
            assert!(!program.to_string().is_empty() || program.functions.is_empty());
            true
        });
        slowest = slowest.max(begin.elapsed());
        match outcome {
            Ok(fine) => accepted += u64::from(fine),
            Err(_) => {
                std::fs::write("fuzz_input.ll", &text).expect("the text is written");
                eprintln!("input {number} fails; it is in fuzz_input.ll");
                std::process::exit(1);
            }
        }
        if begin.elapsed() > Duration::from_secs(2) {
            std::fs::write("fuzz_input.ll", &text).expect("the text is written");
            eprintln!("input {number} takes {:?}; it is in fuzz_input.ll", begin.elapsed());
            std::process::exit(1);
        }
        if (number + 1) % 100_000 == 0 {
            eprintln!(
                "{} inputs, {accepted} accepted, slowest {slowest:?}, {:?}",
                number + 1 - first,
                start.elapsed()
            );
        }
    }
    println!("{count} inputs, {accepted} accepted, slowest {slowest:?}, {:?}", start.elapsed());
}
