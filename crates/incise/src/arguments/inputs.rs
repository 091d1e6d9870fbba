//! What inputs are, as it is typed.

use super::values::{
    Number, parse_array, parse_concrete, parse_file, parse_length, parse_number, parse_variable,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which inputs count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Inputs {
    /// Those that the code shows it was made for: strings that end, lengths that fit, pointers that are there
    Natural,
    /// All that the types allow
    Any,
}

impl From<Inputs> for incise_reading::Inputs {
    fn from(inputs: Inputs) -> Self {
        match inputs {
            Inputs::Natural => Self::Natural,
            Inputs::Any => Self::Any,
        }
    }
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArguments {
    /// Which inputs count: those that the code was made for, or all that its types allow
    #[arg(long, value_enum, default_value_t = Inputs::Natural)]
    pub(crate) inputs: Inputs,
    /// A pointer input is a string: one of its elements is zero
    #[arg(long, value_name = "NAME")]
    pub(crate) string: Vec<String>,
    /// A pointer input is not null
    #[arg(long, value_name = "NAME")]
    pub(crate) nonnull: Vec<String>,
    /// A pointer input has room for as many elements as a number input says (with :bytes, for as many bytes)
    #[arg(long, value_name = "NAME=NUMBER")]
    pub(crate) length: Vec<String>,
    /// A number input is within bounds
    #[arg(long, value_name = "NAME=LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) range: Vec<String>,
    /// A pointer input has from LOW to HIGH elements
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    pub(crate) size: Vec<String>,
    /// Two pointer inputs may lead to the same object
    #[arg(long, value_name = "NAME,NAME")]
    pub(crate) same: Vec<String>,
    /// Two pointer inputs may lead into one object
    #[arg(long, value_name = "NAME,NAME")]
    pub(crate) overlap: Vec<String>,
    /// A pointer input leads to a member of a struct, as container_of takes it
    #[arg(long, value_name = "NAME=STRUCT.MEMBER")]
    pub(crate) member: Vec<String>,
    /// What inputs of functions are taken to be, in a file: see docs/inputs.md
    #[arg(long, value_name = "FILE")]
    pub(crate) contracts: Option<PathBuf>,
    /// A pointer input points to exactly N elements
    #[arg(long, value_name = "NAME=N", value_parser = parse_array)]
    pub(crate) array: Vec<(String, u64)>,
    /// A scalar input has one value
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_concrete, allow_hyphen_values = true)]
    pub(crate) concrete: Vec<(String, i128)>,
    /// Which global variables are symbolic: all, none, or names separated by commas [default: those that something
    /// writes, or none for main]
    #[arg(long, value_name = "WHICH")]
    pub(crate) symbolic_globals: Option<String>,
    /// How deep pointers in inputs lead to fresh objects
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) pointer_depth: u32,
    /// Pointer inputs are never null
    #[arg(long)]
    pub(crate) no_null: bool,
    /// One allocation of a path may fail: malloc, calloc, realloc, strdup and their like return NULL
    #[arg(long)]
    pub(crate) malloc_fails: bool,
    /// main gets N symbolic arguments of at most LENGTH bytes; N may be a range, as in 0..2 (may be repeated; KLEE's
    /// --sym-arg LENGTH and --sym-args MIN MAX LENGTH mean the same here)
    #[arg(long, num_args = 2, value_names = ["N", "LENGTH"], value_parser = parse_number)]
    pub(crate) sym_args: Vec<Number>,
    /// Standard input is any number of symbolic bytes up to N
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) sym_stdin: u32,
    /// There is a file NAME with any number of symbolic bytes up to N (may be repeated)
    #[arg(long, value_name = "NAME=N", value_parser = parse_file)]
    pub(crate) sym_file: Vec<(String, u32)>,
    /// There are N files A, B, C... with any number of symbolic bytes up to LENGTH each
    #[arg(long, num_args = 2, value_names = ["N", "LENGTH"], value_parser = parse_length)]
    pub(crate) sym_files: Vec<u32>,
    /// The environment variable NAME is unset, or a string of up to N symbolic bytes (may be repeated)
    #[arg(long, value_name = "NAME=N", value_parser = parse_variable)]
    pub(crate) sym_env: Vec<(String, u32)>,
    /// There is nothing around the program but what is said: no arguments, nothing in standard input, no files, no
    /// environment variables. Else what the program looks for is made where it can be, and the result names the rest
    #[arg(long)]
    pub(crate) closed: bool,
    /// main gets this argument, before the symbolic ones
    #[arg(long = "arg", value_name = "WORD", allow_hyphen_values = true)]
    pub(crate) given: Vec<String>,
}
