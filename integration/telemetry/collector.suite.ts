import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

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

interface OtlpRequest {
  readonly resourceSpans: readonly { readonly resource: { readonly attributes: OtlpSpan['attributes'] }; readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

describe('a run that a collector of OpenTelemetry hears of', () => {
  let folder = '';
  let server: Server;
  let endpoint = '';
  let received: { readonly path: string; readonly type: string; readonly text: string }[];
  let isSilent = false;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-otel-'));
    await cp(join(root, 'examples/llm-replay'), folder, { recursive: true });
    received = [];
    isSilent = false;
    server = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(Buffer.from(part));
        received.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', text: Buffer.concat(parts).toString() });
        if (!isSilent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
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

  const run = async (variables: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly envelope: Readonly<Record<string, unknown>> }> => new Promise((resolve) => {
    const child = execFile(process.execPath, [join(root, 'dist/svc.cjs'), '--json', 'run', 'svc-project.json'], { cwd: folder, env: { ...process.env, ...variables } }, (_error, stdout) => {
      resolve({ status: child.exitCode ?? -1, envelope: JSON.parse(stdout) });
    });
  });

  it('sends its spans, with the ids that its calls tell providers', async () => {
    const { status, envelope } = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'desk' });
    expect(status).to.equal(0);
    expect(received.map(({ path, type }) => [path, type])).to.deep.equal([['/v1/traces', 'application/json']]);
    const request: OtlpRequest = JSON.parse(received[0]?.text ?? '');
    const [resource] = request.resourceSpans;
    expect(resource?.resource.attributes).to.deep.include({ key: 'service.name', value: { stringValue: 'desk' } });
    const spans = resource?.scopeSpans.flatMap((scope) => scope.spans) ?? [];
    const top = spans.find(({ name }) => name === 'invoke_workflow');
    expect(top?.attributes).to.deep.include({ key: 'svc.run.id', value: { stringValue: envelope['run_ref'] } });
    expect(new Set(spans.map(({ traceId }) => traceId)).size).to.equal(1);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '')).to.have.length(1);
    for (const { parentSpanId } of spans) if (parentSpanId !== undefined && parentSpanId !== '') expect(spans.map(({ spanId }) => spanId)).to.include(parentSpanId);
    expect(spans.some(({ name, kind }) => name.startsWith('chat ') && kind === 3)).to.equal(true);
    for (const span of spans) expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).to.equal(true);
  });

  it('hears nothing unless it was asked for twice', async () => {
    for (const variables of [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { SVC_OTEL: '1' }, { SVC_OTEL: '0', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }] as const) expect((await run(variables)).status).to.equal(0);
    expect(received).to.deep.equal([]);
  });

  it('is no worse for one that is not there or never answers', async () => {
    isSilent = true;
    expect((await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).status).to.equal(0);
    expect(received.length).to.be.above(0);
    for (const gone of ['http://127.0.0.1:1', 'no address']) {
      const { status, envelope } = await run({ SVC_OTEL: '1', OTEL_EXPORTER_OTLP_ENDPOINT: gone });
      expect([status, envelope['status']]).to.deep.equal([0, 'ok']);
    }
  });
});
