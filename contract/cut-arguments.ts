/** Characters of arguments that a person is shown at first (approvals.md §3). */
const ARGUMENTS_MAX = 2048;
const HEAD = 1536;

/** Head and tail, with the size of what is between. */
export function cutArguments(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= ARGUMENTS_MAX) return text;
  const tail = ARGUMENTS_MAX - HEAD;
  const left = characters.length - ARGUMENTS_MAX;
  return `${characters.slice(0, HEAD).join('')} … ${left} of ${characters.length} characters … ${characters.slice(-tail).join('')}`;
}
