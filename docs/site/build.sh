#!/usr/bin/env bash
# Builds the documentation site in build/site: open build/site/index.html. Needs a build of heed with its Python package, as
# tests/run.sh --with-peers makes it, and Doxygen; installs mkdocs-material from PyPI into build/tools. Any warning, and any
# link of the site that leads nowhere, is an error.
#
#   docs/site/build.sh [PRESET]     PRESET: of the build, dev (default) or release
#
#   HEED_REPOSITORY   address of the repository, for links to files (default: https://example.org/heed)
#   HEED_REVISION     branch, tag or commit of these links (default: main)
#   HEED_SITE_URL     where the site will be
set -euo pipefail
cd "$(dirname "$0")/../.."
. cmake/python_tool.sh

preset=${1:-dev}
stub=build/$preset/python/heed/_heed.pyi
[ -f "$stub" ] || { echo "build.sh: no $stub: run tests/run.sh --with-peers $preset, which builds the Python package" >&2; exit 2; }
python=$(python_packages mkdocs-material==9.8.2 mdx-truly-sane-lists==1.3)

quietly() {  # quietly COMMAND...: its output is shown if it fails
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

descriptions=build/site-descriptions
"build/$preset/bin/heed-torch" man-pages --format json --output $descriptions
rm -rf build/docs
quietly cmake "build/$preset"  # finds a Doxygen that was installed after heed was built
quietly cmake --build "build/$preset" --target docs
HEED_DESCRIPTIONS=$descriptions/commands.json HEED_PYTHON_STUB=$stub NO_MKDOCS_2_WARNING=1 \
  quietly "$python" -m mkdocs build --strict
cp -r build/docs build/site/cpp
"$python" docs/site/check_links.py build/site
