import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { newJob, openEngine, openPostgresDatabase } from '../../api/engine.ts';
import type { CustomTracer } from '../../api/supervisor.ts';
import { finished, supervise } from '../capabilities/supervised.ts';
import { findPostgres, startPostgres } from '../engine/postgres-server.ts';
import { messagesOf, modern, startTestGateway } from '../gateway/gateway.ts';

const root = join(import.meta.dirname, '../../..');
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
interface OtlpRequest {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

describe('runs of services that a collector of OpenTelemetry hears of (evidence.md §13)', () => {
  let folder = '';
  let server: Server;
  let variables: Readonly<Record<string, string>> = {};
  let received: OtlpRequest[] = [];
  const spans = (): readonly OtlpSpan[] =>
    received
      .flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans);
  const metricNames = (): readonly string[] =>
    received
      .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .map(({ name }) => name);
  const rootOf = (runRef: string): OtlpSpan | undefined =>
    spans().find(
      ({ name, attributes }) =>
        name === 'invoke_workflow' &&
        attributes.some(({ key, value }) => key === 'svc.run.id' && value.stringValue === runRef),
    );
  /** Its spans are there, linked to the caller; and where it asked a model, what that took. */
  const heard = async (runRef: string, asksModel = true): Promise<void> => {
    const top = await until('its root span', () => rootOf(runRef));
    expect(top.links?.map(({ traceId, spanId }) => ({ traceId, spanId }))).to.deep.equal([CALLER]);
    if (!asksModel) return;
    expect(spans().some(({ name, traceId }) => name.startsWith('chat ') && traceId === top.traceId)).to.equal(true);
    await until('its metrics', () =>
      metricNames().includes('gen_ai.client.token.usage') && metricNames().includes('gen_ai.client.operation.duration')
        ? true
        : undefined,
    );
  };
  const environment = { ...process.env };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-otel-'));
    await cp(join(root, 'examples/llm-replay'), folder, { recursive: true });
    received = [];
    server = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(Buffer.from(part));
        const parsed: OtlpRequest = JSON.parse(Buffer.concat(parts).toString());
        received.push(parsed);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    variables = {
      SVC_OTEL: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    };
  });
  afterEach(async () => {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('of a supervisor inside another program, and its close waits for what is on its way', async () => {
    Object.assign(process.env, variables);
    const own = await supervise();
    const application = await own.prepare({ kind: 'directory', manifest: join(folder, 'svc-project.json') });
    const ends = await Promise.all(
      Array.from({ length: 3 }, async () => own.run(application, { traceparent: TRACEPARENT, tenant: 'acme' }).result),
    );
    await own.close();
    for (const end of ends) {
      expect(rootOf(end.runRef), 'sent by then').to.not.equal(undefined);
      await heard(end.runRef);
    }
    expect(finished(await Promise.resolve(ends[0] ?? expect.fail())).envelope.status).to.equal('ok');
  });

  it('of a supervisor, nothing unless it was asked for twice', async () => {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
    const own = await supervise();
    await own.run(await own.prepare({ kind: 'directory', manifest: join(folder, 'svc-project.json') })).result;
    await own.close();
    expect(received).to.deep.equal([]);
  });

  it('of a supervisor with the tracer and meter of its program, in place of a collector', async () => {
    Object.assign(process.env, variables);
    const ended: {
      readonly name: string;
      readonly parent: string | undefined;
      readonly id: string;
      readonly links: number;
    }[] = [];
    const provider = new TracerProvider({
      spanProcessors: [
        {
          onStart: () => undefined,
          onEnd: (span) => {
            ended.push({
              name: span.name,
              parent: span.parentSpanContext?.spanId,
              id: span.spanContext().spanId,
              links: span.links.length,
            });
          },
          forceFlush: async () => undefined,
          shutdown: async () => undefined,
        },
      ],
    });
    const recorded: string[] = [];
    const meter = {
      createHistogram: (name: string) => ({
        record: (value: number) => {
          recorded.push(`${name} ${typeof value}`);
        },
      }),
    };
    const own = await supervise({ telemetry: { tracer: provider.getTracer('desk'), meter } });
    const application = await own.prepare({ kind: 'directory', manifest: join(folder, 'svc-project.json') });
    const end = finished(await own.run(application, { traceparent: TRACEPARENT }).result);
    await own.close();
    expect(end.envelope.status).to.equal('ok');
    const top = ended.find(({ name }) => name === 'invoke_workflow');
    expect([top?.parent, top?.links]).to.deep.equal([undefined, 1]);
    for (const { parent } of ended) if (parent !== undefined) expect(ended.map(({ id }) => id)).to.include(parent);
    expect(ended.some(({ name }) => name.startsWith('chat '))).to.equal(true);
    expect([...new Set(recorded)].toSorted()).to.deep.equal([
      'gen_ai.client.operation.duration number',
      'gen_ai.client.token.usage number',
    ]);
    expect(received).to.deep.equal([]);
  });

  it('of a supervisor whose program has a tracer that throws, no run is worse', async () => {
    const tracer: CustomTracer = {
      startSpan: () => {
        throw new Error('mistaken');
      },
    };
    const own = await supervise({ telemetry: { tracer } });
    try {
      const end = finished(
        await own.run(await own.prepare({ kind: 'directory', manifest: join(folder, 'svc-project.json') })).result,
      );
      expect(end).to.include({ exitStatus: 0, unexpected: null });
    } finally {
      await own.close();
    }
    // Those of the interface itself are such a tracer and such a meter.
    expect(
      await supervise({ telemetry: { tracer: trace.getTracer('x'), meter: metrics.getMeter('x') } }).then(
        async (other) => other.close(),
      ),
    ).to.equal(undefined);
  });

  it('of a gateway', async () => {
    const gateway = await startTestGateway(
      { tools: { one: { program: '(ns main)\n(defn run [input] {:value "x"})\n' } } },
      [],
      undefined,
      variables,
    );
    const end = Object(
      (
        await messagesOf(
          await fetch(
            gateway.url,
            modern('tools/call', { name: 'one', arguments: {} }, { meta: { traceparent: TRACEPARENT } }),
          ),
        )
      ).at(-1),
    );
    const { _meta: meta } = end.result;
    await heard(meta['svc/call'].run_ref, false);
    expect((await gateway.stop()).status).to.equal(0);
  });

  const programs = findPostgres();
  if (programs !== null) {
    it('of a runner', async function () {
      this.timeout(120_000);
      const postgres = await startPostgres(programs);
      const url = postgres.newDatabase();
      const database = openPostgresDatabase(url, { connections: 2 });
      const engine = await openEngine(database);
      const runner = spawn(
        process.execPath,
        [join(root, 'dist/svc.cjs'), 'runner', join(folder, 'svc-project.json'), '--database', url],
        { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...variables } },
      );
      try {
        const [line]: unknown[] = await once(runner.stderr, 'data');
        const job = newJob({
          tenant: 'acme',
          applicationDigest: /takes runs of (\S+)/.exec(String(line))?.[1] ?? '',
          traceparent: TRACEPARENT,
        });
        await engine.enqueue(job);
        await heard(job.runRef);
        const over = once(runner, 'exit');
        runner.kill('SIGTERM');
        await over;
      } finally {
        runner.kill('SIGKILL');
        await engine.close();
        await database.close();
        await postgres.close();
      }
    });
  }
});
