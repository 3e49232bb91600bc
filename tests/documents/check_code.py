"""Code in documents is the code of the sources: each C++ block that follows a link to a file of lib must be in this file.

check_code.py [--write] ROOT

The block's lines are compared without regard to indentation. The link must name the first line of the block (#L12).
--write corrects the line numbers.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^\[[^\]]*\]\((?P<path>[^)#]*/lib/[^)#]*)#L(?P<line>\d+)\)\n\n```cpp\n(?P<code>.*?)^```$", re.M | re.S)


def find(code, lines):
    """The numbers of the lines at which `code` is in `lines`, from 1."""
    wanted = [line.strip() for line in code.splitlines()]
    present = [line.strip() for line in lines]
    return [i + 1 for i in range(len(present)) if present[i:i + len(wanted)] == wanted]


def check(document, root, write):
    text = document.read_text(encoding="utf-8")
    errors = []

    def corrected(match):
        source = (document.parent / match["path"]).resolve()
        at = document.relative_to(root), text.count("\n", 0, match.start()) + 1
        if not source.is_file():
            errors.append(f"{at[0]}:{at[1]}: {match['path']} does not exist")
            return match[0]
        places = find(match["code"], source.read_text(encoding="utf-8").splitlines())
        if len(places) != 1:
            errors.append(f"{at[0]}:{at[1]}: {source.relative_to(root)} has this code {len(places)} times, expected once")
        elif places[0] != int(match["line"]) and not write:
            errors.append(f"{at[0]}:{at[1]}: the code is in line {places[0]} of {source.relative_to(root)}, the link says "
                          f"{match['line']}: check_code.py --write corrects it")
        elif write:
            return match[0].replace(f"#L{match['line']})", f"#L{places[0]})", 1)
        return match[0]

    changed = BLOCK.sub(corrected, text)
    if changed != text:
        document.write_text(changed, encoding="utf-8")
    return errors, len(BLOCK.findall(text))


def main():
    write = "--write" in sys.argv
    root = pathlib.Path(sys.argv[-1]).resolve()
    errors, blocks = [], 0
    for document in sorted(root.glob("docs/**/*.md")):
        found, count = check(document, root, write)
        errors += found
        blocks += count
    for error in errors:
        print(error, file=sys.stderr)
    if not blocks:
        print("no code of the sources in any document: the pattern is wrong", file=sys.stderr)
        return 1
    print(f"{blocks} pieces of code in documents, {len(errors)} wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
