#!/usr/bin/env python3
"""GCC 12 destroys an aggregate twice that is a member of another aggregate, when a later initializer throws:

    struct Origin { std::string text; };
    struct Index { Origin origin; int form; };
    Index{.origin = {.text = "..."}, .form = throws()};  // also when `origin` is left out or {}

It needs all of these: the outer object is initialized by braces; the member's type is an aggregate with a destructor; the
member is initialized in place, by braces without a type, or is left out; a later initializer throws. An object of the
member's type (`.origin = Origin{...}`, `std::move(local)`) is destroyed once. https://gcc.gnu.org/PR66139 has its history.

usage: check_initializers.py FOLDER...   Prints the initializers that may do this, and fails when there are any. It also
fails when it finds other lines in sample.cpp beside it than those that are marked there.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|\d[\w.']*|[^\s\w]")
SCALARS = set("""bool char int float double void size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t
    uint64_t string_view span NumberType dev_t ino_t ScalarType Device""".split())
WRAPPERS = {"optional", "array", "pair", "atomic"}  # as trivial as what they hold
NO_THROW_CALLS = {"move", "static_cast", "ssize", "size", "begin", "end", "data", "bit_cast", "exchange"}


def without_comments(text):
    """Comments become blanks and strings and characters `0`, line by line as they were."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.S)

    def blank(match):
        return ("" if match.group().startswith("/") else "0") + "\n" * match.group().count("\n")
    return pattern.sub(blank, text)


def tokens_of(text):
    """[token, line]..."""
    result, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        result.append((match.group(), line))
    return result


def closing(tokens, begin):
    """The index of the bracket that closes the one at `begin`."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, []
    for i in range(begin, len(tokens)):
        token = tokens[i][0]
        if token in pairs:
            depth.append(pairs[token])
        elif depth and token == depth[-1]:
            depth.pop()
            if not depth:
                return i
    return len(tokens) - 1


def split(tokens, begin, end, separator):
    """The parts between separators outside of all brackets."""
    parts, part, i = [], [], begin
    while i < end:
        if tokens[i][0] in "([{" and len(tokens[i][0]) == 1:
            last = closing(tokens, i)
            part += tokens[i:last + 1]
            i = last + 1
            continue
        if tokens[i][0] == separator:
            parts.append(part)
            part = []
        else:
            part.append(tokens[i])
        i += 1
    return parts + ([part] if part else [])


class Struct:
    def __init__(self, name, bases):
        self.name, self.bases, self.members, self.aggregate = name, bases, [], True


def member_of(statement):
    """(name, words of the type, whether it has a default) of a data member; None for anything else."""
    words = [token for token, _ in statement]
    if not words or words[0] in ("using", "friend", "static", "static_assert", "enum", "struct", "class", "template", "typedef",
                                 "public", "constexpr"):
        return None
    has_default = False
    for i, word in enumerate(words):
        if word in ("=", "{"):
            words, has_default = words[:i], True
            break
    depth = 0
    for word in words:
        depth += (word == "<") - (word == ">")
        if word == "(" and depth == 0:
            return None
    while words and words[-1] == "]":
        words = words[:len(words) - 1 - words[::-1].index("[")]
    if len(words) < 2 or not re.match(r"[A-Za-z_]\w*$", words[-1]):
        return None
    return words[-1], words[:-1], has_default


def read_body(struct, tokens, begin, end):
    """Statements at the top of a struct's body."""
    i, statement = begin, []
    while i < end:
        token = tokens[i][0]
        if token == "{":
            last = closing(tokens, i)
            words = [t for t, _ in statement]
            is_function = ")" in words and not ("=" in words)
            is_type = any(w in ("struct", "class", "enum", "union") for w in words[:3])
            statement.append(("{", 0))
            i = last + 1
            if is_function and not is_type:
                note(struct, statement)
                statement = []
                if i < end and tokens[i][0] == ";":
                    i += 1
            continue
        if token == ";":
            note(struct, statement)
            statement = []
        elif token == ":" and [t for t, _ in statement] in (["public"], ["private"], ["protected"]):
            if statement[0][0] != "public":
                struct.aggregate = False
            statement = []
        else:
            statement.append(tokens[i])
        i += 1


def note(struct, statement):
    words = [t for t, _ in statement]
    plain = [w for w in words if w not in ("explicit", "constexpr", "inline", "[", "]", "nodiscard")]
    if "virtual" in words or (plain[:2] == [struct.name, "("]) or (plain[:3] == ["~", struct.name, "("]):
        struct.aggregate = False
    member = member_of(statement)
    if member:
        struct.members.append(member)


def read_structs(tokens, structs, enums):
    for i, (token, _) in enumerate(tokens[:-1]):
        if token == "enum":
            at = i + 2 if tokens[i + 1][0] in ("class", "struct") else i + 1
            enums.add(tokens[at][0])
        if token not in ("struct", "class") or (i and tokens[i - 1][0] == "enum"):
            continue
        name, at, bases = tokens[i + 1][0], i + 2, []
        if not re.match(r"[A-Za-z_]\w*$", name):
            continue
        while at < len(tokens) and tokens[at][0] == "::":  # defined outside of its class
            name, at = tokens[at + 1][0], at + 2
        while at < len(tokens) and tokens[at][0] not in "{;()=><":
            bases.append(tokens[at][0])
            at += 1
        if at >= len(tokens) or tokens[at][0] != "{":
            continue
        struct = Struct(name, [b for b in bases if b not in (":", "public", "final", "::", ",")])
        if token == "class":
            struct.aggregate = False
        read_body(struct, tokens, at + 1, closing(tokens, at))
        structs.setdefault(name, []).append(struct)


class Types:
    def __init__(self, structs, enums):
        self.structs, self.enums = structs, enums

    def trivial(self, words, seen=()):
        """Whether objects of the type need no destructor; a name that is not known may need one."""
        if "*" in words or "&" in words:
            return True
        names = [w for w in words if re.match(r"[A-Za-z_]\w*$", w) and w not in ("std", "const", "heed", "at", "c10", "mutable")]
        for name in names:
            if name in SCALARS or name in WRAPPERS or name in self.enums or name in seen or name == "unsigned":
                continue
            known = self.structs.get(name)
            if not known or not all(s.members and all(self.trivial(t, seen + (name,)) for _, t, _ in s.members) for s in known):
                return False
        return True

    def in_place(self, words):
        """Whether a member of the type is an aggregate of heed with a destructor."""
        if "<" in words or "*" in words or "&" in words:
            return False
        known = [s for s in self.structs.get(words[-1], []) if s.aggregate]
        return bool(known) and not self.trivial(words)


def may_throw(words, member_type, types):
    if words and words[0] == "{":
        return len(words) > 2
    for i, word in enumerate(words):
        if word in ("(", "{") and i and re.match(r"[A-Za-z_>]", words[i - 1]) and not is_no_throw(words, i):
            return True
    if types.trivial(member_type) or "move" in words:
        return False
    return not re.match(r"(0|nullptr|k[A-Z]\w*)$", words[-1]) if words else False


def is_no_throw(words, bracket):
    before = words[:bracket]
    if before[-1] == ">":
        return "static_cast" in before or "bit_cast" in before
    return before[-1] in NO_THROW_CALLS or before[-1] in ("if", "sizeof")


def problem(struct, given, types):
    """What may be destroyed twice; given: [(member, words of its initializer)...] in order."""
    values, in_place = dict(given), None
    for name, type_words, _ in struct.members:
        words = values.get(name)
        if in_place and words is not None and may_throw(words, type_words, types):
            return in_place, name
        if types.in_place(type_words) and (words is None or words[0] == "{"):
            in_place = in_place or name
    return None


def may_be(struct, names):
    """Whether these designators initialize it: in order, and -Wmissing-field-initializers lets only defaults be left out."""
    left = iter(names)
    wanted = next(left, None)
    for member, _, has_default in struct.members:
        if member == wanted:
            wanted = next(left, None)
        elif not has_default:
            return False
    return struct.aggregate and wanted is None


def check(path, tokens, types):
    found = []
    for i in range(len(tokens) - 2):
        if tokens[i][0] != "{" or tokens[i + 1][0] != ".":
            continue
        given = []
        for part in split(tokens, i + 1, closing(tokens, i), ","):
            words = [t for t, _ in part]
            if len(words) > 2 and words[0] == "." and words[2] in ("=", "{"):
                given.append((words[1], words[3:] if words[2] == "=" else words[2:]))
        names = [name for name, _ in given]
        before = [t for t, _ in tokens[max(0, i - 2):i]]
        candidates = [s for all_of in types.structs.values() for s in all_of if may_be(s, names)]
        named = [s for s in candidates if s.name in before]
        for struct in named or candidates:
            twice = problem(struct, given, types)
            if twice:
                found.append((path, tokens[i][1], struct.name, *twice))
                break
    return found


def find_all(paths):
    tokens = {path: tokens_of(without_comments(path.read_text())) for path in paths}
    structs, enums = {}, set()
    for of_file in tokens.values():
        read_structs(of_file, structs, enums)
    types = Types(structs, enums)
    return [problem for path, of_file in tokens.items() for problem in check(path, of_file, types)]


def check_sample(path):
    """Whether what is found in the sample are the lines that it marks."""
    marked = {n for n, line in enumerate(path.read_text().split("\n"), 1) if line.endswith("// twice")}
    found = {line for _, line, *_ in find_all([path])}
    for line in sorted(marked ^ found):
        print(f"{path}:{line}: is {'not found' if line in marked else 'found, but is right'}")
    return marked == found and bool(marked)


def main(folders):
    files = sorted(p for folder in folders for p in pathlib.Path(folder).rglob("*") if p.suffix in (".h", ".cpp"))
    found = find_all(files)
    for path, line, struct, first, later in found:
        print(f"{path}:{line}: `{first}` of {struct} may be destroyed twice when the initializer of `{later}` throws: name its "
              f"type (`.{first} = Type{{...}}`), or compute `{later}` before")
    sample = pathlib.Path(__file__).with_name("sample.cpp")
    return 0 if check_sample(sample) and files and not found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
