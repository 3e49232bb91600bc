"""What mkdocs needs to make a site of this repository (a hook, see mkdocs.yml).

Documents link to each other, and to files of the repository, as GitHub shows them. Here
- documents outside docs become pages too (`page_of`): README.md is the front page, recipes/NAME/README.md is recipes/NAME;
- a link to a document becomes a link to its page, one to any other file a link to that file in the repository
  (HEED_REPOSITORY, HEED_REVISION in the environment); one that leads nowhere is a warning, which --strict makes an error;
- an entry of nav without `.md` stands for all pages of that folder which no other entry names;
- the pages of reference.py are added, made from HEED_DESCRIPTIONS, a file of `heed man-pages --format json`.
"""

import json
import logging
import os
import pathlib
import posixpath
import re
import sys
import urllib.parse

from mkdocs.structure.files import File
from mkdocs.utils import get_relative_url

sys.path.insert(0, os.path.dirname(__file__))
import reference  # noqa: E402

log = logging.getLogger("mkdocs.hooks.pages")
ROOT = pathlib.Path(__file__).resolve().parents[2]
REVISION = os.environ.get("HEED_REVISION", "main")
SINGLE = {
    "README.md": "index.md",
    "docs/README.md": "index.md",  # on the site the navigation takes the place of this list
    "CONTRIBUTING.md": "develop/contributing.md",
    "CHANGELOG.md": "develop/changelog.md",
    "SECURITY.md": "security.md",
    "lib/README.md": "develop/layers.md",
    "docs/guide/heed.ipynb": "guide/notebook.md",
    "docs/learn/rnn-to-transformer.ipynb": "learn/rnn-to-transformer-notebook.md",
}
FOLDERS = ("recipes", "benchmarks", "data")  # of which each subfolder with a README.md is a page
STYLE = ".md-grid { max-width: 76rem; }\n"  # room for a line of 100 characters of code
# A link or picture of Markdown; an attribute of HTML.
LINK = re.compile(r"(?P<before>!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?)(?P<target>[^)\s>]+)|"
                  r"(?P<tag><(?:img|a|source)\s[^>]*?(?:src|srcset|href)=\")(?P<address>[^\"]+)")


def page_of(path):
    """The page (or picture) of the site that shows a file of the repository, if any."""
    if path in SINGLE:
        return SINGLE[path]
    parts = path.split("/")
    if len(parts) == 3 and parts[0] in FOLDERS and parts[2] == "README.md":
        return f"{parts[0]}/{parts[1]}.md"
    if path.startswith("docs/") and path.endswith((".md", ".svg", ".png")):
        return path.removeprefix("docs/")
    return path if path.endswith((".svg", ".png")) else None


def documents():
    """The documents outside docs, and the notebooks, as paths in the repository."""
    found = [path for path in SINGLE if (ROOT / path).is_file() and path != "docs/README.md"]
    for folder in FOLDERS:
        found += sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*/README.md"))
    return found


def pictures():
    for folder in FOLDERS:
        for ending in ("svg", "png"):
            yield from sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(f"*.{ending}"))


def notebook_text(path):
    """A notebook as Markdown: its cells, without outputs."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    return "\n\n".join(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
                       for cell, text in zip(cells, texts)) + "\n"


def on_files(files, config):
    """Adds the documents outside docs, their pictures and the generated pages."""
    for file in list(files):
        if file.src_uri == "README.md" or file.src_uri.endswith(".ipynb"):
            files.remove(file)
    sources = {}  # of pages: the document in the repository
    for file in files:
        sources[file.src_uri] = f"docs/{file.src_uri}"
    for path in documents():
        text = notebook_text(ROOT / path) if path.endswith(".ipynb") else (ROOT / path).read_text(encoding="utf-8")
        sources[page_of(path)] = path
        files.append(File.generated(config, page_of(path), content=text))
    for path in pictures():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for name, text in reference.pages(ROOT).items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "site.css", content=STYLE))
    config.extra["sources"] = sources
    named = set(pages_in(config.nav))
    config.nav = [complete(entry, files, named) for entry in config.nav]
    return files


def pages_in(nav):
    for entry in nav:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from pages_in(value) if isinstance(value, list) else [value]


def complete(entry, files, named):
    """An entry of nav with all pages of a folder in the place of the folder's name."""
    if not isinstance(entry, dict):
        return entry
    (title, value), = entry.items()
    if isinstance(value, list):
        return {title: [complete(part, files, named) for part in value]}
    if value.endswith(".md"):
        return entry
    inside = sorted(file.src_uri for file in files if file.src_uri.startswith(value + "/") and file.src_uri.endswith(".md"))
    first = [page for page in inside if page.endswith(("/index.md", "/README.md"))]
    pages = [page for page in first + [page for page in inside if page not in first] if page not in named]
    if not pages:
        log.warning("nav: no pages in %s", value)
    return {title: pages}


def on_page_markdown(markdown, page, config, files):
    source = config.extra["sources"].get(page.file.src_uri)
    if source is None:
        return markdown  # generated: its links are those of the site
    made = []
    for text, is_code in passages(markdown):
        if not is_code:
            code = [match.span() for match in re.finditer(r"(`+)[^`]+\1", text)]
            text = LINK.sub(lambda match: rewritten(match, code, source, page, config), text)
        made.append(text)
    return "".join(made)


def passages(markdown):
    """The text in passages, with whether they are fenced code."""
    made, lines, fence = [], [], None
    for line in markdown.splitlines(keepends=True):
        mark = re.match(r"\s*(```+|~~~+)", line)
        begins, ends = mark and fence is None, mark and fence is not None and mark[1].startswith(fence)
        if begins:
            made.append(("".join(lines), False))
            lines, fence = [], mark[1]
        lines.append(line)
        if ends:
            made.append(("".join(lines), True))
            lines, fence = [], None
    return made + [("".join(lines), fence is not None)]


def rewritten(match, code, source, page, config):
    whole, target = match[0], match["target"] or match["address"]
    if any(begin <= match.start() < end for begin, end in code) or re.match(r"[a-z][a-z0-9+.-]*:|#", target):
        return whole
    path, _, fragment = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), urllib.parse.unquote(path)))
    place = ROOT / path
    if path.startswith("..") or not place.exists():
        log.warning("%s: the link %s leads to no file of the repository", source, target)
        return whole
    shown = page_of(f"{path}/README.md" if place.is_dir() else path)
    anchor = f"#{fragment}" if fragment else ""
    if shown is None:
        kind = "tree" if place.is_dir() else "blob"
        address = f"{config.repo_url.rstrip('/')}/{kind}/{REVISION}/{path}{anchor}"
    elif match["address"]:
        address = get_relative_url(address_of(shown), page.url) + anchor
    else:
        address = posixpath.relpath(shown, posixpath.dirname(page.file.src_uri) or ".") + anchor
    return (match["before"] or match["tag"]) + address


def address_of(name):
    """The address on the site, relative to its root, of a page or picture."""
    if not name.endswith(".md"):
        return name
    stem = name.removesuffix(".md")
    return (stem.removesuffix("index").removesuffix("README") or "./") if stem.endswith(("index", "README")) else stem + "/"
