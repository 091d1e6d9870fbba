mod natural;
#[test]
fn judged() {
    let mut different = 0;
    for seed in 0..3 {
        let folder = tempfile::tempdir().expect("folder");
        let batch = natural::batch(seed, 100);
        let judge = natural::Judge::new(folder.path(), &batch).unwrap_or_else(|why| panic!("{why}"));
        let start = std::time::Instant::now();
        let all = judge.all().unwrap_or_else(|why| panic!("{why}"));
        println!("{:?}", start.elapsed());
        for (pair, shapes) in batch.pairs.iter().zip(&all) {
            different += usize::from(!shapes.is_empty());
            if seed == 0 {
                println!("{}\n{:?}", pair.texts(), shapes.iter().min());
            }
        }
    }
    println!("{different}");
}
