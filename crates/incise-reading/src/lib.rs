//! What the inputs of a function are taken to be: the *reading* of its inputs.
//!
//! A signature says little of what a C function is called with. That a `char *` ends with a zero, that `length` is the
//! length of `frame`, that a pointer is never null: programmers know it, and the code shows it. A [`Reading`] is a list
//! of such facts, each with its evidence. It is plain data: who explores assumes it, who reports shows it, and nobody
//! takes it for proved.
//!
//! [`infer`] reads unoptimised code. It follows the locals of a function (`locals`), says where each value comes from
//! (`flow`, `places`) and how large numbers get (`sums`, `bounds`); on that each kind of evidence has a file of its
//! own: `text`, `room`, `counted`, `limits`, `ends`, `null`, `enumerations`, `callbacks`, `callers`, `containers`.

mod bounds;
mod callbacks;
mod callers;
mod combine;
mod containers;
mod contract;
mod counted;
mod declared;
mod ends;
mod enumerations;
mod flow;
mod infer;
mod input_reading;
mod library;
mod limits;
mod locals;
mod lookup;
mod matched_parameters;
mod model;
mod null;
mod passed;
mod places;
mod product;
mod room;
mod streams;
mod summary;
mod sums;
mod taken_apart;
mod text;
mod uses;

pub use containers::{container_of, containing, has_call, root, split_container};
pub use contract::{ContractError, Contracts};
pub use infer::infer;
pub use input_reading::{InputReading, Inputs, as_given, told, unrestricted};
pub use matched_parameters::{MatchedParameters, matched_parameters};
pub use model::{Evidence, Reading, Source, Taken, Unit, What};
pub use product::factors;
pub use taken_apart::taken_apart;
