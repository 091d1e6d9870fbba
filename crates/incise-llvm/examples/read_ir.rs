//! Reads LLVM IR files and says what is in them and how long it took:
//! `cargo run --release --example read_ir -- [--text] FILE...`. With `--text` it also writes the program in its text
//! form.

use incise_ir::Op;
use incise_llvm::{ModuleText, link};
use std::time::Instant;

fn main() {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let texts: Vec<Vec<u8>> = match paths.iter().map(std::fs::read).collect() {
        Ok(texts) => texts,
        Err(error) => return eprintln!("{error}"),
    };
    let modules: Vec<_> = paths.iter().zip(&texts).map(|(name, text)| ModuleText { name, text }).collect();
    let start = Instant::now();
    let program = match link(&modules) {
        Ok(program) => program,
        Err(error) => return eprintln!("{error}"),
    };
    let elapsed = start.elapsed();
    if options.iter().any(|option| option == "--text") {
        println!("{program}");
    }
    let start = Instant::now();
    match incise_ir::verify(&program) {
        Ok(()) => println!("verified in {:?}", start.elapsed()),
        Err(error) => println!("{error}"),
    }
    let (mut instructions, mut located) = (0, 0);
    for (_, function) in program.functions.iter() {
        for (_, instruction) in function.instructions.iter() {
            instructions += 1;
            located += usize::from(instruction.location.is_some());
            if let Op::Unsupported(text) | Op::UnsupportedTerminator(text) = &instruction.op {
                println!("unsupported in {}: {text}", function.name);
            }
        }
    }
    println!(
        "{} functions, {instructions} instructions ({located} with a location), {} globals, {} constants, {} types, {} debug types, {} locations in {elapsed:?}",
        program.functions.len(),
        program.globals.len(),
        program.constants.len(),
        program.types.len(),
        program.debug_types.len(),
        program.locations.len(),
    );
}
