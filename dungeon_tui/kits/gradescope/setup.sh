#!/usr/bin/env bash
# Prepares the machine, once, when you upload the autograder.
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv bubblewrap build-essential default-jdk-headless nodejs
python3 -m venv /autograder/judge
/autograder/judge/bin/pip install /autograder/source/dungeon_tui-*.whl
