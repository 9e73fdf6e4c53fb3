/** The known names that a misspelt one may have meant, best first, at most three. Cost grows with both lengths: short names only. */
export function nearNames(name: string, known: Iterable<string>): string[] {
  const asked = name.slice(0, 100).toLowerCase();
  return Array.from(known, (candidate) => ({ candidate, distance: distanceOf(asked, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, Math.floor(candidate.length / 4)))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `; did you mean a or b?` or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearNames(name, known);
  return near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
}

/** Levenshtein distance, row by row. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
