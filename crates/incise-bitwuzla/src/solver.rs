//! Assertions, queries and values.

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::{Error, not_null, take_complaint};
use crate::ffi::{self, RawSolver, RawTerm};
use crate::manager::{Term, TermManager};
use crate::sort::Sort;
use crate::terminator::{Stop, Terminator, must_stop, must_stop_now};

/// What a solver is told once, when it is made.
#[derive(Debug, Clone)]
pub struct SolverOptions {
    /// Whether values can be read after an answer of "satisfiable".
    pub produce_models: bool,
    /// How long a query may take; [`Solver::set_time_limit`] changes it.
    pub time_limit: Option<Duration>,
    /// How often a query may ask whether to go on; [`Solver::set_poll_limit`] changes it.
    pub poll_limit: Option<u64>,
    /// Ends a running query when another thread sets it, and keeps others from starting until it is cleared.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The seed of Bitwuzla's random numbers.
    pub seed: u32,
}

impl Default for SolverOptions {
    fn default() -> Self {
        // The seed is Bitwuzla's own default.
        SolverOptions {
            produce_models: true,
            time_limit: None,
            poll_limit: None,
            interrupt: None,
            seed: 27_644_437,
        }
    }
}

/// The answer to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The assertions can hold together.
    Sat,
    /// They cannot.
    Unsat,
    /// Not known, and why.
    Unknown(Stop),
}

/// A set of assertions on a stack of levels, and queries about them.
///
/// A query that was stopped leaves Bitwuzla's own solver half done, or full of clauses of the hard query that slow down
/// all that follow. The wrapper throws it away, and makes a new one with the same assertions when it is needed next.
pub struct Solver {
    raw: RawHandle,
    /// Shared with Bitwuzla, which has a pointer to it; a reference count keeps it in its place when the solver is
    /// moved.
    terminator: Rc<Terminator>,
    options: SolverOptions,
    /// All assertions, to assert them again in a new solver.
    assertions: Vec<Term>,
    /// How many assertions there were when each level was opened.
    levels: Vec<usize>,
    has_model: bool,
    /// Whether the last query was stopped, so that `raw` must not be used any more.
    is_spent: bool,
    /// Dropped after the solver, whose terms it owns.
    manager: TermManager,
}

/// Bitwuzla's own solver, deleted when dropped. It must not outlive its manager and its terminator.
struct RawHandle(NonNull<RawSolver>);

impl RawHandle {
    fn new(
        manager: &TermManager,
        options: &SolverOptions,
        terminator: &Rc<Terminator>,
    ) -> Result<Self, Error> {
        // SAFETY: the options are made, filled and freed here; Bitwuzla copies them. The manager is alive.
        let raw = not_null(unsafe {
            let raw_options = ffi::bitwuzla_options_new();
            let produce_models = u64::from(options.produce_models);
            ffi::bitwuzla_set_option(raw_options, ffi::OPTION_PRODUCE_MODELS, produce_models);
            ffi::bitwuzla_set_option(raw_options, ffi::OPTION_SEED, u64::from(options.seed));
            let raw = ffi::bitwuzla_new(manager.raw(), raw_options);
            ffi::bitwuzla_options_delete(raw_options);
            raw
        })?;
        let handle = RawHandle(raw);
        // SAFETY: the state is what the callback expects, never changes its place, and outlives the solver.
        unsafe {
            ffi::bitwuzla_set_termination_callback(raw.as_ptr(), Some(must_stop), state(terminator));
        }
        take_complaint()?;
        Ok(handle)
    }

    fn as_ptr(&self) -> *mut RawSolver {
        self.0.as_ptr()
    }
}

impl Drop for RawHandle {
    fn drop(&mut self) {
        // SAFETY: the solver is alive, nobody else has the pointer, and the fields of `Solver` after this one, the
        // manager and the terminator, are dropped later.
        unsafe { ffi::bitwuzla_delete(self.as_ptr()) }
    }
}

/// The pointer that Bitwuzla gives to [`must_stop`].
fn state(terminator: &Rc<Terminator>) -> *mut c_void {
    Rc::as_ptr(terminator).cast_mut().cast()
}

impl Solver {
    /// Makes a solver without assertions.
    pub fn new(manager: &TermManager, options: SolverOptions) -> Result<Self, Error> {
        let terminator = Rc::new(Terminator::new(options.interrupt.clone()));
        Ok(Solver {
            raw: RawHandle::new(manager, &options, &terminator)?,
            terminator,
            options,
            assertions: Vec::new(),
            levels: Vec::new(),
            has_model: false,
            is_spent: false,
            manager: manager.clone(),
        })
    }

    /// Sets how long a query may take from now on.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.options.time_limit = limit;
    }

    /// Sets how often a query may ask whether to go on. Unlike time this does not depend on the machine.
    pub fn set_poll_limit(&mut self, limit: Option<u64>) {
        self.options.poll_limit = limit;
    }

    /// How often the last query asked whether to go on.
    pub fn polls(&self) -> u64 {
        self.terminator.polls()
    }

    /// The manager of this solver's terms.
    pub fn manager(&self) -> &TermManager {
        &self.manager
    }

    /// The number of levels that are pushed.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Opens a level: assertions from now on last until it is popped.
    pub fn push(&mut self) -> Result<(), Error> {
        self.renew()?;
        self.raw_push()?;
        self.levels.push(self.assertions.len());
        Ok(())
    }

    /// Closes the last level that was opened, and forgets its assertions.
    pub fn pop(&mut self) -> Result<(), Error> {
        let count = self.levels.pop().ok_or(Error::NoLevel)?;
        self.assertions.truncate(count);
        self.has_model = false;
        if self.is_spent {
            // The solver that takes this one's place will be made without the level.
            return Ok(());
        }
        // SAFETY: the solver is alive, and has a level to pop.
        unsafe { ffi::bitwuzla_pop(self.raw.as_ptr(), 1) };
        take_complaint()
    }

    /// Adds an assertion to the last level.
    pub fn assert(&mut self, term: Term) -> Result<(), Error> {
        self.boolean(term)?;
        self.renew()?;
        self.raw_assert(term)?;
        self.assertions.push(term);
        Ok(())
    }

    /// Can all assertions hold together?
    pub fn check(&mut self) -> Result<Answer, Error> {
        self.check_assuming(&[])
    }

    /// Can all assertions and these assumptions hold together? The assumptions are forgotten afterwards.
    pub fn check_assuming(&mut self, assumptions: &[Term]) -> Result<Answer, Error> {
        let raw = assumptions.iter().map(|&term| self.boolean(term)).collect::<Result<Vec<_>, _>>()?;
        let count = u32::try_from(raw.len()).map_err(|_| Error::Index(u64::MAX))?;
        self.has_model = false;
        if let Some(stop) = self.terminator.start(self.options.time_limit, self.options.poll_limit) {
            return Ok(Answer::Unknown(stop));
        }
        self.renew()?;
        // SAFETY: the solver is alive, and the assumptions are Booleans of its manager, as many as the count says. The
        // poll's state outlives the poll, which ends before this function does.
        let result = unsafe {
            ffi::incise_bitwuzla_set_poll(Some(must_stop), Some(must_stop_now), state(&self.terminator));
            let result = if raw.is_empty() {
                ffi::bitwuzla_check_sat(self.raw.as_ptr())
            } else {
                ffi::bitwuzla_check_sat_assuming(self.raw.as_ptr(), count, raw.as_ptr())
            };
            ffi::incise_bitwuzla_set_poll(None, None, std::ptr::null_mut());
            result
        };
        if let Some(stop) = self.terminator.stop() {
            // A complaint can only be that of the poll, which ends a query by an exception.
            let _ = take_complaint();
            self.is_spent = true;
            return Ok(Answer::Unknown(stop));
        }
        take_complaint().inspect_err(|_| self.is_spent = true)?;
        Ok(match result {
            ffi::RESULT_SAT => {
                self.has_model = self.options.produce_models;
                Answer::Sat
            }
            ffi::RESULT_UNSAT => Answer::Unsat,
            _ => Answer::Unknown(Stop::GaveUp),
        })
    }

    /// The value of a term in the model of the last query: its bits, those of IEEE 754 for a float, 0 or 1 for a
    /// Boolean.
    ///
    /// Only right after an answer of "satisfiable", before any other change of the solver.
    pub fn value(&mut self, term: Term) -> Result<u128, Error> {
        let raw = self.manager.own(term)?;
        if !self.has_model {
            return Err(Error::NoModel);
        }
        let width = match term.sort() {
            Sort::Boolean => 1,
            Sort::BitVector(width) => width,
            Sort::Float { exponent, significand } => exponent + significand,
            Sort::Array { .. } | Sort::RoundingMode => return Err(Error::Unreadable(term.sort())),
        };
        if width > 128 {
            return Err(Error::Unreadable(term.sort()));
        }
        // SAFETY: the solver is alive, the term is of its manager, and there is a model.
        let value = not_null(unsafe { ffi::bitwuzla_get_value(self.raw.as_ptr(), raw) })?;
        let bits = self.read(value, term.sort());
        // SAFETY: Bitwuzla counted this term for us once more, and we use it no longer.
        unsafe { ffi::bitwuzla_term_release(value.as_ptr()) };
        bits
    }

    /// The assertions as a script in SMT-LIB, for another solver.
    pub fn smt2(&mut self) -> Result<String, Error> {
        self.renew()?;
        let failure = || Error::Solver(String::from("cannot print to memory"));
        let mut buffer = std::ptr::null_mut();
        let mut size = 0;
        // SAFETY: both places live until the stream is closed.
        let file = unsafe { ffi::open_memstream(&raw mut buffer, &raw mut size) };
        if file.is_null() {
            return Err(failure());
        }
        // SAFETY: the solver and the stream are alive, and the name of the format ends with a zero byte. Closing the
        // stream sets the buffer, which is then a string of ours, to be freed once.
        let text = unsafe {
            ffi::bitwuzla_print_formula(self.raw.as_ptr(), c"smt2".as_ptr(), file, 2);
            let closed = ffi::fclose(file);
            let text = ffi::copy_string(buffer);
            ffi::free(buffer.cast());
            if closed == 0 { Ok(text) } else { Err(failure()) }
        };
        take_complaint()?;
        text
    }

    /// What Bitwuzla counted and timed so far, by name, in the order of the names.
    pub fn statistics(&self) -> Vec<(String, String)> {
        let (mut keys, mut values, mut size) = (std::ptr::null(), std::ptr::null(), 0);
        // SAFETY: the solver is alive, and sets the three places.
        unsafe {
            ffi::bitwuzla_get_statistics(self.raw.as_ptr(), &raw mut keys, &raw mut values, &raw mut size)
        };
        // SAFETY: both lists have as many strings, and are good until the next call on this thread.
        let copy = |list: *const *const c_char, place| unsafe { ffi::copy_string(*list.add(place)) };
        let mut statistics: Vec<_> =
            (0..size).map(|place| (copy(keys, place), copy(values, place))).collect();
        statistics.sort();
        statistics
    }

    /// Puts a new solver in the place of a spent one.
    fn renew(&mut self) -> Result<(), Error> {
        if !self.is_spent {
            return Ok(());
        }
        self.has_model = false;
        self.raw = RawHandle::new(&self.manager, &self.options, &self.terminator)?;
        let (assertions, levels) = (self.assertions.clone(), self.levels.clone());
        let mut start = 0;
        for end in levels {
            self.raw_assert_all(&assertions[start..end])?;
            self.raw_push()?;
            start = end;
        }
        self.raw_assert_all(&assertions[start..])?;
        self.is_spent = false;
        Ok(())
    }

    fn raw_push(&mut self) -> Result<(), Error> {
        self.has_model = false;
        // SAFETY: the solver is alive.
        unsafe { ffi::bitwuzla_push(self.raw.as_ptr(), 1) };
        take_complaint()
    }

    fn raw_assert_all(&mut self, terms: &[Term]) -> Result<(), Error> {
        terms.iter().try_for_each(|&term| self.raw_assert(term))
    }

    fn raw_assert(&mut self, term: Term) -> Result<(), Error> {
        let raw = self.boolean(term)?;
        self.has_model = false;
        // SAFETY: the solver is alive, and the term is a Boolean of its manager.
        unsafe { ffi::bitwuzla_assert(self.raw.as_ptr(), raw) };
        take_complaint()
    }

    fn read(&self, value: NonNull<RawTerm>, sort: Sort) -> Result<u128, Error> {
        if sort == Sort::Boolean {
            // SAFETY: the term is alive, and a Boolean value.
            return Ok(u128::from(unsafe { ffi::bitwuzla_term_value_get_bool(value.as_ptr()) }));
        }
        // SAFETY: the term is alive and a value; the string is copied before the next call. Base 2 is what floats have,
        // too.
        let digits = unsafe { ffi::copy_string(ffi::bitwuzla_term_value_get_str_fmt(value.as_ptr(), 2)) };
        take_complaint()?;
        u128::from_str_radix(&digits, 2).map_err(|_| Error::Unreadable(sort))
    }

    fn boolean(&self, term: Term) -> Result<*mut RawTerm, Error> {
        if term.sort() != Sort::Boolean {
            return Err(Error::NotBoolean(term.sort()));
        }
        self.manager.own(term)
    }
}
