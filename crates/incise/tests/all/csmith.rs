//! Random programs: what they print under the engine is what they print natively.
//!
//! `INCISE_CSMITH=500` runs that many (12 unless said, 50 with `INCISE_LONG=1`), `INCISE_CSMITH_FIRST=1000` starts at
//! that seed. Seeds are fixed, so failures can be seen again: `csmith --seed N`.

use crate::common::{Said, incise};
use incise_testing::in_parallel;
use incise_testing::shorter;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a program may run natively to be taken; csmith also makes programs that never end.
const NATIVE_LIMIT: Duration = Duration::from_secs(2);
/// How long the engine may take.
const ENGINE_LIMIT: &str = "120s";
const HEADERS: &str = "/usr/include/csmith";

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_programs_print_the_same_as_natively() {
    assert!(
        Path::new(HEADERS).is_dir(),
        "csmith is missing; install it with: apt-get install csmith libcsmith-dev"
    );
    let first = number("INCISE_CSMITH_FIRST", 1);
    let wanted = number("INCISE_CSMITH", shorter(12, 50)) as usize;
    let mut skipped = 0;
    let mut failures = Vec::new();
    let mut done = 0;
    let mut seed = first;
    while done < wanted {
        let batch: Vec<u64> = (seed..seed + (wanted - done) as u64).collect();
        seed += batch.len() as u64;
        let results = std::sync::Mutex::new((0usize, 0usize));
        let differ = in_parallel(&batch, |&seed| {
            let outcome = compare(seed).map_err(|why| format!("csmith --seed {seed}: {why}"))?;
            let mut counts = results.lock().map_err(|_| "a worker failed")?;
            if outcome {
                counts.0 += 1
            } else {
                counts.1 += 1
            }
            Ok(())
        });
        let (compared, endless) = results.into_inner().expect("no worker panicked");
        done += compared + differ.len();
        failures.extend(differ);
        skipped += endless;
        assert!(skipped < 10 * wanted + 100, "nearly all programs of csmith run without end");
    }
    assert!(failures.is_empty(), "{} programs differ:\n{}", failures.len(), failures.join("\n"));
    println!("{done} programs agree, {skipped} without end skipped");
}

/// Whether a program was compared; one that runs too long natively is not.
fn compare(seed: u64) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("random.c");
    let made = Command::new("csmith")
        .current_dir(folder.path())
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(&source)
        .output();
    let made = made.map_err(|error| format!("csmith: {error}"))?;
    if !made.status.success() {
        return Err(format!("csmith: {}", String::from_utf8_lossy(&made.stderr)));
    }
    let Some(native) = native(folder.path(), &source)? else { return Ok(false) };
    let mut command = incise();
    command.arg("run").arg(&source).args(["--cflags", &format!("-w -isystem {HEADERS}")]);
    command.args(["--format", "json", "--max-time", ENGINE_LIMIT, "--closed"]);
    let document = Said::by(&mut command).json()?;
    let paths = document["paths"].as_array().map_or(&[][..], Vec::as_slice);
    let [path] = paths else { return Err(format!("{} paths", paths.len())) };
    if path["outcome"] != "exited" || path["stdout"] != Value::String(native.clone()) {
        return Err(format!(
            "native {native:?}, engine {} {} {} at {}, {}",
            path["outcome"], path["error"], path["reason"], path["location"], path["stdout"]
        ));
    }
    Ok(true)
}

fn native(folder: &Path, source: &Path) -> Result<Option<String>, String> {
    let program = folder.join("random");
    let built = Command::new("clang-19")
        .args(["-O0", "-w", "-isystem", HEADERS])
        .arg(source)
        .arg("-o")
        .arg(&program)
        .output();
    let built = built.map_err(|error| format!("clang-19: {error}"))?;
    if !built.status.success() {
        return Err(format!("clang-19: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let output = folder.join("output");
    let file = std::fs::File::create(&output).map_err(|error| error.to_string())?;
    let mut child = Command::new(&program).stdout(file).spawn().map_err(|error| error.to_string())?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(_) => break,
            None if start.elapsed() > NATIVE_LIMIT => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    std::fs::read_to_string(&output).map(Some).map_err(|error| error.to_string())
}
