/** The page that an address names (evidence.md §12, "Deep links"). */
export type Route =
  /** A page that has no address of its own kind (pages.tsx), with what follows its name. */
  | { readonly page: 'named'; readonly name: string; readonly at: readonly string[] }
  | { readonly page: 'repl'; readonly runId: string | null }
  | { readonly page: 'diff'; readonly left: string; readonly right: string }
  | { readonly page: 'run'; readonly runId: string; readonly tab: Tab; readonly at: readonly string[] };

export const TABS = ['waterfall', 'turns', 'events', 'components', 'result'] as const;
export type Tab = (typeof TABS)[number];

const PLACES: Readonly<Record<string, Tab>> = {
  evaluation: 'waterfall',
  capability: 'waterfall',
  approval: 'waterfall',
  turn: 'turns',
  seq: 'events',
};

export function routeOf(hash: string): Route {
  const [page, first, second, ...rest] = hash.replace(/^#?\//, '').split('/').map(decoded);
  if (page === 'repl') return { page, runId: first === 'run' && second !== undefined ? second : null };
  if (page === 'diff' && first !== undefined && second !== undefined) return { page, left: first, right: second };
  if (page !== 'run' || first === undefined || first === '')
    return { page: 'named', name: page ?? '', at: [first, second, ...rest].filter((part) => part !== undefined) };
  const tab = TABS.find((name) => name === second) ?? PLACES[second ?? ''] ?? 'waterfall';
  return { page, runId: first, tab, at: second === undefined ? [] : [second, ...rest] };
}

export function runLink(runId: string, ...at: readonly (string | number)[]): string {
  return `#/${['run', runId, ...at].map((part) => encodeURIComponent(part)).join('/')}`;
}

export function replLink(runId: string): string {
  return `#/repl/run/${encodeURIComponent(runId)}`;
}

export function diffLink(left: string, right: string): string {
  return `#/diff/${encodeURIComponent(left)}/${encodeURIComponent(right)}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
