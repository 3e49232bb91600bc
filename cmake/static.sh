#!/usr/bin/env bash
# Builds `heed` as one static program for any Linux, without LibTorch, and a tarball of it: build/static/heed-*-static.tar.gz.
# For Debian 12. Some of its libraries have no static form there: they are built from Debian's sources, which apt-get
# fetches and verifies, in build/static/libraries.
#
#   cmake/static.sh
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

cmake/bootstrap.sh --only-packages
here=$PWD/build/static
sources=$here/sources libraries=$here/libraries
mkdir -p "$sources/lists/partial" "$sources/parts" "$libraries/lib" "$libraries/include"

say() { printf '%s\n' "$*" >&2; }

fetch() { (cd "$sources" && apt-get "${as_sources[@]}" source "--$2-only" --quiet "$1" >/dev/null); }

# source_of PACKAGE FILE [PATCH]: the folder of its unpacked source, which has FILE. It is what its authors wrote; if PATCH
# is given, with all patches of Debian except this one.
source_of() {
  local folder=$sources/$1
  if [ ! -e "$folder/$2" ]; then
    say "fetching the source of $1 ..."
    rm -rf "$folder"
    mkdir -p "$folder"
    fetch "$1" tar
    tar -xf "$(compgen -G "$sources/$1_*.orig.tar.*" | head -n 1)" -C "$folder" --strip-components=1
    if [ -n "${3:-}" ]; then
      fetch "$1" diff
      tar -xf "$(compgen -G "$sources/$1_*.debian.tar.*" | head -n 1)" -C "$folder"
      grep -vxF "$3" "$folder/debian/patches/series" |
        while read -r patch; do patch --quiet -d "$folder" -p1 <"$folder/debian/patches/$patch"; done
    fi
  fi
  printf '%s' "$folder"
}

# The distribution's own package lists, for sources.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  [ -f "$list" ] && grep -qi debian "$list" || continue
  sed 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' "$list" >"$sources/parts/${list##*/}"
done
as_sources=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$sources/parts" -o "Dir::State::lists=$sources/lists"
  -o "APT::Sandbox::User=root")
[ -e "$libraries/lib/libsentencepiece.a" ] || apt-get "${as_sources[@]}" --quiet update >/dev/null  # the last that is built

compile() {  # compile LIBRARY COMMAND FILE...: makes a static library of the files that COMMAND compiles
  local library=$1 command=$2 objects
  shift 2
  say "building $library ..."
  objects=$(mktemp -d)
  (cd "$objects" && printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" $command -O2 -w -c)
  ar rcs "$libraries/lib/$library.a" "$objects"/*.o
  rm -rf "$objects"
}

missing() { [ ! -e "$libraries/lib/$1.a" ]; }

if missing libmd4c; then
  folder=$(source_of md4c src/md4c.c)
  compile libmd4c cc "$folder/src/md4c.c"
fi
if missing libcld2; then
  folder=$(source_of cld2 internal/compact_lang_det.cc)
  files=(cldutil cldutil_shared compact_lang_det compact_lang_det_hint_code compact_lang_det_impl debug fixunicodevalue
    generated_entities generated_language generated_ulscript getonescriptspan lang_script offsetmap scoreonescriptspan tote
    utf8statetable cld_generated_cjk_uni_prop_80 cld2_generated_cjk_compatible cld_generated_cjk_delta_bi_4
    generated_distinct_bi_0 cld2_generated_quadchrome_2 cld2_generated_deltaoctachrome cld2_generated_distinctoctachrome
    cld_generated_score_quad_octa_2)  # those of Debian's libcld2.so
  files=("${files[@]/#/$folder/internal/}")
  compile libcld2 'c++ -std=c++98' "${files[@]/%/.cc}"
fi
if missing libfmt; then
  folder=$(source_of fmtlib src/format.cc)
  compile libfmt "c++ -I$folder/include" "$folder/src/format.cc" "$folder/src/os.cc"
fi
if missing libmicrohttpd; then
  folder=$(source_of libmicrohttpd configure)
  say "building libmicrohttpd without TLS ..."
  (cd "$folder" && ./configure --prefix="$libraries" --disable-shared --disable-https --disable-curl --disable-doc \
    --disable-examples && make -j "$(nproc)" && make install) >"$here/libmicrohttpd.log" 2>&1
fi
if missing libsentencepiece; then
  folder=$(source_of sentencepiece CMakeLists.txt disable-static-library.patch)
  say "building libsentencepiece ..."
  cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPM_ENABLE_SHARED=OFF -DSPM_ENABLE_TCMALLOC=OFF \
    -DCMAKE_POLICY_VERSION_MINIMUM=3.5 >"$here/sentencepiece.log" 2>&1
  ninja -C "$folder/build" sentencepiece-static sentencepiece_train-static >>"$here/sentencepiece.log" 2>&1
  cp "$folder"/build/src/libsentencepiece{_train,}.a "$libraries/lib"
fi

say "building heed ..."
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S . -B "$here" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEED_STATIC=ON -DCMAKE_PREFIX_PATH="$libraries" \
  "${launcher[@]}" >"$here/configure.log"
ninja -C "$here" heed-program
(cd "$here" && cpack --config CPackConfig.cmake >cpack.log)
du -h "$here"/heed-*-static.tar.gz >&2
