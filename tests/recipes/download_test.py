"""Tests recipes/download.sh and the recipes that use it. The server runs on this machine.

  download_test.py SOURCE_DIRECTORY
"""
import gzip
import hashlib
import http.server
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
TEXT = bytes(range(256)) * 400


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`. ranges: whether it gives parts of a file. cut: ends each answer after so many bytes."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.ranges, self.cut, self.requests = {}, True, None, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_port}/{path}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = self.headers.get("Range")
        self.server.requests.append((self.path, wanted))
        content = self.server.files.get(self.path.lstrip("/"))
        if content is None:
            return self.send_error(404)
        begin = 0
        if wanted and self.server.ranges:
            begin = int(re.fullmatch(r"bytes=(\d+)-", wanted).group(1))
            if begin >= len(content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(content)}")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        self.wfile.write(content[begin : self.server.cut])
        self.close_connection = True

    def log_message(self, *_):
        pass


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Downloads(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.folder)

    def run_bash(self, command):
        script = f"set -euo pipefail; fail() {{ echo \"test: $*\" >&2; exit 1; }}; . {SOURCE}/recipes/download.sh; {command}"
        return subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True)

    def download(self, name, checksum="", function="download"):
        return self.run_bash(f"{function} {self.server.url(name)} {name} {checksum}")

    def expect_whole(self, name, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / name).read_bytes(), self.server.files[name])
        left = sorted(path.name for path in self.folder.iterdir() if ".part" in path.name)
        self.assertEqual(left, [])


class OfAFile(Downloads):
    def setUp(self):
        super().setUp()
        self.server.files["text"] = TEXT

    def part(self, content, name="text"):
        (self.folder / f"{name}.part").write_bytes(content)

    def test_a_new_one(self):
        self.expect_whole("text", self.download("text", sha256(TEXT)))
        self.assertEqual(self.server.requests, [("/text", None)])

    def test_resumes_what_was_cut_off(self):
        self.part(TEXT[:1000])
        self.expect_whole("text", self.download("text", sha256(TEXT)))
        self.assertEqual(self.server.requests, [("/text", "bytes=1000-")])

    def test_killed_between_the_last_byte_and_the_renaming(self):
        self.part(TEXT)
        self.expect_whole("text", self.download("text", sha256(TEXT)))
        self.assertEqual(self.server.requests, [("/text", f"bytes={len(TEXT)}-")])

    def test_killed_there_without_a_known_checksum(self):
        self.part(TEXT)
        self.expect_whole("text", self.download("text"))

    def test_begins_again_where_more_is_here_than_there(self):
        self.part(TEXT + b"more")
        self.expect_whole("text", self.download("text"))

    def test_begins_again_where_the_beginning_is_of_another_file(self):
        self.part(b"x" * 1000)
        self.expect_whole("text", self.download("text", sha256(TEXT)))

    def test_begins_again_where_the_server_gives_no_parts(self):
        self.server.ranges = False
        self.part(TEXT[:1000])
        self.expect_whole("text", self.download("text", sha256(TEXT)))

    def test_a_broken_connection_is_an_error_and_keeps_what_came(self):
        self.server.cut = 5000
        result = self.download("text", sha256(TEXT))
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"test: cannot fetch {self.server.url('text')}", result.stderr)
        self.assertFalse((self.folder / "text").exists())
        self.assertGreater((self.folder / "text.part").stat().st_size, 0)
        self.server.cut = None
        self.expect_whole("text", self.download("text", sha256(TEXT)))

    def test_a_missing_one_is_an_error(self):
        for part in (None, TEXT[:1000]):
            if part:
                self.part(part, "none")
            result = self.download("none")
            self.assertEqual(result.returncode, 1)
            self.assertIn("404", result.stderr)
            self.assertIn(f"test: cannot fetch {self.server.url('none')}", result.stderr)

    def test_another_checksum_is_an_error(self):
        result = self.download("text", sha256(b"other"))
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"expected a file with the SHA-256 {sha256(b'other')}, found a file with the SHA-256 "
                      f"{sha256(TEXT)}", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_archive_must_be_whole(self):
        whole = gzip.compress(TEXT)
        for name, content in (("a.tgz", whole[:-9]), ("a.gz", whole[:-9]), ("a.tar", tar_of({"a": TEXT})[:3000])):
            self.server.files[name] = content
            result = self.download(name)
            self.assertEqual(result.returncode, 1)
            self.assertIn("expected a whole archive", result.stderr)
        for name, content in (("b.tgz", whole), ("b.tar", tar_of({"a": TEXT}))):
            self.server.files[name] = content
            self.expect_whole(name, self.download(name))


class Recorded(Downloads):
    def test_the_checksum_is_recorded_and_holds_later(self):
        self.server.files["a.tgz"] = gzip.compress(TEXT)
        self.expect_whole("a.tgz", self.download("a.tgz", function="download_recorded"))
        check = subprocess.run(["sha256sum", "-c", "a.tgz.sha256"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stderr)
        self.expect_whole("a.tgz", self.download("a.tgz", function="download_recorded"))
        self.assertEqual(len(self.server.requests), 1)
        (self.folder / "a.tgz").write_bytes(gzip.compress(b"other"))
        result = self.download("a.tgz", function="download_recorded")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"but it was {sha256(self.server.files['a.tgz'])}: remove the file", result.stderr)

    def test_the_known_checksum_holds_for_a_file_without_a_record(self):
        (self.folder / "a.tgz").write_bytes(gzip.compress(b"other"))
        result = self.download("a.tgz", sha256(TEXT), "download_recorded")
        self.assertEqual(result.returncode, 1)
        self.assertFalse((self.folder / "a.tgz.sha256").exists())


def tar_of(members, compress=False):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz" if compress else "w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


class OfRecipes(Downloads):
    """The real scripts, with a curl that asks this test's server, and a tokenizer that copies."""

    def setUp(self):
        super().setUp()
        programs = self.folder / "programs"
        self.write(programs / "curl", f'#!/bin/bash\nexec {shutil.which("curl")} "${{@//https:\\/\\/www.statmt.org\\//{self.server.url("")}}}"\n')
        self.write(self.folder / "wmt/venv/bin/sacremoses", "#!/bin/sh\nexec cat\n")
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "CORPORA": "un"}
        self.environment.pop("HEED_DATA", None)
        segments = lambda text: f'<seg id="1"> {text} </seg>\n'.encode()
        self.server.files["wmt13/training-parallel-un.tgz"] = tar_of(
            {"un/undoc.2000.fr-en.en": b"a house\n", "un/undoc.2000.fr-en.fr": b"une maison\n"}, True)
        self.server.files["wmt14/dev.tgz"] = tar_of(
            {f"dev/newstest{year}-{role}.{side}.sgm": segments(side) for year in (2012, 2013)
             for role, side in (("src", "en"), ("ref", "fr"))}, True)
        self.server.files["wmt14/test-full.tgz"] = tar_of(
            {f"test-full/newstest2014-fren-{role}.{side}.sgm": segments(side)
             for role, side in (("src", "en"), ("ref", "fr"))}, True)

    @staticmethod
    def write(path, script):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script)
        path.chmod(0o755)

    def prepare(self):
        return subprocess.run([SOURCE / "recipes/wmt14/prepare.sh", "fr", self.folder / "wmt"], capture_output=True,
                              text=True, env=self.environment)

    def test_wmt14_resumes_wherever_it_was_killed(self):
        archives = self.folder / "wmt/archives"
        archives.mkdir()
        dev = self.server.files["wmt14/dev.tgz"]
        (archives / "dev.tgz.part").write_bytes(dev)  # killed between curl and mv
        (archives / "test-full.tgz.part").write_bytes(self.server.files["wmt14/test-full.tgz"][:50])
        result = self.prepare()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.folder / "wmt/train.fr").read_text(), "une maison\n")
        self.assertEqual((self.folder / "wmt/valid.en").read_text(), "en\nen\n")
        names = sorted(path.name for path in archives.iterdir())
        self.assertEqual(names, [name + end for name in ("dev.tgz", "test-full.tgz", "training-parallel-un.tgz")
                                 for end in ("", ".sha256")])

    def test_only_download_sh_fetches(self):
        for script in SOURCE.glob("recipes/**/*"):
            if script.suffix not in (".sh", ".py") or script.name == "download.sh":
                continue
            fetches = re.search(r"\b(curl|wget) +-|urllib\.request|urlopen|\brequests\.get", script.read_text())
            self.assertIsNone(fetches, script)


if __name__ == "__main__":
    unittest.main()
