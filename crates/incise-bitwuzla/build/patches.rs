//! The few changes to Bitwuzla's sources, made in a copy of them.

use std::fs;
use std::path::Path;

/// A file of the sources, a piece of its text, and what stands in its place.
type Patch = (&'static str, &'static str, &'static str);

/// Requirements that ask for more than Debian has.
///
/// Bitwuzla uses nothing of GMP that 6.1 lacks, and SymFPU is a set of headers in the compiler's own search path, for
/// which Debian ships no pkg-config file.
const RELAXED: [Patch; 2] = [
    ("src/meson.build", "version: '>=6.3',", "version: '>=6.1',"),
    (
        "src/meson.build",
        "symfpu_dep = dependency('symfpu', include_type: 'system', required: true)",
        "symfpu_dep = declare_dependency()",
    ),
];

/// Places where a query can be stopped.
///
/// Bitwuzla asks its terminator only between the steps of preprocessing and inside the SAT solver. Turning a large term
/// into gates and clauses takes seconds in between, so the functions that make nodes, gates and clauses ask, too. An
/// exception is the only way out of there; it leaves the solver half done, and the wrapper never uses such a solver
/// again. It is thrown before anything is changed in what solvers share, which is the manager of nodes.
const STOPPED: [Patch; 7] = [
    (
        "src/node/node_manager.cpp",
        "#include \"node/node_manager.h\"\n",
        "#include \"node/node_manager.h\"\n#include \"incise_poll.h\"\n",
    ),
    (
        "src/node/node_manager.cpp",
        "  NodeData* data = find_or_insert_node(kind, Type(), children, indices);\n",
        "  incise_poll();\n  NodeData* data = find_or_insert_node(kind, Type(), children, indices);\n",
    ),
    (
        "src/lib/bitblast/aig/aig_manager.cpp",
        "#include \"bitblast/aig/aig_manager.h\"\n",
        "#include \"bitblast/aig/aig_manager.h\"\n#include \"../../../incise_poll.h\"\n",
    ),
    (
        "src/lib/bitblast/aig/aig_manager.cpp",
        "  const auto true_id  = AigNode::s_true_id;\n  const auto false_id",
        "  incise_poll();\n  const auto true_id  = AigNode::s_true_id;\n  const auto false_id",
    ),
    (
        "src/lib/bitblast/aig/aig_cnf.cpp",
        "#include \"bitblast/aig/aig_cnf.h\"\n",
        "#include \"bitblast/aig/aig_cnf.h\"\n#include \"../../../incise_poll.h\"\n",
    ),
    (
        "src/lib/bitblast/aig/aig_cnf.cpp",
        "    auto cur = visit.back();\n    resize(*cur);\n",
        "    incise_poll();\n    auto cur = visit.back();\n    resize(*cur);\n",
    ),
    ("src/api/c/bitwuzla.cpp", "#include \"api/c/bitwuzla_structs.h\"\n", POLL_INTERFACE),
];

/// Files with loops over terms: rewriting, preprocessing, and reasoning about arrays and functions.
///
/// Such a loop may run for minutes without making a node. It looks at the clock and at the interrupt flag every few
/// rounds. That is not counted as work: how often these loops go round depends on what else the solver knows.
const LOOPS: [&str; 25] = [
    "src/node/node_utils.cpp",
    "src/preprocess/pass/contradicting_ands.cpp",
    "src/preprocess/pass/elim_extract.cpp",
    "src/preprocess/pass/elim_lambda.cpp",
    "src/preprocess/pass/elim_udiv.cpp",
    "src/preprocess/pass/elim_uninterpreted.cpp",
    "src/preprocess/pass/flatten_and.cpp",
    "src/preprocess/pass/normalize.cpp",
    "src/preprocess/pass/skeleton_preproc.cpp",
    "src/preprocess/pass/variable_substitution.cpp",
    "src/preprocess/preprocessing_pass.cpp",
    "src/preprocess/preprocessor.cpp",
    "src/rewrite/rewriter.cpp",
    "src/rewrite/rewrites_bv.cpp",
    "src/rewrite/rewrites_core.cpp",
    "src/solver/abstract/abstraction_module.cpp",
    "src/solver/array/array_solver.cpp",
    "src/solver/bv/aig_bitblaster.cpp",
    "src/solver/bv/bv_prop_solver.cpp",
    "src/solver/fp/word_blaster.cpp",
    "src/solver/fun/fun_solver.cpp",
    "src/solver/quant/quant_solver.cpp",
    "src/solver/solver_engine.cpp",
    "src/solving_context.cpp",
    "src/check/check_model.cpp",
];

/// How these loops go on, and how they do with a look at the clock.
const GOES_ON: [(&str, &str); 3] = [
    ("while (!visit.empty())", "while ((bzla::incise_poll_clock(), !visit.empty()))"),
    ("while (!d_visit.empty())", "while ((bzla::incise_poll_clock(), !d_visit.empty()))"),
    (
        "while (cur.kind() == Kind::STORE || cur.kind() == Kind::ITE)",
        "while ((bzla::incise_poll_clock(), cur.kind() == Kind::STORE || cur.kind() == Kind::ITE))",
    ),
];

/// What the patched places call.
const POLL_HEADER: &str = r#"#ifndef INCISE_POLL_H_INCLUDED
#define INCISE_POLL_H_INCLUDED

#include <cstdint>

#include "util/exceptions.h"

namespace bzla {

/** What decides whether the query that runs on this thread must stop. */
struct IncisePoll
{
  int32_t (*function)(void*) = nullptr;
  int32_t (*clock)(void*)    = nullptr;
  void* state                = nullptr;
  uint32_t count             = 0;
  uint32_t rounds            = 0;
};

inline thread_local IncisePoll g_incise_poll;

/** Throws if the query must stop. Asks once in a while only, because it is called for each gate. */
inline void
incise_poll()
{
  IncisePoll& poll = g_incise_poll;
  if (poll.function != nullptr && (++poll.count & 0x3ff) == 0
      && poll.function(poll.state) != 0)
  {
    throw Error("stopped");
  }
}

/** Throws if the query must stop by the clock or is interrupted. For rounds of loops, which are not counted. */
inline void
incise_poll_clock()
{
  IncisePoll& poll = g_incise_poll;
  if (poll.clock != nullptr && (++poll.rounds & 0xff) == 0
      && poll.clock(poll.state) != 0)
  {
    throw Error("stopped");
  }
}

}  // namespace bzla

#endif
"#;

/// The function by which the wrapper says what to ask; a null pointer ends it.
const POLL_INTERFACE: &str = r#"#include "api/c/bitwuzla_structs.h"
#include "incise_poll.h"

extern "C" void
incise_bitwuzla_set_poll(int32_t (*function)(void*),
                         int32_t (*clock)(void*),
                         void* state)
{
  bzla::g_incise_poll.function = function;
  bzla::g_incise_poll.clock    = clock;
  bzla::g_incise_poll.state    = state;
}
"#;

/// Applies all changes to the copy of the sources in `folder`.
pub(crate) fn apply(folder: &Path) -> Result<(), String> {
    let header = folder.join("src").join("incise_poll.h");
    fs::write(&header, POLL_HEADER).map_err(|error| format!("Cannot write {}: {error}", header.display()))?;
    for (file, found, replacement) in RELAXED.into_iter().chain(STOPPED) {
        let path = folder.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("Cannot read {}: {error}", path.display()))?;
        // Exactly one place must match, or these are not the sources that the change was made for.
        if text.matches(found).count() != 1 {
            return Err(format!("{} has not exactly one piece of text `{found}`", path.display()));
        }
        fs::write(&path, text.replace(found, replacement))
            .map_err(|error| format!("Cannot write {}: {error}", path.display()))?;
    }
    LOOPS.iter().try_for_each(|file| look_at_clock(&folder.join(file)))
}

/// Has all loops of a file look at the clock.
fn look_at_clock(path: &Path) -> Result<(), String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("Cannot read {}: {error}", path.display()))?;
    let patched =
        GOES_ON.iter().fold(text.clone(), |text, (found, replacement)| text.replace(found, replacement));
    if patched == text {
        return Err(format!("{} has none of the loops that look at the clock", path.display()));
    }
    let patched = format!("#include \"incise_poll.h\"\n{patched}");
    fs::write(path, patched).map_err(|error| format!("Cannot write {}: {error}", path.display()))
}
