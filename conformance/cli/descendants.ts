import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of all that a process started, directly or not, while it lives. */
export function descendantsOf(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== null) parents.set(Number(name), parent);
  }
  const found: number[] = [];
  for (let generation = [pid]; generation.length > 0;) {
    generation = [...parents].filter(([, parent]) => generation.includes(parent)).map(([child]) => child);
    found.push(...generation);
  }
  return found;
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in parentheses and may hold any text: count from its end.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  const text = statusText(pid);
  return text !== null && !/^State:\s+[ZX]/m.test(text);
}

function statusText(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
}
