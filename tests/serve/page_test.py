"""Uses the page of a running `heed serve` in a browser as a reader does.

    python3 tests/serve/page_test.py HEED [--screenshots FOLDER] [unittest's arguments]

Needs Chromium and PyPI's playwright; without them it says so and ends with 77, which ctest counts as skipped. With npm's
axe-core in AXE_CORE (the path of axe.min.js) the page is checked for screen readers too.
"""

import contextlib
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import server_test
from server_test import Server

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    print("skipped: the Python package playwright is not installed (cmake/bootstrap.sh --with-peers)")
    sys.exit(77)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    print("skipped: Chromium is not installed")
    sys.exit(77)

# Nothing but the server is reached, and a test machine has no screen.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
SCREENSHOTS = None
PATIENCE = 60_000  # milliseconds: a machine may have other work
expect.set_options(timeout=PATIENCE)
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 780}


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = contextlib.ExitStack()
        cls.server = cls.stack.enter_context(Server())
        playwright = cls.stack.enter_context(sync_playwright())
        cls.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        cls.stack.callback(cls.browser.close)

    @classmethod
    def tearDownClass(cls):
        cls.stack.close()

    def open(self, server=None, **options):
        """A new visit. Errors of the script and requests to other hosts fail the test."""
        context = self.browser.new_context(**{"viewport": DESK, **options})
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        self.errors = []
        address = f"http://127.0.0.1:{(server or self.server).port}/"
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.errors.extend(
            [request.url] if not request.url.startswith((address, "blob:", "data:")) else []))
        self.addCleanup(lambda: self.assertEqual(self.errors, []))
        page.goto(address)
        return page

    def target(self, page, text):
        expect(page.locator("#target")).to_have_text(text)

    def word(self, page, text):
        return page.locator("#target .word", has_text=re.compile(f"^{text}$")).first

    def picture(self, page, name):
        if SCREENSHOTS:
            page.screenshot(path=SCREENSHOTS / f"{name}.png")

    def test_it_translates_as_one_types(self):
        page = self.open()
        page.locator("#source").press_sequentially("seven one", delay=30)
        self.target(page, "eins sieben")
        page.locator("#source").press_sequentially(" two", delay=30)
        self.target(page, "zwei eins sieben")
        expect(page.locator("#status")).to_have_text("Translated.")

    def test_lines_and_blanks_stay(self):
        page = self.open()
        page.locator("#source").fill("seven one\n\n  two\nthree")
        self.target(page, "eins sieben\n\n  zwei\ndrei")
        page.locator("#source").fill("")
        self.target(page, "")

    def test_a_long_text_does_not_stop_the_page(self):
        page = self.open()
        lines = 1000
        page.locator("#source").fill("seven one\n" * lines)  # the browser inserts it line by line
        self.target(page, "eins sieben\n" * lines)

    def test_only_what_changed_is_asked_for(self):
        page = self.open()
        asked = []
        page.on("request", lambda r: asked.append(r.post_data_json["text"]) if "translate" in r.url and r.post_data_json.get("stream") else None)
        page.locator("#source").fill("seven one\ntwo")
        self.target(page, "eins sieben\nzwei")
        page.locator("#source").fill("seven one\nthree")
        self.target(page, "eins sieben\ndrei")
        self.assertEqual(asked, [["seven one", "two"], ["three"]])

    def test_an_answer_that_comes_too_late_is_dropped(self):
        page = self.open()
        held = []
        page.route("**/v1/translate", lambda route: held.append(route) if not held else route.continue_())
        page.locator("#source").fill("seven one")
        page.wait_for_timeout(600)
        self.assertEqual(len(held), 1)
        page.locator("#source").fill("two")
        self.target(page, "zwei")
        with contextlib.suppress(Exception):  # the page has given it up
            held[0].continue_()
        page.wait_for_timeout(300)
        self.target(page, "zwei")

    def test_a_word_shows_where_it_looked(self):
        page = self.open()
        page.locator("#source").fill("seven one four")
        self.target(page, "vier eins sieben")
        self.word(page, "sieben").hover()
        expect(page.locator("#about")).to_contain_text("probability")
        weights = page.locator("#backdrop span").evaluate_all("all => all.map(e => [e.textContent, Number(e.style.getPropertyValue('--w'))])")
        self.assertEqual(max(weights, key=lambda w: w[1])[0], "seven")
        expect(page.locator("#map tr.current th")).to_have_text("sieben")
        # The other way: the caret in the text marks the translation.
        page.locator("#source").click()
        page.locator("#source").press("Home")
        expect(page.locator("#target .word[style*='--w']").first).to_be_visible()
        self.picture(page, "hover")

    def test_the_map_shows_layers_and_heads(self):
        page = self.open()
        page.locator("#source").fill("seven one four")
        self.target(page, "vier eins sieben")
        rows = page.locator("#map tbody tr")
        expect(rows).to_have_count(3)
        shape = page.evaluate("fetch('v1/models').then(r => r.json())")[0]["attention"]
        for part in shape:
            page.locator("#part").select_option(part)
            expect(page.locator("#layer option")).to_have_count(shape[part]["layers"])
            expect(page.locator("#map table")).to_be_visible()
            expect(page.locator("#attention-formula math").first).to_be_visible()
        page.locator("#part").select_option("cross")
        page.locator("#units").select_option("tokens")
        expect(rows.first).to_be_visible()
        expect(page.locator("#map tbody th").last).to_have_text("</s>")
        sums = page.evaluate("document.querySelector('#map table').weights.map(row => row.reduce((a, b) => a + b))")
        for total in sums:
            self.assertAlmostEqual(total, 1, delta=0.01)

    def test_the_search_grows_step_by_step(self):
        page = self.open()
        page.locator("#source").fill("seven one four")
        self.target(page, "vier eins sieben")
        page.get_by_role("tab", name="Beam search").click()
        expect(page.locator("#finished li").first).to_contain_text("vier eins sieben")
        nodes = page.locator("#tree .node:not(.later)")
        all_nodes = nodes.count()
        for _ in range(20):  # an answer that comes late draws the tree again, with all steps
            page.locator("#step").fill("1")
            fewer = nodes.count()
            page.get_by_role("button", name="One step on").click()
            if page.locator("#step-text").inner_text().startswith("2 of"):
                break
            page.wait_for_timeout(300)
        expect(page.locator("#step-text")).to_contain_text("2 of")
        self.assertLess(fewer, all_nodes)
        self.assertEqual(*(page.locator(f"#tree {text}").first.evaluate("e => getComputedStyle(e).fill") for text in (".node text", "svg > text")))
        self.picture(page, "search")
        page.locator("#source").fill("seven " * 400)
        expect(page.locator("#tree")).to_have_text("The sentence is too long: the model reads it in parts.")
        expect(page.locator("#finished li")).to_have_count(0)
        expect(page.locator("#steps")).to_be_hidden()

    def test_an_alternative_and_a_word_of_ones_own(self):
        page = self.open()
        page.locator("#source").fill("seven one four")
        self.target(page, "vier eins sieben")
        self.word(page, "eins").click()
        menu = page.locator("#menu")
        expect(menu.locator(".whole").first).to_have_text(re.compile("vier eins sieben"))
        self.picture(page, "menu")
        expect(menu.get_by_role("button", name=re.compile("^eins$"))).to_have_count(0)  # it is there already
        other = menu.locator(".row button").first
        chosen = other.inner_text()
        other.click()
        expect(page.locator("#target")).to_have_text(re.compile(f"^vier {chosen}"))
        self.word(page, "vier").click()
        menu.locator("input").fill("acht")
        menu.get_by_role("button", name="Use").click()
        expect(page.locator("#target")).to_have_text(re.compile("^acht"))
        self.word(page, "acht").click()
        menu.get_by_role("button", name="Translate freely again").click()
        self.target(page, "vier eins sieben")

    def test_a_finger_gets_no_keyboard_before_it_asks(self):
        page = self.open(viewport=PHONE, has_touch=True, is_mobile=True)
        page.locator("#source").fill("seven one")
        self.target(page, "eins sieben")
        self.word(page, "eins").tap()
        expect(page.locator("#menu")).to_be_focused()

    def test_by_keyboard_alone(self):
        page = self.open()
        page.keyboard.press("Tab")  # to the link past the header
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Enter")
        page.locator("#source").focus()
        page.keyboard.type("seven one")
        self.target(page, "eins sieben")
        while page.evaluate("!document.activeElement.matches('#target .word')"):
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        expect(self.word(page, "sieben")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#menu input")).to_be_focused()
        expect(page.locator("#menu .whole").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#menu")).to_be_hidden()
        expect(self.word(page, "sieben")).to_be_focused()

    def test_terms_stay_for_the_next_visit(self):
        page = self.open()
        page.locator("#source").fill("seven one")
        self.target(page, "eins sieben")
        page.locator("#term-source").fill("seven")
        page.locator("#term-target").fill("neun")
        page.get_by_role("button", name="Add").click()
        expect(page.locator("#target")).to_contain_text("neun")
        page.reload()
        page.locator("#source").fill("seven")
        expect(page.locator("#target")).to_contain_text("neun")
        page.get_by_role("button", name="Remove the term seven").click()
        self.target(page, "sieben")

    def test_a_file_is_opened_and_saved(self):
        page = self.open()
        expect(page.locator("#save")).to_be_disabled()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "numbers.txt"
            path.write_text("seven one\ntwo\n")
            page.locator("#file").set_input_files(path)
            self.target(page, "eins sieben\nzwei\n")
            with page.expect_download() as download:
                page.get_by_role("button", name="Save as a file").click()
            self.assertEqual(download.value.suggested_filename, "numbers.de.txt")
            self.assertEqual(pathlib.Path(download.value.path()).read_text(), "eins sieben\nzwei\n")
            path.write_bytes(b"\x00\x01")
            page.locator("#file").set_input_files(path)
            expect(self.document(page, "numbers.txt")).to_contain_text("It is not a text file in UTF-8.")

    def drop(self, page, **files):
        """Drops files on the page: their names, with _ for the point, and contents."""
        page.evaluate("""files => {
            const data = new DataTransfer();
            for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
            for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""", [[name.replace("_", "."), list(content)] for name, content in files.items()])

    def document(self, page, name):
        return page.locator("#documents li", has=page.locator("strong", has_text=re.compile(f"^{re.escape(name)}$")))

    def downloaded(self, page, name, result):
        """The bytes of a document's translation."""
        with page.expect_download() as download:
            self.document(page, name).get_by_role("link", name=f"Download {result}").click()
        self.assertEqual(download.value.suggested_filename, result)
        return pathlib.Path(download.value.path()).read_bytes()

    def test_a_document_is_dropped_and_downloaded(self):
        page = self.open()
        self.drop(page, page_html=b'<p>seven <b>one</b></p><p translate="no">two</p>\n')
        self.assertEqual(self.downloaded(page, "page.html", "page.de.html"), b'<p><b>eins</b> sieben</p><p translate="no">two</p>\n')
        expect(self.document(page, "page.html")).to_contain_text("49 bytes · HTML · English to German")
        expect(page.locator("#news")).to_have_text("page.html: Ready to download as page.de.html.")
        page.get_by_role("button", name="Remove page.html").click()
        expect(page.locator("#documents-panel")).to_be_hidden()
        expect(page.locator("#open")).to_be_focused()

    def test_several_documents(self):
        page = self.open()
        self.drop(page, notes_en_md="# seven\n\n*one* two ö\n".encode(), numbers_txt=b"three\r\n", train_en=b"four\n", empty_srt=b"")
        self.assertEqual(self.downloaded(page, "notes.en.md", "notes.de.md")[:10], b"# sieben\n\n")
        self.assertEqual(self.downloaded(page, "numbers.txt", "numbers.de.txt"), b"drei\r\n")
        self.assertEqual(self.downloaded(page, "train.en", "train.de"), b"vier\n")
        expect(self.document(page, "empty.srt")).to_contain_text("It is empty.")
        expect(page.locator("#source")).to_have_value("")
        page.get_by_role("button", name="Remove numbers.txt").click()
        expect(page.get_by_role("button", name="Remove train.en")).to_be_focused()
        self.drop(page, letter_docx=server_test.word_document("two"))
        self.assertIn("<w:t>zwei</w:t>", server_test.text_of_word_document(self.downloaded(page, "letter.docx", "letter.de.docx")))
        self.drop(page, long_txt=b"five\n" + b"\n" * 300_000)  # too long to be shown
        self.assertEqual(self.downloaded(page, "long.txt", "long.de.txt"), "fünf\n".encode() + b"\n" * 300_000)

    def test_terms_are_for_documents_too(self):
        page = self.open()
        page.locator("#term-source").fill("seven")
        page.locator("#term-target").fill("neun")
        page.get_by_role("button", name="Add").click()
        self.drop(page, page_html=b"<p>seven</p>")
        self.assertIn(b"neun", self.downloaded(page, "page.html", "page.de.html"))

    def test_wrong_files_have_one_sentence(self):
        with Server("--max-body", "20000", "--max-sentences", "50") as server:
            page = self.open(server)
            endings = page.evaluate("fetch('frontend/settings').then(r => r.json())")["supportedFilesFormat"]
            for name, content, sentence in (
                    ("photo_png", b"\x89PNG\0", f"It is neither text nor one of {', '.join(endings)}."),
                    ("numbers_txt", b"\xff\xfe", "It is not a text file in UTF-8."),
                    ("large_docx", b"two " * 5000, "It has 20 kB, and this server takes files of at most 19 kB."),
                    ("wrong_html", b"<p>two\n<b", "wrong.html:2: the tag `b` that begins here is not closed."),
                    ("long_html", b"<p>two</p><p>three four</p>" + b"".join(b"<p>one two %d</p>" % i for i in range(51)),
                     "The request has 53 sentences, more than 50.")):
                self.drop(page, **{name: content})
                expect(self.document(page, name.replace("_", ".")).locator(".told")).to_have_text(sentence)
                expect(page.locator("#news")).to_have_text(f"{name.replace('_', '.')}: {sentence}")
            page.evaluate("""() => {  // what the browser gives for a folder
                const folder = new File(["x"], "folder");
                folder.arrayBuffer = () => Promise.reject(new DOMException("", "NotFoundError"));
                open_files([folder]);
            }""")
            expect(self.document(page, "folder").locator(".told")).to_have_text("The browser cannot read it. Is it a folder?")

    def test_the_server_dies_while_it_has_a_document(self):
        with Server() as mortal:
            page = self.open(mortal)
            held = []
            page.route("**/translate_file", lambda route: held.append(route) if not held else route.continue_())
            self.drop(page, page_html=b"<p>seven <b>one</b></p>")
            expect(self.document(page, "page.html").get_by_role("progressbar")).to_be_visible()
            expect(page.locator("#news")).to_have_text("page.html: Translating.")
            port = mortal.port
            mortal.stop()
            held[0].continue_()
            expect(self.document(page, "page.html")).to_contain_text("The server does not answer. The page sends it again when the server is back.")
            with Server(port=port):
                self.assertEqual(self.downloaded(page, "page.html", "page.de.html"), b"<p><b>eins</b> sieben</p>")
                # A server that ends only this connection gets the document three times.
                def broken(route):
                    route.abort("connectionreset")
                page.route("**/translate_file", broken)
                self.drop(page, other_html=b"<p>two</p>")
                expect(self.document(page, "other.html")).to_contain_text("The connection broke while the server had it, three times.")
                page.unroute("**/translate_file", broken)
                page.get_by_role("button", name="Try other.html again").click()
                self.assertEqual(self.downloaded(page, "other.html", "other.de.html"), b"<p>zwei</p>")

    def test_a_server_with_too_much_to_do(self):
        page = self.open()
        refused = {"status": 429, "headers": {"Retry-After": "1"}, "json": {"error": "too many requests"}}
        asked = []
        page.route("**/translate_file", lambda route: route.continue_() if asked else (asked.append(1), route.fulfill(**refused)))
        self.drop(page, page_html=b"<p>two</p>")
        expect(page.locator("#news")).to_have_text("page.html: The server has too much to do. The page tries again in 1 second.")
        self.assertEqual(self.downloaded(page, "page.html", "page.de.html"), b"<p>zwei</p>")

    def test_a_document_is_cancelled(self):
        page = self.open()
        held = []
        page.route("**/translate_file", lambda route: held.append(route) if not held else route.continue_())
        self.drop(page, page_html=b"<p>two</p>", other_html=b"<p>three</p>")
        expect(self.document(page, "other.html")).to_contain_text("Waiting")
        page.get_by_role("button", name="Cancel page.html").click()
        self.assertEqual(self.downloaded(page, "other.html", "other.de.html"), b"<p>drei</p>")
        with contextlib.suppress(Exception):  # the page has given it up
            held[0].abort()

    def test_a_server_without_documents(self):
        with Server("--max-files", "0") as server:
            page = self.open(server)
            expect(page.locator("#source")).to_have_attribute("placeholder", re.compile("drop a text file here$"))
            self.drop(page, a_docx=b"PK\0\0")
            expect(self.document(page, "a.docx").locator(".told")).to_have_text("It is not text.")
            self.drop(page, a_txt=b"two")
            self.target(page, "zwei")

    def test_text_that_is_dragged_is_the_browsers(self):
        page = self.open()
        self.assertTrue(page.evaluate("""() => {
            const data = new DataTransfer();
            data.setData("text/plain", "seven");
            return ["dragover", "drop"].every(kind =>
                document.querySelector("#source").dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true})));
        }"""))

    def test_errors_of_the_server_are_shown(self):
        page = self.open()
        page.locator("#term-source").fill("seven")
        page.locator("#term-target").fill("☃")
        page.get_by_role("button", name="Add").click()
        page.locator("#source").fill("seven")
        expect(page.locator("#status")).to_have_text("`terms`: the model's vocabulary cannot spell '☃'")

    def test_a_server_that_dies_and_returns(self):
        with Server() as mortal:
            page = self.open(mortal)
            page.locator("#source").fill("seven one")
            self.target(page, "eins sieben")
            port = mortal.port
            mortal.stop()
            page.locator("#source").fill("seven one two")
            expect(page.locator("#status")).to_contain_text("does not answer")
            with Server(port=port):
                self.target(page, "zwei eins sieben")
                expect(page.locator("#status")).to_have_text("Translated.")

    def test_languages_are_swapped_and_detected(self):
        model = server_test.MODEL
        with Server(models=(f"en-de={model}", f"de-en={model}")) as server:
            page = self.open(server)
            page.locator("#from").select_option("en")
            page.locator("#source").fill("seven one")
            self.target(page, "eins sieben")
            # Terms and what was chosen are of these two languages.
            page.locator("#term-source").fill("eins")
            page.locator("#term-target").fill("neun")
            page.get_by_role("button", name="Add").click()
            expect(page.locator("#terms-title")).to_have_text("Terms English to German")
            expect(page.locator("#terms li")).to_have_count(1)
            self.word(page, "eins").click()
            page.locator("#menu .whole").first.click()
            expect(page.locator("#target .chosen")).to_have_count(1)
            page.get_by_role("button", name="Swap the languages").click()
            expect(page.locator("#from")).to_have_value("de")
            expect(page.locator("#to")).to_have_value("en")
            expect(page.locator("#source")).to_have_value("eins sieben")
            expect(page.locator("#terms-title")).to_have_text("Terms German to English")
            expect(page.locator("#terms li")).to_have_count(0)
            page.locator("#source").fill("seven one")
            self.target(page, "eins sieben")
            expect(page.locator("#target .chosen")).to_have_count(0)
            if page.locator("#from option[value=auto]").count():  # heed is built with CLD2
                page.locator("#from").select_option("auto")
                page.locator("#to").select_option("en")
                page.locator("#source").fill("Die Katze schläft auf dem Sofa.")
                expect(page.locator("#from option").first).to_have_text("Detect: German")
                expect(page.locator("#status")).to_have_text("Translated.")

    def test_a_key(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = pathlib.Path(folder) / "keys"
            keys.write_text("alpha\n")
            with Server("--api-keys", str(keys)) as server:
                page = self.open(server)
                self.drop(page, page_html=b"<p>two</p>")
                expect(self.document(page, "page.html")).to_contain_text("The server needs a key.")
                page.locator("#key").fill("beta")
                page.get_by_role("button", name="Use it").click()
                expect(self.document(page, "page.html")).to_contain_text("The server does not know this key.")
                page.locator("#key").fill("alpha")
                page.get_by_role("button", name="Use it").click()
                self.assertEqual(self.downloaded(page, "page.html", "page.de.html"), b"<p>zwei</p>")
                page.locator("#source").fill("seven")
                self.target(page, "sieben")
                expect(page.locator("#key-form")).to_be_hidden()

    def test_themes_and_a_phone(self):
        for scheme in ("light", "dark"):
            for name, size in (("desk", DESK), ("phone", PHONE)):
                page = self.open(viewport=size, color_scheme=scheme)
                page.locator("#source").fill("seven one " + "x" * 200)
                expect(page.locator("#inside-of")).to_contain_text("xxx")
                field, pane = (page.locator(what).first.evaluate("e => e.getBoundingClientRect().right") for what in ("#source", ".pane"))
                self.assertLess(field, pane, "a long word stays in its pane")
                self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), size["width"], "a long word is not cut off")
                page.locator("#source").fill("seven one four two nine three")
                self.target(page, "drei neun zwei vier eins sieben")
                expect(page.locator("#map table")).to_be_visible()
                self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), size["width"], "nothing is cut off")
                back = page.evaluate("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(max(map(int, re.findall(r"\d+", back)[:3])) > 128, scheme == "light")
                self.picture(page, f"{name}-{scheme}")
                self.drop(page, numbers_html=b"<p>two</p>", photo_png=b"\0", wrong_html=b"<p",
                          a_long_name_of_a_document_that_does_not_fit_in_a_line_html=b"<p>three</p>")
                expect(page.locator("#documents a")).to_have_count(2)
                expect(page.locator("#documents .bad")).to_have_count(2)
                self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), size["width"], "nothing is cut off")
                self.picture(page, f"documents-{name}-{scheme}")
        page.get_by_role("button", name="Theme: automatic").click()
        page.get_by_role("button", name="Theme: light").wait_for()
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(246, 245, 242)")

    @unittest.skipUnless(os.environ.get("AXE_CORE"), "AXE_CORE does not name npm's axe.min.js")
    def test_screen_readers_find_their_way(self):
        for scheme in ("light", "dark"):
            page = self.open(color_scheme=scheme, bypass_csp=True)
            page.add_script_tag(path=os.environ["AXE_CORE"])

            def check(what):
                found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})")["violations"]
                self.assertEqual([(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in found], [], f"{what}, {scheme}")
            check("an empty page")
            page.locator("#source").fill("seven one four")
            expect(page.locator("#map table")).to_be_visible()
            self.word(page, "sieben").hover()
            check("a translation")
            self.word(page, "eins").click()
            expect(page.locator("#menu .whole").first).to_be_visible()
            check("alternatives")
            page.keyboard.press("Escape")
            page.get_by_role("tab", name="Beam search").click()
            expect(page.locator("#finished li").first).to_be_visible()
            check("the search")
            held = []
            page.route("**/translate_file", lambda route: route.continue_() if not held and not held.append(1) else None)
            self.drop(page, numbers_html=b"<p>two</p>", photo_png=b"\0", long_html=b"<p>three</p>", other_html=b"<p>four</p>")
            expect(page.locator("#documents a")).to_be_visible()
            expect(page.get_by_role("progressbar")).to_be_visible()
            check("documents")


if __name__ == "__main__":
    server_test.HEED = sys.argv.pop(1)
    if "--screenshots" in sys.argv:
        at = sys.argv.index("--screenshots")
        SCREENSHOTS = pathlib.Path(sys.argv.pop(at + 1))
        sys.argv.pop(at)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    unittest.main()
