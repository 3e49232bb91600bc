"""The reference pages of the site: commands and their options from HEED_DESCRIPTIONS (`heed man-pages --format json`), the
Python package from its sources and HEED_PYTHON_STUB (`_heed.pyi` of a build of it)."""

import ast
import json
import os
import pathlib
import re
import textwrap

# "Vaswani et al. 2017", "Luong 2015", "Kingma and Ba, 2015" in a help text
PAPER = re.compile(r"\b[A-Z][\w-]+(?: et al\.?| and [A-Z][\w-]+)?,? (?:19|20)\d\d\b")
# What a number counts, by words of its name or of its help text.
UNITS = (
    (r"-seconds$", "seconds"),
    (r"-minutes$", "minutes"),
    (r"(^|[.-])tokens$", "tokens"),
    (r"-steps$", "steps"),
    (r"-epochs$", "epochs"),
)
HELP_UNITS = re.compile(r"\bin (Hz|kHz|milliseconds|seconds|minutes|tokens|words|characters|bytes|MB|MiB|GiB|steps|epochs)\b")
# "COMMAND OPTION" of heed 1.0.0, one per line; a test checks that later versions read each of them.
FIRST_OPTIONS = pathlib.Path(__file__).with_name("options-1.0.0.txt")


def pages(root):
    """The generated pages: their text by name."""
    described = json.loads(pathlib.Path(needed("HEED_DESCRIPTIONS")).read_text(encoding="utf-8"))
    made = {"reference/index.md": overview(described), "reference/cpp.md": cpp_page()}
    first = set(FIRST_OPTIONS.read_text(encoding="utf-8").split("\n"))
    for command in described["commands"]:
        made[command_page(command["name"])] = command_text(command, first)
    made["reference/python.md"] = python_page(root / "python/heed", pathlib.Path(needed("HEED_PYTHON_STUB")))
    return made


def needed(variable):
    if not os.environ.get(variable):
        raise SystemExit(f"{variable} is not set: build the site with docs/site/build.sh")
    return os.environ[variable]


def command_page(name):
    return f"reference/commands/{name.replace(' ', '-')}.md"


def overview(described):
    rows = "\n".join(f"| [`heed {command['name']}`](commands/{command['name'].replace(' ', '-')}.md) | "
                     f"{cell(command['summary'] or first_line(command['description']))} | {len(command['options'])} |"
                     for command in described["commands"])
    return f"""# Reference

These pages are made from the descriptions in the program, of heed {described['version'].split(' ')[0]}.

{plain(described['summary'])}

| command | what it reads and makes | options |
|---|---|---|
{rows}

The library: [Python](python.md), [C++](cpp.md).
"""


def first_line(text):
    return text.strip().split("\n")[0]


def plain(text):
    """Text of --help, in which Markdown must see no tags or emphasis."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts)


def cell(text):
    return plain(text).replace("|", "\\|").replace("\n", " ")


def block(text, language=""):
    return f"```{language}\n{text.strip(chr(10))}\n```" if text.strip() else ""


def notes(text):
    """The end of a help text: indented lines are code."""
    passages = re.split(r"(?m)((?:^  .*\n?)+)", text)
    return "\n\n".join(block(textwrap.dedent(part)) if part.startswith("  ") else plain(part.strip())
                       for part in passages if part.strip())


def command_text(command, first):
    parts = [f"# heed {command['name']}", plain(command["description"]), block(command["usage"])]
    if command["examples"]:
        parts += ["## Examples", block(textwrap.dedent(command["examples"]))]
    if command["notes"]:
        parts.append(notes(command["notes"]))
    section = None
    names = [option["name"] for option in command["options"]]
    for option in command["options"]:
        option["homonym"] = names.count(option["name"]) > 1
        if option["section"] != section:
            section = option["section"]
            help_text = plain(option["section-help"])
            parts.append(f"## {section}\n\n{help_text}" if section else "## Options")
        elif option is command["options"][0]:
            parts.append("## Options")
        parts.append(option_text(command, option, first))
    return "\n\n".join(part for part in parts if part) + "\n"


def option_text(command, option, first):
    letter = f", `-{option['letter']}`" if option["letter"] else ""
    title = f"### `--{option['name']}`{letter} {{ #{anchor(option)} }}"
    facts = [("value", value_text(option)), ("default", default_text(option)), ("unit", unit_of(option)),
             ("exists with", conditions_text(option)), ("presets", presets_text(option)),
             ("paper", ", ".join(dict.fromkeys(PAPER.findall(option["help"])))),
             ("former names", ", ".join(f"`--{name}`" for name in option["former-names"])),
             ("since", since(command, option, first))]
    shown = "\n".join(f"- {name}: {text}" for name, text in facts if text)
    return f"{title}\n\n{plain(option['help'])}\n\n{shown}"


def since(command, option, first):
    """The version that brought the option; nothing for those that 1.0.0 had, under this name or a former one."""
    names = [option["name"], *option["former-names"]]
    return "" if any(f"{command['name']} {name}" in first for name in names) else "1.1.0"


def anchor(option):
    """Options of one name that have other meanings in other alternatives have headings of their own."""
    inner = option["places"][0]["conditions"][-1:] if option["places"] else []
    return option["name"] + (f"-{inner[0][1]}" if option.get("homonym") and inner else "")


def value_text(option):
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    return plain(option["expected"])


def default_text(option):
    """The default, of alternatives that differ each with its name."""
    by_default = {}
    for place in option["places"]:
        by_default.setdefault(place["default"], []).append(place["conditions"][-1][1] if place["conditions"] else "")
    if list(by_default) == [""]:
        return ""
    if len(by_default) == 1:
        return f"`{next(iter(by_default))}`"
    return ", ".join(f"`{value or 'empty'}` ({', '.join(dict.fromkeys(names))})" for value, names in by_default.items())


def unit_of(option):
    if "an amount such as" in option["expected"]:
        return "steps; target tokens with `t`, epochs with `e`"
    if option["kind"] not in ("number", "whole number"):
        return ""
    found = HELP_UNITS.search(option["help"])
    if found:
        return found[1]
    return next((unit for pattern, unit in UNITS if re.search(pattern, option["name"])), "")


def conditions_text(option):
    if any(not place["conditions"] for place in option["places"]):
        return ""
    by_choices = {}  # places that differ in the last value only are one
    for place in option["places"]:
        *outer, (choice, value) = place["conditions"]
        by_choices.setdefault((tuple(map(tuple, outer)), choice), []).append(value)
    texts = []
    for (outer, choice), values in by_choices.items():
        given = [f"`--{name} {value}`" for name, value in outer]
        texts.append(" and ".join(given + [f"`--{choice} {'|'.join(dict.fromkeys(values))}`"]))
    return "; or ".join(dict.fromkeys(texts))


def presets_text(option):
    values = option.get("presets", {})
    usual = {place["default"] for place in option["places"] if place["chosen"]}
    by_value = {}
    for preset, value in values.items():
        if {value} != usual:
            by_value.setdefault(value, []).append(preset)
    return "; ".join(f"`{value or 'empty'}` {', '.join(presets)}" for value, presets in by_value.items())


def cpp_page():
    return """# C++

`heed/heed.h` is all that a program needs to use a trained model: [heed as a library](../guide/library.md).

<a href="../../cpp/index.html">All headers of the library, by Doxygen</a>
"""


# --- Python ---------------------------------------------------------------------------------------------------------

def python_page(package, stub):
    """The public names of the package: those that its __init__.py and its public modules define or import."""
    compiled = {node.name: node for node in definitions(stub)}
    init = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    exported = next(ast.literal_eval(node.value) for node in init.body
                    if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    own = {node.name: node for module in ("metrics", "training") for node in definitions(package / f"{module}.py")}
    parts = ["# heed from Python", documented(init), "[How to install it and what to do with it](../guide/python.md)."]
    for name in exported:
        node = own.get(name) or compiled.get(name)
        if node is None:
            if not name.startswith("__") and name not in ("metrics", "training"):
                raise SystemExit(f"the Python reference: heed.{name} is in no file")
            continue
        parts.append(definition_text(node, "heed.", 2))
    parts += ["## heed.metrics", documented(ast.parse((package / "metrics.py").read_text(encoding="utf-8")))]
    for node in definitions(package / "metrics.py"):
        if not node.name.startswith("_") and node.name not in exported:
            parts.append(definition_text(node, "heed.metrics.", 3))
    return "\n\n".join(part for part in parts if part) + "\n"


def definitions(path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def documented(node):
    """A docstring: indented code becomes a block, other text Markdown."""
    text = ast.get_docstring(node) or ""
    passages = re.split(r"(?m)((?:^    .*\n?|^\n(?=    ))+)", text)
    return "\n\n".join(block(textwrap.dedent(part), "python") if part.startswith("    ") else
                       re.sub(r"\n(?=[a-z_][\w, \\]*: )", "  \n", plain(part.strip()))  # a line for each parameter
                       for part in passages if part.strip())


def definition_text(node, prefix, level):
    heading = "#" * level
    if isinstance(node, ast.FunctionDef):
        return f"{heading} {plain(prefix + node.name)}\n\n{block(signature(node), 'python')}\n\n{documented(node)}"
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    parts = [f"{heading} {plain(prefix + node.name)}", block(f"class {node.name}({bases})" if bases else f"class {node.name}", "python"),
             documented(node)]
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and (not member.name.startswith("_") or documented(member)):
            if any(ast.unparse(mark).endswith(".setter") for mark in member.decorator_list):
                continue
            parts.append(definition_text(member, f"{node.name}.", level + 1))
    return "\n\n".join(part for part in parts if part)


def signature(node):
    """The head of a function; a property as its type."""
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if any(ast.unparse(mark) == "property" for mark in node.decorator_list):
        return f"{node.name}: {ast.unparse(node.returns) if node.returns else 'object'}"
    text = f"{node.name}({ast.unparse(node.args)}){returned}"
    if len(text) <= 100:
        return text
    return text.replace("(", "(\n    ", 1).replace(", *, ", ",\n    *, ").replace("'", '"')
