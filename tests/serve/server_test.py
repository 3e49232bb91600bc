"""Drives a running `heed serve` as clients do, well-behaved ones and others.

    python3 tests/serve/server_test.py HEED [unittest's arguments]
"""

import concurrent.futures
import contextlib
import http.client
import io
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import zipfile

MODEL = pathlib.Path(__file__).resolve().parents[1] / "end_to_end/model_v1"  # writes number words in German, reversed
HEED = ""
DIGITS = {"one": "eins", "two": "zwei", "three": "drei", "four": "vier", "five": "fünf", "six": "sechs", "seven": "sieben",
          "eight": "acht", "nine": "neun"}
JSON = {"Content-Type": "application/json"}


def translations(lines):
    """What `heed translate` makes of them."""
    found = subprocess.run([HEED, "translate", "--model", MODEL], input="\n".join(lines) + "\n", capture_output=True, text=True,
                           check=True)
    return found.stdout.splitlines()


class Server:
    """A running `heed serve`; standard output, the access log, and standard error go to files."""

    def __init__(self, *options, models=(f"en-de={MODEL}",), port=0):
        self.folder = tempfile.TemporaryDirectory()
        self.log, self.errors = (pathlib.Path(self.folder.name) / name for name in ("log", "errors"))
        with self.log.open("w") as log, self.errors.open("w") as errors:
            self.process = subprocess.Popen([HEED, "serve", "--model", *models, "--port", str(port), "--threads", "2", *options],
                                            stdout=log, stderr=errors)
        address = self.wait_for(r"listening on http://127\.0\.0\.1:(\d+)\n")
        self.port = int(address[1])

    def wait_for(self, pattern, seconds=60, times=1):
        """The match of a pattern in what the server says, as soon as it has said it that many times."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(found := list(re.finditer(pattern, self.errors.read_text()))) >= times:
                return found[-1]
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {pattern} in: {self.errors.read_text()}")

    def connection(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """(status, parsed JSON or text, headers)."""
        if connection is None:
            with contextlib.closing(self.connection()) as once:
                return self.ask(method, path, body, headers, once)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        text = response.read().decode()
        kind = response.getheader("Content-Type") or ""
        return response.status, json.loads(text) if kind == "application/json" and text else text, response.headers

    def translate(self, q, connection=None, headers=None, **more):
        body = json.dumps({"q": q, "source": "en", "target": "de", **more})
        return self.ask("POST", "/translate", body, {**JSON, **(headers or {})}, connection)

    def wait_for_lines(self, count, seconds=60):
        """Until at least this many lines wait."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            waiting = re.search(r"^heed_waiting_lines (\d+)", self.ask("GET", "/metrics")[1], re.MULTILINE)
            if int(waiting[1]) >= count:
                return
            time.sleep(0.02)
        raise AssertionError(f"fewer than {count} lines wait")

    def memory(self):
        """Bytes of its process."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def raw(self, data, half_close=False):
        """All that is answered to these bytes, until the server closes the connection or is silent for 2 s."""
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.settimeout(2)
            answer = b""
            try:
                client.sendall(data)
                if half_close:
                    client.shutdown(socket.SHUT_WR)
                while part := client.recv(65536):
                    answer += part
            except (TimeoutError, ConnectionError):
                pass
            return answer

    def stop(self, by=signal.SIGTERM, seconds=30):
        if self.process.poll() is None:
            self.process.send_signal(by)
        return self.process.wait(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.folder.cleanup()


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--max-body", "20000", "--max-sentences", "50", "--max-alternatives", "3")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def refused(self, status, message, **query):
        body = {"q": "two", "source": "en", "target": "de", **query}
        found = self.server.ask("POST", "/translate", json.dumps({k: v for k, v in body.items() if v is not None}), JSON)
        self.assertEqual(found[:2], (status, {"error": message}))


class Api(WithServer):
    def test_a_text(self):
        self.assertEqual(self.server.translate("seven one")[:2], (200, {"translatedText": "eins sieben"}))

    def test_a_form_as_curl_and_libretranslatepy_send_it(self):
        form = urllib.parse.urlencode({"q": "seven one", "source": "en", "target": "de", "format": "text", "alternatives": "1"})
        status, answer, _ = self.server.ask("POST", "/translate", form, {"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual((status, answer["translatedText"], len(answer["alternatives"])), (200, "eins sieben", 1))
        parts = "".join(f'--end-of-part\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
                        for k, v in (("q", "two"), ("source", "en"), ("target", "de"))) + "--end-of-part--\r\n"
        found = self.server.ask("POST", "/translate", parts, {"Content-Type": "multipart/form-data; boundary=end-of-part"})
        self.assertEqual(found[:2], (200, {"translatedText": "zwei"}))

    def test_a_list_gives_a_list(self):
        self.assertEqual(self.server.translate(["seven one", "", "two"])[1], {"translatedText": ["eins sieben", "", "zwei"]})
        self.assertEqual(self.server.translate([])[1], {"translatedText": []})

    def test_lines_and_what_is_between_them(self):
        self.assertEqual(self.server.translate("seven one\n\n \t\ntwo\r\n\r\nthree  ")[1],
                         {"translatedText": "eins sieben\n\n \t\nzwei\r\n\r\ndrei  "})
        for blank in ("", "\n", "  \n\n"):
            self.assertEqual(self.server.translate(blank)[1], {"translatedText": blank})

    def test_alternatives_are_others_and_the_best_stays(self):
        answer = self.server.translate(["two three", "four"], alternatives=2)[1]
        self.assertEqual(answer["translatedText"], ["drei zwei", "vier"])
        for best, others in zip(answer["translatedText"], answer["alternatives"]):
            self.assertEqual(len({best, *others}), 3)

    def test_html_keeps_its_tags_and_what_is_not_to_be_translated(self):
        page = ('<!doctype html><h1 title="two">seven <b class="x">one</b></h1>\n<ul><li>two &amp; three<li translate="no">two</ul>'
                '<p class="notranslate">nine</p><script>let two = "two";</script><p>seven <b class="x">one</b></p>')
        status, answer, _ = self.server.translate(page, format="html")
        self.assertEqual(status, 200)
        found = subprocess.run([HEED, "translate", "--model", MODEL, "--format", "html"], input=page, capture_output=True,
                               text=True, check=True)
        self.assertEqual(answer["translatedText"], found.stdout)
        self.assertIn('title="zwei"', answer["translatedText"])
        self.assertIn('<b class="x">eins</b> sieben', answer["translatedText"])
        for kept in ('<li translate="no">two</ul>', '<p class="notranslate">nine</p>', '<script>let two = "two";</script>'):
            self.assertIn(kept, answer["translatedText"])

    def test_html_in_lists_and_with_alternatives(self):
        answer = self.server.translate(["<i>two</i>", "", "<br>", "<p>four <b>five</b>"], format="html", alternatives=2)[1]
        self.assertEqual(answer["translatedText"], ["<i>zwei</i>", "", "<br>", "<p><b>fünf</b> vier"])
        for other in answer["alternatives"][3]:
            self.assertRegex(other, r"^<p>.*<b>.*</b>")
        self.assertEqual(self.server.translate([], format="html")[1], {"translatedText": []})

    def test_languages_health_and_settings(self):
        self.assertEqual(self.server.ask("GET", "/languages")[1], [{"code": "en", "name": "English", "targets": ["de"]}])
        self.assertEqual(self.server.ask("GET", "/health")[:2], (200, {"status": "ok"}))
        settings = self.server.ask("GET", "/frontend/settings")[1]
        self.assertEqual(settings["language"]["target"], {"code": "de", "name": "German"})
        self.assertFalse(settings["keyRequired"])
        self.assertEqual(settings["bodyLimit"], 20000)

    def test_each_wrong_request_has_one_clear_error(self):
        self.refused(400, "`q` is missing: a text, or a list of texts", q=None)
        self.refused(400, "`q` must be a text or a list of texts, but is a JSON number", q=5)
        self.refused(400, "`q` must be a list of texts, but is a JSON null", q=["a", None])
        self.refused(400, "`source` is missing: the language of the text", source=None)
        self.refused(400, "`target` is missing: the language to translate into", target="")
        self.refused(400, "`target` must be a text, but is a JSON array", target=["de"])
        self.refused(400, "fr is not supported as a source language", source="fr")
        self.refused(400, "fr is not supported as a target language", target="fr")
        self.refused(400, "`alternatives` must be between 0 and 3", alternatives=10000)
        self.refused(400, "`alternatives` must be between 0 and 3", alternatives=-1)
        self.refused(400, "`alternatives` must be a whole number, but is a JSON string", alternatives="many")
        self.refused(400, "pdf is not a format; text and html are", format="pdf")
        self.refused(400, "q:2: the tag `b` that begins here is not closed", q="<p>two\n<b", format="html")
        self.refused(400, "q[1]:1: the tag `b` that begins here is not closed", q=["two", "<b"], format="html")
        self.refused(400, "q:1: expected text, found a zero byte: is it another kind of file?", q="two\0", format="html")
        self.refused(413, "the request has 51 sentences, more than 50", format="html",
                     q="".join(f"<p>two {'one ' * i}</p>" for i in range(51)))
        self.refused(413, "the request has 51 sentences, more than 50", q="two\n" * 51)
        self.refused(413, "the body has 30,041 bytes, more than 20,000", q="a" * 30000)

    def test_bodies_that_are_no_request(self):
        def error(body, kind="application/json"):
            status, answer, _ = self.server.ask("POST", "/translate", body, {"Content-Type": kind})
            return status, answer["error"]
        self.assertEqual(error("{"), (400, "the body is neither JSON nor a form"))
        self.assertEqual(error(b'{"q": "\xff"}'), (400, "the body is neither JSON nor a form"))
        self.assertEqual(error(r'{"q": "\ud83d"}'), (400, "the body is neither JSON nor a form"))
        self.assertEqual(error("[]"), (400, "the body must be a JSON object, but is a JSON array"))
        self.assertEqual(error("[" * 15000), (400, "the JSON is nested deeper than 64 levels"))
        self.assertEqual(error(b"q=%ff&source=en&target=de", "application/x-www-form-urlencoded"),
                         (400, "a field of the form is not UTF-8"))
        self.assertEqual(error("&".join(f"a{i}=" for i in range(100)), "application/x-www-form-urlencoded"),
                         (400, "the form cannot be read"))
        self.assertEqual(error("")[0], 400)

    def test_wrong_paths_and_methods(self):
        self.assertEqual(self.server.ask("GET", "/../etc/passwd")[:2], (404, {"error": "this endpoint does not exist"}))
        self.assertEqual(self.server.ask("GET", "/translate")[:2], (405, {"error": "/translate takes POST only"}))
        self.assertEqual(self.server.ask("DELETE", "/languages")[0], 405)

    def test_origins_that_are_not_named_get_no_header(self):
        _, _, headers = self.server.translate("two", headers={"Origin": "https://a.example"})
        self.assertIsNone(headers.get("Access-Control-Allow-Origin"))

    def test_the_log_has_no_text_of_users(self):
        self.server.translate("seven one nine")
        self.server.ask("GET", "/secret?q=eight", headers={"User-Agent": "secret"})
        time.sleep(0.2)
        log = self.server.log.read_text()
        for secret in ("seven", "sieben", "eight", "secret"):
            self.assertNotIn(secret, log)
        self.assertRegex(log, r"\S+ 127\.0\.0\.1 POST /translate 200 \d+ B \d+\.\d ms en-de 1 line\n")
        self.assertRegex(log, r"127\.0\.0\.1 GET other 404 ")

    def test_metrics_count(self):
        def value(name):
            text = self.server.ask("GET", "/metrics")[1]
            found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
            return float(found[1]) if found else 0
        served, lines = 'heed_requests_total{path="/translate",code="200"}', "heed_lines_total"
        before = value(served), value(lines)
        self.server.translate("two\nthree\nfour")
        self.assertEqual((value(served), value(lines)), (before[0] + 1, before[1] + 3))
        self.assertGreater(value("process_resident_memory_bytes"), 1e6)

    def test_the_metrics_are_prometheus_text(self):
        names = set()
        for line in self.server.ask("GET", "/metrics")[1].splitlines():
            if line.startswith("# TYPE "):
                names.add(line.split()[2])
            elif not line.startswith("#"):
                match = re.fullmatch(r'(\w+?)(_bucket|_sum|_count)?(\{(\w+="[^"]*",?)+\})? [-+.e0-9]+', line)
                self.assertTrue(match, line)
                self.assertTrue(match[1] in names or match[1] + match[2] in names, line)


class Detailed(WithServer):
    def ask(self, **query):
        body = json.dumps({"source": "en", "target": "de", **query})
        return self.server.ask("POST", "/v1/translate", body, JSON)

    def test_a_line_has_what_the_command_tells(self):
        arguments = [HEED, "translate", "--model", MODEL, "--format", "json", "--json-tokens", "--json-alignment",
                     "--search.n-best", "3"]
        told = subprocess.run(arguments, input='{"source": "seven one"}', capture_output=True, text=True, check=True)
        answer = self.ask(text="seven one", tokens=True, alignment=True, n_best=3)[1]
        self.assertEqual(answer, {"translation": "eins sieben", "lines": [json.loads(told.stdout)]})

    def test_lists_lines_and_sentences(self):
        answer = self.ask(text=["seven one\n\ntwo", "three"])[1]["translations"]
        self.assertEqual([text["translation"] for text in answer], ["eins sieben\n\nzwei", "drei"])
        self.assertEqual([[line["source"] for line in text["lines"]] for text in answer], [["seven one", "two"], ["three"]])
        sentences = self.ask(text="Seven one!  Two?\nThree.", split="sentences")[1]
        self.assertEqual([line["source"] for line in sentences["lines"]], ["Seven one!", "Two?", "Three."])
        self.assertEqual(sentences["translation"].count("  "), 1)
        self.assertEqual(sentences["translation"].count("\n"), 1)

    def test_attention_and_prefix(self):
        line = self.ask(text="seven one", attention=True)[1]["lines"][0]
        self.assertEqual(line["source_tokens"], ["seven", "one"])
        for weights in line["attention"]:
            self.assertTrue(0.8 < sum(weights) < 1.01, "the rest is attention to end-of-sentence")
        self.assertGreater(line["attention"][0][1], 0.5, "eins attends to one")
        self.assertTrue(self.ask(text="seven one", prefix="drei")[1]["translation"].startswith("drei"))
        self.assertEqual(self.ask(text=["two", "two"], prefix=["drei", ""])[1]["translations"][1]["translation"], "zwei")

    def test_wrong_parameters(self):
        def error(**query):
            status, answer, _ = self.ask(**query)
            return status, answer["error"]
        self.assertEqual(error(), (400, "`text` is missing: a text, or a list of texts"))
        self.assertEqual(error(text="two", n_best=5), (400, "`n_best` must be between 1 and 4"))
        self.assertEqual(error(text="two", split="words"), (400, "`split` must be lines or sentences, but is words"))
        self.assertEqual(error(text="two", tokens="yes"), (400, "`tokens` must be true or false, but is a JSON string"))
        self.assertEqual(error(text="two", prefix=["a", "b"]),
                         (400, "`prefix` must have one text for each of `text`, 1, but has 2"))

    def test_a_stream_has_an_event_for_each_line(self):
        status, text, headers = self.ask(text="seven one\n" * 30 + "two", stream=True)
        self.assertEqual((status, headers["Content-Type"]), (200, "text/event-stream"))
        events = [re.fullmatch(r"event: (\w+)\ndata: (.*)", event) for event in text.strip().split("\n\n")]
        self.assertEqual([event[1] for event in events], ["line"] * 31 + ["end"])
        lines = {event["line"]: event["translation"] for event in (json.loads(event[2]) for event in events[:-1])}
        self.assertEqual(lines, {**{i: "eins sieben" for i in range(30)}, 30: "zwei"})
        self.assertEqual(self.ask(text="two", stream=True, n_best=0)[0], 400)

    def test_layers_and_heads(self):
        model = self.server.ask("GET", "/v1/models")[1][0]
        self.assertEqual((model["source"], model["target"], model["has_attention"]), ("en", "de", True))
        for part, shape in model["attention"].items():
            found = self.ask(text="seven one", alignment=True, attention={"of": part})[1]["lines"][0]["attention"]
            self.assertEqual((len(found["weights"]), len(found["weights"][0])), (shape["layers"], shape["heads"]))
            self.assertEqual((len(found["rows"]), len(found["columns"])), (len(found["row_words"]), len(found["column_words"])))
            for row in found["weights"][-1][-1]:
                self.assertAlmostEqual(sum(row), 1, delta=0.01)
        whole = self.ask(text="seven one", attention=True)[1]["lines"][0]
        layers, heads = (model["attention"]["cross"][name] for name in ("layers", "heads"))
        found = self.ask(text="seven one", attention={"layers": [layers]})[1]["lines"][0]["attention"]
        for i, row in enumerate(whole["attention"]):  # which is without end-of-sentence
            for j, weight in enumerate(row):
                self.assertAlmostEqual(weight, sum(head[i][j] for head in found["weights"][0]) / heads, delta=0.002)
        for wrong, message in (({"of": "self"}, "`attention.of` must be cross, encoder or decoder"),
                               ({"layers": [0]}, f"`attention.layers` must be numbers from 1 to {layers}"),
                               ({"heads": 1}, "`attention.heads` must be a list of numbers")):
            self.assertEqual(self.ask(text="two", attention=wrong)[:2], (400, {"error": message}))
        self.assertEqual(self.ask(text="two\nthree", attention={})[:2], (400, {
            "error": "`search` and the attention of layers are of one line, but `text` has 2"}))

    def test_the_search_as_a_tree(self):
        found = self.ask(text="seven one", search=True)[1]["lines"][0]["search"]
        self.assertEqual(found["finished"][0]["translation"], "eins sieben")
        self.assertEqual([node["step"] for node in found["nodes"] if node["parent"] < 0], [0])
        self.assertEqual(self.ask(text="two", search=True, stream=True)[0], 400)

    def test_terms(self):
        answer = self.ask(text=["seven one", "two"], terms={"seven": "neun", "three": "acht"})[1]["translations"]
        self.assertIn("neun", answer[0]["translation"])
        self.assertEqual(answer[1]["translation"], "zwei")
        for wrong, message in ((["a"], "`terms` must be an object of source terms and their translations"),
                               ({"a": 1}, "`terms`: the translation of 'a' must be a text"),
                               ({" ": "a"}, "`terms` must not have blank terms"),
                               ({"a": "☃"}, "`terms`: the model's vocabulary cannot spell '☃'")):
            self.assertEqual(self.ask(text="two", terms=wrong)[:2], (400, {"error": message}))

    def test_the_source_may_be_detected(self):
        for text in ("The cat sleeps on the sofa.", "seven one"):
            status, answer, _ = self.server.ask("POST", "/translate", json.dumps({"q": text, "source": "auto", "target": "de"}), JSON)
            self.assertEqual((status, answer["detectedLanguage"]["language"]), (200, "en"))
        body = json.dumps({"text": "seven one", "source": "auto", "target": "de"})
        self.assertEqual(self.server.ask("POST", "/v1/translate", body, JSON)[1]["detected_language"], "en")
        status, found, _ = self.server.ask("POST", "/detect", json.dumps({"q": "The cat sleeps on the sofa."}), JSON)
        if status == 200:
            self.assertEqual(found[0]["language"], "en")
        else:
            self.assertIn("built without CLD2", found["error"])

    def test_the_page_is_one_file(self):
        status, page, headers = self.server.ask("GET", "/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertTrue(page.startswith("<!doctype html>") and page.rstrip().endswith("</html>"))
        self.assertNotRegex(page, r'(src|href)="(https?:)?//|@import|url\(|\{\{')
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])

    def test_the_description_names_every_endpoint(self):
        described = self.server.ask("GET", "/openapi.json")[1]
        for path, methods in described["paths"].items():
            for method in methods:
                status, answer, _ = self.server.ask(method.upper(), path)
                self.assertNotEqual(status, 405, path)
                self.assertNotEqual(answer, {"error": "this endpoint does not exist"}, path)


def word_document(text):
    """A Word document of one paragraph."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("word/document.xml", '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
                                             f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>")
    return archive.getvalue()


def text_of_word_document(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return opened.read("word/document.xml").decode()


def uploaded(server, name, content, **fields):
    """The answer to a document that is sent as curl -F sends it: (status, parsed JSON)."""
    fields = {"source": "en", "target": "de", **fields}
    parts = "".join(f'--end-of-part\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items() if v)
    head = f'--end-of-part\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
    body = parts.encode() + head.encode() + content + b"\r\n--end-of-part--\r\n"
    return server.ask("POST", "/translate_file", body, {"Content-Type": "multipart/form-data; boundary=end-of-part"})[:2]


class Files(WithServer):
    def downloaded(self, answer):
        """(the bytes, the name that the server gives the file)."""
        url = urllib.parse.urlsplit(answer[1]["translatedFileUrl"])
        self.assertEqual((answer[0], url.scheme, url.netloc), (200, "http", f"127.0.0.1:{self.server.port}"))
        self.assertRegex(url.path, r"^/download_file/[0-9a-f]{32}\.[-._A-Za-z0-9]+$")
        with contextlib.closing(self.server.connection()) as connection:
            connection.request("GET", url.path)
            response = connection.getresponse()
            name = re.fullmatch(r'attachment; filename="(.*)"', response.getheader("Content-Disposition"))[1]
            return response.read(), name

    def test_documents_of_each_kind(self):
        page, name = self.downloaded(uploaded(self.server, "the page.html", b"<p>two <b>three</b></p>"))
        self.assertEqual((page, name), (b"<p><b>drei</b> zwei</p>", "the_page_de.html"))
        found = self.downloaded(uploaded(self.server, "a/b\\c.TXT", b"two\r\n\r\nseven one\n"))
        self.assertEqual(found, (b"zwei\r\n\r\neins sieben\n", "c_de.TXT"))
        subtitles = b"1\n00:00:01,000 --> 00:00:02,000\ntwo\n"
        self.assertEqual(self.downloaded(uploaded(self.server, "a.srt", subtitles))[0], subtitles.replace(b"two", b"zwei"))
        memory = b'<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>two</seg></tuv></tu></body></tmx>'
        self.assertIn("zwei", self.downloaded(uploaded(self.server, "a.tmx", memory))[0].decode())

    def test_terms_of_a_document(self):
        answer = uploaded(self.server, "a.html", b"<p>seven</p>", terms='{"seven": "neun"}')
        self.assertIn(b"neun", self.downloaded(answer)[0])
        wrong = {"error": "`terms` must be an object of source terms and their translations"}
        for terms in ("seven=neun", '["seven"]', "1"):
            self.assertEqual(uploaded(self.server, "a.html", b"<p>seven</p>", terms=terms), (400, wrong))
        self.assertEqual(uploaded(self.server, "a.html", b"<p>seven</p>", terms="[" * 5000),
                         (400, {"error": "`terms`: the JSON is nested deeper than 64 levels"}))

    def test_a_word_document(self):
        found = self.downloaded(uploaded(self.server, "a.docx", word_document("two")))[0]
        self.assertIn("<w:t>zwei</w:t>", text_of_word_document(found))
        self.assertEqual(uploaded(self.server, "a.docx", word_document(" " * 10_000_000)),
                         (400, {"error": "a.docx: the files in the archive have more than 4,194,304 bytes"}))

    def test_wrong_files_have_one_clear_error(self):
        def error(*arguments, **fields):
            status, answer = uploaded(self.server, *arguments, **fields)
            return status, answer["error"]
        endings = (".docx, .htm, .html, .markdown, .md, .po, .pot, .srt, .tmx, .txt, .vtt, .xhtml, .xlf, .xliff, .xml")
        neither = f"`file`: it is not text in UTF-8, and its name does not end in {endings}"
        self.assertEqual(error("a.pdf", b"%PDF-1.7\n\xe2\xe3\xcf"), (400, neither))
        self.assertEqual(error("a.en", b"two\0"), (400, neither))
        self.assertEqual(error("", b"\xff"), (400, neither))
        self.assertEqual(error("a.html", b"<p>two\n<b"), (400, "a.html:2: the tag `b` that begins here is not closed"))
        self.assertEqual(error("a.txt", b"\xff"), (400, "a.txt is not text in UTF-8"))
        self.assertEqual(error("a.txt", b"two", target=""), (400, "`target` is missing: the language to translate into"))
        self.assertEqual(error("a.txt", b"two", source="fr"), (400, "fr is not supported as a source language"))
        self.assertEqual(error("a.txt", b"two\n" * 51), (413, "the request has 51 sentences, more than 50"))
        self.assertEqual(error("a.txt", b"two " * 7500)[0], 413)
        self.assertEqual(self.server.ask("POST", "/translate_file", "source=en&target=de")[:2],
                         (400, {"error": "the body is neither JSON nor a form"}))
        self.assertEqual(self.server.ask("POST", "/translate_file", '{"file": "two"}', JSON)[:2],
                         (400, {"error": "`file` is missing: the document to translate, in a form"}))

    def test_other_keys_give_nothing_and_the_log_has_no_names(self):
        url = uploaded(self.server, "secret.txt", b"two")[1]["translatedFileUrl"]
        path = urllib.parse.urlsplit(url).path
        for wrong in (path[:-1], path.replace(path[15:20], "00000"), "/download_file/", "/download_file/../etc/passwd"):
            self.assertEqual(self.server.ask("GET", wrong)[:2], (404, {"error": "this file does not exist any more"}))
        self.assertEqual(self.server.ask("GET", "/download_file")[:2], (404, {"error": "this endpoint does not exist"}))
        self.assertEqual(self.server.ask("GET", path)[:2], (200, "zwei"))
        time.sleep(0.2)
        log = self.server.log.read_text()
        self.assertNotIn("secret", log)
        self.assertRegex(log, r"GET /download_file 200 ")
        self.assertTrue(self.server.ask("GET", "/frontend/settings")[1]["filesTranslation"])

    def test_files_are_limited(self):
        with Server("--max-files", "100") as server:
            urls = [urllib.parse.urlsplit(uploaded(server, "a.txt", b"two\n" * 8)[1]["translatedFileUrl"]).path for _ in range(3)]
            self.assertEqual([server.ask("GET", url)[0] for url in urls], [404, 200, 200])
            self.assertIn("\nheed_file_bytes 80\n", server.ask("GET", "/metrics")[1])
            self.assertEqual(uploaded(server, "a.txt", b"two\n" * 30),
                             (413, {"error": "the translated file has 150 bytes, more than 100"}))
        with Server("--max-files", "0") as server:
            self.assertEqual(uploaded(server, "a.txt", b"two"), (403, {"error": "this server translates no files"}))
            self.assertFalse(server.ask("GET", "/frontend/settings")[1]["filesTranslation"])


class Together(WithServer):
    def test_no_answer_is_swapped_or_changed_by_others(self):
        words = list(DIGITS)
        lines = [f"{words[i % 9]} {words[i // 9 % 9]} {words[i // 81 % 9]}" for i in range(729)]
        expected = translations(lines)

        def client(first):
            with contextlib.closing(self.server.connection()) as connection:
                return [self.server.translate(lines[i], connection)[1]["translatedText"] for i in range(first, 729, 60)]
        with concurrent.futures.ThreadPoolExecutor(60) as clients:
            for first, answers in enumerate(clients.map(client, range(60))):
                self.assertEqual(answers, [expected[i] for i in range(first, 729, 60)])
        metrics = self.server.ask("GET", "/metrics")[1]
        alone = int(re.search(r'heed_batch_lines_bucket\{le="1"\} (\d+)', metrics)[1])
        batches = int(re.search(r"heed_batch_lines_count (\d+)", metrics)[1])
        self.assertGreater(batches - alone, 20, "requests that come together are translated together")


class Abuse(WithServer):
    """Clients that mean harm, or are broken."""

    def works(self):
        self.assertEqual(self.server.translate("seven one")[1], {"translatedText": "eins sieben"})

    def test_malformed_requests(self):
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"POST /translate HTTP/9.9\r\n\r\n",
                     b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
                     b"POST /translate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                     b"GET / HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 100000, b"GET /" + b"a" * 10**6):
            answer = self.server.raw(data)
            self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0])
        self.works()

    def test_pipelined_requests_are_answered_in_order(self):
        request = b"".join(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" %
                           (len(body), body) for body in
                           (json.dumps({"q": q, "source": "en", "target": "de"}).encode() for q in DIGITS))
        answer = self.server.raw(request).decode()
        self.assertEqual(re.findall(r'"translatedText":"(.*?)"', answer), list(DIGITS.values()))

    def test_a_client_that_closes_its_side_gets_its_answer(self):
        body = b'{"q":"two","source":"en","target":"de"}'
        request = b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        self.assertIn(b'"zwei"', self.server.raw(request, half_close=True))

    def test_clients_that_leave(self):
        body = json.dumps({"q": "two three\n" * 40, "source": "en", "target": "de"}).encode()
        for _ in range(200):
            with socket.create_connection(("127.0.0.1", self.server.port)) as client:
                client.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        self.works()

    def test_long_bodies_cost_no_memory(self):
        self.works()
        before = self.server.memory()

        def send(_):
            with socket.create_connection(("127.0.0.1", self.server.port)) as client:
                try:
                    client.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                    for _ in range(1000):
                        client.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")
                except ConnectionError:
                    return "closed"
            return "read"
        with concurrent.futures.ThreadPoolExecutor(20) as clients:
            self.assertEqual(set(clients.map(send, range(40))), {"closed"})
        self.assertLess(self.server.memory() - before, 20e6)
        self.works()


class Limits(unittest.TestCase):
    def test_slow_requests_are_closed_and_stop_nobody(self):
        with Server("--receive-seconds", "2", "--idle-seconds", "2") as server:
            slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
            begin = time.monotonic()
            open_ones = set(slow)
            while open_ones and time.monotonic() < begin + 15:
                for client in list(open_ones):
                    try:
                        client.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"
                                       if time.monotonic() < begin + 0.2 else b" ")
                    except OSError:
                        open_ones.remove(client)
                self.assertEqual(server.translate("two")[1], {"translatedText": "zwei"})
                time.sleep(0.2)
            self.assertEqual(len(open_ones), 0)
            for client in slow:
                client.close()

    def test_bodies_together_are_limited(self):
        with Server("--max-bodies", "5000") as server:
            waiting = socket.create_connection(("127.0.0.1", server.port))
            waiting.sendall(b"POST /translate HTTP/1.1\r\nHost: a\r\nContent-Length: 4990\r\n\r\n")
            time.sleep(0.3)
            status, answer, _ = server.translate("two")
            self.assertEqual((status, answer), (429, {"error": "too many requests at the same time; try again later"}))
            waiting.close()
            time.sleep(0.3)
            self.assertEqual(server.translate("two")[0], 200)

    def test_waiting_lines_are_limited(self):
        with Server("--max-waiting", "100", "--batch-lines", "1", "--max-sentences", "100000") as server:
            def ask(_):
                return server.translate("one two three four five six\n" * 99)
            with concurrent.futures.ThreadPoolExecutor(20) as clients:
                found = list(clients.map(ask, range(40)))
            refused = [headers for status, _, headers in found if status == 429]
            self.assertEqual({status for status, _, _ in found}, {200, 429})
            self.assertTrue(all(headers["Retry-After"] == "1" for headers in refused))

    def test_a_translation_that_takes_too_long_is_given_up(self):
        with Server("--timeout", "1", "--batch-lines", "1", "--max-body", "9000000",
                    "--max-sentences", "1000000", "--max-waiting", "1000000") as server:
            begin = time.monotonic()
            status, answer, _ = server.translate("one two three four five six seven\n" * 200000)
            self.assertEqual((status, answer), (503, {"error": "the translation took too long"}))
            self.assertLess(time.monotonic() - begin, 10)
            self.assertEqual(server.translate("two")[0], 200)

    def test_requests_of_a_client_are_limited(self):
        with Server("--max-requests-each", "3") as server:
            for _ in range(3):
                self.assertEqual(server.translate("two")[0], 200)
            status, answer, headers = server.translate("two")
            self.assertEqual((status, answer), (429, {"error": "more than 3 requests in a minute; try again in 20 seconds"}))
            self.assertEqual(headers["Retry-After"], "20")
            self.assertEqual(server.ask("GET", "/health")[0], 200)

    def test_keys(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = pathlib.Path(folder) / "keys"
            keys.write_text("# mine\n\nalpha\n")
            with Server("--api-keys", str(keys)) as server:
                self.assertEqual(server.translate("two")[:2], (403, {"error": "`api_key` is missing: this server requires a key"}))
                self.assertEqual(server.translate("two", api_key="beta")[:2], (403, {"error": "Invalid API key"}))
                self.assertEqual(server.translate("two", api_key="# mine")[0], 403)
                self.assertEqual(server.translate("two", api_key="alpha")[0], 200)
                self.assertEqual(server.translate("two", headers={"Authorization": "Bearer alpha"})[0], 200)
                self.assertEqual(server.ask("GET", "/languages")[0], 200)
                self.assertTrue(server.ask("GET", "/frontend/settings")[1]["keyRequired"])
                keys.write_text("beta\n")
                server.process.send_signal(signal.SIGHUP)
                server.wait_for("read again")
                self.assertEqual(server.translate("two", api_key="beta")[0], 200)
                self.assertEqual(server.translate("two", api_key="alpha")[0], 403)

    def test_named_origins_may_read_answers(self):
        with Server("--cors", "https://a.example") as server:
            _, _, headers = server.translate("two", headers={"Origin": "https://a.example"})
            self.assertEqual(headers["Access-Control-Allow-Origin"], "https://a.example")
            _, _, headers = server.translate("two", headers={"Origin": "https://b.example"})
            self.assertIsNone(headers.get("Access-Control-Allow-Origin"))
            status, _, headers = server.ask("OPTIONS", "/translate", headers={"Origin": "https://a.example"})
            self.assertEqual((status, headers["Access-Control-Allow-Headers"]), (204, "Authorization, Content-Type"))


class LifeCycle(unittest.TestCase):
    def test_sigterm_answers_what_was_received(self):
        with Server("--batch-lines", "1", "--max-sentences", "100000", "--max-waiting", "1000000") as server:
            with concurrent.futures.ThreadPoolExecutor(8) as clients:
                answers = [clients.submit(server.translate, "one two three four\n" * 3000) for _ in range(8)]
                server.wait_for_lines(7 * 3000 + 1)  # all are received
                self.assertFalse(all(answer.done() for answer in answers))
                self.assertEqual(server.stop(), 0)
                for answer in answers:
                    status, found, headers = answer.result()
                    self.assertEqual((status, found["translatedText"]), (200, "vier drei zwei eins\n" * 3000))
                    self.assertEqual(headers["Connection"].lower(), "close")

    def test_what_is_not_answered_in_time_is_refused(self):
        with Server("--stop-seconds", "1", "--batch-lines", "1", "--max-body", "9000000",
                    "--max-sentences", "1000000", "--max-waiting", "1000000") as server:
            with concurrent.futures.ThreadPoolExecutor(1) as clients:
                late = clients.submit(server.translate, "one two three four five six seven\n" * 200000)
                server.wait_for_lines(1)
                self.assertEqual(server.stop(), 0)
                self.assertEqual(late.result()[:2], (503, {"error": "the server stops"}))

    def test_sighup_reads_models_again_and_drops_no_request(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "model"
            shutil.copytree(MODEL, model)
            with Server(models=(f"en-de={model}",)) as server:
                ended = threading.Event()

                def client(_):
                    count = 0
                    with contextlib.closing(server.connection()) as connection:
                        while not ended.is_set():
                            answer = server.translate("seven one", connection)[1]
                            self.assertEqual(answer, {"translatedText": "eins sieben"})
                            count += 1
                    return count
                with concurrent.futures.ThreadPoolExecutor(4) as clients:
                    counts = [clients.submit(client, i) for i in range(4)]
                    try:
                        for reloads in range(1, 6):
                            server.process.send_signal(signal.SIGHUP)
                            server.wait_for("read again", times=reloads)
                        (model / "model.safetensors").unlink()
                        server.process.send_signal(signal.SIGHUP)
                        server.wait_for("warning: the server keeps what it had: .*model")
                    finally:
                        ended.set()
                    self.assertTrue(all(count.result() > 0 for count in counts))

    def test_it_says_what_is_wrong_at_the_start(self):
        def error(*arguments):
            found = subprocess.run([HEED, "serve", *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual(found.stdout, "")
            return found.returncode, found.stderr.removeprefix("heed: ").rstrip("\n")
        self.assertEqual(error(), (2, "`--model` is missing: name the directory that `heed train` made"))
        for model in ("/nowhere", "en-de=/nowhere"):
            self.assertEqual(error("--model", model), (1, "/nowhere: is not a model directory: it does not exist"))
        self.assertEqual(error("--model", f"en-de={MODEL}", "--model", "en-de=b"),
                         (2, f"`--model` names two models for en-de: {MODEL} and b"))
        self.assertEqual(error("--model", f"en-de={MODEL}", "--api-keys", "/nowhere")[0], 1)
        self.assertIn("cannot listen on no.such.host port 5000: ",
                      error("--model", f"en-de={MODEL}", "--host", "no.such.host")[1])
        self.assertIn("cannot be written with the model's vocabulary", error("--model", f"en-de:<2de>={MODEL}")[1])
        with Server() as server:
            code, message = error("--model", f"en-de={MODEL}", "--port", str(server.port))
            self.assertEqual(code, 1)
            self.assertTrue(message.endswith(f"cannot listen on 127.0.0.1 port {server.port}: another program listens there "
                                             "already; `--port` names another port"), message)


if __name__ == "__main__":
    HEED = sys.argv.pop(1)
    unittest.main()
