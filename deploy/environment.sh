#!/bin/sh
# environment.sh PYTHON FILE...: a virtual environment with the pins of the FILEs, in .venv or $VENV.
# PYTHON may be empty: the first Python on the path that is new enough is taken.
set -eu
cd "$(dirname "$0")/.."

python=$1
venv=${VENV:-.venv}
shift
for last in "$@"; do :; done # the last file includes the ones before it
wanted=$(cat "$@" | cksum)

new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

if [ -n "$python" ]; then
  new_enough "$python" || {
    echo "PYTHON=$python is no Python 3.11 or newer" >&2
    exit 1
  }
elif ! $venv/bin/python -c 'import pip' 2>/dev/null; then
  for candidate in python3 python3.13 python3.12 python3.11 python; do
    if new_enough "$candidate"; then
      python=$candidate
      break
    fi
  done
  [ -n "$python" ] || {
    echo "Python 3.11 or newer is needed and not on the path; name one: make run PYTHON=/path/to/python" >&2
    exit 1
  }
fi

identity() {
  "$1" -c 'import os, sys; print(os.path.realpath(sys.base_prefix), sys.version_info[:2])' 2>/dev/null
}

if ! $venv/bin/python -c 'import pip' 2>/dev/null ||
  { [ -n "$python" ] && [ "$(identity "$python")" != "$(identity $venv/bin/python)" ]; }; then
  echo "making the virtual environment $venv with $python"
  "$python" -m venv --clear "$venv" || {
    echo "$python cannot make a virtual environment (Debian: apt-get install python3-venv)" >&2
    exit 1
  }
fi

if [ "$(cat "$venv/$last.installed" 2>/dev/null)" != "$wanted" ]; then
  echo "installing the packages of $last (once)"
  $venv/bin/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
    --requirement "$last" || {
    echo "the packages of $last could not be installed; see the lines above" >&2
    exit 1
  }
  : >$venv/pins
  for file in "$@"; do
    cat "$file" >>$venv/pins
    cksum <$venv/pins >"$venv/$file.installed"
  done
fi
