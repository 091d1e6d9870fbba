"""Unpacks the networks of pgmpy's wheel, and says what pyAgrum reads in them: name, nodes, edges, a line each.

It also writes them in the other formats, those below a size that the second argument says: XMLBIF, XDSL and NET.
pyAgrum refuses files with names like `Asy/Patch`: it reads a copy with other letters then, and the line ends in `renamed`.
"""

import glob
import gzip
import os
import re
import sys

import pyagrum


def loaded(path):
    try:
        return pyagrum.loadBN(path), ""
    except Exception:  # Whatever it is called, it is refused.
        with open(path, encoding="utf-8", errors="replace") as source:
            text = source.read()
        plain = re.sub(r"(?<=\w)-(?=\w)|[^\w\s{}()\[\];,|.+\-]", lambda found: "_%x_" % ord(found.group()), text)
        plain = re.sub(r"\+", "_2b_", plain)
        copy = path + ".plain.bif"
        with open(copy, "w", encoding="utf-8") as target:
            target.write(plain)
        network = pyagrum.loadBN(copy)
        os.remove(copy)
        return network, " renamed"


folder, most = sys.argv[1], int(sys.argv[2])
package = os.path.join(os.path.dirname(os.path.dirname(pyagrum.__file__)), "pgmpy", "utils", "example_models")
for packed in sorted(glob.glob(os.path.join(package, "*.bif.gz"))):
    name = os.path.basename(packed)[: -len(".bif.gz")]
    path = os.path.join(folder, name + ".bif")
    with gzip.open(packed) as source, open(path, "wb") as target:
        target.write(source.read())
    network, renamed = loaded(path)
    print(name, network.size(), network.sizeArcs(), renamed, flush=True)
    if os.path.getsize(path) > most:
        continue
    for ending in ("bifxml", "xdsl", "net"):
        try:
            pyagrum.saveBN(network, os.path.join(folder, name + "." + ending))
        except Exception as error:  # What it cannot write, nobody has to read.
            print("#", name, ending, str(error).splitlines()[0], flush=True)
