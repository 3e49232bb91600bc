"""The output that documents show, compared with what the commands print. Numbers, times and sizes may differ, and so may the texts
in JSON: `...` stands for anything.
"""

import difflib
import json
import re
from typing import Iterator, List, NamedTuple

COMMAND = re.compile(r"(?:\$ )?(?:for \w+ in [^;]*; do )?(?:\w+ [^|]*\| *)?heed [a-z]")
OTHER_COMMAND = re.compile(r"(?:\$ )?(?:ssh|curl|torchrun|srun|mpirun|cmake|ninja|git|pip|hf|python3?|zcat|wc|paste|seq|recipes/|export) ?")


class Part(NamedTuple):
    """A command of a document (one line), or lines of output that it shows."""
    kind: str  # "command", "output" or "heading"
    lines: List[str]


def parts_of(text: str) -> Iterator[Part]:
    """What a document shows, in order. Blocks of other languages are left out."""
    for language, block, heading in re.findall(r"^```(\w*)\n(.*?)^```|^(#+ )", text, re.DOTALL | re.MULTILINE):
        if heading:
            yield Part("heading", [])
        elif language in ("", "sh", "bash"):
            yield from parts_of_block(block)


def parts_of_block(block: str) -> Iterator[Part]:
    lines = re.sub(r"\\\n|(?<=\|)\n", " ", block).splitlines()
    of_commands = any(COMMAND.match(line) or OTHER_COMMAND.match(line) for line in lines)
    with_output = any(line.startswith("$ ") for line in lines)  # the lines after a command are its output
    shown: List[str] = []
    for line in lines:
        if of_commands and (line.startswith("$ ") or not with_output):
            if shown:
                yield Part("output", shown)
            shown = []
            yield Part("command", [line.removeprefix("$ ").strip()])
        elif line.strip():
            shown.append(line)
    if shown:
        yield Part("output", shown)


def shape(value: object) -> object:
    """The names and types of a JSON value."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(member) for member in value[:1] if isinstance(member, dict)]
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def normalized(line: str) -> str:
    """A message or another line without its numbers, times and sizes."""
    line = re.sub(r"^(?:heed: |(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d )(?:warning: )?", "", line.rstrip())
    if line.startswith("{"):
        try:
            return json.dumps(shape(json.loads(line)))
        except ValueError:
            pass
    line = re.sub(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?: million)?", "#", line)
    line = re.sub(r"<?#%", "#", line)
    line = re.sub(r"\b[kMGT]i?B\b", "B", line)
    line = re.sub(r"#(?: h| min| s)(?: # (?:min|s))?\b", "TIME", line)
    return re.sub(r"\s+", " ", line)


def is_printed(line: str, printed: List[str]) -> bool:
    """Whether a printed line has all of it."""
    wanted = re.compile(re.escape(normalized(line)).replace(r"\.\.\.", ".*"))
    return any(wanted.search(one) for one in printed)


def nearest(line: str, printed: List[str]) -> str:
    """The printed line that is most like it."""
    return "".join(difflib.get_close_matches(normalized(line), printed, n=1, cutoff=0))
