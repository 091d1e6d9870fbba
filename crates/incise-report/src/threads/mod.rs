//! What threads did: schedules and data races, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub(crate) use model::turns;
pub use model::{Race, RaceAccess, Schedule, ScheduleStep, Site};
