use incise_llvm::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read(&a[1]).unwrap();
    let program = link(&[ModuleText { name: "x", text: &text }]).unwrap();
    for (id, f) in program.functions.iter() {
        if !f.is_definition() || (a.len() > 2 && !a[2..].contains(&f.name)) {
            continue;
        }
        let start = std::time::Instant::now();
        let r = incise_reading::infer(&program, id);
        println!("{}: ({} us)", f.name, start.elapsed().as_micros());
        for t in &r.parts {
            println!("    {t}   [{}: {}]", t.evidence.source.name(), t.evidence.words);
        }
        if !r.checked.is_empty() {
            println!("    checked {:?}", r.checked);
        }
        if !r.repeats.is_empty() {
            println!("    repeats {:?}", r.repeats);
        }
    }
}
