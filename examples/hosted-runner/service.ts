/**
 * A service that takes runs of three tenants over HTTP and leaves them to `svc runner` processes. README.md shows it.
 *
 *     node service.ts postgres://svc@localhost/svc sha256:... 8080
 */
import { setTimeout as after } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { newJob, openEngine, openPostgresDatabase, openPostgresJournal, type RunRecord } from '@svc-lisp/svc/engine';

const [databaseUrl, applicationDigest, port = '0'] = process.argv.slice(2);
if (databaseUrl === undefined || applicationDigest === undefined)
  throw new Error('usage: node service.ts DATABASE-URL APPLICATION-DIGEST [PORT]');

/** Who may ask, by the token that they bring. In a real service these lie in its own records. */
const TENANTS = new Map([
  ['token-acme', { tenant: 'acme', weight: 1, maxRuns: 2 }],
  ['token-globex', { tenant: 'globex', weight: 1, maxRuns: 2 }],
  ['token-initech', { tenant: 'initech', weight: 3, maxRuns: 8 }],
]);
const BODY_BYTES = 65_536;
const LOOK_MS = 100;
const ENDS: ReadonlySet<RunRecord['state']> = new Set(['finished', 'cancelled', 'lost']);

const database = openPostgresDatabase(databaseUrl);
const engine = await openEngine(database);
const journal = openPostgresJournal(database);

type Tenant = { readonly tenant: string; readonly weight: number; readonly maxRuns: number };
const app = new Hono<{ Variables: { tenant: Tenant } }>();

app.use('/runs/*', async (context, next) => {
  const tenant = TENANTS.get(context.req.header('authorization')?.replace(/^Bearer /, '') ?? '');
  if (tenant === undefined) return context.json({ error: 'tenant_unknown' }, 401);
  context.set('tenant', tenant);
  return next();
});

/** Null for runs of others: nobody learns that there are any. */
async function ownRun(context: Context<{ Variables: { tenant: Tenant } }>): Promise<RunRecord | null> {
  const runRef = context.req.param('runRef') ?? '';
  const record = isName(runRef) ? await journal.get(runRef) : null;
  return record !== null && record.tenant === context.get('tenant').tenant ? record : null;
}

function isName(text: string): text is RunRecord['runRef'] {
  return /^cmd-[0-9a-z]{26}$/.test(text);
}

function describeRun({ runRef, state, effect, epoch, envelope }: RunRecord) {
  return { run_ref: runRef, state, effect, attempt: epoch, envelope };
}

/** Starts a run. Who brings a name of his own may ask again: the run is not begun twice. */
app.post('/runs/:runRef?', async (context) => {
  const { tenant, weight, maxRuns } = context.get('tenant');
  if (Number(context.req.header('content-length') ?? Infinity) > BODY_BYTES)
    return context.json({ error: 'input_too_large' }, 413);
  const input: unknown = await context.req.json().catch(() => null);
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return context.json({ error: 'input_invalid' }, 400);
  const runRef = context.req.param('runRef');
  if (runRef !== undefined && !isName(runRef)) return context.json({ error: 'run_ref_invalid' }, 400);
  const job = newJob({
    tenant,
    weight,
    applicationDigest,
    input: { ...input },
    limits: { maxRuns, rerunDispatched: true },
    ...(runRef === undefined ? {} : { runRef }),
  });
  const outcome = await engine.enqueue(job);
  return outcome === 'conflict'
    ? context.json({ error: 'run_ref_conflict' }, 409)
    : context.json({ run_ref: job.runRef, outcome }, 202);
});

app.get('/runs/:runRef', async (context) => {
  const record = await ownRun(context);
  return record === null ? context.json({ error: 'run_unknown' }, 404) : context.json(describeRun(record));
});

/** Every state that the run is seen in, until its end. A client that comes back sees where it is. */
app.get('/runs/:runRef/events', async (context) => {
  const first = await ownRun(context);
  if (first === null) return context.json({ error: 'run_unknown' }, 404);
  return streamSSE(context, async (stream) => {
    let shown = '';
    for (
      let record: RunRecord | null = first;
      record !== null && !stream.aborted;
      record = await journal.get(first.runRef).catch(() => first)
    ) {
      const event = `${record.epoch} ${record.state}`;
      if (event !== shown)
        await stream.writeSSE({ event: record.state, id: event, data: JSON.stringify(describeRun(record)) });
      shown = event;
      if (ENDS.has(record.state)) return;
      await after(LOOK_MS);
    }
  });
});

app.delete('/runs/:runRef', async (context) => {
  const record = await ownRun(context);
  return record === null
    ? context.json({ error: 'run_unknown' }, 404)
    : context.json({ outcome: await engine.cancel(record.runRef) });
});

app.onError((_error, context) => context.json({ error: 'unavailable' }, 503, { 'retry-after': '1' }));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, (address) => {
  process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void engine
      .close()
      .then(() => database.close())
      .then(() => process.exit(0));
  });
}
