#!/usr/bin/env bash
# Runs once, as root, when Gradescope builds the image (Ubuntu 22.04). The system's own python3 (3.10) stays as it is:
# Gradescope's harness needs it. uv brings a Python of its own.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
export DEBIAN_FRONTEND=noninteractive UV_PYTHON_INSTALL_DIR=/opt/python
apt-get -q -y update
apt-get -q -y install --no-install-recommends python3-venv bubblewrap ca-certificates
python3 -m venv /opt/uv
/opt/uv/bin/pip install --quiet uv
/opt/uv/bin/uv venv --python 3.12 "$root/venv"
# unsafe-best-match: torch comes from PyTorch's own index in its build for CPUs, all else from PyPI.
/opt/uv/bin/uv pip install --python "$root/venv/bin/python" --index-strategy unsafe-best-match \
    -r "$root/source/requirements.txt"
"$root/venv/bin/python" -m compileall -q "$root/source/packages"
