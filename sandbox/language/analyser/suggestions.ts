/** How many names a message proposes. */
const MOST = 3;
const LONGEST = 64;

/** Known names close to one that means nothing: one or two letters off, or the same name under a prefix. */
export function suggestions(name: string, known: readonly string[]): string[] {
  if (name.length > LONGEST) return [];
  const scored: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(known)) {
    const simple = candidate.slice(candidate.lastIndexOf('/') + 1);
    const distance = simple === name && candidate !== name ? 0 : editDistance(name, candidate, name.length < 4 ? 1 : 2);
    if (distance !== null && candidate !== name) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, MOST).map(({ candidate }) => candidate);
}

/** Edits that turn one text into the other, null above the bound. */
function editDistance(a: string, b: string, bound: number): number | null {
  if (Math.abs(a.length - b.length) > bound) return null;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    if (Math.min(...row) > bound) return null;
    previous = row;
  }
  const distance = previous[b.length] ?? bound + 1;
  return distance <= bound ? distance : null;
}
