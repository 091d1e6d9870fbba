//! Compiles a copy of Bitwuzla's sources with meson and ninja, and collects the static libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::patches;

/// Folders of the sources that the library is made of; the rest are tests, documents and examples.
const NEEDED: [&str; 6] = ["src", "include", "subprojects", "meson.build", "meson_options.txt", "COPYING"];

/// The libraries that ninja is asked for; the program and its parser's main function stay unbuilt.
const TARGETS: [&str; 6] = [
    "src/libbitwuzla.a",
    "src/libbzlautil.a",
    "src/lib/libbzlarng.a",
    "src/lib/libbitwuzlabv.a",
    "src/lib/libbitwuzlabb.a",
    "src/lib/libbitwuzlals.a",
];

/// Builds the library from `sources` inside `work`, and leaves it with `archives` in the folder `library`.
pub(crate) fn compile(
    sources: &Path,
    work: &Path,
    library: &Path,
    archives: &[PathBuf],
) -> Result<(), String> {
    // What an interrupted or older build left behind would only confuse this one.
    for folder in [work, library] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| failure("remove", folder, &error))?;
        }
    }
    let copy = work.join("source");
    let build = work.join("build");
    fs::create_dir_all(&copy).map_err(|error| failure("create", &copy, &error))?;
    for name in NEEDED {
        copy_tree(&sources.join(name), &copy.join(name))?;
    }
    patches::apply(&copy)?;

    let mut setup = Command::new("meson");
    setup.arg("setup").arg(&build).arg(&copy);
    setup.args(["-Dbuildtype=release", "-Ddefault_library=static", "-Dwrap_mode=nodownload"]);
    setup.args(["-Dtesting=disabled", "-Dunit_testing=disabled", "-Dpython=false", "-Ddocs=false"]);
    setup.args(["-Daiger=false", "-Dkissat=false", "-Dcryptominisat=false"]);
    // Bitwuzla calls all formats experimental but those of 16, 32, 64 and 128 bits, and refuses x86's 80-bit one
    // otherwise.
    setup.arg("-Dfpexp=true");
    run(&mut setup)?;

    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| String::from("1"));
    run(Command::new("ninja").arg("-C").arg(&build).arg("-j").arg(jobs).args(TARGETS))?;

    fs::create_dir_all(library).map_err(|error| failure("create", library, &error))?;
    // Meson leaves the inner libraries as lists of names of object files; one archive with everything in it can be
    // moved.
    let mut objects = Vec::new();
    collect_objects(&build.join("src"), &mut objects)?;
    objects.sort();
    run(Command::new("ar").arg("qcsD").arg(library.join("libbitwuzla.a")).args(&objects))?;
    for archive in archives {
        let Some(name) = archive.file_name() else { continue };
        fs::copy(archive, library.join(name)).map_err(|error| failure("copy", archive, &error))?;
    }
    fs::remove_dir_all(work).map_err(|error| failure("remove", work, &error))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("Cannot run {command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    // The reason is at the end; the lines before it are the steps that went well.
    let lines: Vec<&str> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(30)..].join("\n");
    Err(format!("Building Bitwuzla failed: {command:?} ended with {}:\n{tail}", output.status))
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_file() {
        // The copy gets fresh permissions: sources in a registry may be read-only, and one file is edited.
        let bytes = fs::read(from).map_err(|error| failure("read", from, &error))?;
        return fs::write(to, bytes).map_err(|error| failure("write", to, &error));
    }
    fs::create_dir_all(to).map_err(|error| failure("create", to, &error))?;
    for entry in fs::read_dir(from).map_err(|error| failure("read", from, &error))? {
        let entry = entry.map_err(|error| failure("read", from, &error))?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Gathers the object files of the libraries; meson has built nothing else, because ninja was asked for them alone.
fn collect_objects(folder: &Path, objects: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| failure("read", folder, &error))? {
        let path = entry.map_err(|error| failure("read", folder, &error))?.path();
        if path.is_dir() {
            collect_objects(&path, objects)?;
        } else if path.extension().is_some_and(|extension| extension == "o") {
            objects.push(path);
        }
    }
    Ok(())
}

fn failure(action: &str, path: &Path, error: &std::io::Error) -> String {
    format!("Cannot {action} {}: {error}", path.display())
}
