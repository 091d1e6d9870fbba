use incise_change::*;
use std::collections::BTreeSet;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let entry = std::env::args().nth(2);
    let text = std::fs::read(&path).unwrap();
    let t = Instant::now();
    let program = incise_llvm::link(&[incise_llvm::ModuleText { name: &path, text: &text }]).unwrap();
    eprintln!("read {:?}", t.elapsed());
    let entries: BTreeSet<_> = match &entry {
        Some(name) => [program.function_named(name).unwrap()].into(),
        None => program.functions.iter().filter(|(_, f)| f.is_definition() && !f.model).map(|(id, _)| id).collect(),
    };
    let t = Instant::now();
    let points = PointsTo::new(&program, &entries);
    eprintln!("points-to {:?}", t.elapsed());
    let (mut total, mut count, mut unknown, mut outside, mut max, mut empty) = (0usize, 0usize, 0usize, 0usize, 0usize, 0usize);
    let mut histogram = [0usize; 12];
    for (id, function) in program.functions.iter() {
        for (_, i) in function.instructions.iter() {
            let (incise_ir::Op::Load { pointer, .. } | incise_ir::Op::Store { pointer, .. }) = &i.op else { continue };
            let incise_ir::Operand::Value(v) = pointer else { continue };
            let p = points.pointees(id, *v);
            count += 1;
            total += p.len();
            max = max.max(p.len());
            empty += usize::from(p.is_empty());
            unknown += usize::from(p.contains(&Pointee::Unknown));
            outside += usize::from(p.contains(&Pointee::Outside));
            histogram[(usize::BITS - p.len().leading_zeros()).min(11) as usize] += 1;
        }
    }
    eprintln!("accesses {count} mean {:.1} max {max} empty {empty} unknown {unknown} outside {outside} {histogram:?}", total as f64 / count as f64);
    eprintln!("objects {} exposed {}", points.objects().count(), points.objects().filter(|o| points.is_exposed(*o)).count());
    drop(points);
    let t = Instant::now();
    let entries: Vec<_> = entries.into_iter().collect();
    let effects = Effects::for_entries(&program, false, &entries);
    eprintln!("effects {:?}", t.elapsed());
    let t = Instant::now();
    let graph = CallGraph::new(&program, &effects);
    let (resolved, guessed) = (graph.edges.iter().filter(|e| e.kind == CallKind::Pointer).count(), graph.unresolved().count());
    eprintln!("call graph {:?}: {} edges, {resolved} by pointer, {guessed} unresolved", t.elapsed(), graph.edges.len());
    let t = Instant::now();
    let (mut places, mut nodes) = (0, 0);
    for (id, function) in program.functions.iter() {
        if !function.is_definition() { continue; }
        let g = StatementGraph::new(&program, id);
        let d = Dependence::new(&program, &effects, &g);
        for n in g.ids() { places += d.footprint(n).reads.len() + d.footprint(n).writes.len(); nodes += 1; }
    }
    eprintln!("dependence {:?}: {nodes} statements, {places} places", t.elapsed());
}
