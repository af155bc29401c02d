/** The one program of a run (runtime.md §4, "Entry call"). */
export function entryProgram(entry: string): string {
  return `(${entry} data/input)`;
}
