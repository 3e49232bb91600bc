"""Takes the pictures of a training's page, next to this file: training-page.png (its top) and training-attention.png (a sample
translation, and where its words looked).

    python3 docs/images/take_pictures.py models/en-de/report.html [--sample N]

--sample: the sample translation of training-attention.png, from 1. Needs Chromium and PyPI's playwright.
"""

import argparse
import pathlib
import shutil

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path, help="report.html of a model directory")
    parser.add_argument("--sample", type=int, default=1)
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1200, "height": 1130})
        page.goto(arguments.page.resolve().as_uri())
        page.get_by_text("Translations of sample sentences").wait_for()
        page.screenshot(path=HERE / "training-page.png")
        page.set_viewport_size({"width": 640, "height": 1130})
        sample = page.locator("article", has=page.locator("table.attention")).nth(arguments.sample - 1)
        sample.screenshot(path=HERE / "training-attention.png")
        browser.close()


if __name__ == "__main__":
    main()
