//! Terms and the manager that owns them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, catch_complaints, not_null};
use crate::ffi::{self, RawManager, RawSort, RawTerm};
use crate::kind::Kind;
use crate::sort::{MAXIMUM_WIDTH, RoundingMode, Sort};

/// Gives each manager of the process its own number, so that a term of another one, even of one long gone, is
/// recognised.
static NEXT_MANAGER: AtomicU64 = AtomicU64::new(0);

/// A term: a handle that can be copied, and that is good for one manager only. Equal terms of one manager have equal
/// handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term {
    raw: NonNull<RawTerm>,
    manager: u64,
    sort: Sort,
}

impl Term {
    /// The sort of the term.
    pub fn sort(self) -> Sort {
        self.sort
    }
}

/// Makes and owns terms. Copies of a manager are the same manager.
#[derive(Clone)]
pub struct TermManager {
    inner: Rc<Inner>,
}

struct Inner {
    raw: NonNull<RawManager>,
    number: u64,
    /// Sorts that were made already: Bitwuzla would make no new ones, but counts each request.
    sorts: RefCell<HashMap<Sort, NonNull<RawSort>>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: solvers hold a reference to this struct, so none is left; terms and sorts that exist as plain handles
        // are freed here, and cannot be used any more, because no other manager will ever have this one's number.
        unsafe { ffi::bitwuzla_term_manager_delete(self.raw.as_ptr()) }
    }
}

impl TermManager {
    /// Makes a manager without terms.
    pub fn new() -> Result<Self, Error> {
        catch_complaints();
        // SAFETY: the function takes nothing, and what it returns is freed by `Inner`.
        let raw = not_null(unsafe { ffi::bitwuzla_term_manager_new() })?;
        let number = NEXT_MANAGER.fetch_add(1, Ordering::Relaxed);
        Ok(TermManager { inner: Rc::new(Inner { raw, number, sorts: RefCell::new(HashMap::new()) }) })
    }

    /// True or false.
    pub fn boolean(&self, value: bool) -> Result<Term, Error> {
        // SAFETY: the manager is alive.
        self.term(unsafe {
            if value { ffi::bitwuzla_mk_true(self.raw()) } else { ffi::bitwuzla_mk_false(self.raw()) }
        })
    }

    /// A bit-vector of a known value. Bits above the 128th are zero.
    pub fn bit_vector(&self, value: u128, width: u32) -> Result<Term, Error> {
        if width < 128 && value >> width != 0 {
            return Err(Error::ValueTooWide { value, width });
        }
        let sort = self.sort(Sort::BitVector(width))?.as_ptr();
        if let Ok(value) = u64::try_from(value) {
            // SAFETY: the manager is alive, and the sort is one of its bit-vectors.
            return self.term(unsafe { ffi::bitwuzla_mk_bv_value_uint64(self.raw(), sort, value) });
        }
        let digits = CString::new(format!("{value:x}")).map_err(|_| Error::ValueTooWide { value, width })?;
        // SAFETY: as above; the digits end with a zero byte and outlive the call, which copies them.
        self.term(unsafe { ffi::bitwuzla_mk_bv_value(self.raw(), sort, digits.as_ptr(), 16) })
    }

    /// A rounding mode as a term, the first argument of most floating-point operations.
    pub fn rounding_mode(&self, mode: RoundingMode) -> Result<Term, Error> {
        // SAFETY: the manager is alive, and the number is one of Bitwuzla's rounding modes.
        self.term(unsafe { ffi::bitwuzla_mk_rm_value(self.raw(), mode as i32) })
    }

    /// A new constant: a value for the solver to find. A second one of the same name is another constant.
    pub fn constant(&self, sort: Sort, name: &str) -> Result<Term, Error> {
        let sort = self.sort(sort)?.as_ptr();
        let name = CString::new(name).map_err(|_| Error::Name(name.to_owned()))?;
        // SAFETY: the manager is alive, the sort is its own, and Bitwuzla copies the name.
        self.term(unsafe { ffi::bitwuzla_mk_const(self.raw(), sort, name.as_ptr()) })
    }

    /// An array, indexed by bit-vectors of the given width, that has `value` everywhere.
    pub fn constant_array(&self, index: u32, value: Term) -> Result<Term, Error> {
        let Sort::BitVector(element) = value.sort else { return Err(Error::Sort(value.sort)) };
        let value = self.own(value)?;
        let sort = self.sort(Sort::Array { index, element })?.as_ptr();
        // SAFETY: the manager is alive, and the sort and the value are its own.
        self.term(unsafe { ffi::bitwuzla_mk_const_array(self.raw(), sort, value) })
    }

    /// An operation on terms, with the indices that kinds like extraction need.
    ///
    /// Bitwuzla checks the number of arguments, their sorts and the indices; what it does not like is an error.
    pub fn mk_term(&self, kind: Kind, arguments: &[Term], indices: &[u64]) -> Result<Term, Error> {
        if let Some(&index) = indices.iter().find(|&&index| index > u64::from(MAXIMUM_WIDTH)) {
            return Err(Error::Index(index));
        }
        let count = |length: usize| u32::try_from(length).map_err(|_| Error::Index(u64::MAX));
        let (argument_count, index_count) = (count(arguments.len())?, count(indices.len())?);
        // Nearly all terms have few arguments, and need no memory of their own for the list.
        let mut few = [std::ptr::null_mut(); 4];
        let many: Vec<*mut RawTerm>;
        let raw: &[*mut RawTerm] = if let Some(few) = few.get_mut(..arguments.len()) {
            for (slot, &argument) in few.iter_mut().zip(arguments) {
                *slot = self.own(argument)?;
            }
            few
        } else {
            many = arguments.iter().map(|&argument| self.own(argument)).collect::<Result<_, _>>()?;
            &many
        };
        // SAFETY: the manager is alive, all arguments are its own terms, the counts are those of the slices, and the
        // kind is one of Bitwuzla's.
        self.term(unsafe {
            if indices.is_empty() {
                ffi::bitwuzla_mk_term(self.raw(), kind as i32, argument_count, raw.as_ptr())
            } else {
                let (arguments, indices) = (raw.as_ptr(), indices.as_ptr());
                ffi::bitwuzla_mk_term_indexed(
                    self.raw(),
                    kind as i32,
                    argument_count,
                    arguments,
                    index_count,
                    indices,
                )
            }
        })
    }

    /// The manager as Bitwuzla knows it, alive as long as `self` is.
    pub(crate) fn raw(&self) -> *mut RawManager {
        self.inner.raw.as_ptr()
    }

    /// The term as Bitwuzla knows it, if it is of this manager. It lives as long as the manager.
    pub(crate) fn own(&self, term: Term) -> Result<*mut RawTerm, Error> {
        if term.manager == self.inner.number { Ok(term.raw.as_ptr()) } else { Err(Error::ForeignTerm) }
    }

    /// Wraps what a function of Bitwuzla returned: null, or a term of this manager that it counts as in use until the
    /// end.
    fn term(&self, raw: *mut RawTerm) -> Result<Term, Error> {
        let raw = not_null(raw)?;
        Ok(Term { raw, manager: self.inner.number, sort: sort_of(raw) })
    }

    fn sort(&self, sort: Sort) -> Result<NonNull<RawSort>, Error> {
        if let Some(&raw) = self.inner.sorts.borrow().get(&sort) {
            return Ok(raw);
        }
        if !sort.is_possible() {
            return Err(Error::Sort(sort));
        }
        let manager = self.raw();
        let raw = match sort {
            // SAFETY: the manager is alive, here and below.
            Sort::Boolean => unsafe { ffi::bitwuzla_mk_bool_sort(manager) },
            // SAFETY: as above.
            Sort::RoundingMode => unsafe { ffi::bitwuzla_mk_rm_sort(manager) },
            // SAFETY: as above.
            Sort::BitVector(width) => unsafe { ffi::bitwuzla_mk_bv_sort(manager, u64::from(width)) },
            // SAFETY: as above.
            Sort::Float { exponent, significand } => unsafe {
                ffi::bitwuzla_mk_fp_sort(manager, u64::from(exponent), u64::from(significand))
            },
            Sort::Array { index, element } => {
                let index = self.sort(Sort::BitVector(index))?.as_ptr();
                let element = self.sort(Sort::BitVector(element))?.as_ptr();
                // SAFETY: as above, and both sorts are the manager's own.
                unsafe { ffi::bitwuzla_mk_array_sort(manager, index, element) }
            }
        };
        let raw = not_null(raw)?;
        self.inner.sorts.borrow_mut().insert(sort, raw);
        Ok(raw)
    }
}

/// Asks Bitwuzla for the sort of a term. The wrapper bounds all widths, so that they fit.
fn sort_of(term: NonNull<RawTerm>) -> Sort {
    let term = term.as_ptr();
    let width = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
    // SAFETY: the term is alive. The functions that give sizes are only asked for terms that have them, and the sorts
    // of arrays are given back after their size is known; arrays are of bit-vectors only, because no others can be
    // made.
    unsafe {
        if ffi::bitwuzla_term_is_bv(term) {
            Sort::BitVector(width(ffi::bitwuzla_term_bv_get_size(term)))
        } else if ffi::bitwuzla_term_is_bool(term) {
            Sort::Boolean
        } else if ffi::bitwuzla_term_is_fp(term) {
            Sort::Float {
                exponent: width(ffi::bitwuzla_term_fp_get_exp_size(term)),
                significand: width(ffi::bitwuzla_term_fp_get_sig_size(term)),
            }
        } else if ffi::bitwuzla_term_is_array(term) {
            let size = |sort: *mut RawSort| {
                let size = ffi::bitwuzla_sort_bv_get_size(sort);
                ffi::bitwuzla_sort_release(sort);
                width(size)
            };
            Sort::Array {
                index: size(ffi::bitwuzla_term_array_get_index_sort(term)),
                element: size(ffi::bitwuzla_term_array_get_element_sort(term)),
            }
        } else {
            debug_assert!(ffi::bitwuzla_term_is_rm(term), "the wrapper makes no other terms");
            Sort::RoundingMode
        }
    }
}
