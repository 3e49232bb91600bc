"""Every page and figure that heed writes is valid HTML or well-formed XML, and has no hostile text unescaped.

    python3 tests/report/validity_test.py HEED
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import urllib.request
import xml.etree.ElementTree

try:
    import html5lib
except ImportError as missing:
    print(f"skipped: {missing}; pip install -r tests/requirements.txt")
    sys.exit(77)

HEED = ""
MODEL = pathlib.Path(__file__).resolve().parents[1] / "end_to_end/model_v1"
HOSTILE = ["</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "]]>--><!--", "&lt;b&gt;&#0;", "\u202egnp.exe", "\u2066iso",
           "\x1b[31m", "\x07\x7f\u0085", "{{7*7}}${x}`", "one<two", "</title></svg>", "javascript:alert(1)", "a" * 300]


def heed(*arguments, **options):
    done = subprocess.run([HEED, *map(str, arguments)], capture_output=True, encoding="utf-8", **options)
    if done.returncode != 0:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return done.stdout


def hidden_characters(text):
    """The controls, and the characters that change the direction of the text around them."""
    return sorted({f"U+{ord(c):04X}" for c in text
                   if (unicodedata.category(c) == "Cc" and c not in "\n\t") or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"})


class Validity(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.write("source.en", [" ".join(["one", word, "two"]) for word in HOSTILE])
        self.target = self.write("target.de", [" ".join(["zwei", word, "eins"]) for word in HOSTILE])

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
        return path

    def check_html(self, text):
        parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"))
        document = parser.parse(text)
        self.assertEqual([(place, error, data) for place, error, data in parser.errors], [])
        self.assertEqual(hidden_characters(text), [])
        return document

    def check_svg(self, path):
        text = path.read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        names = {element.tag.split("}")[1] for element in root.iter()}
        self.assertFalse(names & {"script", "foreignObject", "img"}, names)
        self.assertEqual(hidden_characters(text), [])
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--nonet", path], check=True)

    def check(self, path):
        self.check_svg(path) if path.suffix == ".svg" else self.check_html(path.read_text(encoding="utf-8"))

    def test_alignments(self):
        for name in ("looked.html", "looked.svg"):
            heed("align", "--model", MODEL, "--source", self.source, "--target", self.target, "--output", self.folder / name)
            self.check(self.folder / name)

    def test_translations(self):
        for name in ("while.html", "while.svg"):
            heed("translate", "--model", MODEL, "--input", self.source, "--output", self.folder / "out", "--alignment", self.folder / name)
            self.check(self.folder / name)

    def test_evaluations(self):
        for name in HOSTILE[:4]:
            system = self.write(name.replace("/", "-")[:100], [line.split("\n")[0] for line in self.target.read_text(encoding="utf-8").split("\n")[:-1]])
            heed("evaluate", "--reference", self.target, "--source", self.source, "--report", self.folder / "page.html", system, self.source)
            self.check(self.folder / "page.html")
            heed("evaluate", "--reference", self.target, "--by-length", "--figure", self.folder / "lengths.svg", system)
            self.check(self.folder / "lengths.svg")

    def test_trainings(self):
        run = self.folder / HOSTILE[1].replace("/", "-")
        run.mkdir()
        place = {"step": 10, "tokens": 10, "epochs": 1, "elapsed": 1}
        samples = [{"source": word, "reference": word, "hypothesis": word} for word in HOSTILE]
        rows = [{"type": "start", "step": 0, "parameters": 1, "pairs": 1, "device": HOSTILE[0], "preset": HOSTILE[1]},
                {"type": "validation", **place, "scores": {"loss": 2.0, "bleu": 3.0}, "metric": "bleu", "best": True, "samples": samples}]
        (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        (run / "config.toml").write_text("seed = 1\n", encoding="utf-8")
        heed("report", run)
        self.check(run / "report.html")

    def test_data(self):
        heed("data", "report", "--source", self.source, "--target", self.target, "--output", self.folder / "data.html")
        self.check(self.folder / "data.html")

    def test_the_page_of_the_server(self):
        server = subprocess.Popen([HEED, "serve", "--model", f"en-de={MODEL}", "--port", "0", "--access-log", "none"], stderr=subprocess.PIPE,
                                  encoding="utf-8")
        try:
            address = next(line.split()[-1] for line in server.stderr if "listening on" in line)
            with urllib.request.urlopen(address, timeout=30) as response:
                self.check_html(response.read().decode("utf-8"))
        finally:
            server.terminate()
            server.wait(30)
            server.stderr.close()


if __name__ == "__main__":
    HEED = os.path.abspath(sys.argv.pop(1))
    unittest.main()
