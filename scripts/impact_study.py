#!/usr/bin/env python3
"""Measures how much of a library `incise impact` says a commit affects, on commits that change one function.

    scripts/impact_study.py CLONES [--prove] [--commits 6] [--json FILE] [LIBRARY...]

CLONES is a folder with git repositories of the libraries below (`git clone --bare`), as OWNER+NAME, OWNER+NAME/repo or
NAME. Of each library the newest commits are taken that change exactly one function, and whose units compile by
themselves; nothing is chosen by its result. The share is that of all statements which calls from outside come to.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from case_study import ROOT

# For each library: its units or the folders with them, what is there and no part of it, and what its build would make.
CONFIGURED_EXPAT = "#define XML_NS 1\n#define XML_DTD 1\n#define XML_GE 1\n#define XML_CONTEXT_BYTES 1024\n" \
    "#define HAVE_GETRANDOM 1\n#define XML_DEV_URANDOM 1\n#define BYTEORDER 1234\n#define HAVE_MEMMOVE 1\n"
CONFIGURED_YAML = '#define YAML_VERSION_MAJOR 0\n#define YAML_VERSION_MINOR 2\n#define YAML_VERSION_PATCH 5\n' \
    '#define YAML_VERSION_STRING "0.2.5"\n'
CONFIGURED_CMARK = '#define HAVE_STDBOOL_H\n#define HAVE___BUILTIN_EXPECT\n#define HAVE___ATTRIBUTE__\n' \
    '#define CMARK_ATTRIBUTE(list) __attribute__ (list)\n#include <stdbool.h>\n#define CMARK_INLINE inline\n'
VERSION_CMARK = '#define CMARK_VERSION 1\n#define CMARK_VERSION_STRING "1"\n'
EXPORTS = "#define {0}_EXPORT\n#define {0}_NO_EXPORT\n#define {0}_DEPRECATED\n"
LIBRARIES = {
    "DaveGamble+cJSON": {"units": ["cJSON.c", "cJSON_Utils.c"]},
    "JuliaStrings+utf8proc": {"units": ["utf8proc.c"], "included": ["utf8proc_data.c"]},
    "antirez+linenoise": {"units": ["linenoise.c"]},
    "antirez+sds": {"units": ["sds.c"]},
    "commonmark+cmark": {
        "folders": ["src"],
        "without": ["main.c"],
        "headers": {
            "config.h": CONFIGURED_CMARK,
            "cmark_version.h": VERSION_CMARK,
            "cmark_export.h": EXPORTS.format("CMARK"),
        },
    },
    "jedisct1+libhydrogen": {"units": ["hydrogen.c"]},
    "kgabis+parson": {"units": ["parson.c"]},
    "libexpat+libexpat": {
        "units": ["expat/lib/xmlparse.c", "expat/lib/xmltok.c", "expat/lib/xmlrole.c"],
        "headers": {"expat_config.h": CONFIGURED_EXPAT},
    },
    "lua+lua": {
        "folders": ["."],
        "without": ["lua.c", "luac.c", "onelua.c", "ltests.c"],
        "flags": ["-U", "LUA_USER_H"],
    },
    "ludocode+mpack": {"folders": ["src/mpack"]},
    "lz4+lz4": {"folders": ["lib"]},
    "madler+zlib": {
        "folders": ["."],
        "without": ["minigzip.c", "example.c", "maketree.c", "gzio.c"],
        "flags": ["-D", "HAVE_UNISTD_H", "-D", "HAVE_STDARG_H", "-D", "HAVE_HIDDEN"],
    },
    "mity+md4c": {"units": ["src/md4c.c", "src/md4c-html.c", "src/entity.c"]},
    "nodejs+http-parser": {"units": ["http_parser.c"]},
    "redis+hiredis": {"folders": ["."], "without": ["test.c", "ssl.c", "example.c", "bench.c"]},
    "richgel999+miniz": {
        "units": ["miniz.c", "miniz_tdef.c", "miniz_tinfl.c", "miniz_zip.c"],
        "headers": {"miniz_export.h": "#define MINIZ_EXPORT\n"},
    },
    "tidwall+btree.c": {"units": ["btree.c"]},
    "yaml+libyaml": {
        "folders": ["src"],
        "headers": {"config.h": CONFIGURED_YAML},
        "flags": ["-D", "HAVE_CONFIG_H"],
        "include": "include",
    },
}
# So many commits are looked at for those that change one function.
LOOKED_AT = 60


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=pathlib.Path)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY")
    parser.add_argument("--prove", action="store_true")
    parser.add_argument("--commits", type=int, default=6, help="of each library")
    parser.add_argument("--json", type=pathlib.Path, help="where the rows go")
    parser.add_argument("--keep", type=pathlib.Path, help="where the versions of each commit are kept")
    parser.add_argument("--again", type=pathlib.Path, help="measures the commits of such rows again")
    parser.add_argument("--incise", type=pathlib.Path, default=ROOT / "target" / "release" / "incise")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.libraries or LIBRARIES:
        try:
            rows += study(name, arguments)
        except subprocess.CalledProcessError as error:
            print(f"{name}: {error}", file=sys.stderr)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    shares = sorted(row["share"] for row in rows)
    if len(shares) > 1:
        quartiles = ", ".join(f"{each:.3f}" for each in statistics.quantiles(shares, n=4, method="inclusive"))
        print(f"{len(shares)} commits of {len({row['library'] for row in rows})} libraries: quartiles {quartiles}")


def study(name, arguments):
    """The rows of one library."""
    places = [arguments.clones / name / "repo", arguments.clones / name, arguments.clones / name.split("+")[1]]
    repository = next((place for place in places if place.exists()), None)
    if repository is None:
        print(f"{name}: there is no clone of it", file=sys.stderr)
        return []
    library = LIBRARIES[name]
    paths = library.get("units") or library["folders"]
    known = json.loads(arguments.again.read_text()) if arguments.again else None
    commits = git(repository, "log", "--no-merges", "--diff-filter=M", "--format=%h", f"-{LOOKED_AT}", "--", *paths).split()
    if known is not None:
        commits = [row["commit"] for row in known if row["library"] == name]
    rows = []
    for commit in commits:
        if len(rows) == arguments.commits:
            break
        row = measured(repository, name, commit, arguments)
        if row:
            rows.append(row)
            print(f"{name:24} {commit:10} {row['function']:34} {row['nodes']:7} {row['affected']:6} "
                  f"{row['share']:6.3f} {row['later']:6} {row['seconds']:5.1f}s", flush=True)
    return rows


def measured(repository, name, commit, arguments):
    """What is found of one commit; nothing if it does not change one function."""
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep / f"{name}-{commit}" if arguments.keep else pathlib.Path(folder)
        try:
            if not (place / "new").exists():
                laid_out(repository, LIBRARIES[name], f"{commit}^", place / "old")
                laid_out(repository, LIBRARIES[name], commit, place / "new")
        except subprocess.CalledProcessError:
            return None
        # A folder of the new version stands for the same one of the old version.
        words = [arguments.incise.absolute(), "impact", "old", "new", "--format", "json", "-I", "new"]
        words += [*LIBRARIES[name].get("flags", []), *(["--prove"] if arguments.prove else [])]
        start = time.monotonic()
        done = subprocess.run([str(word) for word in words], cwd=place, capture_output=True, text=True)
        seconds = time.monotonic() - start
    if not done.stdout.startswith("{"):
        print(f"{name} {commit}: {done.stderr.strip()[:200]}", file=sys.stderr)
        return None
    found = json.loads(done.stdout)
    summary = found["summary"]
    if summary["changed_functions"] != 1 or not summary["complete"]:
        return None
    if summary["added_functions"] or summary["removed_functions"] or not summary["reachable_nodes"]:
        return None
    changed = [each["name"] for each in found["functions"] if each["change"] == "changed"]
    nodes, affected = summary["reachable_nodes"], summary["affected_nodes"]
    return {
        "library": name,
        "commit": commit,
        "function": changed[0] if changed else "?",
        "nodes": nodes,
        "affected": affected,
        "later": summary["later_nodes"],
        "forward": summary["forward_slice"]["forward_nodes"],
        "share": affected / nodes,
        "seconds": seconds,
    }


def laid_out(repository, library, commit, place):
    """The units of a version with the headers that they need, in one folder."""
    tree = place.with_suffix(".tree")
    tree.mkdir(parents=True)
    archive = subprocess.run(["git", "-C", repository, "archive", commit], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", tree], input=archive.stdout, check=True)
    place.mkdir(parents=True)
    units = [tree / unit for unit in library.get("units", [])]
    for folder in library.get("folders", []):
        units += sorted((tree / folder).glob("*.c"))
    units = [unit for unit in units if unit.exists() and unit.name not in library.get("without", [])]
    for folder in sorted({unit.parent for unit in units}):
        for each in folder.iterdir():
            if each.suffix in (".h", ".inc") or each.name in library.get("included", []):
                shutil.copy(each, place / each.name)
        if (folder / "impl").is_dir():
            shutil.copytree(folder / "impl", place / "impl")
    if "include" in library:
        shutil.copytree(tree / library["include"], place, dirs_exist_ok=True)
    for name, text in library.get("headers", {}).items():
        (place / name).write_text(text)
    for unit in units:
        shutil.copy(unit, place / unit.name)
    shutil.rmtree(tree)


def git(repository, *words):
    return subprocess.run(["git", "-C", repository, *words], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
