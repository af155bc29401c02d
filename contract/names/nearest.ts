/** A name this many edits away still counts as mistyped (cli.md §12.4). */
const DISTANCE_MAX = 2;

/**
 * The names of a closed list that a mistyped word may have meant, nearest first, then in list order: those that differ
 * only in case and separators, those at most `DISTANCE_MAX` insertions, deletions, replacements or swaps of neighbours
 * away, and last the one that goes on where the word ends. The word itself is never returned unless it is one of the
 * names.
 */
export function nearestNames(word: string, names: readonly string[]): readonly string[] {
  const near = names
    .map((name) => ({ name, distance: lettersOf(name) === lettersOf(word) ? 0 : editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= DISTANCE_MAX && distance * 2 < Math.max(word.length, name.length))
    .toSorted((left, right) => left.distance - right.distance)
    .map(({ name }) => name);
  return near.length > 0 ? near : unfinished(word, names);
}

/** Letters of a word that is not complete yet; fewer begin too much. */
const STARTED_LENGTH_MIN = 4;

/** The one name that begins with the word and goes on with a separator. */
function unfinished(word: string, names: readonly string[]): readonly string[] {
  if (lettersOf(word).length < STARTED_LENGTH_MIN) return [];
  const longer = names.filter((name) => name.startsWith(word) && /^[._/-]/u.test(name.slice(word.length)));
  return longer.length === 1 ? longer : [];
}

function lettersOf(word: string): string {
  return word.replaceAll(/[._/-]/gu, '').toLowerCase();
}

/** Edit distance with swaps of neighbours; words too different in length are not compared, however long. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > DISTANCE_MAX) return DISTANCE_MAX + 1;
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        distance = Math.min(distance, at(beforePrevious, column - 2) + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

/** Outside the table every distance counts as too far. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? DISTANCE_MAX + 1;
}
