//! The functions of Bitwuzla's C interface that we use, as its header `bitwuzla/c/bitwuzla.h` declares them.
//!
//! The numbers of kinds are in `kind.rs`; a test there compares each with the name that Bitwuzla gives it.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::{PhantomData, PhantomPinned};

/// A C type that is only handled through pointers, and that stays on one thread.
macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        pub(crate) struct $name {
            _data: [u8; 0],
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}

opaque!(RawManager, RawSolver, RawOptions, RawTerm, RawSort, CFile);

pub(crate) const RESULT_SAT: c_int = 10;
pub(crate) const RESULT_UNSAT: c_int = 20;

pub(crate) const OPTION_PRODUCE_MODELS: c_int = 1;
pub(crate) const OPTION_SEED: c_int = 4;

unsafe extern "C" {
    pub(crate) fn bitwuzla_version() -> *const c_char;
    #[cfg(test)]
    pub(crate) fn bitwuzla_kind_to_string(kind: c_int) -> *const c_char;
    pub(crate) fn bitwuzla_set_abort_callback(callback: Option<extern "C" fn(*const c_char)>);

    pub(crate) fn bitwuzla_options_new() -> *mut RawOptions;
    pub(crate) fn bitwuzla_options_delete(options: *mut RawOptions);
    pub(crate) fn bitwuzla_set_option(options: *mut RawOptions, option: c_int, value: u64);

    pub(crate) fn bitwuzla_term_manager_new() -> *mut RawManager;
    pub(crate) fn bitwuzla_term_manager_delete(manager: *mut RawManager);

    pub(crate) fn bitwuzla_mk_bool_sort(manager: *mut RawManager) -> *mut RawSort;
    pub(crate) fn bitwuzla_mk_rm_sort(manager: *mut RawManager) -> *mut RawSort;
    pub(crate) fn bitwuzla_mk_bv_sort(manager: *mut RawManager, size: u64) -> *mut RawSort;
    pub(crate) fn bitwuzla_mk_fp_sort(
        manager: *mut RawManager,
        exponent: u64,
        significand: u64,
    ) -> *mut RawSort;
    pub(crate) fn bitwuzla_mk_array_sort(
        manager: *mut RawManager,
        index: *mut RawSort,
        element: *mut RawSort,
    ) -> *mut RawSort;
    pub(crate) fn bitwuzla_sort_release(sort: *mut RawSort);
    pub(crate) fn bitwuzla_sort_bv_get_size(sort: *mut RawSort) -> u64;

    pub(crate) fn bitwuzla_mk_true(manager: *mut RawManager) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_false(manager: *mut RawManager) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_bv_value(
        manager: *mut RawManager,
        sort: *mut RawSort,
        value: *const c_char,
        base: u8,
    ) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_bv_value_uint64(
        manager: *mut RawManager,
        sort: *mut RawSort,
        value: u64,
    ) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_rm_value(manager: *mut RawManager, mode: c_int) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_const(
        manager: *mut RawManager,
        sort: *mut RawSort,
        symbol: *const c_char,
    ) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_const_array(
        manager: *mut RawManager,
        sort: *mut RawSort,
        value: *mut RawTerm,
    ) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_term_indexed(
        manager: *mut RawManager,
        kind: c_int,
        argument_count: u32,
        arguments: *const *mut RawTerm,
        index_count: u32,
        indices: *const u64,
    ) -> *mut RawTerm;
    pub(crate) fn bitwuzla_mk_term(
        manager: *mut RawManager,
        kind: c_int,
        argument_count: u32,
        arguments: *const *mut RawTerm,
    ) -> *mut RawTerm;

    pub(crate) fn bitwuzla_term_release(term: *mut RawTerm);
    pub(crate) fn bitwuzla_term_is_bool(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_is_bv(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_is_fp(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_is_rm(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_is_array(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_bv_get_size(term: *mut RawTerm) -> u64;
    pub(crate) fn bitwuzla_term_fp_get_exp_size(term: *mut RawTerm) -> u64;
    pub(crate) fn bitwuzla_term_fp_get_sig_size(term: *mut RawTerm) -> u64;
    pub(crate) fn bitwuzla_term_array_get_index_sort(term: *mut RawTerm) -> *mut RawSort;
    pub(crate) fn bitwuzla_term_array_get_element_sort(term: *mut RawTerm) -> *mut RawSort;
    pub(crate) fn bitwuzla_term_value_get_bool(term: *mut RawTerm) -> bool;
    pub(crate) fn bitwuzla_term_value_get_str_fmt(term: *mut RawTerm, base: u8) -> *const c_char;

    pub(crate) fn bitwuzla_new(manager: *mut RawManager, options: *const RawOptions) -> *mut RawSolver;
    pub(crate) fn bitwuzla_delete(solver: *mut RawSolver);
    pub(crate) fn bitwuzla_set_termination_callback(
        solver: *mut RawSolver,
        callback: Option<extern "C" fn(*mut c_void) -> i32>,
        state: *mut c_void,
    );
    pub(crate) fn bitwuzla_push(solver: *mut RawSolver, levels: u64);
    pub(crate) fn bitwuzla_pop(solver: *mut RawSolver, levels: u64);
    pub(crate) fn bitwuzla_assert(solver: *mut RawSolver, term: *mut RawTerm);
    pub(crate) fn bitwuzla_check_sat(solver: *mut RawSolver) -> c_int;
    pub(crate) fn bitwuzla_check_sat_assuming(
        solver: *mut RawSolver,
        argument_count: u32,
        arguments: *const *mut RawTerm,
    ) -> c_int;
    pub(crate) fn bitwuzla_get_value(solver: *mut RawSolver, term: *mut RawTerm) -> *mut RawTerm;
    pub(crate) fn bitwuzla_print_formula(
        solver: *mut RawSolver,
        format: *const c_char,
        file: *mut CFile,
        base: u8,
    );

    pub(crate) fn bitwuzla_get_statistics(
        solver: *mut RawSolver,
        keys: *mut *const *const c_char,
        values: *mut *const *const c_char,
        size: *mut usize,
    );

    // Ours, from the patches that `build.rs` makes.
    pub(crate) fn incise_bitwuzla_set_poll(
        callback: Option<extern "C" fn(*mut c_void) -> i32>,
        clock: Option<extern "C" fn(*mut c_void) -> i32>,
        state: *mut c_void,
    );

    // The C library's stream into memory: Bitwuzla prints to C streams only.
    pub(crate) fn open_memstream(buffer: *mut *mut c_char, size: *mut usize) -> *mut CFile;
    pub(crate) fn fclose(file: *mut CFile) -> c_int;
    pub(crate) fn free(pointer: *mut c_void);
}

/// Copies a C string; a null pointer gives an empty one.
///
/// # Safety
///
/// The pointer is null, or points to a string that ends with a zero byte and that nobody changes during the call.
pub(crate) unsafe fn copy_string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller vouches for a string that ends with a zero byte.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
