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
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


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
        self.picture(page, "search")

    def test_an_alternative_and_a_word_of_ones_own(self):
        page = self.open()
        page.locator("#source").fill("seven one four")
        self.target(page, "vier eins sieben")
        self.word(page, "eins").click()
        menu = page.locator("#menu")
        expect(menu.locator(".whole").first).to_have_text(re.compile("vier eins sieben"))
        self.picture(page, "menu")
        other = menu.locator(".row button").nth(1)
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
            expect(page.locator("#status")).to_have_text("numbers.txt is not a text file.")

    def test_an_html_file_is_saved_with_its_tags(self):
        page = self.open()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "numbers.html"
            path.write_text('<p>seven <b>one</b></p><p translate="no">two</p>\n')
            with page.expect_download() as download:
                page.locator("#file").set_input_files(path)
            self.assertEqual(download.value.suggested_filename, "numbers.de.html")
            self.assertEqual(pathlib.Path(download.value.path()).read_text(),
                             '<p><b>eins</b> sieben</p><p translate="no">two</p>\n')
            expect(page.locator("#status")).to_have_text("Saved numbers.de.html.")
            path.write_text("<p")
            page.locator("#file").set_input_files(path)
            expect(page.locator("#status")).to_have_text("q:1: the tag `p` that begins here is not closed")

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
            page.get_by_role("button", name="Swap the languages").click()
            expect(page.locator("#from")).to_have_value("de")
            expect(page.locator("#to")).to_have_value("en")
            expect(page.locator("#source")).to_have_value("eins sieben")
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
                page.locator("#key").fill("alpha")
                page.get_by_role("button", name="Use it").click()
                page.locator("#source").fill("seven")
                self.target(page, "sieben")
                expect(page.locator("#key-form")).to_be_hidden()

    def test_themes_and_a_phone(self):
        for scheme in ("light", "dark"):
            for name, size in (("desk", DESK), ("phone", PHONE)):
                page = self.open(viewport=size, color_scheme=scheme)
                page.locator("#source").fill("seven one four two nine three")
                expect(page.locator("#map table")).to_be_visible()
                self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), size["width"], "nothing is cut off")
                back = page.evaluate("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(max(map(int, re.findall(r"\d+", back)[:3])) > 128, scheme == "light")
                self.picture(page, f"{name}-{scheme}")
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


if __name__ == "__main__":
    server_test.HEED = sys.argv.pop(1)
    if "--screenshots" in sys.argv:
        at = sys.argv.index("--screenshots")
        SCREENSHOTS = pathlib.Path(sys.argv.pop(at + 1))
        sys.argv.pop(at)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    unittest.main()
