//! How far a command is that works on many functions: on a terminal a bar for the whole and a line for each function in
//! work, written over and over; without a terminal a line every ten seconds.

use incise_exec::Progress;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the terminal is written over.
const INTERVAL: Duration = Duration::from_millis(200);
/// How often a line is written where there is no terminal.
const RARELY: Duration = Duration::from_secs(10);
/// How wide the bar is.
const BAR: usize = 24;
/// So many functions have a line of their own.
const LINES: usize = 16;
/// A terminal is taken to be so wide.
const WIDTH: usize = 80;

/// The board of a command; it shows nothing until it is set up.
#[derive(Clone)]
pub(crate) struct Board {
    shown: Option<Arc<Shown>>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

struct Shown {
    terminal: bool,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    begun: Option<Instant>,
    /// What is counted: units, or functions that moved.
    what: &'static str,
    whole: usize,
    done: usize,
    functions: usize,
    next: usize,
    /// What is in work, by when it began.
    working: BTreeMap<usize, Working>,
    over: bool,
}

struct Working {
    function: String,
    progress: String,
}

/// A function in work; it is done once this is dropped.
pub(crate) struct BoardPlace {
    shown: Arc<Shown>,
    number: usize,
}

impl Board {
    /// A board, if the user wants one.
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = || {
            let terminal = std::io::stderr().is_terminal();
            Arc::new(Shown { terminal, state: Mutex::default(), ended: Condvar::new() })
        };
        Self { shown: (!quiet).then(shown), thread: Arc::new(Mutex::new(None)) }
    }

    /// From now on so many things are worked on.
    pub(crate) fn set(&self, what: &'static str, whole: usize) {
        let Some(shown) = &self.shown else { return };
        {
            let mut state = shown.lock();
            state.begun.get_or_insert_with(Instant::now);
            (state.what, state.whole, state.done) = (what, whole, 0);
        }
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shown = Arc::clone(shown);
            // Without a thread nothing is shown.
            *thread = std::thread::Builder::new().name("board".to_owned()).spawn(move || shown.run()).ok();
        }
    }

    /// One of them is done.
    pub(crate) fn done(&self) {
        if let Some(shown) = &self.shown {
            shown.lock().done += 1;
        }
    }

    /// A function begins; none if no board was set up.
    pub(super) fn begin(&self, function: &str) -> Option<BoardPlace> {
        let shown = self.shown.as_ref()?;
        let mut state = shown.lock();
        state.begun?;
        let number = state.next;
        state.next += 1;
        state.working.insert(number, Working { function: function.to_owned(), progress: String::new() });
        Some(BoardPlace { shown: Arc::clone(shown), number })
    }

    /// Takes the board away, before anything else is written.
    pub(crate) fn end(&self) {
        if let Some(shown) = &self.shown {
            let mut state = shown.lock();
            (state.over, state.begun) = (true, None);
            shown.ended.notify_all();
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // A board that panicked shows nothing, which is no reason to stop.
            let _ = thread.join();
        }
        if let Some(shown) = &self.shown {
            shown.lock().over = false;
        }
    }
}

impl BoardPlace {
    /// Says how far it is.
    pub(super) fn show(&self, progress: &Progress) {
        let Progress { paths, states_waiting, instructions, .. } = progress;
        let millions = *instructions as f64 / 1e6;
        let text = format!(
            "{paths} pairs of paths, {states_waiting} states waiting, {millions:.1} million instructions"
        );
        if let Some(working) = self.shown.lock().working.get_mut(&self.number) {
            working.progress = text;
        }
    }
}

impl Drop for BoardPlace {
    fn drop(&mut self) {
        let mut state = self.shown.lock();
        state.working.remove(&self.number);
        state.functions += 1;
    }
}

impl Shown {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let interval = if self.terminal { INTERVAL } else { RARELY };
        let mut written = 0;
        let mut state = self.lock();
        loop {
            // It may be over before this thread has begun: nobody tells it again.
            let waited = self.ended.wait_timeout_while(state, interval, |state| !state.over);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.over {
                break;
            }
            let Some(begun) = state.begun else { continue };
            let text = match self.terminal {
                true => {
                    let lines = state.lines(begun.elapsed());
                    let text = format!("{}{}", over(written), lines.join("\n"));
                    written = lines.len();
                    text
                }
                false => format!("{}{}\n", state.counts(begun.elapsed()), state.names()),
            };
            write(&text);
        }
        if self.terminal {
            write(&over(written));
        }
    }
}

/// Goes back to where so many lines began, and clears them.
fn over(lines: usize) -> String {
    let up = "\x1b[1A\x1b[2K".repeat(lines.saturating_sub(1));
    if lines == 0 { String::new() } else { format!("\r\x1b[2K{up}\r") }
}

fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    // Nobody can be told when this fails.
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

impl State {
    /// The bar, and a line for each function in work.
    fn lines(&self, elapsed: Duration) -> Vec<String> {
        let full = BAR * self.done.min(self.whole) / self.whole.max(1);
        let bar = format!("{}{}", "#".repeat(full), "-".repeat(BAR - full));
        let mut lines = vec![format!("[{bar}] {}", self.counts(elapsed))];
        for Working { function, progress } in self.working.values().take(LINES) {
            let separator = if progress.is_empty() { "" } else { ": " };
            lines.push(format!("  {function}{separator}{progress}"));
        }
        let more = self.working.len().saturating_sub(LINES);
        lines.extend((more > 0).then(|| format!("  and {more} more")));
        // A line that the terminal breaks would be two.
        lines.iter().map(|line| line.chars().take(WIDTH - 1).collect()).collect()
    }

    /// How far the whole is, in words.
    fn counts(&self, elapsed: Duration) -> String {
        let Self { done, whole, what, functions, .. } = self;
        format!("{}s: {done} of {whole} {what}, {functions} comparisons", elapsed.as_secs())
    }

    /// What is in work, in words.
    fn names(&self) -> String {
        let names: Vec<&str> = self.working.values().take(4).map(|each| each.function.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("; in work: {}", names.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let working =
            |name: &str, progress: &str| Working { function: name.to_owned(), progress: progress.to_owned() };
        State {
            what: "units",
            whole: 8,
            done: 2,
            functions: 5,
            working: [(3, working("parse", "7 pairs of paths")), (4, working("emit", ""))].into(),
            ..State::default()
        }
    }

    #[test]
    fn a_bar_for_the_whole_and_a_line_for_each_function() {
        let lines = state().lines(Duration::from_secs(12));
        assert_eq!(
            lines,
            [
                "[######------------------] 12s: 2 of 8 units, 5 comparisons",
                "  parse: 7 pairs of paths",
                "  emit"
            ]
        );
    }

    #[test]
    fn without_a_terminal_there_is_one_line() {
        let state = state();
        let line = state.counts(Duration::from_secs(20)) + &state.names();
        assert_eq!(line, "20s: 2 of 8 units, 5 comparisons; in work: parse, emit");
    }

    #[test]
    fn what_was_written_is_written_over() {
        assert_eq!([over(0), over(1), over(2)], ["", "\r\x1b[2K\r", "\r\x1b[2K\x1b[1A\x1b[2K\r"]);
    }

    #[test]
    fn nothing_is_shown_until_it_is_set_up() {
        let board = Board::new(false);
        assert!(board.begin("f").is_none());
        board.set("units", 2);
        let place = board.begin("f").expect("it is set up");
        board.end();
        drop(place);
        assert!(board.begin("f").is_none());
    }
}
