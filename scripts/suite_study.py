#!/usr/bin/env python3
"""Prints what `incise suite update` saves: the versions of case-study/, and releases of real libraries, each against the one before.

For each pair: a suite of the old version; one of the new version made from scratch; and the old one brought over to the new version, in its place, as users do it. Both commands leave the suite of the new version on
the disk. Times are processor times of the whole command, from LLVM IR to the suite, reading LLVM IR included: of both versions in an update. Of large suites Incise notes what is in the files; with --without-notes it does not, as on a machine that did not make the suite. Queries are questions to the solver; those are told as solved that neither a model at hand nor an earlier answer decided. clang is left out, since it takes the same time for each version, and whoever
generated the suite of the old version compiled that one before. Of short runs the median of several counts, and both commands take turns, so that a busy machine is the same to both. Real libraries are fetched by cargo, from crates that carry their sources, and are not part of Incise; case-study/real/ has only
our drivers. What cannot be fetched is left out, with a message; so is, with their number, each release that changed none of the files that the driver includes. Goals that are missed depend on the machine and are only told. The exit status is 1 if a result is wrong: a suite that is not complete,
an updated suite that covers other paths than one made from scratch, a kept test with other bytes, counts that do not add up, other numbers in another run, or a version of case-study/ without a change.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

# The scripts leave nothing behind in their folder.
sys.dont_write_bytecode = True
import case_study

REAL = case_study.STUDY / "real"
# How Incise calls clang; so that clang's time does not count, it is called once and beforehand.
CLANG = ["-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names", "-w"]
CLANGS = ["clang"] + [f"clang-{number}" for number in range(22, 14, -1)]
# A run that takes longer than this, in milliseconds, is not repeated.
LONG = 300
# How many queries less, and how much less time, we want over all pairs together.
FEWER_QUERIES, LESS_TIME = 0.67, 0.73
# Where a smaller share of the statements than the first is affected, the second is how many queries less we want.
SMALL, SMALL_FEWER_QUERIES = 0.10, 0.90
CLASSES = ["kept", "changed", "redundant", "obsolete", "added"]

# Where the files of the old and the new version are the same, so is the path.
Pair = collections.namedtuple("Pair", "program name old new options about")
Release = collections.namedtuple("Release", "crate version library")
# A suite that was made from scratch: its folder, what is noted of it, and the paths of its tests, by their names.
Suite = collections.namedtuple("Suite", "folder notes tests")


def main():
    arguments = parse_arguments()
    incise = pathlib.Path(arguments.incise).absolute()
    if not incise.exists() and not arguments.write:
        sys.exit(f"{incise} is not there: run `make build` first")
    # In memory, if there is room: suites have tens of thousands of files, and the time of the disk does not count.
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 8 << 30
    with tempfile.TemporaryDirectory(dir=memory if roomy else None) as temporary:
        folder = pathlib.Path(arguments.write or temporary).absolute()
        compiler = Compiler()
        pairs = list(all_pairs(arguments, folder, compiler))
        if arguments.write:
            for pair in pairs:
                print(f"{pair.program} {pair.name}: {pair.old} {pair.new} {' '.join(pair.options)}")
            return
        rows = study(incise, compiler, pairs, folder, arguments)
    wrong = [f"{row['program']} {row['pair']}: {what}" for row in rows for what in row.pop("wrong")]
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if wrong:
        sys.stdout.flush()
        sys.exit("WRONG:\n  " + "\n  ".join(wrong))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="which of case-study/, or drivers of case-study/real/ [default: all]")
    parser.add_argument("--version", action="append", dest="versions", metavar="V", help="of the programs of case-study/ only this version; may be repeated")
    parser.add_argument("--incise", default=case_study.ROOT / "target/release/incise", help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median counts")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="how many programs are measured at once [default: one for each processor]")
    parser.add_argument("--without-notes", action="store_true", help="as on another machine: nothing is noted of the files of large suites")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    parser.add_argument("--write", metavar="FOLDER", help="write the pairs into a folder, fetched sources included, and explore nothing")
    return parser.parse_args()


def all_pairs(arguments, folder, compiler):
    files = {driver.stem: driver for driver in sorted(REAL.glob("*.c"))}
    programs = arguments.programs or case_study.PROGRAMS + case_study.ACROSS_CALLS + list(files)
    drivers = {name: Driver(files[name]) for name in programs if name in files}
    fetched = fetch_all(drivers.values(), folder / "fetched", arguments.jobs)
    for name in programs:
        if name in drivers:
            yield from real_pairs(drivers[name], folder / "real" / name, fetched, compiler)
        else:
            yield from written_pairs(case_study.Study(name), folder, arguments.versions)


def written_pairs(study, folder, wanted):
    """The versions of a program of case-study/, each with the one that it is based on."""
    files = study.write(folder / study.name)
    for version in study.versions:
        if not wanted or version.name in wanted:
            yield Pair(study.name, f"{version.base} {version.name}", files[version.base], files[version.name], ["--entry", study.entry], version.about)


class Driver:
    """A C file of ours that includes the source of a library; its comments say which releases, and how to explore it."""

    def __init__(self, file):
        self.file, self.sources, self.releases, self.options = file, [], [], []
        lines = file.read_text().splitlines()
        self.about = lines[0].removeprefix("// ")
        for line in lines:
            word, _, rest = line.removeprefix("// ").partition(": ")
            if word == "releases":
                self.releases += [read_release(file, each) for each in rest.split(",") if each.strip()]
            elif word == "sources":
                self.sources += rest.split()
            elif word == "options":
                self.options += rest.split()
        if not (self.sources and len(self.releases) > 1 and self.options):
            sys.exit(f"{file.name}: `// releases: ` with two of them at least, `// sources: ` and `// options: ` are all needed")


def read_release(file, text):
    """`CRATE VERSION (LIBRARY'S VERSION)`."""
    match = re.fullmatch(r"(\S+) (\S+) \((\S+)\)", text.strip())
    if not match:
        sys.exit(f"{file.name}: not a release: {text.strip()}")
    return Release(*match.groups())


def real_pairs(driver, folder, fetched, compiler):
    """Each release with the one before."""
    name, old, old_file, old_files = driver.file.stem, None, None, None
    for release in driver.releases:
        source = fetched[release.crate, release.version]
        if source is None:
            print(f"{name} {release.library}: left out, cargo cannot fetch {release.crate} {release.version}", file=sys.stderr)
            continue
        file = lay_out(driver, release, source, folder / release.library)
        files = compiler.included(file)
        if files == old_files:
            shutil.rmtree(file.parent)
            file = old_file
        if old is not None:
            yield Pair(name, f"{old.library} {release.library}", old_file, file, driver.options, driver.about)
        old, old_file, old_files = release, file, files


def fetch_all(drivers, folder, jobs):
    """The folder of each crate that a driver needs."""
    wanted = list(dict.fromkeys((release.crate, release.version) for driver in drivers for release in driver.releases))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(wanted, pool.map(lambda crate: fetch(*crate, folder), wanted)))


def fetch(crate, version, folder):
    """The folder where cargo keeps the sources of a crate; none if it cannot be had."""
    project = folder / f"{crate}-{version}"
    (project / "src").mkdir(parents=True, exist_ok=True)
    (project / "src/lib.rs").touch()
    dependency = f'{crate} = {{ version = "={version}", default-features = false }}'
    (project / "Cargo.toml").write_text(f'[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n{dependency}\n')
    # What was fetched before is found without a network.
    for where in (["--offline"], []):
        try:
            done = subprocess.run(["cargo", "metadata", "--format-version", "1"] + where, cwd=project, capture_output=True, text=True, timeout=300)
        except (FileNotFoundError, subprocess.TimeoutExpired):
            return None
        if done.returncode == 0:
            packages = json.loads(done.stdout)["packages"]
            return next(pathlib.Path(each["manifest_path"]).parent for each in packages if each["name"] == crate)
    return None


def lay_out(driver, release, source, folder):
    """Puts the driver beside a folder `source` with the files of all folders that it names, so that all releases are compiled alike."""
    for pattern in driver.sources:
        # Releases name their folders differently. What is missing does not compile.
        found = sorted(source.glob(pattern.replace("VERSION", release.library)))
        for each in found:
            for file in [each] if each.is_file() else sorted(each.rglob("*")):
                if file.suffix not in (".c", ".h"):
                    continue
                target = folder / "source" / (file.name if each.is_file() else file.relative_to(each))
                if target.exists() and target.read_bytes() != file.read_bytes():
                    sys.exit(f"{driver.file.name}: {source.name} has two files {target.name}")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
    shutil.copytree(REAL, folder, ignore=shutil.ignore_patterns("*.c"), dirs_exist_ok=True)
    return shutil.copyfile(driver.file, folder / "driver.c")


def study(incise, compiler, pairs, folder, arguments):
    """Measures and prints all pairs that differ, and returns the rows."""
    unchanged = sum(1 for pair in pairs if pair.old == pair.new)
    pairs = [pair for pair in pairs if pair.old != pair.new]
    can_update = subprocess.run([incise, "suite", "update", "--help"], capture_output=True).returncode == 0
    if not can_update:
        print("This binary has no `incise suite update`: only what making suites from scratch takes is shown.")
    rows, last = [], None
    # Versions of one program share suites, and are measured one after the other.
    groups = [list(group) for _, group in itertools.groupby(pairs, lambda pair: pair.program)]

    def measure(group):
        suites, place = {}, folder / "suites" / group[0].program
        noting = not arguments.without_notes
        return [Measurement(incise, compiler, pair, place, arguments.runs, suites, noting).row(can_update) for pair in group]

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for group, measured in zip(groups, pool.map(measure, groups)):
            for pair, row in zip(group, measured):
                if table(pair) != last:
                    last = table(pair)
                    print_head(last)
                print_row(row)
                rows.append(row)
    if can_update and rows:
        print_totals(rows)
    if unchanged:
        print(f"{unchanged} further releases of real libraries changed none of the files that the driver includes.")
    return rows


class Compiler:
    def __init__(self):
        self.clang = next(filter(None, map(shutil.which, CLANGS)), None)
        if self.clang is None:
            sys.exit("clang is needed: run `make setup`")
        self.done = {}

    def compile(self, file):
        if file not in self.done:
            self.done[file] = file.with_suffix(".ll")
            self.run([*CLANG, "-o", self.done[file], "-I", file.parent, "-I", file.parent / "source", file], file)
        return self.done[file]

    def included(self, file):
        """What is in a file and in all that it includes but the system's headers, by their paths from its folder."""
        # Paths are those from the folder, so that nothing in them is escaped.
        names = self.run(["-MM", "-w", "-I", ".", "-I", "source", file.name], file).partition(":")[2].replace("\\\n", " ").split()
        return {os.path.normpath(name): (file.parent / name).read_bytes() for name in names}

    def run(self, options, file):
        done = subprocess.run([self.clang, *options], cwd=file.parent, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{file} does not compile:\n{done.stderr}")
        return done.stdout


class Measurement:
    """What is done with one pair."""

    def __init__(self, incise, compiler, pair, folder, runs, suites, noting):
        self.incise, self.pair, self.folder, self.runs, self.suites = incise, pair, folder, runs, suites
        # All suites are made in one place, with what is noted of them in another; so each update finds its suite as if it had been there all the time. Nothing of the user's caches is used.
        self.place, self.caches = folder / "suite", folder / "caches"
        self.environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME", "INCISE_STORE")}
        if noting:
            self.environment["XDG_CACHE_HOME"] = str(self.caches)
        self.old, self.new = compiler.compile(pair.old), compiler.compile(pair.new)
        self.wrong = []

    def row(self, can_update):
        pair = self.pair
        impact = case_study.run_json([self.incise, "impact", self.old, self.new, *entry(pair.options), "--format", "json"])["summary"]
        # Where nothing changed, nothing is sliced.
        reached = impact.get("forward_slice", {"affected_nodes": 0, "nodes": 0})
        row = {"program": pair.program, "pair": pair.name, "about": pair.about, "changed_nodes": impact["changed_nodes"],
               "affected_nodes": reached["affected_nodes"], "nodes": reached["nodes"]}
        # A release of a library changes something, but not always what the function executes.
        if row["changed_nodes"] == 0 and not pair.about.startswith("no change") and not is_real(pair.program):
            self.wrong.append("nothing changed")
        old = self.old_suite()
        times, updates = [], []
        while len(times) < self.runs and (not times or times[0] <= LONG):
            times.append(self.generate(self.new))
            if can_update:
                updates.append(self.update(old))
        scratch = self.suites[self.new]
        row["scratch"] = self.effort() | {"tests": len(scratch.tests), "time_ms": statistics.median(times)}
        if can_update:
            row["update"] = self.checked(updates, old, scratch)
            # Where nothing was asked, nothing was solved.
            row["update"]["solved"] = self.solved(old, row["update"]) if row["update"]["queries"] else 0
        return row | {"wrong": list(dict.fromkeys(self.wrong))}

    def old_suite(self):
        """The suite of the old version: that of the pair before this one, where its old or its new version is the same."""
        if self.old not in self.suites:
            self.generate(self.old)
        # No others are kept: those of large programs have tens of thousands of files.
        for file in [file for file in self.suites if file != self.old]:
            shutil.rmtree(self.suites.pop(file).folder.parent)
        return self.suites[self.old]

    def generate(self, file):
        """Makes a suite from scratch, puts it aside, and returns the time."""
        self.clear()
        _, time = timed([self.incise, "suite", "generate", file, *self.pair.options, "-o", self.place, "-q"], self.environment)
        made = manifest(self.place)
        if not made["complete"]:
            # A path that could not be followed to its end has a test that expects nothing, and says why.
            unfollowed = sorted({test["expected"] for test in made["tests"] if test["expected"].startswith("nothing")})
            self.wrong.append(f"the suite of {file.parent.name}/{file.name} is not complete: {made['limits'] or made['unsolved'] or unfollowed}")
        aside = self.folder / f"made-{file.parent.name}-{file.stem}"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir()
        suite = Suite(self.place.rename(aside / "suite"), aside / "notes", paths_of(made))
        if self.caches.exists():
            self.caches.rename(suite.notes)
        self.suites[file] = suite
        return time

    def clear(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for each in (self.place, self.caches):
            shutil.rmtree(each, ignore_errors=True)

    def effort(self):
        """What exploring the new version takes; a suite does not tell. Only the first path is described, and only the summary counts."""
        text = case_study.run_text([self.incise, "run", self.new, *self.pair.options, "--stats", "-q"])
        paths, queries = re.search(r"([\d,]+) paths?\b", text), re.search(r"([\d,]+) quer(?:y|ies)", text)
        # What comes behind the memory of earlier answers has to be solved.
        solved = re.search(r"\n +contradiction +([\d,]+) asked", text)
        return {"paths": number(paths), "queries": number(queries), "solved": number(solved)}

    def solved(self, old, update):
        """How many queries of an update had to be solved, which only JSON tells; that names all tests, and is not what is timed."""
        text, _ = self.run_update(old, "--format", "json")
        summary = json.loads(text)["summary"]
        if any(summary[name] != update[name] for name in [*CLASSES, "queries"]):
            self.wrong.append("update gives other numbers in another run")
        return summary["solved"]

    def run_update(self, old, *options):
        """Brings a copy of the old suite over, in the place where that was made."""
        self.clear()
        # Tests are never written to: the copy can share them.
        shutil.copytree(old.folder, self.place, copy_function=os.link)
        if old.notes.exists():
            shutil.copytree(old.notes, self.caches)
        return timed([self.incise, "suite", "update", self.old, self.new, "--suite", self.place, *options], self.environment)

    def update(self, old):
        text, time = self.run_update(old)
        line = next(line for line in text.splitlines() if re.search(r"\d+ kept, \d+ changed", line))
        figures = {name: number(re.search(rf"([\d,]+) {name}", line)) for name in CLASSES}
        return figures | {"queries": number(re.search(r"([\d,]+) quer(?:y|ies) of the solver", text)), "time_ms": time}

    def checked(self, updates, old, scratch):
        first = updates[0]
        if any(each[name] != first[name] for each in updates for name in first if name != "time_ms"):
            self.wrong.append("update gives other numbers in another run")
        self.check(first, old, scratch)
        return first | {"time_ms": statistics.median(each["time_ms"] for each in updates)}

    def check(self, summary, old, scratch):
        before, after = old.tests, paths_of(manifest(self.place))
        covered, paths = (collections.Counter(tests.values()) for tests in (after, scratch.tests))
        if covered != paths:
            self.wrong.append(f"the updated suite lacks {(paths - covered).total()} paths and has {(covered - paths).total()} that are none")
        if sum(summary[name] for name in CLASSES[:-1]) != len(before):
            self.wrong.append(f"{len(before)} tests are not {summary}")
        same = sum(1 for name in before.keys() & after.keys() if is_same_test(old.folder, self.place, name))
        if same < summary["kept"]:
            self.wrong.append(f"{summary['kept']} tests are kept, but only {same} have the same bytes")


def number(match):
    return int(match[1].replace(",", ""))


def entry(options):
    at = options.index("--entry")
    return options[at:at + 2]


def manifest(suite):
    return json.loads((suite / "suite.json").read_text())


def paths_of(made):
    """The path that each test of a suite covers, by the test's name."""
    return {test["name"]: test["path"] for test in made["tests"]}


def is_same_test(old, new, name):
    """Whether a test has the same bytes in two suites, which share the files of tests that nobody wrote."""
    files = [suite / "tests" / f"{name}.json" for suite in (old, new)]
    return os.path.samefile(*files) or files[0].read_bytes() == files[1].read_bytes()


def timed(command, environment):
    """The output of a command, and the processor time that it took, in milliseconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode not in (0, 1, 3):
            sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{errors.read().decode()}")
        return out.read().decode(), 1000 * (usage.ru_utime + usage.ru_stime)


def less(part, whole):
    """How much less the first is, as a share; something of nothing is not less."""
    return 1 - part / whole if whole else 0.0


def share(row):
    return row["affected_nodes"] / max(row["nodes"], 1)


def is_real(program):
    return (REAL / f"{program}.c").exists()


def table(pair):
    """The head of the table that a pair is in: real libraries share one."""
    return "real libraries" if is_real(pair.program) else f"{pair.program}.c, {entry(pair.options)[1]}()"


def print_head(title):
    print(f"\n{title}\n")
    print(f"{'':<38} {'statements':>22}  {'':>7}  {'tests':^44}  {'queries':^23}  {'solved':^15}  {'time (ms)':^25}")
    classes = " ".join(f"{name:>{8 if name != 'redundant' else 9}}" for name in CLASSES)
    print(f"{'pair':<38} {'changed':>7} {'affected':>8} {'share':>5}  {'paths':>7}  {classes}  {'scratch':>8} {'update':>7} {'less':>6}  {'scratch':>8} {'update':>6}  {'scratch':>9} {'update':>8} {'less':>6}", flush=True)


def print_row(row):
    scratch, update = row["scratch"], row.get("update")
    counts = " ".join(f"{f'{update[name]:,}' if update else '-':>{8 if name != 'redundant' else 9}}" for name in CLASSES)
    queries = f"{update['queries']:>7,} {less(update['queries'], scratch['queries']):>6.1%}" if update else f"{'-':>7} {'-':>6}"
    solved = f"{scratch['solved']:>8,} " + (f"{update['solved']:>6,}" if update else f"{'-':>6}")
    times = f"{update['time_ms']:>8,.0f} {less(update['time_ms'], scratch['time_ms']):>6.1%}" if update else f"{'-':>8} {'-':>6}"
    name = f"{row['program']} {row['pair']}" if is_real(row["program"]) else row["pair"]
    print(f"{name:<38} {row['changed_nodes']:>7} {row['affected_nodes']:>8} {share(row):>5.0%}  {scratch['paths']:>7,}  {counts}  "
          f"{scratch['queries']:>8,} {queries}  {solved}  {scratch['time_ms']:>9,.0f} {times}", flush=True)


def print_totals(rows):
    """Says what all pairs together take, and which goals are missed."""
    written = [row for row in rows if not is_real(row["program"])]
    real = [row for row in rows if is_real(row["program"])]
    print()
    programs = dict.fromkeys(row["program"] for row in written)
    groups = [(f"versions of {program}.c", [row for row in written if row["program"] == program]) for program in programs]
    touched, untouched = ([row for row in real if (row["changed_nodes"] > 0) == wanted] for wanted in (True, False))
    parts = [("of them, which change what the function executes", touched), ("of them, which change nothing that it executes", untouched)]
    for what, members in (*groups, ("pairs of releases of real libraries", real), *parts, ("pairs together", rows)):
        if members:
            print_total(what, members)
    queries, time = total_less(rows, "queries"), total_less(rows, "time_ms")
    print(f"\nOver all pairs together at least {FEWER_QUERIES:.0%} fewer queries: {'yes' if queries >= FEWER_QUERIES else 'no'}, {queries:.1%}; "
          f"at least {LESS_TIME:.0%} less time: {'yes' if time >= LESS_TIME else 'no'}, {time:.1%}.")
    small = [row for row in rows if row["changed_nodes"] > 0 and share(row) < SMALL]
    missed = [row for row in small if less(row["update"]["queries"], row["scratch"]["queries"]) < SMALL_FEWER_QUERIES]
    print(f"Of {len(small)} pairs where under {SMALL:.0%} of the statements are affected, {len(small) - len(missed)} have at least {SMALL_FEWER_QUERIES:.0%} fewer queries" + (", but:" if missed else "."))
    for row in missed:
        print(f"  {row['program']} {row['pair']}: {less(row['update']['queries'], row['scratch']['queries']):.1%} fewer ({row['about']})")


def print_total(what, rows):
    sums = {name: sum(row["update"][name] for row in rows) for name in CLASSES}
    paths = sum(row["scratch"]["paths"] for row in rows)
    print(f"{len(rows)} {what}: {paths:,} paths; tests: " + ", ".join(f"{sums[name]:,} {name}" for name in CLASSES) + "; "
          + f"{total(rows, 'scratch', 'queries'):,} queries from scratch and {total(rows, 'update', 'queries'):,} in updates, {in_words(total_less(rows, 'queries'), 'fewer')}; {total(rows, 'scratch', 'solved'):,} and {total(rows, 'update', 'solved'):,} of them solved; "
          + f"{total(rows, 'scratch', 'time_ms') / 1000:,.1f} s and {total(rows, 'update', 'time_ms') / 1000:,.1f} s, {in_words(total_less(rows, 'time_ms'), 'less')}")


def in_words(saved, word):
    return f"{saved:.1%} {word}" if saved >= 0 else f"{-saved:.1%} more"


def total(rows, which, name):
    return sum(row[which][name] for row in rows)


def total_less(rows, name):
    return less(total(rows, "update", name), total(rows, "scratch", name))


if __name__ == "__main__":
    main()
