import type { Gate } from './gates.ts';
import { PRIVATE_COLLECTIONS } from './private-routes.ts';
import type { ReplOperation } from './repl/requests.ts';

type PlainRoute = 'runs' | 'counters' | 'refresh' | 'repl' | 'live runs' | 'live stream' | 'live project' | 'live launch';
type RouteOfRun = 'run' | 'activity' | 'spans' | 'conversation' | 'result' | 'live run' | 'live inspect';

/** What a request asks for, with what its path names. */
export type Wanted =
  | { readonly route: PlainRoute }
  | { readonly route: RouteOfRun; readonly runId: string }
  | { readonly route: 'private items'; readonly runId: string; readonly collection: string }
  | { readonly route: 'repl operation'; readonly operation: ReplOperation }
  | { readonly route: 'asset'; readonly path: string }
  | { readonly route: 'entry' };

export type Match =
  | { readonly kind: 'matched'; readonly wanted: Wanted; readonly gate: Gate }
  /** The path is one, the method is none of it. */
  | { readonly kind: 'other method'; readonly gate: Gate; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

interface Row {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, readonly [gate: Gate, wanted: (parts: readonly string[]) => Wanted]>>;
}

const RUN = '([^/]+)';
const runId = ([encoded = '']: readonly string[]): string => decodeURIComponent(encoded);
const plain = (route: PlainRoute) => (): Wanted => ({ route });
const ofRepl = (operation: ReplOperation) => (): Wanted => ({ route: 'repl operation', operation });
const ofRun = (route: RouteOfRun) => (parts: readonly string[]): Wanted => ({ route, runId: runId(parts) });

/** evidence.md §11, "Route". */
const ROUTES: readonly Row[] = [
  { path: /^\/api\/kernel\/runs$/, methods: { GET: ['read', plain('runs')] } },
  { path: new RegExp(`^/api/kernel/runs/${RUN}$`), methods: { GET: ['read', ofRun('run')] } },
  { path: new RegExp(`^/api/kernel/runs/${RUN}/turns$`), methods: { GET: ['read', ofRun('activity')] } },
  { path: new RegExp(`^/api/kernel/runs/${RUN}/spans$`), methods: { GET: ['read', ofRun('spans')] } },
  { path: /^\/api\/kernel\/counters$/, methods: { GET: ['read', plain('counters')] } },
  { path: /^\/api\/kernel\/refresh$/, methods: { POST: ['refresh', plain('refresh')] } },
  { path: new RegExp(`^/api/analysis/runs/${RUN}/conversation$`), methods: { GET: ['read', ofRun('conversation')] } },
  { path: new RegExp(`^/api/analysis/runs/${RUN}/result$`), methods: { GET: ['read', ofRun('result')] } },
  {
    path: new RegExp(`^/api/analysis/runs/${RUN}/(${[...PRIVATE_COLLECTIONS.keys()].join('|')})$`),
    methods: { GET: ['read', (parts) => ({ route: 'private items', runId: runId(parts), collection: PRIVATE_COLLECTIONS.get(parts[1] ?? '') ?? '' })] },
  },
  { path: /^\/api\/repl$/, methods: { GET: ['repl read', plain('repl')], DELETE: ['repl change', ofRepl('end')] } },
  { path: /^\/api\/repl\/evaluations$/, methods: { POST: ['repl change', ofRepl('evaluations')] } },
  { path: /^\/api\/repl\/templates$/, methods: { POST: ['repl change', ofRepl('templates')] } },
  { path: /^\/api\/repl\/names$/, methods: { POST: ['repl change', ofRepl('names')] } },
  { path: /^\/api\/repl\/reset$/, methods: { POST: ['repl change', ofRepl('reset')] } },
  { path: /^\/api\/live\/runs$/, methods: { GET: ['live read', plain('live runs')] } },
  { path: new RegExp(`^/api/live/runs/${RUN}$`), methods: { POST: ['reporter', ofRun('live run')], DELETE: ['live change', ofRun('live run')] } },
  { path: new RegExp(`^/api/live/runs/${RUN}/inspect$`), methods: { POST: ['live change', ofRun('live inspect')] } },
  { path: /^\/api\/live\/stream$/, methods: { GET: ['live read', plain('live stream')] } },
  { path: /^\/api\/live\/project$/, methods: { GET: ['live read', plain('live project')] } },
  { path: /^\/api\/live\/launch$/, methods: { GET: ['live read', plain('live launch')], POST: ['live change', plain('live launch')] } },
];

/** Every route as people write it: `GET /api/kernel/runs/ID`. */
export const ROUTE_TEXTS: readonly string[] = ROUTES.flatMap(({ path, methods }) => {
  const text = path.source.slice(1, -1).replaceAll('\\/', '/').replaceAll(RUN, 'ID');
  const [, before = '', names = ''] = /^(.*)\(([^)]*)\)$/.exec(text) ?? [];
  const paths = names === '' ? [text] : names.split('|').map((name) => `${before}${name}`);
  return Object.keys(methods).flatMap((method) => paths.map((one) => `${method} ${one}`));
});

/** The route of a request; a path that cannot be decoded is none. */
export function routeOf(method: string, path: string): Match {
  for (const { path: pattern, methods } of ROUTES) {
    const parts = pattern.exec(path);
    if (parts === null) continue;
    if (!isDecodable(parts[1] ?? '')) return { kind: 'none' };
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (found !== undefined) return { kind: 'matched', gate: found[0], wanted: found[1](parts.slice(1)) };
    const [strictest] = Object.values(methods).map(([gate]) => gate);
    return { kind: 'other method', gate: strictest ?? 'read', allowed: Object.keys(methods) };
  }
  if (path === '/api' || path.startsWith('/api/')) return { kind: 'none' };
  if (method !== 'GET') return { kind: 'other method', gate: 'read', allowed: ['GET'] };
  return { kind: 'matched', gate: 'read', wanted: path.startsWith('/assets/') ? { route: 'asset', path } : { route: 'entry' } };
}

function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part).isWellFormed();
  } catch {
    return false;
  }
}
