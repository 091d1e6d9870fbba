//! What `incise impact` is asked to do.

use super::arguments::{GraphForm, ImpactArguments};
use crate::arguments::Format;
use crate::change::rules::RuleSet;
use crate::session::CommandLimits;
use crate::settings::OutputSettings;
use crate::trees::ComparedSettings;
use anyhow::{Result, bail};

/// How far from the change functions are shown in text.
const DEPTH: u32 = 2;

/// What `incise impact` is asked to do.
pub(crate) struct ImpactSettings {
    pub(crate) versions: ComparedSettings,
    pub(crate) rules: RuleSet,
    pub(crate) why: bool,
    /// The functions to show; all if there are none.
    pub(crate) functions: Vec<String>,
    /// Where executions begin; as the program tells if there are none.
    pub(crate) entries: Vec<String>,
    /// Whether the change is followed through the program.
    pub(crate) across: bool,
    /// How far from the change functions are shown; all if it is not said.
    pub(crate) depth: Option<u32>,
    /// Whether to show the call graph, and how.
    pub(crate) call_graph: Option<GraphForm>,
    /// Whether to prove what changed functions do as before, so that impact ends there.
    pub(crate) prove: bool,
    /// Whether to count what a plain slice would mark.
    pub(crate) precision: bool,
    pub(crate) limits: CommandLimits,
    pub(crate) output: OutputSettings,
}

impl ImpactSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &ImpactArguments) -> Result<Self> {
        let json = arguments.output.format == Format::Json;
        if arguments.callgraph == Some(GraphForm::Dot) && json {
            bail!("--callgraph=dot is a format of its own: leave out --format json, or say --callgraph");
        }
        Ok(Self {
            versions: ComparedSettings::of(&arguments.versions, &arguments.compile)?,
            rules: arguments.rules.unwrap_or(match arguments.callgraph {
                // The second paper's Figure 2(b).
                Some(_) => RuleSet::Idise,
                None => RuleSet::Complete,
            }),
            why: arguments.why,
            functions: arguments.function.clone(),
            entries: arguments.entry.clone(),
            across: !arguments.intra,
            // Who asks for a function, or for reasons, wants to see it.
            depth: arguments
                .depth
                .or((!json && !arguments.why && arguments.function.is_empty()).then_some(DEPTH)),
            call_graph: arguments.callgraph,
            prove: arguments.prove,
            precision: (arguments.precision || json) && !arguments.intra,
            limits: arguments.limits.limits(),
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}
