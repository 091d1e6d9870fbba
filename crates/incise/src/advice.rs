//! What can be done about something that a report says, in the words of the command line: its options.

use incise_report::{Advice, LimitKind};

/// The words for advice; `None` if no option has to do with it.
pub(crate) fn advise(advice: Advice) -> Option<&'static str> {
    Some(match advice {
        Advice::AllErrors => "--all shows all errors as a whole",
        Advice::ShowRest => "--all shows them",
        Advice::WholeText => "--format json has all of it",
        Advice::AllOfThem => "--format json has all of them",
        Advice::Listed => "--format json lists them",
        Advice::Depth => "--depth shows more of them",
        Advice::ListInvalid => "--show-invalid lists them",
        Advice::External => "give its source, or --externals havoc",
        Advice::Raise(limit) => return raise(limit),
        Advice::LargerInputs => "say --size or --array for more",
        Advice::AcceptOutcomes => "--accept writes what is",
        Advice::ExactStrategy => "`--strategy exact` finds the sequences that Figure 6 loses",
        Advice::MakeTests => {
            "`incise diff --cover CRITERION --tests DIR` writes tests that cover what is missing"
        }
        Advice::SuiteUpdate => "`incise suite update`",
    })
}

/// How to raise a limit; `None` if nobody can.
fn raise(limit: LimitKind) -> Option<&'static str> {
    Some(match limit {
        LimitKind::Time => "raise it with --max-time",
        LimitKind::Memory => "raise it with --max-memory",
        LimitKind::Paths => "raise it with --max-paths",
        LimitKind::Depth => "raise it with --max-depth",
        LimitKind::Loop => "raise it with --max-loop",
        LimitKind::Instructions => "raise it with --max-instructions",
        LimitKind::Stack => "raise it with --max-stack",
        LimitKind::PointerDepth => "raise it with --pointer-depth",
        LimitKind::Preemptions => "raise it with --preemptions",
        LimitKind::InputSize => "say --size or --array",
        LimitKind::Absent => "say --sym-file or --sym-env, or --closed if there is nothing",
        LimitKind::ObjectSize
        | LimitKind::CopySize
        | LimitKind::Interrupt
        | LimitKind::Work
        | LimitKind::Threads
        | LimitKind::WeakMemory
        | LimitKind::Wakeups
        | LimitKind::Reinterpreted
        | LimitKind::OneSided
        | LimitKind::Apart => return None,
    })
}
