"""Checks that each link and picture of a built site leads to a file and place of it. Links to other hosts are not followed.

    python3 docs/site/check_links.py FOLDER
"""

import html.parser
import pathlib
import posixpath
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page links to, and the names of its places."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value and tag != "link":
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def main():
    root = pathlib.Path(sys.argv[1])
    pages = {path.relative_to(root).as_posix(): Page(path) for path in root.rglob("*.html")}
    # Doxygen checks its own links; what it writes is only linked to.
    checked = {name: page for name, page in pages.items() if not name.startswith("cpp/") and name != "404.html"}
    broken = links = 0
    for name, page in checked.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(parts.path))) \
                if parts.path else name
            if (root / target).is_dir():
                target = posixpath.normpath(posixpath.join(target, "index.html"))
            place = urllib.parse.unquote(parts.fragment)
            if not (root / target).is_file():
                problem = "does not exist"
            elif place and target in pages and place not in pages[target].places | {"__search"}:
                problem = f"has no place #{place}"
            else:
                continue
            broken += 1
            print(f"{name}: {link} {problem}")
    print(f"{links} links in {len(checked)} pages of the site, {broken} broken")
    return 1 if broken or not links else 0


if __name__ == "__main__":
    sys.exit(main())
