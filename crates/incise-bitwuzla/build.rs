//! Builds Bitwuzla as a static library and tells cargo how to link it.
//!
//! The sources come with the crate `bitwuzla-sys`, whatever registry or vendor folder cargo uses; the libraries it
//! needs come from Debian. The result is kept in a cache folder outside `OUT_DIR`, because the build takes more than a
//! minute and cargo would repeat it for every profile. `INCISE_BITWUZLA_CACHE` names another folder, to share it among
//! target folders.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[path = "build/compile.rs"]
mod compile;
#[path = "build/patches.rs"]
mod patches;
#[path = "build/prerequisites.rs"]
mod prerequisites;

/// The version of the sources that `Cargo.toml` pins.
const VERSION: &str = "0.8.0";

/// Counts changes of the recipe below, so that a library made by an older one is not taken from the cache.
const RECIPE: u32 = 4;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=INCISE_BITWUZLA_CACHE");
    match library_folder() {
        Ok(folder) => {
            println!("cargo::rerun-if-changed={}", folder.display());
            println!("cargo::rustc-link-search=native={}", folder.display());
            // The order matters to linkers that read archives once: users before what they use.
            println!("cargo::rustc-link-lib=static:-bundle=bitwuzla");
            println!("cargo::rustc-link-lib=static:-bundle=cadical");
            println!("cargo::rustc-link-lib=static:-bundle=gmp");
            link_cxx_library();
            ExitCode::SUCCESS
        }
        Err(message) => {
            for line in message.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

/// The library of C++ is linked statically where there is an archive of it: looking its symbols up would take a tenth
/// of the time of a short run.
fn link_cxx_library() {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let said = Command::new(compiler).arg("-print-file-name=libstdc++.a").output();
    let path = said.ok().and_then(|said| String::from_utf8(said.stdout).ok()).unwrap_or_default();
    // Without an archive the bare name comes back.
    match Path::new(path.trim()).parent().filter(|folder| folder.is_absolute()) {
        Some(folder) => {
            println!("cargo::rustc-link-search=native={}", folder.display());
            println!("cargo::rustc-link-lib=static:-bundle=stdc++");
        }
        None => println!("cargo::rustc-link-lib=dylib=stdc++"),
    }
}

/// Returns the folder that holds the archives, after building them unless the cache has them.
fn library_folder() -> Result<PathBuf, String> {
    let target = variable("TARGET")?;
    if target != variable("HOST")? {
        return Err(format!("Bitwuzla can only be built for the machine that builds it, not for {target}."));
    }
    let cache = cache_folder()?;
    fs::create_dir_all(&cache)
        .map_err(|error| format!("Cannot create the folder {}: {error}", cache.display()))?;
    // Two cargo runs may come here at once: the second waits, and finds the library ready.
    let lock_path = cache.join("lock");
    let lock = File::create(&lock_path)
        .map_err(|error| format!("Cannot create {}: {error}", lock_path.display()))?;
    lock.lock().map_err(|error| format!("Cannot lock {}: {error}", lock_path.display()))?;

    let library = cache.join("lib");
    let stamp_path = library.join("stamp");
    let stamp = format!("bitwuzla {VERSION}, recipe {RECIPE}\n");
    if fs::read_to_string(&stamp_path).is_ok_and(|found| found == stamp) {
        return Ok(library);
    }
    let archives = prerequisites::find()?;
    let sources = source_folder(&target)?;
    compile::compile(&sources, &cache.join("work"), &library, &archives)?;
    // Written last: a build that was interrupted leaves no stamp, and is done again.
    fs::write(&stamp_path, stamp)
        .map_err(|error| format!("Cannot write {}: {error}", stamp_path.display()))?;
    Ok(library)
}

/// The folder named by the user, or one inside cargo's target folder that all profiles share.
fn cache_folder() -> Result<PathBuf, String> {
    // Checkouts with other recipes may share the folder: each has its own library in it.
    let name = format!("bitwuzla-{VERSION}-{RECIPE}");
    if let Some(folder) = env::var_os("INCISE_BITWUZLA_CACHE").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        if folder.is_relative() {
            return Err(format!(
                "INCISE_BITWUZLA_CACHE must be an absolute path, but is {}",
                folder.display()
            ));
        }
        return Ok(folder.join(name));
    }
    let out = PathBuf::from(variable("OUT_DIR")?);
    // Cargo marks its target folder with this file, however deep below it the output folder is.
    let target = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists()).unwrap_or(&out);
    Ok(target.join(name))
}

/// Asks cargo where it unpacked `bitwuzla-sys`.
fn source_folder(target: &str) -> Result<PathBuf, String> {
    let manifest = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let output = Command::new(variable("CARGO")?)
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform", target, "--manifest-path"])
        .arg(&manifest)
        .output()
        .map_err(|error| format!("Cannot run `cargo metadata`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`cargo metadata` failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("Cannot read the output of `cargo metadata`: {error}"))?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    packages
        .iter()
        .find(|package| package["name"] == "bitwuzla-sys" && package["version"] == VERSION)
        .and_then(|package| package["manifest_path"].as_str())
        .and_then(|path| Path::new(path).parent())
        .map(|folder| folder.join("bitwuzla"))
        .filter(|folder| folder.join("meson.build").is_file())
        .ok_or_else(|| format!("`cargo metadata` names no sources of bitwuzla-sys {VERSION}."))
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("Cargo has not set {name}."))
}
