//! From what the engine found to the finding model of the reports. Only here and in the commands are both known.

mod path;
mod run;
mod threads;

pub use path::{path, place, value};
pub use run::{run, taken};
pub use threads::race;

#[cfg(test)]
mod tests {
    #[test]
    fn the_engine_and_tests_agree_on_names() {
        assert_eq!(incise_exec::FAILING_MALLOC, incise_report::names::FAILING_MALLOC);
        assert_eq!(incise_exec::PROGRAM_NAME, incise_report::names::PROGRAM_NAME);
    }
}
