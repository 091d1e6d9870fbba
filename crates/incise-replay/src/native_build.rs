//! Building the program under test natively, once plain and once with sanitizers.

use super::glue::{Callback, GlueRequest, LinkedGlobal, glue};
use crate::devices;
use crate::error::ReplayError;
use crate::linker::Linker;
use crate::needs::TestNeeds;
use crate::objects::Objects;
use crate::threads::{self, Extra};
use incise_children::RunError;
use incise_frontend::Sources;
use incise_ir::{Function, FunctionId, Global, Linkage, Op, Operand, Program, ThreadFunction};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// The functions by which programs ask for inputs, for generated C tests.
pub const INPUTS: &str = include_str!("../runtime/incise_inputs.c");

/// A part of the driver, compiled for plain programs and for those with sanitizers.
struct SupportPart {
    name: &'static str,
    plain: &'static [u8],
    sanitized: &'static [u8],
}

macro_rules! support_part {
    ($name:literal) => {
        SupportPart {
            name: $name,
            plain: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_plain.o")),
            sanitized: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, "_sanitized.o")),
        }
    };
}

/// What runs tests, what programs ask for inputs, and what they find out about files and the time by.
static DRIVER: [SupportPart; 3] =
    [support_part!("incise_driver"), support_part!("incise_inputs"), support_part!("incise_world")];
/// What leads a run with threads along a schedule.
static THREADS: [SupportPart; 2] = [support_part!("incise_schedule"), support_part!("incise_sync")];
/// Allocating functions that can fail.
static FAILING_MALLOC: SupportPart = support_part!("incise_malloc");
/// Registers at fixed addresses.
static DEVICES: SupportPart = support_part!("incise_device");

/// What is built of a program.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Variant {
    Plain,
    Sanitized,
    /// Led along a schedule.
    Led,
    LedSanitized,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Sanitized => "sanitized",
            Self::Led => "led",
            Self::LedSanitized => "led-sanitized",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Plain | Self::Led => &[],
            Self::Sanitized | Self::LedSanitized => {
                &["-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-DINCISE_SANITIZED"]
            }
        }
    }

    /// The flags with which the text of a program is made that calls are put into: checks that look at what is called
    /// would read where the program does not, and those of the scopes of variables write.
    fn text_flags(self) -> Vec<&'static str> {
        let mut flags = self.flags().to_vec();
        if self.is_sanitized() {
            flags.extend(["-fno-sanitize=function", "-fno-sanitize-address-use-after-scope"]);
            flags.extend(["-Xclang", "-disable-llvm-passes"]);
        }
        flags
    }

    fn is_led(self) -> bool {
        matches!(self, Self::Led | Self::LedSanitized)
    }

    fn is_sanitized(self) -> bool {
        matches!(self, Self::Sanitized | Self::LedSanitized)
    }
}

/// Where the driver keeps what `errno` is at the start and in the end.
const ERRNO_CELL: &str = "incise_errno";
/// What static symbols are called once they can be linked to.
const STATIC_PREFIX: &str = "incise_static_";
/// What stand-ins for unknown functions are called.
const CALLBACK_PREFIX: &str = "incise_callback_";
/// What the entry is called where the linker is told which function it is.
const CALLED: &str = "incise_called_entry";
/// What the program's own `main` is called.
const PROGRAM_MAIN: &str = "incise_program_main";

/// The functions that can be made to fail: `incise_malloc.c` has one for each.
const ALLOCATING: [&str; 11] = [
    "malloc",
    "valloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "strdup",
    "__strdup",
    "strndup",
];

/// What functions of the C library are called that `incise_world.c` stands in for.
const WORLD_PREFIX: &str = "incise_world_";
/// Those functions.
const WORLD_FUNCTIONS: [&str; 45] = [
    "access",
    "clock",
    "clock_gettime",
    "creat",
    "fclose",
    "fdopen",
    "fflush",
    "fgetc",
    "fgets",
    "fopen",
    "fopen64",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "freopen",
    "freopen64",
    "fseek",
    "fstat",
    "fstat64",
    "ftell",
    "fwrite",
    "getc",
    "getline",
    "gettimeofday",
    "localtime",
    "localtime_r",
    "lstat",
    "lstat64",
    "mktime",
    "open",
    "open64",
    "putc",
    "remove",
    "rename",
    "setbuf",
    "setlinebuf",
    "setvbuf",
    "stat",
    "stat64",
    "sysconf",
    "time",
    "timespec_get",
    "ungetc",
    "unlink",
];

/// How the program is linked with the driver.
pub(super) struct Linking {
    entry_link_name: String,
    /// Static symbols, with their new names.
    statics: BTreeMap<String, String>,
    globals: Vec<LinkedGlobal>,
    externals: Vec<String>,
    failing_malloc: bool,
    devices: bool,
    volatile: bool,
    callbacks: Vec<Callback>,
    /// The place of each global in the driver's table.
    pub(super) table: BTreeMap<String, u64>,
}

impl Linking {
    /// Decides how the entry and the globals are reached. A global that cannot be is left out of the table.
    pub(super) fn of(program: &Program, entry: FunctionId, needs: &TestNeeds) -> Self {
        let function = &program.functions[entry];
        let mut statics = BTreeMap::new();
        let mut link_name = |name: &str, linkage: Linkage| match linkage {
            Linkage::Internal => {
                let new = format!("{STATIC_PREFIX}{name}");
                statics.insert(name.to_owned(), new.clone());
                new
            }
            Linkage::External | Linkage::Weak => name.to_owned(),
        };
        let entry_link_name = match function.name.as_str() {
            "main" => PROGRAM_MAIN.to_owned(),
            name => link_name(name, function.linkage),
        };
        let mut globals = Vec::new();
        let mut table = BTreeMap::new();
        for symbol in &needs.globals {
            if symbol == Global::ERRNO {
                table.insert(symbol.clone(), globals.len() as u64);
                globals.push(LinkedGlobal { link_name: ERRNO_CELL.to_owned(), missing: None });
                continue;
            }
            let Some(linkage) = linkage_of(program, symbol) else { continue };
            table.insert(symbol.clone(), globals.len() as u64);
            let link_name =
                if *symbol == function.name { entry_link_name.clone() } else { link_name(symbol, linkage) };
            // A variable that is only declared is defined here, with room for what tests set.
            let declared = program.global_named(symbol).map(|id| &program.globals[id]);
            let missing = declared.filter(|global| global.initializer.is_none() && !global.model);
            let size = |global: &incise_ir::Global| {
                let set = needs.sizes.get(symbol).copied().unwrap_or(0);
                program.types.size_of(global.ty).max(set).max(1)
            };
            globals.push(LinkedGlobal { link_name, missing: missing.map(size) });
        }
        let mut callbacks = Vec::new();
        for (pointer, (result, size)) in &needs.callbacks {
            let link_name = format!("{CALLBACK_PREFIX}{}", callbacks.len());
            table.insert(format!("unknown({pointer})"), globals.len() as u64);
            globals.push(LinkedGlobal { link_name: link_name.clone(), missing: None });
            let kind = super::script::callback_kind(pointer);
            callbacks.push(Callback { link_name, kind, result: result.clone(), size: *size });
        }
        let externals = needs.externals.iter().cloned().collect();
        let (failing_malloc, devices, volatile) = (needs.failing_malloc, needs.devices, needs.volatile);
        Self {
            entry_link_name,
            statics,
            globals,
            externals,
            callbacks,
            failing_malloc,
            devices,
            volatile,
            table,
        }
    }
}

/// The linkage of a variable or function that tests can reach: there is one of that name, and it is not a thread's own.
/// Whether a program has atomic accesses that the machine does not have: calls, or instructions that become calls.
fn needs_libatomic(program: &Program) -> bool {
    let calls = program.functions.iter().any(|(_, function)| {
        let name = &function.name;
        name.starts_with("__atomic_") && (!function.is_definition() || function.model)
    });
    let large = |function: &Function| {
        let type_of = |operand: Operand| match operand {
            Operand::Value(value) => function.values[value].ty,
            Operand::Constant(constant) => program.constants[constant].ty,
        };
        function.instructions.iter().any(|(_, instruction)| match &instruction.op {
            Op::Load { ty, ordering: Some(_), .. } => program.types.store_size(*ty) > 8,
            Op::Store { value, ordering: Some(_), .. }
            | Op::AtomicReadModifyWrite { value, .. }
            | Op::CompareExchange { expected: value, .. } => program.types.store_size(type_of(*value)) > 8,
            _ => false,
        })
    };
    calls || program.functions.iter().any(|(_, function)| large(function))
}

fn linkage_of(program: &Program, symbol: &str) -> Option<Linkage> {
    let variables =
        program.globals.iter().map(|(_, global)| global).filter(|each| each.name == symbol && !each.model);
    let functions = program
        .functions
        .iter()
        .map(|(_, function)| function)
        .filter(|each| each.name == symbol && !each.model);
    let variables = variables.map(|each| (!each.thread_local).then_some(each.linkage));
    let mut found = variables.chain(functions.map(|each| Some(each.linkage)));
    // Two statics of one name cannot be told apart from outside.
    match (found.next(), found.next()) {
        (Some(linkage), None) => linkage,
        _ => None,
    }
}

/// The executables, from the folder that they are built in; or why there is none.
pub(super) struct Native {
    /// Without sanitizers.
    pub(super) plain: Result<PathBuf, String>,
    /// With sanitizers.
    pub(super) sanitized: Result<PathBuf, String>,
    /// Led along a schedule, without and with sanitizers.
    pub(super) led: Result<PathBuf, String>,
    pub(super) led_sanitized: Result<PathBuf, String>,
}

/// Which executables tests need.
#[derive(Copy, Clone, Default)]
pub(super) struct Wanted {
    pub(super) plain: bool,
    pub(super) sanitized: bool,
    pub(super) led: bool,
    pub(super) led_sanitized: bool,
}

/// Builds the executables in a folder.
pub(super) struct Builder<'a> {
    pub(super) clang: &'a Path,
    pub(super) sources: &'a Sources,
    pub(super) headers: &'a Path,
    /// Where objects are kept that do not depend on the version.
    pub(super) shared: &'a Path,
    pub(super) program: &'a Program,
    pub(super) entry: FunctionId,
    pub(super) linking: &'a Linking,
    pub(super) directory: &'a Path,
    /// The instructions at which tests end a program, and which have no call by themselves.
    pub(super) extras: &'a BTreeSet<Extra>,
    /// Ends the tools once it is set.
    pub(super) interrupt: &'a AtomicBool,
}

impl Builder<'_> {
    /// Builds the executables that are wanted.
    pub(super) fn build(&self, wanted: Wanted) -> Result<Native, ReplayError> {
        let glue = self.compile_glue()?;
        let none = || Err("no test needs it".to_owned());
        let plain = |variant, wanted: bool| match wanted {
            true => Ok(Ok(self.variant(variant, &glue)?)),
            false => Ok::<_, ReplayError>(none()),
        };
        let sanitized = |variant, wanted: bool| match (wanted, wanted.then(|| self.variant(variant, &glue))) {
            (true, Some(Err(error @ ReplayError::OtherText(_)))) => Err(error.with_causes()),
            (true, Some(built)) => built.map_err(|error| {
                format!(
                    "clang's sanitizers do not work here; install them (Debian: libclang-rt-19-dev): {}",
                    error.with_causes()
                )
            }),
            _ => none(),
        };
        Ok(Native {
            plain: plain(Variant::Plain, wanted.plain)?,
            sanitized: sanitized(Variant::Sanitized, wanted.sanitized),
            led: plain(Variant::Led, wanted.led)?,
            led_sanitized: sanitized(Variant::LedSanitized, wanted.led_sanitized),
        })
    }

    /// What leads from the driver to the program, for both variants; often the same for both versions of a function.
    fn compile_glue(&self) -> Result<PathBuf, ReplayError> {
        let request = GlueRequest {
            program: self.program,
            entry: self.entry,
            entry_link_name: &self.linking.entry_link_name,
            entry_is_main: self.linking.entry_link_name == PROGRAM_MAIN,
            called: if self.is_called_by_the_linker() { CALLED } else { &self.linking.entry_link_name },
            globals: &self.linking.globals,
            externals: &self.linking.externals,
            callbacks: &self.linking.callbacks,
        };
        let text = glue(&request).map_err(ReplayError::NotCallable)?;
        let words = ["-c", "-w", "-fno-pie"].map(OsString::from);
        let all: Vec<OsString> = words.iter().cloned().chain([OsString::from(&text)]).collect();
        Objects::beside(self.shared).made(&all, |place| {
            let path = self.directory.join("incise_glue.ll");
            std::fs::write(&path, &text)?;
            let mut compile = incise_children::command(self.clang);
            compile.args(&words).arg(path).arg("-o").arg(place);
            self.succeed(compile, self.clang, "compiling what leads to the program")
        })
    }

    /// Whether the linker can be told what the entry is: what leads to the program then serves all entries of a kind.
    /// Linkers read other names as expressions; and these, too, were it not for quotes: `add` is a number.
    fn is_called_by_the_linker(&self) -> bool {
        let name = &self.linking.entry_link_name;
        let plain = |(at, byte): (usize, u8)| {
            byte == b'_' || byte.is_ascii_alphabetic() || at > 0 && byte.is_ascii_digit()
        };
        name.bytes().enumerate().all(plain)
    }

    fn variant(&self, variant: Variant, glue: &Path) -> Result<PathBuf, ReplayError> {
        let folder = self.directory.join(variant.name());
        std::fs::create_dir_all(&folder)?;
        let mut objects = match variant.is_led() || self.linking.devices {
            true => self.told_objects(variant, &folder)?,
            false => self.plain_objects(variant)?,
        };
        let failing = self.linking.failing_malloc.then_some(&FAILING_MALLOC);
        let devices = self.linking.devices.then_some(&DEVICES);
        let threads = if variant.is_led() { &THREADS[..] } else { &[] };
        for part in DRIVER.iter().chain(threads).chain(failing).chain(devices) {
            let object = folder.join(format!("{}.o", part.name));
            let bytes = if variant.is_sanitized() { part.sanitized } else { part.plain };
            std::fs::write(&object, bytes)?;
            objects.push(object);
        }
        objects.push(glue.to_owned());
        let program = folder.join("program");
        self.link(variant, &objects, &program)?;
        // Whoever the program runs as can start it.
        for path in [&folder, &program] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(Path::new(variant.name()).join("program"))
    }

    fn link(&self, variant: Variant, objects: &[PathBuf], program: &Path) -> Result<(), ReplayError> {
        // A program with calls of functions that nobody defines still runs, up to such a call.
        let mut flags =
            vec!["-no-pie", "-Wl,--unresolved-symbols=ignore-in-object-files", "-Wl,-z,noexecstack"];
        flags.extend(variant.flags());
        if variant.is_sanitized() {
            flags.extend(["-Wl,--wrap=malloc", "-Wl,--wrap=calloc"]);
        }
        let mut libraries = vec!["-lm", "-lpthread"];
        // The library of what no instruction does atomically is not everywhere, and few need it.
        libraries.extend(needs_libatomic(self.program).then_some("-latomic"));
        let entry = self
            .is_called_by_the_linker()
            .then(|| format!("--defsym={CALLED}=\"{}\"", self.linking.entry_link_name));
        let linker =
            Linker { clang: self.clang, flags: &flags, libraries: &libraries, told: entry.as_deref() };
        let direct = linker.direct(objects, program, self.directory, self.interrupt);
        if let Some(direct) = direct
            && self.succeed(direct, self.clang, "linking the program natively").is_ok()
        {
            return Ok(());
        }
        // Whatever is wrong, it is clang's word that counts.
        self.succeed(linker.through_clang(objects, program), self.clang, "linking the program natively")
    }

    /// The objects of the sources, prepared: made once for all that is built of this version.
    fn plain_objects(&self, variant: Variant) -> Result<Vec<PathBuf>, ReplayError> {
        let kept = Objects::beside(self.headers);
        let object = |file: &PathBuf| {
            let words = self.compilation(file, variant.flags());
            let compiled = kept.made(&words, |place| self.compile(&words, file, place))?;
            let renaming = self.renaming(variant);
            let words: Vec<OsString> =
                renaming.iter().flatten().cloned().chain([compiled.clone().into()]).collect();
            kept.made(&words, |place| {
                std::fs::copy(&compiled, place)?;
                self.prepare(place, &renaming)
            })
        };
        self.sources.files.iter().map(object).collect()
    }

    /// The same from the text that was explored, with calls: where threads wait for their turn, or before volatile
    /// accesses.
    fn told_objects(&self, variant: Variant, folder: &Path) -> Result<Vec<PathBuf>, ReplayError> {
        let flags = variant.text_flags();
        let text = incise_frontend::native_text(self.sources, self.headers, &flags, self.interrupt)?;
        let mut objects = Vec::new();
        // Checks of sanitizers do not end a program, so that nobody has to wait before them; and instructions have
        // other numbers where there are such checks.
        let none = BTreeSet::new();
        let extras = if variant.is_sanitized() { &none } else { self.extras };
        let modules = match variant.is_led() {
            true => threads::instrumented(&text, self.program, extras)?,
            false => devices::instrumented(&text, self.program, self.linking.volatile)?,
        };
        for (number, module) in modules.into_iter().enumerate() {
            let (file, object) =
                (folder.join(format!("file{number}.ll")), folder.join(format!("file{number}.o")));
            std::fs::write(&file, module)?;
            let mut compile = incise_children::command(self.clang);
            compile.args(["-c", "-w", "-O0", "-fno-pie"]);
            compile.args(variant.is_sanitized().then_some("-fsanitize=address"));
            compile.args(["-x", "ir"]).arg(&file).arg("-o").arg(&object);
            self.succeed(compile, self.clang, "compiling the program natively")?;
            self.prepare(&object, &self.renaming(variant))?;
            objects.push(object);
        }
        Ok(objects)
    }

    /// What clang is told to compile a source with, but for the place of the object.
    fn compilation(&self, file: &Path, flags: &[&str]) -> Vec<OsString> {
        let mut words: Vec<OsString> = ["-c", "-g", "-w", "-fno-pie"].map(OsString::from).into();
        if Sources::is_ir(file) {
            words.extend(["-x".into(), "ir".into()]);
        } else {
            words.push(format!("-O{}", self.sources.optimisation).into());
            words.extend(flags.iter().map(OsString::from));
            words.extend(self.compile_flags(file));
        }
        words.push(file.into());
        words
    }

    fn compile(&self, words: &[OsString], file: &Path, object: &Path) -> Result<(), ReplayError> {
        let mut compile = incise_children::command(self.clang);
        compile.args(words).arg("-o").arg(object);
        self.succeed(compile, self.clang, &format!("compiling {} natively", file.display()))
    }

    fn compile_flags(&self, file: &Path) -> Vec<OsString> {
        let mut flags = self.sources.flags_of(file);
        flags.push("-I".into());
        flags.push(self.headers.into());
        flags
    }

    /// Whether the program calls a function of that name and does not define it, nor do tests set what it returns.
    fn is_of_the_library(&self, name: &str) -> bool {
        let function = self.program.function_named(name).map(|id| &self.program.functions[id]);
        let own = |function: &incise_ir::Function| function.is_definition() && !function.model;
        function.is_some_and(|function| !own(function))
            && !self.linking.externals.iter().any(|each| each == name)
    }

    /// What lets the driver be `main`, notice every exit, and reach static symbols: what makes these visible, and what
    /// gives others their names.
    fn renaming(&self, variant: Variant) -> [Vec<OsString>; 2] {
        let visible = self.linking.statics.keys().map(|old| format!("--globalize-symbol={old}"));
        let fixed = [("main", PROGRAM_MAIN), ("_exit", "incise_exit"), ("_Exit", "incise_exit_too")];
        let statics = self.linking.statics.iter().map(|(old, new)| (old.as_str(), new.as_str()));
        let named = |(old, new): (&str, &str)| format!("--redefine-sym={old}={new}");
        let mut rename: Vec<String> = fixed.into_iter().chain(statics).map(named).collect();
        if self.linking.failing_malloc {
            rename.extend(ALLOCATING.map(|name| format!("--redefine-sym={name}=incise_{name}")));
        }
        let inner = ["free", "realloc"].into_iter().filter(|name| self.is_of_the_library(name));
        let inner = inner.filter(|name| !(self.linking.failing_malloc && ALLOCATING.contains(name)));
        rename.extend(inner.map(|name| format!("--redefine-sym={name}=incise_inner_{name}")));
        let world = WORLD_FUNCTIONS.into_iter().filter(|name| self.is_of_the_library(name));
        rename.extend(world.map(|name| format!("--redefine-sym={name}={WORLD_PREFIX}{name}")));
        if variant.is_led() {
            let threads = ThreadFunction::names().filter(|name| self.is_of_the_library(name));
            rename.extend(threads.map(|name| format!("--redefine-sym={name}={}{name}", threads::PREFIX)));
        }
        [visible.map(OsString::from).collect(), rename.into_iter().map(OsString::from).collect()]
    }

    fn prepare(&self, object: &Path, [visible, rename]: &[Vec<OsString>; 2]) -> Result<(), ReplayError> {
        for (words, what) in [(visible, "making static symbols visible"), (rename, "renaming symbols")] {
            if !words.is_empty() {
                let mut objcopy = incise_children::command(OBJCOPY);
                objcopy.args(words).arg(object);
                self.succeed(objcopy, OBJCOPY.as_ref(), what)?;
            }
        }
        Ok(())
    }

    /// Runs a tool to its end; its words are part of the error.
    fn succeed(&self, mut command: Command, tool: &Path, what: &str) -> Result<(), ReplayError> {
        let what = what.to_owned();
        let finished = match incise_children::run(&mut command, None, self.interrupt) {
            Ok(finished) => finished,
            Err(RunError::Io(source)) => {
                let tool = tool.display().to_string();
                return Err(ReplayError::ToolNotStarted { what, tool, source });
            }
            Err(RunError::Interrupted | RunError::TimedOut) => return Err(ReplayError::Interrupted),
        };
        match finished.status.success() {
            true => Ok(()),
            false => Err(ReplayError::ToolFailed {
                what,
                said: String::from_utf8_lossy(&finished.stderr).trim_end().to_owned(),
            }),
        }
    }
}

/// Renames symbols.
const OBJCOPY: &str = "objcopy";
