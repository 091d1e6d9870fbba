#!/usr/bin/env python3
"""Writes a C program of a given size in two versions that differ in one small spot, for measuring `incise impact`.

    scripts/big_program.py FOLDER [--lines 50000] [--seed 1]

FOLDER/old and FOLDER/new get the same files: modules with structs, lists on the heap, global variables, tables of functions, and calls within a
module and down to others. The same seed gives the same program."""

import argparse
import random
from pathlib import Path

FUNCTIONS = 14  # in each module, beside those of its table
HANDLERS = 4


class Module:
    """One file of the program."""

    def __init__(self, number, rng, below):
        self.number, self.rng, self.below = number, rng, below
        self.name = f"m{number:03}"
        self.lines = []
        self.exported = []

    def put(self, *lines):
        self.lines.extend(lines)

    def expression(self, names):
        rng = self.rng
        left, right = rng.sample(names, 2)
        return rng.choice(
            [f"{left} + {right}", f"{left} - {rng.randint(1, 99)}", f"(({left} ^ {right}) & 1023)", f"{left} * {rng.randint(2, 7)} + {right}", f"({left} > {right} ? {left} : {right})"]
        )

    def callee(self, index):
        """A function that may be called: an earlier one of the module, or one of a module further down."""
        own = [f"{self.name}_f{number}" for number in range(index)]
        others = [name for module in self.below for name in module.exported]
        pool = own if own and (not others or self.rng.random() < 0.6) else others
        return self.rng.choice(pool) if pool else None

    def statement(self, names, index, depth):
        rng, name, pad = self.rng, self.name, "    " * depth
        kind = rng.randrange(11)
        if kind < 3:
            self.put(f"{pad}{rng.choice(names)} = {self.expression(names)};")
        elif kind == 3:
            self.put(f"{pad}{name}_state[{rng.choice(names)} & 7] = {self.expression(names)};")
        elif kind == 4:
            self.put(f"{pad}{rng.choice(names)} = {name}_state[{rng.randrange(8)}] + {name}_count;")
        elif kind == 5:
            self.put(f"{pad}item->{rng.choice(['key', 'weight', 'level'])} = {self.expression(names)};")
        elif kind == 6:
            self.put(f"{pad}if (item->next)", f"{pad}    {rng.choice(names)} = item->next->{rng.choice(['key', 'weight', 'level'])};")
        elif kind == 7 and (callee := self.callee(index)):
            item = "item" if callee.startswith(name) else f"shared_item({rng.randrange(64)})"
            self.put(f"{pad}{rng.choice(names)} = {callee}({item}, {self.expression(names)}, {rng.choice(names)});")
        elif kind == 8:
            self.put(f"{pad}{rng.choice(names)} += {name}_table[{rng.choice(names)} & {HANDLERS - 1}](item, {self.expression(names)});")
        elif depth < 3:
            self.put(f"{pad}if ({self.expression(names)} > {rng.randint(0, 500)}) {{")
            for _ in range(rng.randint(1, 3)):
                self.statement(names, index, depth + 1)
            if rng.random() < 0.5:
                self.put(f"{pad}}} else {{")
                self.statement(names, index, depth + 1)
            self.put(f"{pad}}}")
        else:
            self.put(f"{pad}{name}_count++;")

    def function(self, index):
        rng, name = self.rng, self.name
        visible = rng.random() < 0.4
        title = f"{name}_f{index}"
        if visible:
            self.exported.append(title)
        self.put("", f"{'' if visible else 'static '}int {title}(struct item *item, int a, int b) {{", "    int x = a, y = b, z = 0;")
        names = ["a", "b", "x", "y", "z"]
        for _ in range(rng.randint(8, 14)):
            self.statement(names, index, 1)
        self.put(f"    for (int i = 0; i < (a & {rng.choice([3, 7, 15])}); i++) {{")
        self.statement(names, index, 2)
        self.put("        z += i;", "    }", f"    switch (x & {rng.choice([1, 3])}) {{")
        for case in range(2):
            self.put(f"    case {case}:")
            self.statement(names, index, 2)
            self.put("        break;")
        self.put("    default:", f"        y = {self.expression(names)};", "    }")
        self.put(f"    return {self.expression(names)};", "}")

    def write(self):
        name = self.name
        self.put('#include "program.h"', "", f"static int {name}_state[8];", f"static int {name}_count;", f"static struct item *{name}_list;", "")
        self.put(f"static int (*{name}_table[{HANDLERS}])(struct item *, int);")
        for handler in range(HANDLERS):
            self.put("", f"static int {name}_h{handler}(struct item *item, int v) {{", f"    if (v > {self.rng.randint(1, 200)})", f"        item->level += v + {name}_state[{handler}];")
            self.put(f"    {name}_count += {handler + 1};", f"    return item->weight {self.rng.choice(['+', '-', '^'])} v;", "}")
        for index in range(FUNCTIONS):
            self.function(index)
        self.exported.append(f"{name}_run")
        self.put("", f"int {name}_run(struct item *item, int a, int b) {{", f"    struct item *made = new_item({name}_list, a);", "    if (!made)", "        return 0;")
        self.put(f"    {name}_list = made;")
        self.put(*[f"    {name}_table[{handler}] = {name}_h{handler};" for handler in range(HANDLERS)])
        self.put(f"    int sum = {name}_f{FUNCTIONS - 1}(made, a, b) + {name}_f{FUNCTIONS - 2}(item, b, a);", "    return sum + made->level;", "}")
        return "\n".join(self.lines) + "\n"


def program(lines, seed):
    """The files of the program."""
    rng = random.Random(seed)
    modules, files, total = [], {}, 0
    while total < lines:
        below = rng.sample(modules, min(len(modules), 3))
        module = Module(len(modules), rng, below)
        text = module.write()
        files[f"{module.name}.c"] = text
        total += text.count("\n")
        modules.append(module)
    header = ["#ifndef PROGRAM_H", "#define PROGRAM_H", "#include <stdlib.h>", "struct item { int key; int weight; int level; struct item *next; };"]
    header += ["struct item *new_item(struct item *next, int key);", "struct item *shared_item(int number);"]
    header += [f"int {name}(struct item *item, int a, int b);" for module in modules for name in module.exported]
    files["program.h"] = "\n".join(header + ["#endif"]) + "\n"
    main = ['#include "program.h"', "", "static struct item shared[64];", "", "struct item *shared_item(int number) {", "    return &shared[number & 63];", "}", ""]
    main += ["struct item *new_item(struct item *next, int key) {", "    struct item *made = malloc(sizeof *made);", "    if (made) {"]
    main += ["        made->key = key;", "        made->weight = 1;", "        made->level = 0;", "        made->next = next;", "    }", "    return made;", "}", ""]
    main += ["int main(int argc, char **argv) {", "    int sum = 0;"]
    main += [f"    sum += {module.name}_run(shared_item({module.number}), argc, sum);" for module in modules]
    files["main.c"] = "\n".join(main + ["    return sum & 255;", "}"]) + "\n"
    return files


def changed(files):
    """The same program with one constant of one function in the middle changed."""
    modules = sorted(name for name in files if name.endswith(".c") and name != "main.c")
    name = modules[len(modules) // 2]
    text = files[name]
    start = text.index("_f6(struct item *item, int a, int b) {")
    spot = text.index("int x = a, y = b, z = 0;", start)
    return files | {name: text[:spot] + "int x = a, y = b, z = 1;" + text[spot + len("int x = a, y = b, z = 0;") :]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    files = program(arguments.lines, arguments.seed)
    for version, texts in [("old", files), ("new", changed(files))]:
        folder = arguments.folder / version
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text)
    print(f"{sum(text.count(chr(10)) for text in files.values())} lines in {len(files)} files")


if __name__ == "__main__":
    main()
