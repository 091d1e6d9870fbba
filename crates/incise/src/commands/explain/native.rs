//! Runs a test and the inputs near it natively on both versions.

use super::model::ComparedVersions;
use crate::session::Session;
use anyhow::Result;
use incise_replay::{ReplayRequest, replay};
use incise_report::{Behaviour, Explanation, FoundPath, ProgramIdentity, Run, TestCase};
use incise_suite::test_case;

/// So many nearby inputs are run natively; the others are not shown in text.
const REPLAYED: usize = 10;

impl ComparedVersions<'_> {
    /// Runs the test and the nearby inputs natively on both versions. What stands in the way of that is a note: the
    /// explanation is good without it.
    pub(super) fn replay(&self, explanation: &mut Explanation, session: &Session) {
        for new in [false, true] {
            if let Err(error) = self.replay_version(explanation, new, session) {
                let version = if new { "new" } else { "old" };
                explanation.notes.push(format!("the {version} version was not run natively: {error:#}"));
            }
        }
    }

    fn replay_version(&self, explanation: &mut Explanation, new: bool, session: &Session) -> Result<()> {
        let loaded = if new { self.new } else { self.old };
        let mut behaviours = behaviours(explanation, new);
        let program = ProgramIdentity { entry: self.config.entry.clone(), ..ProgramIdentity::default() };
        let mut run = Run { program, ..Run::default() };
        run.paths = behaviours
            .iter()
            .enumerate()
            .filter(|(_, behaviour)| !behaviour.assumed_away)
            .map(|(index, behaviour)| FoundPath { id: index as u64, ..behaviour.path.clone() })
            .collect();
        let with_inputs: Vec<u64> =
            run.paths.iter().filter(|path| path.inputs.is_some()).map(|path| path.id).collect();
        let tests: Vec<TestCase> = run.paths.iter().filter_map(|path| test_case(&run, path)).collect();
        let arguments = &self.config.inputs.given_arguments;
        let request = ReplayRequest { entry: &self.config.entry, tests: &tests, arguments };
        let replayed = replay(&request, loaded, &session.replaying())?;
        for (id, test) in with_inputs.into_iter().zip(replayed.tests) {
            behaviours[id as usize].replay = Some(test);
        }
        Ok(())
    }
}

/// What one version does on the test and on the nearby inputs that are shown.
fn behaviours(explanation: &mut Explanation, new: bool) -> Vec<&mut Behaviour> {
    let Explanation { behaviour, causes, agreeing, .. } = explanation;
    let nearby = causes.iter_mut().take(REPLAYED).map(|cause| &mut cause.nearby).chain(agreeing);
    let all = std::iter::once(behaviour).chain(nearby.map(|nearby| &mut nearby.behaviour));
    all.map(|both| if new { &mut both.new } else { &mut both.old }).collect()
}
