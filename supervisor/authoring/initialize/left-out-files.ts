/**
 * Whether an entry of an example's folder is none of the example: artifacts of runs in it, and the credentials of who
 * ran them (the names of its `.gitignore`, cli.md §8).
 */
export function isLeftOut(name: string): boolean {
  return name === '.env' || name === '.svc' || name.startsWith('.svc-private-');
}
