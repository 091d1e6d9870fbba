//! What words mean, and what is said of those that mean nothing.

use crate::common::{GO_ON, Made, compare, git, open, search_path, short, sides};
use incise_repository::{Repository, Side};

fn history() -> Made {
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n").commit("one").git(&["tag", "v1"]);
    made.write("a.c", "int a = 2;\n").commit("two").git(&["tag", "v2"]);
    made.git(&["checkout", "-q", "-b", "side", "v1"]).write("b.c", "int b;\n").commit("b");
    made
}

#[test]
fn words_mean_what_they_mean_to_git() {
    let made = history();
    let changed = |words: &[&str]| short(&made.compare(words).2);
    assert_eq!(changed(&[]), [""; 0]);
    assert_eq!(changed(&["v1", "v2"]), ["a.c"]);
    assert_eq!(changed(&["v1..v2"]), ["a.c"]);
    assert_eq!(changed(&["main.."]), ["a.c", "+b.c"], "as they are");
    assert_eq!(changed(&["main..."]), ["+b.c"], "since the branch left main");
    assert_eq!(changed(&["...main"]), ["a.c"]);
    assert_eq!(changed(&["main...side"]), ["+b.c"]);
    assert_eq!(changed(&["v2^!"]), ["a.c"]);
    assert_eq!(changed(&["HEAD~1"]), ["+b.c"]);
    made.write("a.c", "int a = 3;\n");
    assert_eq!(changed(&[]), ["a.c"], "not committed");
    assert_eq!(changed(&["main..."]), ["+b.c"], "committed only");
    assert_eq!(changed(&["v1"]), ["a.c", "+b.c"]);
}

#[test]
fn a_merge_is_compared_with_any_of_its_parents() {
    let made = history();
    made.git(&["merge", "-q", "--no-edit", "main"]);
    assert_eq!(short(&made.compare(&["HEAD^!"]).2), ["a.c"]);
    assert_eq!(short(&made.compare(&["HEAD^2..HEAD"]).2), ["+b.c"]);
}

#[test]
fn what_is_no_revision_is_said() {
    let made = history();
    let said = |words: &[&str]| sides(&made.open(), words).expect_err("no such thing");
    assert!(said(&["v9"]).contains("'v9' is neither a revision nor a file"), "{}", said(&["v9"]));
    assert!(said(&["v1..v9"]).contains("'v9'"));
    assert!(said(&["--all"]).contains("'--all'"), "no option reaches git");
    assert!(said(&["a", "b", "c"]).contains("these are 3"));
    made.git(&["checkout", "-q", "--orphan", "other"]).write("c.c", "int c;\n").commit("c");
    let strangers = said(&["main...other"]);
    assert!(strangers.contains("no common ancestor") && strangers.contains("two dots"), "{strangers}");
}

#[test]
fn a_repository_without_commits_says_so() {
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n");
    let said = sides(&made.open(), &[]).expect_err("nothing to compare with");
    assert!(said.contains("no commits yet"), "{said}");
}

#[test]
fn a_folder_without_a_repository_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Repository::discover(folder.path(), &search_path(), &GO_ON).err().expect("none");
    assert!(error.to_string().contains("not in a git repository"), "{error}");
    let error = Repository::discover(folder.path(), &[], &GO_ON).err().expect("no git");
    assert!(error.to_string().contains("git is not found"), "{error}");
}

#[test]
fn what_a_shallow_clone_lacks_is_said_to_lie_beyond() {
    let made = history();
    let place = tempfile::tempdir().expect("a folder");
    let from = format!("file://{}", made.path().display());
    git(place.path(), &["clone", "-q", "--no-single-branch", "--depth", "1", &from, "it"]);
    let shallow = open(&place.path().join("it"));
    for words in [["HEAD~1"], ["origin/main...HEAD"]] {
        let said = sides(&shallow, &words).expect_err("it lies beyond");
        assert!(said.contains("shallow") && said.contains("--unshallow"), "{said}");
    }
    let (_, _, found) = compare(&shallow, &["origin/main..HEAD"]);
    assert_eq!(short(&found), ["a.c", "+b.c"], "what is there can be compared");
}

#[test]
fn a_bare_repository_has_revisions_and_no_work_tree() {
    let made = history();
    let place = tempfile::tempdir().expect("a folder");
    git(place.path(), &["clone", "-q", "--bare", &made.path().to_string_lossy(), "it.git"]);
    let bare = open(&place.path().join("it.git"));
    assert!(sides(&bare, &["v1"]).expect_err("no work tree").contains("no working tree"));
    let (old, _, found) = compare(&bare, &["v1", "v2"]);
    assert_eq!(short(&found), ["a.c"]);
    assert_eq!(std::fs::read(old.root.join("a.c")).expect("laid out"), b"int a;\n");
}

#[test]
fn ids_may_be_of_another_kind() {
    let made = Made::new(&["--object-format=sha256"]);
    made.write("a.c", "int a;\n").commit("one").write("a.c", "int b;\n").commit("two");
    assert_eq!(short(&made.compare(&["HEAD~1..HEAD"]).2), ["a.c"]);
    assert_eq!(short(&made.write("a.c", "int c;\n").compare(&[]).2), ["a.c"]);
}

#[test]
fn a_tag_of_a_tree_is_a_version() {
    let made = history();
    made.git(&["tag", "-a", "-m", "a tree", "tree", "v2^{tree}"]);
    assert_eq!(short(&made.compare(&["v1", "tree"]).2), ["a.c"]);
    let Side::Revision { name, .. } = sides(&made.open(), &["tree"]).expect("a tree").old else {
        panic!("a revision")
    };
    assert_eq!(name, "tree");
}

#[test]
fn words_are_told_from_files() {
    let made = history();
    let open = made.open();
    for (word, expected) in [
        ("v1", true),
        ("v1..v2", true),
        ("main...", true),
        ("..", false),
        ("a.c", false),
        ("v1..x", false),
        ("-p", false),
    ] {
        assert_eq!(open.is_revision(word).expect("git answers"), expected, "{word}");
    }
}
