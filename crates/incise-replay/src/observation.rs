//! What a native run shows: the driver's record, the way it ended, and a sanitizer's report, read into plain facts.

use super::process::Ran;
use crate::confinement::Stop;
use incise_report::ErrorKind;
use std::collections::BTreeMap;

const RETURNED: u64 = 1;
const EXITED: u64 = 2;
const DIVERGED: u64 = 3;
const FAULTED: u64 = 4;
const REPORTED: u64 = 5;
const STUCK: u64 = 6;
const RACED: u64 = 7;

/// Addresses below this are near null: no program maps them.
const NEAR_NULL: u64 = 1 << 16;

/// The status with which the address sanitizer ends a process (set in the driver).
const SANITIZER_STATUS: i32 = 123;

/// How a native run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The entry returned.
    Returned,
    /// The program exited.
    Exited(i32),
    /// A signal ended it, with the address of a fault where there was one.
    Signal(i32, Option<u64>),
    /// The program reported an error itself.
    Reported(String),
    /// It left the path of the test.
    Diverged(String),
    /// Nobody could go on.
    Stuck(String),
    /// Two threads came to accesses that nothing orders.
    Raced(String),
    /// The address sanitizer stopped it.
    Stopped,
    /// It took too long.
    TimedOut,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// It used more of something than native runs may.
    TooMuch(&'static str),
    /// It ended the process that looked after it.
    Lost,
    /// The driver itself failed.
    DriverFailed,
}

/// What a native run shows.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) ending: Ending,
    /// The result, where the run came to its end.
    pub(super) result: Option<Vec<u8>>,
    /// What the objects that the test asks about hold, in order; `None` where the run did not come to its end.
    pub(super) finals: Option<Vec<Vec<u8>>>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The files that it left, by name.
    pub(super) files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Where everything was, if the run came to its end.
    pub(super) addresses: Option<Addresses>,
}

/// Where objects and variables were in a native run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Addresses {
    /// The objects that pointers of the inputs lead to, in order.
    pub(super) objects: Vec<u64>,
    /// The variables of the driver's table.
    pub(super) globals: Vec<u64>,
    /// The first of the addresses that nothing can be read from.
    pub(super) nowhere: u64,
    /// What was predicted to lead there, by name.
    pub(super) beyond: Vec<(String, u64)>,
    /// What was found where the pointers lead that the test asks about.
    pub(super) looked_at: Vec<Vec<u8>>,
}

impl Observation {
    /// Reads what a run left.
    pub(super) fn of(ran: Ran) -> Self {
        let mut reader = Reader { bytes: &ran.record };
        let tag = reader.number();
        let mut result = None;
        let mut finals = None;
        let mut addresses = None;
        let mut text = String::new();
        let mut address = None;
        match tag {
            Some(RETURNED | EXITED) => {
                result = reader.counted().map(<[u8]>::to_vec);
                finals = reader.list();
                addresses = reader.addresses();
            }
            Some(DIVERGED | REPORTED | STUCK | RACED) => {
                text = String::from_utf8_lossy(reader.counted().unwrap_or(b"")).into_owned()
            }
            Some(FAULTED) => address = reader.number(),
            _ => {}
        }
        let ending = match (ran.ended, tag) {
            (Stop::TimedOut, _) => Ending::TimedOut,
            (Stop::Interrupted, _) => Ending::Interrupted,
            (Stop::Lost, _) => Ending::Lost,
            (Stop::TooMuch(what), _) => Ending::TooMuch(what),
            (Stop::Signal(signal), _) => Ending::Signal(signal, address),
            (Stop::Exited(_), Some(RETURNED)) => Ending::Returned,
            (Stop::Exited(status), Some(EXITED)) => Ending::Exited(status),
            (Stop::Exited(_), Some(DIVERGED)) => Ending::Diverged(text),
            (Stop::Exited(_), Some(REPORTED)) => Ending::Reported(text),
            (Stop::Exited(_), Some(STUCK)) => Ending::Stuck(text),
            (Stop::Exited(_), Some(RACED)) => Ending::Raced(text),
            (Stop::Exited(SANITIZER_STATUS), _) => Ending::Stopped,
            (Stop::Exited(_), _) => Ending::DriverFailed,
        };
        Self { ending, result, finals, stdout: ran.stdout, stderr: ran.stderr, files: ran.files, addresses }
    }

    /// Turns the places in what the runtime for threads says into those that people know.
    pub(super) fn change_words(&mut self, change: impl Fn(&str) -> String) {
        if let Ending::Diverged(text) | Ending::Stuck(text) | Ending::Raced(text) = &mut self.ending {
            *text = change(text);
        }
    }

    /// What happened, in words.
    pub(super) fn words(&self) -> String {
        match &self.ending {
            Ending::Returned => match self.result.as_deref() {
                Some([]) | None => "returned".to_owned(),
                Some(bytes) => format!("returned {}", bytes_words(bytes)),
            },
            Ending::Exited(status) => format!("exited with status {status}"),
            Ending::Signal(signal, None) => format!("was ended by {}", signal_words(*signal)),
            Ending::Signal(signal, Some(address)) => {
                format!("was ended by {} at address {address:#x}", signal_words(*signal))
            }
            Ending::Reported(message) => format!("reported: {message}"),
            Ending::Diverged(why) => format!("left the path of the test: {why}"),
            Ending::Stuck(how) | Ending::Raced(how) => how.clone(),
            Ending::Stopped => match sanitizer_lines(&self.stderr).first() {
                Some(line) => line.clone(),
                None => "was stopped by the sanitizer".to_owned(),
            },
            Ending::TimedOut => "did not end in time".to_owned(),
            Ending::Interrupted => "was interrupted".to_owned(),
            Ending::TooMuch(what) => format!("was ended because it used too much {what}"),
            Ending::Lost => "ended the process that looked after it".to_owned(),
            Ending::DriverFailed => "could not be run by the driver".to_owned(),
        }
    }

    /// Whether this shows an error of that kind.
    pub(super) fn shows(&self, kind: ErrorKind) -> bool {
        const ABORT: i32 = 6;
        const FLOATING_POINT: i32 = 8;
        const SEGMENT: i32 = 11;
        const ILLEGAL: i32 = 4;
        const TRAP: i32 = 5;
        match (kind, &self.ending) {
            (ErrorKind::Assertion, Ending::Signal(ABORT, _)) => contains(&self.stderr, b"Assertion `"),
            (ErrorKind::Assertion, Ending::Reported(message)) => message.starts_with("assertion: "),
            (ErrorKind::Abort, Ending::Signal(ABORT | ILLEGAL | TRAP, _)) => true,
            (ErrorKind::DivisionByZero | ErrorKind::SignedOverflow, Ending::Signal(FLOATING_POINT, _)) => {
                true
            }
            (ErrorKind::NullPointer, Ending::Signal(SEGMENT, address)) => {
                // Also a little before null.
                address.is_none_or(|each| !(NEAR_NULL..=u64::MAX - NEAR_NULL).contains(&each))
            }
            (ErrorKind::ReadOnly, Ending::Signal(SEGMENT, address)) => {
                address.is_none_or(|each| each >= NEAR_NULL)
            }
            (ErrorKind::BadCall, Ending::Signal(SEGMENT | ILLEGAL | TRAP, _)) => true,
            (ErrorKind::Unreachable, Ending::Signal(ILLEGAL | TRAP, _)) => true,
            (kind, Ending::Reported(message)) if kind.is_thread_misuse() => misuse(message) == Some(kind),
            (ErrorKind::Reported, Ending::Reported(message)) => misuse(message).is_none(),
            (ErrorKind::Deadlock | ErrorKind::EndlessWait, Ending::Stuck(_)) => true,
            (ErrorKind::DataRace, Ending::Raced(_)) => true,
            _ => sanitizer_phrases(kind)
                .iter()
                .any(|phrase| sanitizer_lines(&self.stderr).iter().any(|line| line.contains(phrase))),
        }
    }
}

/// The kind of wrong use of threads that the runtime tells, if that is what it tells.
fn misuse(message: &str) -> Option<ErrorKind> {
    let (name, _) = message.split_once(": ")?;
    ErrorKind::named(name).filter(|kind| kind.is_thread_misuse())
}

/// Whether only a sanitizer shows errors of that kind.
pub(super) fn needs_sanitizer(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::OutOfBounds
            | ErrorKind::UseAfterFree
            | ErrorKind::DoubleFree
            | ErrorKind::Overlap
            | ErrorKind::InvalidFree
            | ErrorKind::Overshift
            | ErrorKind::SignedOverflow
            | ErrorKind::Unreachable
            | ErrorKind::BadCall
    )
}

/// The words of clang's sanitizers for errors of that kind.
fn sanitizer_phrases(kind: ErrorKind) -> &'static [&'static str] {
    match kind {
        ErrorKind::OutOfBounds => &[
            "buffer-overflow",
            "buffer-underflow",
            "buffer-underwrite",
            "negative-size-param",
            "unknown-crash",
            "use-after-poison",
            "AddressSanitizer: SEGV",
            "AddressSanitizer: BUS",
            "out of bounds for type",
            "with insufficient space",
            "stack-overflow",
        ],
        ErrorKind::UseAfterFree => {
            &["heap-use-after-free", "stack-use-after-return", "stack-use-after-scope"]
        }
        ErrorKind::DoubleFree => &["attempting double-free"],
        ErrorKind::Overlap => &["param-overlap"],
        ErrorKind::InvalidFree => {
            &["attempting free on address which was not malloc", "bad-free", "double-free"]
        }
        ErrorKind::NullPointer => &["null pointer", "AddressSanitizer: SEGV"],
        ErrorKind::Overshift => &["shift exponent"],
        ErrorKind::SignedOverflow => {
            &["signed integer overflow", "cannot be represented in type", "AddressSanitizer: FPE"]
        }
        ErrorKind::DivisionByZero => &["division by zero", "AddressSanitizer: FPE"],
        ErrorKind::Unreachable => {
            &["unreachable program point", "reached the end of a value-returning function"]
        }
        ErrorKind::BadCall => &["incorrect function type", "AddressSanitizer: SEGV", "AddressSanitizer: ILL"],
        ErrorKind::ReadOnly => &["AddressSanitizer: SEGV"],
        _ => &[],
    }
}

/// The lines in which a sanitizer says what is wrong.
fn sanitizer_lines(stderr: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stderr);
    let telling = |line: &&str| line.contains("AddressSanitizer:") || line.contains("runtime error:");
    text.lines()
        .filter(telling)
        .filter(|line| !line.starts_with("SUMMARY"))
        .map(|line| strip_process(line).to_owned())
        .collect()
}

/// Without the process number, `==123==`, so that the same error reads the same.
fn strip_process(line: &str) -> &str {
    match line.strip_prefix("==").and_then(|rest| rest.split_once("==")) {
        Some((_, rest)) => rest,
        None => line,
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn signal_words(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        25 => "SIGXFSZ (too much output)",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

/// Bytes as a number where they could be one, else in hexadecimal.
pub(super) fn bytes_words(bytes: &[u8]) -> String {
    if matches!(bytes.len(), 1 | 2 | 4 | 8 | 16) {
        let negative = bytes[bytes.len() - 1] >= 0x80;
        let mut wide = [if negative { 0xff } else { 0 }; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        return i128::from_le_bytes(wide).to_string();
    }
    const SHOWN: usize = 32;
    let hex: Vec<_> = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > SHOWN { " ..." } else { "" };
    format!("bytes {}{more}", hex.join(" "))
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn counted(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.take(count)
    }

    fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = self.number()?;
        (0..count).map(|_| self.number()).collect()
    }

    fn addresses(&mut self) -> Option<Addresses> {
        Some(Addresses {
            objects: self.numbers()?,
            globals: self.numbers()?,
            nowhere: self.number()?,
            beyond: Vec::new(),
            looked_at: self.list()?,
        })
    }

    fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        let count = self.number()?;
        (0..count).map(|_| self.counted().map(<[u8]>::to_vec)).collect()
    }
}
