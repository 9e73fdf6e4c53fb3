#!/bin/sh
# sh deploy/docker/gather.sh TARGET, in a built checkout with the production packages of one app: copies what that app needs
# at run time. Which rooms those are, npm knows best: they are the links in node_modules.
set -eu
target=$1
mkdir -p "$target"
cp -R package.json node_modules "$target"
for link in node_modules/@skillgate/*; do
  room=$(realpath --relative-to=. "$link")
  [ -d "$room/dist" ] || { echo "$room is not built: run nx build first" >&2; exit 1; }
  mkdir -p "$target/$room"
  for part in "$room"/*; do
    case ${part##*/} in
      src | spec-support) ;; # compiled, or for tests
      *) cp -R "$part" "$target/$room" ;;
    esac
  done
done
# The catalog publishes them when it starts.
if [ -e node_modules/@skillgate/catalog ]; then cp -R skills "$target"; fi
