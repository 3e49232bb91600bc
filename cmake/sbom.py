"""Writes the software bill of materials of heed's programs in CycloneDX's JSON (https://cyclonedx.org/docs/1.5/json).

    sbom.py BUILD VERSION TORCH OUTPUT

It lists what is in the programs or loaded by them: the libraries that they are linked with, the packages whose headers they are
compiled from (as ninja knows them), and LibTorch. oneDNN and MeCab, which heed loads only if they are there, are not listed.
Versions and licenses come from dpkg and from Python's package data, so this runs on Debian, where the programs were built. The
licenses of a package are all those that its copyright file names. The same build has the same file.
"""

import email.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid
from typing import Dict, Iterable, List, Set

PROGRAMS = ("heed", "heed-serve", "heed-torch")
SPDX = {  # what debian/copyright calls licenses, and SPDX
    "expat": "MIT", "mit": "MIT", "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause", "zlib": "Zlib",
    "bsl-1.0": "BSL-1.0", "boost-1.0": "BSL-1.0", "gpl-2": "GPL-2.0-only", "gpl-2+": "GPL-2.0-or-later", "gpl-3": "GPL-3.0-only",
    "gpl-3+": "GPL-3.0-or-later", "lgpl-2": "LGPL-2.0-only", "lgpl-2+": "LGPL-2.0-or-later", "lgpl-2.1": "LGPL-2.1-only",
    "lgpl-2.1+": "LGPL-2.1-or-later", "lgpl-3": "LGPL-3.0-only", "lgpl-3+": "LGPL-3.0-or-later", "libpng": "Libpng", "isc": "ISC",
    "public-domain": "", "cc0-1.0": "CC0-1.0", "unicode": "Unicode-DFS-2016", "gpl-3+ with gcc exception": "",
}


def output_of(*words: str) -> str:
    return subprocess.run(words, capture_output=True, encoding="utf-8", check=False).stdout


def linked_files(programs: Iterable[pathlib.Path]) -> Set[str]:
    """The shared libraries that the programs load when they start."""
    files = set()
    for program in programs:
        for line in output_of("ldd", str(program)).splitlines():
            found = re.search(r"=> (/\S+)", line)
            if found:
                files.add(os.path.realpath(found[1]))
    return files


def headers(build: pathlib.Path) -> Set[str]:
    """The headers outside of the source tree that the objects of the programs are compiled from."""
    found, is_part = set(), False
    for line in output_of("ninja", "-C", str(build), "-t", "deps").splitlines():
        if not line.startswith("    "):  # the name of an object
            is_part = line.startswith(("lib/", "apps/"))
        elif is_part and line.startswith("    /usr/"):
            found.add(os.path.realpath(line.strip()))
    return found


def packages_of(files: Set[str]) -> Set[str]:
    """The Debian packages that have these files."""
    packages = set()
    ordered = sorted(files)
    for begin in range(0, len(ordered), 500):
        # Files below /lib are listed by either of its two names.
        names = [name for file in ordered[begin:begin + 500] for name in {file, file.removeprefix("/usr")}]
        for line in output_of("dpkg-query", "--search", *names).splitlines():
            packages.update(name.strip() for name in line.split(": ")[0].split(","))
    return packages


def licenses_of(package: str) -> List[dict]:
    """The licenses in the copyright file of a Debian package."""
    path = pathlib.Path("/usr/share/doc", package.split(":")[0], "copyright")
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    names = {name.strip() for name in re.findall(r"^License:[ \t]*(\S[^\n]*)$", text, re.MULTILINE)}
    known = {SPDX[name.lower()] for name in names if SPDX.get(name.lower())}
    others = {name for name in names if name.lower() not in SPDX}
    return ([{"license": {"id": name}} for name in sorted(known)] + [{"license": {"name": name}} for name in sorted(others)]) or [
        {"license": {"name": f"see {path}"}}]


def debian_components(packages: Set[str]) -> List[dict]:
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    distribution = f"{system.get('ID', 'debian')}-{system.get('VERSION_ID', '')}".replace('"', "")
    components = []
    for package in sorted(packages):
        fields = output_of("dpkg-query", "--show", "--showformat", "${Package}\n${Version}\n${Architecture}\n${source:Package}\n", package).split("\n")
        name, version, architecture, source = fields[:4]
        url = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}&distro={distribution}"
        components.append({"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url, "licenses": licenses_of(package),
                           "properties": [{"name": "debian:source", "value": source}]})
    return components


def torch_component(root: pathlib.Path) -> dict:
    version = re.search(r"__version__ = '([^']*)'", (root / "version.py").read_text(encoding="utf-8"))[1]
    component = {"type": "library", "name": "torch", "version": version, "purl": f"pkg:pypi/torch@{version.replace('+', '%2B')}"}
    component["bom-ref"] = component["purl"]
    for data in root.parent.glob(f"torch-{version}*.dist-info/METADATA"):
        fields = email.parser.Parser().parsestr(data.read_text(encoding="utf-8"))
        license_name = fields["License-Expression"] or fields["License"]
        if license_name:
            component["licenses"] = [{"expression": license_name} if fields["License-Expression"] else {"license": {"name": license_name}}]
    return component


def main() -> int:
    build, version, torch, output = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    programs = [build / "bin" / name for name in PROGRAMS if (build / "bin" / name).exists()]
    components = debian_components(packages_of(linked_files(programs) | headers(build)))
    if torch:
        components.append(torch_component(pathlib.Path(torch)))
    heed = {"type": "application", "bom-ref": f"pkg:generic/heed@{version}", "name": "heed", "version": version,
            "purl": f"pkg:generic/heed@{version}", "licenses": [{"license": {"id": "MIT"}}]}
    bom: Dict[str, object] = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": heed}, "components": components,
        "dependencies": [{"ref": heed["bom-ref"], "dependsOn": [component["bom-ref"] for component in components]}]}
    bom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    output.write_text(json.dumps(bom, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{output}: {len(components)} components")
    return 0


if __name__ == "__main__":
    sys.exit(main())
