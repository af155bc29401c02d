import type { RouteAccess } from './gates.ts';
import { PRIVATE_COLLECTIONS } from './private-routes.ts';
import type { ReplOperation } from './repl/requests.ts';

type PlainRoute =
  | 'runs'
  | 'reports'
  | 'counters'
  | 'refresh'
  | 'repl'
  | 'live runs'
  | 'live stream'
  | 'live project'
  | 'live launch'
  | 'live stop'
  | 'approvals';
type RouteOfReport = 'report';
type RouteOfApproval = 'approval decision';
type RouteOfRun = 'run' | 'activity' | 'spans' | 'conversation' | 'result' | 'live run' | 'live inspect';

/** What a request asks for, with what its path names. */
export type Wanted =
  | { readonly route: PlainRoute }
  | { readonly route: RouteOfRun; readonly runId: string }
  | { readonly route: RouteOfReport; readonly reference: string }
  | { readonly route: RouteOfApproval; readonly approvalId: string }
  | { readonly route: 'private items'; readonly runId: string; readonly collection: string }
  | { readonly route: 'repl operation'; readonly operation: ReplOperation }
  | { readonly route: 'asset'; readonly path: string }
  | { readonly route: 'entry' };

interface Row {
  readonly path: RegExp;
  readonly methods: Readonly<
    Record<string, readonly [gate: RouteAccess, wanted: (parts: readonly string[]) => Wanted]>
  >;
}

/** Of a path: the id of a run, encoded. */
export const RUN = '([^/]+)';
const runId = ([encoded = '']: readonly string[]): string => decodeURIComponent(encoded);
const plain = (route: PlainRoute) => (): Wanted => ({ route });
const ofRepl = (operation: ReplOperation) => (): Wanted => ({ route: 'repl operation', operation });
const ofRun =
  (route: RouteOfRun) =>
  (parts: readonly string[]): Wanted => ({ route, runId: runId(parts) });

/** evidence.md §11, "Route". */
export const ROUTES: readonly Row[] = [
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
    methods: {
      GET: [
        'read',
        (parts) => ({
          route: 'private items',
          runId: runId(parts),
          collection: PRIVATE_COLLECTIONS.get(parts[1] ?? '') ?? '',
        }),
      ],
    },
  },
  { path: /^\/api\/tests$/, methods: { GET: ['read', plain('reports')] } },
  {
    path: new RegExp(`^/api/tests/${RUN}$`),
    methods: { GET: ['read', (parts) => ({ route: 'report', reference: runId(parts) })] },
  },
  { path: /^\/api\/approvals$/, methods: { GET: ['live read', plain('approvals')] } },
  {
    path: new RegExp(`^/api/approvals/${RUN}/decision$`),
    methods: {
      POST: ['approval change', (parts) => ({ route: 'approval decision', approvalId: runId(parts) })],
    },
  },
  { path: /^\/api\/repl$/, methods: { GET: ['repl read', plain('repl')], DELETE: ['repl change', ofRepl('end')] } },
  { path: /^\/api\/repl\/evaluations$/, methods: { POST: ['repl change', ofRepl('evaluations')] } },
  { path: /^\/api\/repl\/templates$/, methods: { POST: ['repl change', ofRepl('templates')] } },
  { path: /^\/api\/repl\/names$/, methods: { POST: ['repl change', ofRepl('names')] } },
  { path: /^\/api\/repl\/reset$/, methods: { POST: ['repl change', ofRepl('reset')] } },
  { path: /^\/api\/live\/runs$/, methods: { GET: ['live read', plain('live runs')] } },
  {
    path: new RegExp(`^/api/live/runs/${RUN}$`),
    methods: { POST: ['reporter', ofRun('live run')], DELETE: ['live change', ofRun('live run')] },
  },
  { path: new RegExp(`^/api/live/runs/${RUN}/inspect$`), methods: { POST: ['live change', ofRun('live inspect')] } },
  { path: /^\/api\/live\/stream$/, methods: { GET: ['live read', plain('live stream')] } },
  { path: /^\/api\/live\/project$/, methods: { GET: ['live read', plain('live project')] } },
  {
    path: /^\/api\/live\/launch$/,
    methods: {
      GET: ['live read', plain('live launch')],
      POST: ['live change', plain('live launch')],
      DELETE: ['live change', plain('live stop')],
    },
  },
];
