//! What the engine is told of inputs, and what users are told of that.

use incise_exec::{Config, Work};
use incise_ir::{FunctionId, Program};
use incise_reading::{InputReading, Inputs, unrestricted};

/// Tells the engine what the inputs of an entry are taken to be.
pub(crate) fn apply(reading: &InputReading, config: &mut Config, program: &Program, entry: FunctionId) {
    let reading = InputReading { initial: config.inputs.initial.clone(), ..reading.clone() };
    config.inputs.reading = reading.reading(program, entry);
    config.inputs.any_size = reading.inputs == Inputs::Any;
}

/// Inputs that are not what they are taken to be are worth so much work.
const OTHERS: Work = Work::about_milliseconds(4_000);

/// How inputs are explored that are not what they are taken to be, and whether none is left out then. `None` if no
/// others are left out.
pub(crate) fn others(config: &Config) -> Option<(Config, bool)> {
    if !config.inputs.reading.restricts() {
        return None;
    }
    let mut config = config.clone();
    config.inputs.reading = unrestricted(&config.inputs.reading);
    config.inputs.any_size = true;
    config.limits.give_up_after(OTHERS);
    let all = !config.inputs.reading.restricts();
    Some((config, all))
}
