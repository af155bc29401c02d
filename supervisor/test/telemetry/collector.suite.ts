import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Spans as OTLP has them in JSON, as far as a test looks. */
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Histograms, as far as a test looks. */
interface OtlpMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeMetrics: readonly { readonly schemaUrl?: string; readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly {
      readonly count: string | number;
      readonly sum: number;
      readonly explicitBounds: readonly number[];
      readonly bucketCounts: readonly (string | number)[];
      readonly attributes: OtlpSpan['attributes'];
    }[];
  };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

describe('a run that a collector of OpenTelemetry hears of', () => {
  let folder = '';
  let server: Server;
  let endpoint = '';
  let received: { readonly path: string; readonly type: string; readonly text: string }[];
  let isSilent = false;
  let refusal: number | null = null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-otel-'));
    await cp(join(root, 'examples/llm-replay'), folder, { recursive: true });
    received = [];
    isSilent = false;
    refusal = null;
    server = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(Buffer.from(part));
        received.push({
          path: request.url ?? '',
          type: request.headers['content-type'] ?? '',
          text: Buffer.concat(parts).toString(),
        });
        if (!isSilent) response.writeHead(refusal ?? 200, { 'content-type': 'application/json' }).end('{}');
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const textAt = (path: string): string => received.find((one) => one.path === path)?.text ?? '';
  const run = async (
    variables: Readonly<Record<string, string>>,
  ): Promise<{
    readonly status: number;
    readonly envelope: Readonly<Record<string, unknown>>;
    readonly stderr: string;
  }> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(root, 'dist/svc.cjs'), '--json', 'run', 'svc-project.json'],
        { cwd: folder, env: { ...process.env, ...variables } },
        (_error, stdout, stderr) => {
          resolve({ status: child.exitCode ?? -1, envelope: JSON.parse(stdout), stderr });
        },
      );
    });

  it('sends its spans, with the ids that its calls tell providers', async () => {
    const { status, envelope } = await run({
      SVC_OTEL: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_SERVICE_NAME: 'desk',
    });
    expect(status).to.equal(0);
    expect(received.map(({ path, type }) => [path, type])).to.have.deep.members([
      ['/v1/traces', 'application/json'],
      ['/v1/metrics', 'application/json'],
    ]);
    const request: OtlpRequest = JSON.parse(textAt('/v1/traces'));
    const [resource] = request.resourceSpans;
    expect(resource?.resource.attributes).to.deep.include({ key: 'service.name', value: { stringValue: 'desk' } });
    const spans = resource?.scopeSpans.flatMap((scope) => scope.spans) ?? [];
    const top = spans.find(({ name }) => name === 'invoke_workflow');
    expect(top?.attributes).to.deep.include({ key: 'svc.run.id', value: { stringValue: envelope['run_ref'] } });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).to.equal(1);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '')).to.have.length(1);
    for (const { parentSpanId } of spans)
      if (parentSpanId !== undefined && parentSpanId !== '')
        expect(spans.map(({ spanId }) => spanId)).to.include(parentSpanId);
    expect(spans.some(({ name, kind }) => name.startsWith('chat ') && kind === 3)).to.equal(true);
    for (const span of spans) expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).to.equal(true);
  });

  it('sends how long its calls of models took and the tokens they told, by what this run added', async () => {
    const { envelope } = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const request: OtlpMetrics = JSON.parse(textAt('/v1/metrics'));
    const [resource] = request.resourceMetrics;
    expect(resource?.resource.attributes).to.deep.include({ key: 'service.name', value: { stringValue: 'svc' } });
    expect(resource?.scopeMetrics.map(({ schemaUrl }) => schemaUrl)).to.deep.equal([
      'https://opentelemetry.io/schemas/1.41.0',
    ]);
    const metrics = new Map(
      resource?.scopeMetrics.flatMap((scope) => scope.metrics).map((metric) => [metric.name, metric]),
    );
    expect(
      [...metrics].map(([name, { unit, histogram }]) => [name, unit, histogram.aggregationTemporality]),
    ).to.have.deep.members([
      ['gen_ai.client.token.usage', '{token}', 1],
      ['gen_ai.client.operation.duration', 's', 1],
    ]);
    const reported: {
      readonly execution: {
        readonly usage: {
          readonly llm_usage: readonly {
            readonly alias: string;
            readonly calls: number;
            readonly usage: { readonly input: number; readonly output: number };
          }[];
        };
      };
    } = JSON.parse(JSON.stringify(envelope));
    const [used] = reported.execution.usage.llm_usage;
    if (used === undefined) throw new Error('the example asks a model');
    const points = metrics.get('gen_ai.client.token.usage')?.histogram.dataPoints ?? [];
    const byType = Object.fromEntries(
      points.map((point) => [
        point.attributes.find(({ key }) => key === 'gen_ai.token.type')?.value['stringValue'],
        [Number(point.count), point.sum],
      ]),
    );
    expect(byType).to.deep.equal({ input: [used.calls, used.usage.input], output: [used.calls, used.usage.output] });
    for (const { attributes, explicitBounds, bucketCounts } of [
      ...points,
      ...(metrics.get('gen_ai.client.operation.duration')?.histogram.dataPoints ?? []),
    ]) {
      expect(attributes).to.deep.include.members([
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.request.model', value: { stringValue: used.alias } },
      ]);
      expect(explicitBounds).to.have.length(14);
      expect(bucketCounts.reduce((sum: number, count) => sum + Number(count), 0)).to.equal(used.calls);
    }
  });

  for (const [what, variables, paths] of [
    ['traces alone by their endpoint', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/t' }, ['/t']],
    ['metrics alone by theirs', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: '/m' }, ['/m']],
    [
      'both, each to its own',
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/t', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: '/m' },
      ['/m', '/t'],
    ],
    [
      'no metrics where they are left out',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_METRICS_EXPORTER: 'none' },
      ['/v1/traces'],
    ],
    ['no traces where they are', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: 'none' }, ['/v1/metrics']],
    [
      'nothing where both are',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
      [],
    ],
  ] as const) {
    it(`hears ${what}`, async () => {
      const placed = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, name.endsWith('_ENDPOINT') ? endpoint + value : value]),
      );
      expect((await run({ SVC_OTEL: '1', ...placed })).status).to.equal(0);
      expect(received.map(({ path }) => path).toSorted()).to.deep.equal(paths);
    });
  }

  it('hears sums where the variable of OTLP wants them', async () => {
    await run({
      SVC_OTEL: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'cumulative',
    });
    const request: OtlpMetrics = JSON.parse(textAt('/v1/metrics'));
    for (const { histogram } of request.resourceMetrics
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics))
      expect(histogram.aggregationTemporality).to.equal(2);
  });

  it('hears nothing unless it was asked for twice', async () => {
    for (const variables of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      { SVC_OTEL: '0', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    ] as const)
      expect((await run(variables)).status).to.equal(0);
    expect(received).to.deep.equal([]);
  });

  it('is no worse for one that is not there or never answers, which is reported once (first-day.md §5)', async () => {
    const failure =
      /^warning: telemetry: the collector did not take the (?:traces|metrics) of a run: (.*); the run itself is not affected\n$/;
    isSilent = true;
    const silent = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect(silent.status).to.equal(0);
    expect(failure.exec(silent.stderr)?.[1], silent.stderr).to.be.oneOf([
      'nothing was taken within 5 s',
      'it cannot be reached',
    ]);
    expect(received.length).to.be.above(0);
    for (const closed of ['http://user:secret@127.0.0.1:1', 'no address']) {
      const { status, envelope, stderr } = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: closed });
      expect([status, envelope['status']]).to.deep.equal([0, 'ok']);
      expect(stderr, closed).to.match(failure).and.not.to.include('secret');
    }
  });

  it('that refuses a run is reported with its status, and one that takes it is not', async () => {
    refusal = 403;
    const { stderr } = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    expect(stderr).to.match(/^warning: telemetry: .*: it answered with status 403; [^\n]*\n$/);
    refusal = null;
    expect((await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).stderr).to.equal('');
  });

  it('is the default one of OTLP where none is named, which is said (first-day.md §5)', async () => {
    const { status, stderr } = await run({ SVC_OTEL: '1' });
    expect(status).to.equal(0);
    expect(stderr.split('\n')[0]).to.equal(
      'warning: telemetry: SVC_OTEL=1 without OTEL_EXPORTER_OTLP_ENDPOINT: runs are sent to http://localhost:4318',
    );
    expect((await run({ SVC_OTEL: '1', OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })).stderr).to.equal(
      '',
    );
  });
});
