import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../conformance/until.ts';

/** State and parent of a process; null: there is none of this number. */
function statOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

function isLiving(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && !'ZX'.includes(stat.state);
}

/** Process IDs that servers left in a file. */
export function pidsIn(path: string): readonly number[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : [];
}

/** The processes that one has started, and those that they have. */
export function descendantsOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), statOf(Number(name))?.parent] as const);
  const childrenOf = (of: number): readonly number[] =>
    parents.flatMap(([own, parent]) => (parent === of ? [own] : []));
  const found: number[] = [];
  for (const next = [pid]; next.length > 0;) {
    const children = childrenOf(next.pop() ?? 0);
    found.push(...children);
    next.push(...children);
  }
  return found;
}

/** Those that still live when the time is over that the specification gives them: 10 s. */
export async function ended(pids: readonly number[]): Promise<readonly number[]> {
  const lastAt = performance.now() + 10_000;
  return until('processes end', () => {
    const living = pids.filter(isLiving);
    return living.length === 0 || performance.now() > lastAt ? living : undefined;
  });
}

/** Text of each trace in a folder of evidence. */
export function tracesOf(evidence: string): readonly string[] {
  const folder = join(evidence, 'traces');
  if (!existsSync(folder)) return [];
  // A run that was killed leaves the folder of what it had not published.
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name), 'utf8'));
}
