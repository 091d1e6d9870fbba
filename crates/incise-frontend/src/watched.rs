//! Makes visible from outside what a function keeps to itself: a local variable, a parameter, or the result of a
//! function that is called inside is also written to a global variable, in the LLVM IR that clang made.
//!
//! A variable whose address nobody takes is copied where it is written: then a path that never comes to it reads
//! nothing. Others are copied where their function returns. What is explored and what runs natively is the same text.

use crate::error::FrontendError;
use crate::load::Loaded;
use crate::models::add_models;
use crate::sources::Sources;
use incise_llvm::ModuleText;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// What is watched in a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Inside {
    /// A parameter or local variable, by its name.
    Variable(String),
    /// What it returns.
    Result,
}

/// Something that a function keeps to itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Watch {
    /// The function, by its symbol.
    pub function: String,
    /// What of it.
    pub inside: Inside,
}

impl Watch {
    /// The symbol of the variable that it is copied to.
    pub fn symbol(&self) -> String {
        let plain = |name: &str| -> String {
            name.chars().map(|each| if each.is_ascii_alphanumeric() { each } else { '_' }).collect()
        };
        match &self.inside {
            Inside::Variable(name) => format!("incise_watch_{}__{}", plain(&self.function), plain(name)),
            Inside::Result => format!("incise_watched_result_{}", plain(&self.function)),
        }
    }

    /// Whether a symbol is that of such a variable.
    pub fn is_symbol(symbol: &str) -> bool {
        symbol.starts_with("incise_watch_") || symbol.starts_with("incise_watched_result_")
    }

    /// Whether that is what such a variable is called in reports.
    pub fn is_name(name: &str) -> bool {
        name.contains(':') || name.ends_with("()")
    }

    /// What that variable is called in reports.
    pub fn name(&self) -> String {
        match &self.inside {
            Inside::Variable(name) => format!("{}:{name}", self.function),
            Inside::Result => format!("{}()", self.function),
        }
    }
}

/// A module with copies in it, and what it was that could be copied.
struct Copied {
    text: String,
    found: BTreeSet<Watch>,
}

/// A program in which things are watched, and which of them could be.
pub fn watched(
    loaded: &Loaded,
    watches: &[Watch],
    required_model: fn(&str) -> Option<&'static str>,
) -> Result<(Loaded, BTreeSet<Watch>), FrontendError> {
    let folder = tempfile::Builder::new().prefix("incise-watched-").tempdir();
    let folder = folder.map_err(FrontendError::NoTemporaryFolder)?;
    let mut found = BTreeSet::new();
    let mut texts = Vec::new();
    for (name, text) in &loaded.texts {
        // A symbol that two modules define is not one thing.
        let once = |watch: &&Watch| {
            let defines = |text: &String| definition(text, &watch.function).is_some();
            loaded.texts.iter().filter(|(_, text)| defines(text)).count() == 1
        };
        let own: Vec<Watch> = watches.iter().filter(once).cloned().collect();
        let copied = copied(text, &own);
        found.extend(copied.found);
        texts.push((name.clone(), copied.text));
    }
    let files = written(folder.path(), &texts)?;
    let modules: Vec<ModuleText<'_>> =
        texts.iter().map(|(name, text)| ModuleText { name, text: text.as_bytes() }).collect();
    let mut program = incise_llvm::link(&modules)?;
    add_models(&mut program, required_model)?;
    let sources = Sources { files, ..loaded.sources.clone() };
    let not_compared = loaded.not_compared.clone();
    let watched = Loaded { program, sources, headers: folder, unseen: Vec::new(), not_compared, texts };
    Ok((watched, found))
}

fn written(folder: &Path, texts: &[(String, String)]) -> std::io::Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    for (number, (_, text)) in texts.iter().enumerate() {
        let path = folder.join(format!("module{number}.ll"));
        std::fs::write(&path, text)?;
        files.push(path);
    }
    // What native programs include of ours lies beside them.
    std::fs::create_dir(folder.join("klee"))?;
    std::fs::write(folder.join("klee/klee.h"), incise_libc::KLEE_HEADER)?;
    Ok(files)
}

/// Where the definition of a function begins in a module.
pub(crate) fn definition(text: &str, function: &str) -> Option<usize> {
    let plain = format!(" @{function}(");
    let quoted = format!(" @\"{function}\"(");
    let starts = text.match_indices("\ndefine ").map(|(at, _)| at + 1);
    let first = text.starts_with("define ").then_some(0);
    first.into_iter().chain(starts).find(|&at| {
        let line = text[at..].lines().next().unwrap_or_default();
        line.contains(&plain) || line.contains(&quoted)
    })
}

/// A type of the IR that can be copied as one value.
pub(crate) fn is_plain(ty: &str) -> bool {
    let integer = ty.strip_prefix('i').is_some_and(|bits| bits.parse::<u32>().is_ok());
    integer || matches!(ty, "half" | "float" | "double" | "x86_fp80" | "fp128" | "ptr")
}

/// What debug information of a module says, by the numbers of its nodes.
struct Debug<'t> {
    nodes: BTreeMap<&'t str, &'t str>,
    unit: Option<&'t str>,
    /// The first number that is free.
    free: u64,
}

impl<'t> Debug<'t> {
    fn of(text: &'t str) -> Self {
        let lines = text.lines().filter(|line| line.starts_with('!'));
        let nodes: BTreeMap<&str, &str> = lines.filter_map(|line| line.split_once(" = ")).collect();
        let unit = nodes.get("!llvm.dbg.cu").and_then(|list| reference(list, "!{"));
        let numbers = nodes.keys().filter_map(|name| name[1..].parse::<u64>().ok());
        let free = numbers.max().map_or(0, |last| last + 1);
        Self { nodes, unit, free }
    }

    /// The name and the type of a local variable.
    fn variable(&self, number: &str) -> Option<(&'t str, Option<&'t str>)> {
        let node = self.nodes.get(number).filter(|node| node.contains("!DILocalVariable("))?;
        let name = node.split_once("name: \"")?.1.split('"').next()?;
        Some((name, reference(node, "type: ")))
    }

    /// The type of what a function returns.
    fn result(&self, head: &str) -> Option<&'t str> {
        let program = self.nodes.get(reference(head, "!dbg ")?)?;
        let signature = self.nodes.get(reference(program, "type: ")?)?;
        reference(self.nodes.get(reference(signature, "types: ")?)?, "!{")
    }
}

/// The number of a node behind a word.
fn reference<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.split_once(word)?.1;
    let end = rest[1..].find(|each: char| !each.is_ascii_digit()).map_or(rest.len(), |end| end + 1);
    (rest.starts_with('!') && end > 1).then(|| &rest[..end])
}

/// Puts copies into a module.
fn copied(text: &str, watches: &[Watch]) -> Copied {
    let mut debug = Debug::of(text);
    let mut found = BTreeSet::new();
    let (mut globals, mut nodes) = (String::new(), String::new());
    let mut functions: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for watch in watches {
        let Some(start) = definition(text, &watch.function) else { continue };
        let end = text[start..].find("\n}").map_or(text.len(), |end| start + end + 2);
        let body = functions.get(&start).map_or(&text[start..end], |(_, body)| body.as_str());
        let made = match &watch.inside {
            Inside::Variable(name) => with_variable(body, name, &watch.symbol(), &debug),
            Inside::Result => with_result(body, &watch.symbol(), &debug),
        };
        let Some((body, ty, declared)) = made else { continue };
        functions.insert(start, (end, body));
        let zero = match ty.as_str() {
            "ptr" => "null",
            _ if ty.starts_with('i') => "0",
            _ => "zeroinitializer",
        };
        // Code that nobody can see does not know the copy.
        let _ = write!(globals, "@{} = internal global {ty} {zero}", watch.symbol());
        if let (Some(declared), Some(unit)) = (declared, debug.unit) {
            let (outer, inner) = (debug.free, debug.free + 1);
            debug.free += 2;
            let _ = write!(globals, ", !dbg !{outer}");
            let _ = writeln!(
                nodes,
                "!{outer} = !DIGlobalVariableExpression(var: !{inner}, expr: !DIExpression())\n!{inner} = distinct \
                 !DIGlobalVariable(name: \"{}\", scope: {unit}, type: {declared}, isLocal: true, isDefinition: true)",
                watch.name()
            );
        }
        globals.push('\n');
        found.insert(watch.clone());
    }
    let mut result = String::with_capacity(text.len() + globals.len() + nodes.len());
    let mut at = 0;
    for (number, (start, (end, body))) in functions.into_iter().enumerate() {
        result += &text[at..start];
        if number == 0 {
            result += &globals;
            result.push('\n');
        }
        result += &body;
        at = end;
    }
    result += &text[at..];
    if !nodes.is_empty() {
        result.push('\n');
        result += &nodes;
    }
    Copied { text: result, found }
}

/// A body with copies of a variable; the type of the variable in the IR and in the source.
fn with_variable(
    body: &str,
    name: &str,
    symbol: &str,
    debug: &Debug<'_>,
) -> Option<(String, String, Option<String>)> {
    let mut slots = body.lines().filter_map(|line| {
        let line = line.trim_start();
        let rest = line
            .strip_prefix("#dbg_declare(ptr ")
            .or_else(|| line.split_once("@llvm.dbg.declare(metadata ptr ").map(|(_, rest)| rest))?;
        let (slot, rest) = rest.split_once(", ")?;
        let number = reference(rest, if rest.starts_with("metadata") { "metadata " } else { "" })?;
        let (its, ty) = debug.variable(number)?;
        (its == name && slot.starts_with('%')).then(|| (slot.to_owned(), ty.map(str::to_owned)))
    });
    let (slot, declared) = slots.next()?;
    // Two variables of one name are not one thing.
    if slots.next().is_some() {
        return None;
    }
    let head = format!("{slot} = alloca ");
    let made = body.lines().find_map(|line| line.trim_start().strip_prefix(&head))?;
    let ty = made.split(", ").next()?.trim().to_owned();
    if !is_plain(&ty) {
        return None;
    }
    let store = |line: &str| {
        let line = line.trim_start();
        let (value, rest) =
            line.strip_prefix(&format!("store {ty} "))?.split_once(&format!(", ptr {slot}"))?;
        (!mentions(value, &slot) && (rest.is_empty() || rest.starts_with(',')))
            .then(|| (value.to_owned(), rest.to_owned()))
    };
    let load = format!(" = load {ty}, ptr {slot}");
    let plain = |line: &str| {
        !mentions(line, &slot)
            || store(line).is_some()
            || line.trim_start().starts_with(&head)
            || line.contains("dbg_declare(")
            || line.contains("@llvm.dbg.declare(")
            || line.split_once(&load).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(','))
    };
    let direct = body.lines().all(plain);
    let mut result = String::with_capacity(body.len() + 128);
    let mut copies = 0;
    for line in body.lines() {
        if !direct && is_return(line) {
            copies += 1;
            let value = format!("%incise.{symbol}.{copies}");
            let debug = debug_of(line);
            let _ = writeln!(
                result,
                "  {value} = load {ty}, ptr {slot}{debug}\n  store {ty} {value}, ptr @{symbol}{debug}"
            );
        }
        result += line;
        result.push('\n');
        if let (true, Some((value, rest))) = (direct, store(line)) {
            let _ = writeln!(result, "  store {ty} {value}, ptr @{symbol}{rest}");
        }
    }
    result.pop();
    Some((result, ty, declared))
}

/// A body that copies what it returns.
fn with_result(body: &str, symbol: &str, debug: &Debug<'_>) -> Option<(String, String, Option<String>)> {
    let returns = |line: &str| {
        let rest = line.trim_start().strip_prefix("ret ")?;
        let rest = rest.split(", !dbg").next()?;
        let (ty, value) = rest.split_once(' ')?;
        is_plain(ty).then(|| (ty.to_owned(), value.trim().to_owned()))
    };
    let (ty, _) = body.lines().find_map(returns)?;
    let declared = debug.result(body.lines().next()?).map(str::to_owned);
    let mut result = String::with_capacity(body.len() + 128);
    for line in body.lines() {
        if let Some((its, value)) = returns(line) {
            let _ = writeln!(result, "  store {its} {value}, ptr @{symbol}{}", debug_of(line));
        }
        result += line;
        result.push('\n');
    }
    result.pop();
    Some((result, ty, declared))
}

pub(crate) fn is_return(line: &str) -> bool {
    line.trim_start().starts_with("ret ")
}

/// Where a line of the IR is in the source, as it ends.
fn debug_of(line: &str) -> String {
    reference(line, "!dbg ").map_or_else(String::new, |number| format!(", !dbg {number}"))
}

/// Whether a line has a name in it, and not only one that begins with it.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let behind = line[at + name.len()..].chars().next();
        !behind.is_some_and(|each| each.is_ascii_alphanumeric() || "._$-".contains(each))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "\
define void @f(i32 %x) !dbg !3 {
  %x.addr = alloca i32, align 4
  %x.addr2 = alloca i32, align 4
  %y = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
    #dbg_declare(ptr %x.addr, !5, !DIExpression(), !7)
    #dbg_declare(ptr %y, !6, !DIExpression(), !7)
  call void @g(ptr %y), !dbg !7
  store i32 1, ptr %x.addr, align 4, !dbg !7
  store i32 2, ptr %x.addr2, align 4, !dbg !7
  ret void, !dbg !7
}

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!5 = !DILocalVariable(name: \"x\", arg: 1, scope: !3, file: !1, line: 1, type: !4)
!6 = !DILocalVariable(name: \"y\", scope: !3, file: !1, line: 2, type: !4)
!7 = !DILocation(line: 3, scope: !3)
";

    fn watch(name: &str) -> Watch {
        Watch { function: "f".to_owned(), inside: Inside::Variable(name.to_owned()) }
    }

    #[test]
    fn a_variable_without_an_address_is_copied_where_it_is_written() {
        let Copied { text, found } = copied(MODULE, &[watch("x")]);
        assert_eq!(found.len(), 1);
        assert_eq!(text.matches(", ptr @incise_watch_f__x").count(), 2, "{text}");
        assert!(text.contains("  store i32 1, ptr @incise_watch_f__x, align 4, !dbg !7\n"), "{text}");
        assert!(text.contains("@incise_watch_f__x = internal global i32 0, !dbg !8\n"), "{text}");
        assert!(text.contains("name: \"f:x\", scope: !0, type: !4"), "{text}");
    }

    #[test]
    fn a_variable_whose_address_is_taken_is_copied_at_the_end() {
        let Copied { text, .. } = copied(MODULE, &[watch("y")]);
        assert!(text.contains("= load i32, ptr %y, !dbg !7\n  store i32 %incise."), "{text}");
    }

    #[test]
    fn what_is_not_there_is_left_alone() {
        let Copied { text, found } = copied(MODULE, &[watch("z")]);
        assert!(found.is_empty() && text == MODULE, "{text}");
    }
}
