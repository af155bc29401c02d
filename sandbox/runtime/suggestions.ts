/** How many names a message proposes. */
const MOST = 3;
const LONGEST = 64;

/** Known names close to one that means nothing: one or two letters off, with or without the prefix it lacks. */
export function suggestions(name: string, known: Iterable<string>): string[] {
  if (name.length > LONGEST || name.length < 2) return [];
  const bound = name.length < 4 ? 1 : 2;
  const scored: { readonly candidate: string; readonly distance: number; readonly prefixed: boolean }[] = [];
  for (const candidate of new Set(known)) {
    const simple = candidate.slice(candidate.lastIndexOf('/', candidate.length - 2) + 1);
    const distance = editDistance(name, simple, bound);
    if (distance !== null && candidate !== name) scored.push({ candidate, distance, prefixed: simple !== candidate });
  }
  scored.sort(
    (a, b) =>
      a.distance - b.distance || Number(a.prefixed) - Number(b.prefixed) || (a.candidate < b.candidate ? -1 : 1),
  );
  return scored.slice(0, MOST).map(({ candidate }) => candidate);
}

/** Edits that turn one text into the other, null above the bound; two neighbours that changed places are one edit. */
function editDistance(a: string, b: string, bound: number): number | null {
  if (Math.abs(a.length - b.length) > bound) return null;
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : substitution;
      row.push(Math.min(substitution, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = previous;
    previous = row;
  }
  const distance = previous[b.length] ?? bound + 1;
  return distance <= bound ? distance : null;
}
