"""How the programs of coreutils are run: words of the command line as options of `incise run`, for each program several times.

The first run of each is the same for all: any one argument of up to ten bytes, which reaches every long option by its abbreviations. The others give an option and leave its value, files and standard input symbolic.
"""

ANY = "--sym-args 0..1 10"
FEW = "--sym-args 0..2 2 --sym-stdin 3 --sym-file A=2"
INPUT = "--sym-stdin 4"

RUNS = {
    "basename": [ANY, "--sym-args 1..3 3", "--arg -a --sym-args 1..2 4", "--arg -s --sym-args 2..3 3", "--arg -z --sym-args 1..2 3"],
    "wc": [ANY, FEW, f"--arg -lwmcL {INPUT}", f"--arg -L {INPUT}", f"--arg -m {INPUT}", f"--arg -l {INPUT}", f"--arg -c {INPUT}",
           "--arg --files0-from=A --sym-file A=3", "--arg --files0-from=- --sym-stdin 3", "--arg --files0-from=A --arg x --sym-file A=1",
           "--arg A --arg B --arg - --sym-files 2 2 --sym-stdin 1"],
    "head": [ANY, FEW, f"--arg -c --sym-args 1 3 {INPUT}", f"--arg -n --sym-args 1 3 {INPUT}", "--arg -n-1 --arg A --sym-file A=4", "--arg -c-2 --arg A --sym-file A=4",
             "--arg -c-1 --sym-stdin 4", "--arg -v --arg A --arg B --sym-files 2 2", "--arg -q --arg A --arg none --sym-files 1 2", "--arg -zn1 --sym-stdin 3", f"--sym-args 1 4 {INPUT}"],
    "fold": [ANY, FEW, f"--arg -w --sym-args 1 2 {INPUT}", f"--arg -s --arg -w2 {INPUT}", f"--arg -bw1 {INPUT}", "--arg -s --arg -w9 --sym-stdin 5", "--arg -2 --arg A --arg none --sym-files 1 3"],
    "expand": [ANY, FEW, f"--arg -t --sym-args 1 4 --sym-stdin 2", f"--arg -i {INPUT}", f"--arg -t2,4,/3 {INPUT}", f"--arg -t1,+2 {INPUT}", "--arg -3 --arg A --arg none --sym-files 1 3", "--arg -t --arg 99999999999999999999 --sym-stdin 1"],
    "uniq": [ANY, FEW, f"--arg -c {INPUT}", f"--arg -D {INPUT}", f"--arg -u {INPUT}", f"--arg -di {INPUT}", f"--arg -z {INPUT}", f"--arg -f1 {INPUT}", f"--arg -s --sym-args 1 2 {INPUT}",
             f"--arg -w --sym-args 1 2 {INPUT}", f"--arg --group=both {INPUT}", f"--arg --group=append {INPUT}", f"--arg --group {INPUT}", f"--arg --all-repeated=prepend {INPUT}", f"--arg --all-repeated=separate {INPUT}",
             "--arg A --arg out --sym-files 1 3", "--arg A --arg - --arg x --sym-files 1 1", f"--sym-args 1 4 --sym-stdin 2", "--arg -c --arg --group", "--arg -cD", "--arg none"],
    "cut": [ANY, FEW, f"--arg -f --sym-args 1 4 --sym-stdin 3", f"--arg -b --sym-args 1 4 --sym-stdin 3", f"--arg -d, --arg -f2 --sym-stdin 5", f"--arg -d, --arg -sf1,3- --sym-stdin 5",
            "--arg -f1 --arg -d --sym-args 1 2", "--arg -f1 --arg --complement --arg -d, --sym-stdin 4", "--arg -c1,3 --arg --output-delimiter=_ --sym-stdin 4", "--arg -d, --arg -f1,2 --arg --output-delimiter= --sym-stdin 4",
            "--arg -zf2 --arg -d, --sym-stdin 4", "--arg -b1 --arg -f1", "--arg -b2 --arg -d,", "--arg -b2 --arg -s", "--arg -b-2 --arg A --arg none --sym-files 1 3", "--arg -b3-,1-2 --sym-stdin 4",
            "--arg -nb1-1,2-3 --sym-stdin 4", "--arg -f1 --arg -d --arg ab", "--arg -f1 --arg -d --arg ''", "--arg -f2 --arg -d_ --arg - --sym-stdin 4", f"--arg -b2- --arg --complement {INPUT}"],
    "tr": [ANY, "--sym-args 2 3 --sym-stdin 2", "--sym-args 1..3 2 --sym-stdin 2", f"--arg -d --sym-args 1 4 --sym-stdin 2", f"--arg -s --sym-args 1 3 --sym-stdin 3", "--arg -ds --arg a --arg b --sym-stdin 4", "--arg -c --arg a --sym-args 1 2 --sym-stdin 2",
           "--arg -cs --arg [:alnum:] --arg - --sym-stdin 3", "--arg [:lower:] --arg [:upper:] --sym-stdin 2", "--arg [:upper:]a --arg [:lower:]b --sym-stdin 2", "--arg -d --arg [:space:][:punct:] --sym-stdin 2", "--arg -d --arg [=x=]a-c --sym-stdin 2", "--arg abc --arg [x*] --sym-stdin 2", "--arg abcd --arg [x*2]y --sym-stdin 2",
           "--arg abcd --arg [x*010]y --sym-stdin 1", "--arg -t --arg abc --arg x --sym-stdin 2", "--arg -c --arg [:upper:] --arg [:lower:]", "--arg [:alpha:] --arg [:digit:]", "--arg -d --arg [:nothing:]", "--arg -d --arg [=ab=]", "--arg b-a --arg x", "--arg a --arg [b*z]", "--arg [a*] --arg b", "--arg \\\\101\\\\n\\\\t\\\\\\\\ --arg abcd --sym-stdin 2",
           "--arg -s --arg \\\\400x --sym-stdin 2", "--arg a --arg [:alpha:]", "--arg a --arg [=b=]", "--arg -ds --arg a", "--arg a --arg ''", "--arg -cd --arg [:print:][:cntrl:][:graph:][:blank:][:xdigit:] --sym-stdin 1", "--arg -ct --arg ab --arg xy --sym-stdin 2", "--arg ab --arg [x*][y*]", "--arg ab --arg a[x*3]"],
    "seq": [ANY, "--sym-args 1..2 1", "--arg -w --sym-args 1 2", "--arg -s --sym-args 2 1", "--arg -s, --arg 1 --arg 3", "--arg -f --sym-args 1 4 --sym-args 1 1", "--arg -f%g --sym-args 1 1", "--arg 1 --arg 2 --sym-args 1 1", "--arg 1.5 --arg 3", "--arg -w --arg 1 --arg .5 --arg 2", "--arg 3 --arg -1 --arg 1",
            "--arg -f%.2f --arg 1 --arg 2", "--arg 1 --arg 0 --arg 2", "--arg nan", "--arg -w --arg -f%g --arg 1", "--arg 1 --arg 2 --arg 3 --arg 4", "--arg -f%g%g --arg 1", "--arg -f%s --arg 1", "--arg -fx --arg 1", "--arg -f%% --arg 1", "--arg -f%e --arg 9 --arg 10", "--arg 1e1 --arg 12", "--arg -w --arg 8 --arg 11", "--arg 98 --arg 101"],
    "base64": [ANY, FEW, "--sym-stdin 6", "--arg -d --sym-stdin 5", "--arg -di --sym-stdin 5", "--arg -w --sym-args 1 3 --sym-stdin 4", "--arg -w1 --sym-stdin 3", "--arg -d --arg A --sym-files 1 4", "--arg none", "--arg A --arg B"],
    "cksum": [ANY, FEW, "--sym-stdin 4", "--arg -a --sym-args 1 4 --sym-stdin 1", "--arg -a --arg sysv --sym-stdin 3", "--arg -a --arg bsd --sym-stdin 3", "--arg -a --arg md5 --arg A --sym-files 1 2", "--arg -a --arg sha1 --arg --untagged --sym-stdin 1", "--arg -a --arg blake2b --arg -l --sym-args 1 2 --sym-stdin 1",
              "--arg -a --arg md5 --arg -c --arg A --sym-files 1 5", "--arg -c --arg A --sym-files 1 5", "--arg -a --arg sm3 --arg -z --arg A --arg none --sym-files 1 1", "--arg --debug --sym-stdin 1", "--arg -a --arg md5 --arg -cw --arg A --sym-files 1 4", "--arg -a --arg md5 --arg --tag --arg --check --arg A", "--arg --status", "--arg -a --arg crc --arg -c"],
    "factor": [ANY, "--sym-args 1 2", "--sym-args 1..2 1", "--sym-stdin 3", "--arg 18446744073709551615", "--arg 340282366920938463463374607431768211456", "--arg 0 --arg 1 --arg 97 --arg 1009", "--arg ''", "--arg 100160063 --arg 4294967297", "--arg ---debug --arg 35"],
}

# What the comparison of two releases leaves symbolic. Arguments have at most two bytes: a third is enough for --h and --v, of which each release prints another text.
COMPARED = {
    "basename": "--sym-args 1..2 2",
    "wc": "--sym-args 0..1 2 --sym-stdin 2",
    "head": "--sym-args 0..1 2 --sym-stdin 3",
    "fold": "--sym-args 0..1 2 --sym-stdin 3",
    "expand": "--sym-args 0..1 2 --sym-stdin 3",
    "uniq": "--sym-args 0..1 2 --sym-stdin 3",
    "cut": "--sym-args 1..2 2 --sym-stdin 2",
    "tr": "--sym-args 2 1 --sym-stdin 2",
    "seq": "--sym-args 1 2",
    "base64": "--sym-args 0..1 2 --sym-stdin 3",
    "cksum": "--sym-args 0..1 2 --sym-stdin 2",
    "factor": "--sym-args 1 1",
}
