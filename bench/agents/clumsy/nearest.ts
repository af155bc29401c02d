/** Edits from one text to another: characters put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Words of a name in one order, however they are joined. */
function plain(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .toSorted()
    .join(' ');
}

/** The name that is most like another, whatever its case, its marks and the order of its words; null: none is. */
export function nearest(name: string, names: readonly string[]): string | null {
  const wanted = plain(name);
  const [best] = names
    .map((candidate) => ({ candidate, edits: distance(wanted, plain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits);
  if (best === undefined) return null;
  const isPart = plain(best.candidate).includes(wanted) || wanted.includes(plain(best.candidate));
  return isPart || best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : null;
}
