/** Only nil and false are falsy (language.md §4). */
export function isTruthy(value: unknown): boolean {
  return value !== null && value !== false;
}
