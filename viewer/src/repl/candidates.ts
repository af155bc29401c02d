/** Candidates shown at once. */
const MOST = 200;

/** Names of the session that a word may become: namespaces up to their slash, and what is in one once it is written. */
export function candidatesOf(names: readonly string[], word: string): readonly string[] {
  const spaces = new Set(
    names.flatMap((name) => (name.indexOf('/') > 0 ? [name.slice(0, name.indexOf('/') + 1)] : [])),
  );
  const fitting = [...spaces, ...names].filter((name) => name.startsWith(word) && name !== word);
  const near = word.includes('/') ? fitting : fitting.filter((name) => name.endsWith('/') || !name.includes('/'));
  return near.toSorted().slice(0, MOST);
}
