"""Checks the relative links of all Markdown files: that each file and each heading that is linked to exists.

    python3 tests/documents/check_links.py [ROOT]        ROOT: the repository (default: the one this file is in)

Prints a line for each broken link and exits with 1 if there is any. Links to other hosts are not followed.
"""

import os
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?\s*\)|<(?:img|source|a)\s[^>]*?(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
SKIPPED = {"build", "runs", ".git"}


def without_code(path):
    """The text of a document with as many lines, but without its fenced blocks."""
    fence, lines = None, []
    for line in path.read_text(encoding="utf-8").splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        ends = mark and (fence is None or mark[1].startswith(fence))
        lines.append("" if mark or fence else line)
        if ends:
            fence = mark[1] if fence is None else None
    return "\n".join(lines)


def anchor(heading):
    """The name that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    found, seen = set(), {}
    for line in without_code(path).splitlines():
        heading = HEADING.match(line)
        if not heading:
            continue
        name = anchor(heading[1])
        count = seen[name] = seen.get(name, -1) + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def problem_of(document, root, target):
    """What is wrong with a link of a document; None: nothing."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, fragment = urllib.parse.unquote(target).partition("#")
    linked = (document.parent / path).resolve() if path else document
    if not linked.is_relative_to(root):
        return "leads out of the repository"
    if not linked.exists():
        return "does not exist"
    if fragment and linked.suffix == ".md" and fragment not in anchors(linked):
        return f"has no heading #{fragment}"
    return None


def documents_below(root):
    """All Markdown files. Skipped folders are not entered: other tests may be removing files there."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        found += [pathlib.Path(folder) / name for name in files if name.endswith(".md")]
    return sorted(found)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    documents = documents_below(root)
    broken = links = 0
    for document in documents:
        text = re.sub(r"`[^`\n]*`", "", without_code(document))
        for match in LINK.finditer(text):
            links += 1
            target = match[1] or match[2]
            problem = problem_of(document, root, target)
            if problem:
                broken += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{document.relative_to(root)}:{line}: {target} {problem}")
    print(f"{links} links in {len(documents)} documents, {broken} broken")
    return 1 if broken or not links else 0


if __name__ == "__main__":
    sys.exit(main())
