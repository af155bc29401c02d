/** Each name with one letter left out, and with two neighbours swapped, at every place. */
export function mistypings(name: string): readonly string[] {
  const letters = Array.from(name);
  const without = letters.map((_, at) => letters.toSpliced(at, 1).join(''));
  const swapped = letters.slice(1).map((letter, at) => letters.toSpliced(at, 2, letter, letters[at] ?? '').join(''));
  return [...new Set([...without, ...swapped])].filter((typed) => typed !== name && typed !== '');
}
