//! Explores a program with inputs that grow where they were too small.

use incise_exec::{Config, Exploration, ExploreError, Hooks, Sizes, explore};
use incise_ir::Program;
use std::sync::atomic::Ordering;

/// Inputs grow as long as no more paths than this were found.
pub const FEW_PATHS: usize = 200;
/// No more elements than this: every path is shown.
pub const MOST_ELEMENTS: u64 = 16;

/// Explores a program with inputs that grow where they were too small, as long as there are few paths. So much is the
/// same on every machine.
pub fn explore_growing(
    program: &Program,
    config: &mut Config,
    hooks: &Hooks<'_>,
) -> Result<Exploration, ExploreError> {
    let mut smaller: Option<(Exploration, Sizes)> = None;
    loop {
        let exploration = explore(program, config, hooks)?;
        let stopped = hooks.interrupt.load(Ordering::Relaxed);
        // What was found on smaller inputs stands if there was no time for as much on larger ones.
        if let Some((mut known, sizes)) = smaller.take()
            && exploration.abandoned_states > 0
            && exploration.paths.len() < known.paths.len()
        {
            known.limits.extend(exploration.limits);
            known.abandoned_states += exploration.abandoned_states;
            config.inputs.sizes = sizes;
            return Ok(known);
        }
        let many = exploration.paths.len() > FEW_PATHS || exploration.abandoned_states > 0;
        let sizes = config.inputs.sizes.clone();
        if exploration.needs.is_empty()
            || stopped
            || many
            || !config.inputs.sizes.grow(&exploration.needs, MOST_ELEMENTS)
        {
            return Ok(exploration);
        }
        smaller = Some((exploration, sizes));
    }
}
