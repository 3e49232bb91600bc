"""Takes pictures of heed's pages, next to this file: of a training's page training-page.png (its top) and
training-attention.png (a sample translation, and where its words looked), of the page of a running `heed serve` serve.png.

    python3 docs/images/take_pictures.py models/en-de/report.html [--sample N]
    python3 docs/images/take_pictures.py http://127.0.0.1:5000      # an English-German model for software's documents

--sample: the sample translation of training-attention.png, from 1. Needs Chromium and PyPI's playwright.
"""

import argparse
import pathlib
import shutil

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


TEXT = ("You can save the document under a different name. The function returns the number of days between two dates. "
        "To delete a row, right-click it and choose Delete Rows.")
POINTED_AT = "unter"


def take_training(browser, file, sample):
    page = browser.new_page(viewport={"width": 1200, "height": 1130})
    page.goto(pathlib.Path(file).resolve().as_uri())
    page.get_by_text("Translations of sample sentences").wait_for()
    page.screenshot(path=HERE / "training-page.png")
    page.set_viewport_size({"width": 640, "height": 1130})
    article = page.locator("article", has=page.locator("table.attention")).nth(sample - 1)
    article.screenshot(path=HERE / "training-attention.png")


def take_serve(browser, url):
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.goto(url)
    page.locator("#source").fill(TEXT)
    page.get_by_text("Translated.").first.wait_for()
    page.locator("#target").get_by_text(POINTED_AT, exact=True).first.hover()
    page.locator("#map").get_by_text(POINTED_AT, exact=True).first.wait_for()
    page.screenshot(path=HERE / "serve.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", help="report.html of a model directory, or the address of heed serve")
    parser.add_argument("--sample", type=int, default=1)
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        if arguments.page.startswith("http"):
            take_serve(browser, arguments.page)
        else:
            take_training(browser, arguments.page, arguments.sample)
        browser.close()


if __name__ == "__main__":
    main()
