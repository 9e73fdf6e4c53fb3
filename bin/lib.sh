# Sourced by the commands: a Node that is new enough, and the npm packages of this checkout.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export SKILLGATE_CALLED_FROM=$PWD # file names in arguments are meant from here
cd "$root"

command -v node >/dev/null || { echo "Skillgate needs Node 20.19 or newer, and there is no node on the PATH." >&2; exit 69; }
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  { echo "Skillgate needs Node 20.19 or newer; this is $(node --version)." >&2; exit 69; }

# npm writes this file last, so an interrupted install is repeated; a newer lock means that packages changed.
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ package-lock.json -nt "$installed" ]; then
  echo "installing npm packages …" >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
  touch "$installed"
fi

export NX_DAEMON=false # one would stay behind
from_source=(--enable-source-maps --conditions=@skillgate/source --import "file://$root/tools/register.mjs")
