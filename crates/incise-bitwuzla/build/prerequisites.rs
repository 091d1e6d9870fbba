//! Looks for the tools and libraries that Bitwuzla builds with, and names the Debian packages of those that are
//! missing.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Programs that must run, with their Debian packages.
const TOOLS: [(&str, &str); 6] = [
    ("c++", "g++"),
    ("cc", "gcc"),
    ("ar", "binutils"),
    ("meson", "meson"),
    ("ninja", "ninja-build"),
    ("pkg-config", "pkg-config"),
];

/// Headers that the compiler must find, with their Debian packages.
const HEADERS: [(&str, &str); 3] = [
    ("gmpxx.h", "libgmp-dev"),
    ("cadical.hpp", "libcadical-dev"),
    ("symfpu/core/unpackedFloat.h", "libsymfpu-dev"),
];

/// Static libraries that the compiler must find, with their Debian packages.
const ARCHIVES: [(&str, &str); 2] = [("libcadical.a", "libcadical-dev"), ("libgmp.a", "libgmp-dev")];

/// Returns the static libraries that Bitwuzla needs, or a message that says what to install.
pub(crate) fn find() -> Result<Vec<PathBuf>, String> {
    let mut missing = Vec::new();
    for (tool, package) in TOOLS {
        if !runs(tool) {
            missing.push((format!("the program {tool}"), package));
        }
    }
    let mut archives = Vec::new();
    if missing.is_empty() {
        for (header, package) in HEADERS {
            if !has_header(header) {
                missing.push((format!("the header {header}"), package));
            }
        }
        for (archive, package) in ARCHIVES {
            match find_archive(archive) {
                Some(path) => archives.push(path),
                None => missing.push((format!("the library {archive}"), package)),
            }
        }
    }
    if missing.is_empty() { Ok(archives) } else { Err(describe(&missing)) }
}

fn describe(missing: &[(String, &str)]) -> String {
    let mut message = String::from("The solver Bitwuzla cannot be built, because these are missing:\n");
    for (what, package) in missing {
        message.push_str(&format!("  {what} (Debian package {package})\n"));
    }
    let mut packages: Vec<&str> = missing.iter().map(|(_, package)| *package).collect();
    packages.sort_unstable();
    packages.dedup();
    message.push_str(&format!("Run `make setup`, or `apt-get install {}`.", packages.join(" ")));
    message
}

fn runs(tool: &str) -> bool {
    let status = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn has_header(header: &str) -> bool {
    // The header is forced into an empty program, so that no file needs to be written.
    let status = Command::new("c++")
        .args(["-E", "-x", "c++", "-include", header, "/dev/null", "-o", "/dev/null"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn find_archive(name: &str) -> Option<PathBuf> {
    let output = Command::new("c++").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // The compiler echoes the bare name when it finds nothing.
    (path.is_absolute() && path.is_file()).then_some(path)
}
