#!/bin/sh
# Renders icon.svg to every size and form that a system wants. Needs librsvg2-bin, icoutils and icnsutils; run it when
# icon.svg has changed, and commit what it writes.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

render() { rsvg-convert --width "$2" --height "$2" "$1" --output "$3"; }

for size in 16 24 32 48 64 128 256 512; do
  render icon.svg $size "${size}x$size.png"
done

# Windows: one file of the sizes that its shell shows.
icotool --create --output icon.ico 16x16.png 24x24.png 32x32.png 48x48.png 64x64.png --raw=256x256.png

# macOS draws icons as wide as they are given, and its own leave a tenth free on each side.
sed 's/viewBox="0 0 16 16"/viewBox="-1.94 -1.94 19.88 19.88"/' icon.svg > "$scratch/mac.svg"
for size in 16 32 128 256 512 1024; do
  render "$scratch/mac.svg" $size "$scratch/$size.png"
done
png2icns icon.icns "$scratch/16.png" "$scratch/32.png" "$scratch/128.png" "$scratch/256.png" "$scratch/512.png" "$scratch/1024.png" > /dev/null
