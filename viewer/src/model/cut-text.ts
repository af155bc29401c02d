/** Characters of arguments that are shown at first, and how many of them are the head (approvals.md §3). */
const SHOWN = 2048;
const HEAD = 1536;

/** Head and tail of a long text, with the size of what is between; null for one that is shown whole. */
export function cutText(text: string): string | null {
  const characters = Array.from(text);
  if (characters.length <= SHOWN) return null;
  const left = characters.length - SHOWN;
  const [head, tail] = [characters.slice(0, HEAD), characters.slice(HEAD - SHOWN)];
  return `${head.join('')} … ${left} of ${characters.length} characters … ${tail.join('')}`;
}
