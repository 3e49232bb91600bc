#!/usr/bin/env bash
# setup.sh [opennmt] [fairseq] [sockeye] [joeynmt] [marian] [pytorch] [ctranslate2]: installs these toolkits and what cuts
# text into pieces, each into an environment of its own in PEERS_DIR. A finished one carries a stamp and is skipped. The
# toolkits pin versions of PyTorch that are long gone; all run on the one that TORCH names. PIP_INDEX_URL and the like
# apply; for a PyTorch without CUDA set PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu and TORCH=2.13.0+cpu.
. "$(dirname "$0")/common.sh"
TORCH=${TORCH:-2.13.0}
export MAX_JOBS=1

installed() { env=$PEERS_DIR/$1; [ -e "$env/peer-ready" ]; }
begin() {  # begin NAME PACKAGE...: an environment with the packages
  echo "$1: installing" >&2
  env=$PEERS_DIR/$1
  [ -x "$env/bin/python" ] || python3 -m venv "$env"
  shift
  install "$@"
  site=$("$env/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
}
install() { [ $# -eq 0 ] || "$env/bin/pip" install --quiet --no-warn-conflicts --disable-pip-version-check "$@"; }
ready() {  # ready COMMAND...: it answers
  "$@" >"$env/check.log" 2>&1 || { echo "$env does not work: see check.log there" >&2; exit 1; }
  touch "$env/peer-ready"
}
has_wanted_torch() {  # other packages may have brought another
  "$env/bin/python" -c "import sys, torch; sys.exit(not torch.__version__.startswith('${TORCH%%+*}'))" \
    || { echo "$env: another PyTorch than $TORCH was installed" >&2; exit 1; }
}

# Its pins (protobuf < 3.21) are older than what it needs; the parts it imports are enough.
joeynmt() {
  ! installed joey || return 0
  begin joey "torch==$TORCH" numpy
  install --no-deps joeynmt==2.3.0
  install sacrebleu sacremoses sentencepiece subword-nmt pyyaml tensorboard datasets packaging matplotlib pandas \
    seaborn importlib_metadata 'setuptools<81'
  has_wanted_torch
  ready "$env/bin/python" -m joeynmt --help
}

# spaCy and fastText serve two transforms that are not used here; empty stand-ins satisfy their imports.
opennmt() {
  ! installed onmt || return 0
  begin onmt "torch==$TORCH" numpy
  install --no-deps OpenNMT-py==3.5.1
  install configargparse 'ctranslate2<5' tensorboard flask waitress pyyaml sacrebleu rapidfuzz pyahocorasick six \
    sentencepiece pyonmttok 'setuptools<81'
  local module
  for module in spacy fasttext; do
    "$env/bin/python" -c "import $module" 2>/dev/null || echo '# stand-in: optional, unused' >"$site/$module.py"
  done
  has_wanted_torch
  ready "$env/bin/onmt_train" --help
}

sockeye() {
  ! installed sockeye || return 0
  begin sockeye "torch==$TORCH" 'numpy<2'
  install --no-deps sockeye==3.1.34
  install pyyaml 'numpy<2' 'sacrebleu>=2.3.0' 'setuptools<81'
  has_wanted_torch
  ready "$env/bin/sockeye-train" --help
}

# fairseq has no wheel for today's Python. It is built without its extensions (for non-autoregressive models), with newer
# hydra and omegaconf, and the dataclass defaults that Python 3.11 refuses become factories.
fairseq() {
  ! installed fairseq || return 0
  begin fairseq "torch==$TORCH" numpy 'setuptools<81' wheel cython cffi regex tqdm bitarray sacrebleu 'omegaconf>=2.3' \
    'hydra-core>=1.3' packaging
  local archive=$PEERS_DIR/dl
  mkdir -p "$archive"
  rm -rf "$archive/fairseq-0.12.2"
  "$env/bin/pip" download --quiet --no-deps --no-build-isolation -d "$archive" fairseq==0.12.2
  tar xzf "$archive/fairseq-0.12.2.tar.gz" -C "$archive"
  sed -i 's/    from torch.utils import cpp_extension/    raise ImportError/; s/-std=c++11/-std=c++17/' \
    "$archive/fairseq-0.12.2/setup.py"
  install --no-deps --no-build-isolation "$archive/fairseq-0.12.2"
  "$env/bin/python" "$here/patch_fairseq.py" "$site/fairseq"
  has_wanted_torch
  ready "$env/bin/fairseq-train" --help
}

# One that python3 has already serves too, of whatever version: a machine with a GPU may have one made for it.
pytorch() {
  ! installed pytorch || return 0
  local others
  if others=$(python3 -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parents[1])' 2>/dev/null); then
    echo "pytorch: taking that in $others" >&2
    begin pytorch
    echo "$others" >"$site/others.pth"
  else
    begin pytorch "torch==$TORCH" numpy
    has_wanted_torch
  fi
  ready "$env/bin/python" -c 'import torch, numpy'
}

# Marian in a Python package, with all of it in one library of 1 GB.
marian() {
  ! installed marian || return 0
  begin marian pymarian==1.12.42 numpy
  ready "$env/bin/pymarian" train --version
}

ctranslate2() {
  ! installed ct2 || return 0
  begin ct2 ctranslate2==4.8.5 sentencepiece==0.2.1 numpy
  ready "$env/bin/python" -c 'import ctranslate2.specs, sentencepiece'
}

pieces() {
  ! installed pieces || return 0
  begin pieces sentencepiece==0.2.1
  ready "$env/bin/python" -c 'import sentencepiece'
}

[ -s "$data/done" ] || pieces
for toolkit in "$@"; do
  case $toolkit in
    opennmt | fairseq | sockeye | joeynmt | marian | pytorch | ctranslate2) "$toolkit" ;;
    *) echo "no such toolkit: $toolkit (opennmt, fairseq, sockeye, joeynmt, marian, pytorch or ctranslate2)" >&2; exit 2 ;;
  esac
done
