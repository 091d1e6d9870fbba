//! The engine: decoded instructions, states, and the loop that executes them.

pub(crate) mod arithmetic;
pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod constants;
pub(crate) mod decode;
pub(crate) mod intrinsics;
pub(crate) mod list;
pub(crate) mod machine;
pub(crate) mod memo;
pub(crate) mod merge;
pub(crate) mod mixed;
pub(crate) mod oddity;
pub(crate) mod scalar_intrinsics;
pub(crate) mod slow;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod thread;
pub(crate) mod value;
