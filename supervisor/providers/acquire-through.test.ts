import { expect } from 'chai';
import { Secret } from '../../contract/provider-protocol/credentials.ts';
import {
  closesNothing,
  type AcquisitionAnswer,
  type AcquisitionContext,
  type AcquisitionRequest,
  type ProviderAdapter,
  type ProviderSession,
} from '../../contract/provider-protocol/session.ts';
import { effectiveLimits } from '../../contract/limits/effective.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { load, MANIFEST } from '../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../documents/testing/memory-file-system.ts';
import { host, STDIO } from '../documents/testing/hosts.ts';
import type { AcquisitionTools, Occurrence } from './source/installed-provider.ts';
import { acquireThrough } from './acquire-through.ts';
import type { SupervisorChecks } from './session-capability.ts';

const CHECKS: SupervisorChecks = {
  checkArguments: async () => ({ status: 'valid' }),
  checkResult: async () => ({ status: 'valid' }),
  accepts: () => true,
};

describe('a row that opens its occurrences through an adapter (contract/provider-protocol)', () => {
  let occurrence: Occurrence;
  before(async () => {
    const loaded = await load({
      manifest: { ...MANIFEST, providers: { mission: [{ name: 'tools' }] } },
      host: host({ tools: STDIO }),
    });
    const [selected] = loaded.ok ? loaded.value.providers.mission : [];
    if (selected === undefined) throw new Error('it is selected');
    occurrence = selected;
  });

  let closed: number;
  beforeEach(() => {
    closed = 0;
  });

  const session = (acquisition = '{"source":"mcp"}'): ProviderSession => ({
    capabilities: [
      {
        name: 'read-file',
        description: 'Reads.',
        effect: 'read',
        isModelVisible: true,
        inputSchema: '{"type":"object","maxProperties":1.0}',
        outputSchema: null,
        timeoutMs: 1000,
        argumentBytes: 10,
        resultBytes: 10,
        inspectionCapture: 'full',
      },
    ],
    model: null,
    snapshot: { acquisition, unidentified: ['a'], contentHash: null },
    hasActivity: true,
    lost: new Promise(() => undefined),
    ended: null,
    serve: () => {
      throw new Error('nobody calls');
    },
    share: () => ({ ...session(acquisition), close: closesNothing }),
    close: async () => {
      closed += 1;
    },
  });

  interface Seen {
    request?: AcquisitionRequest<string>;
    context?: AcquisitionContext;
  }

  function adapter(answer: () => Promise<AcquisitionAnswer>, seen: Seen = {}): ProviderAdapter<string> {
    return {
      checkLocally: null,
      probe: null,
      acquire: (request, context) => {
        seen.request = request;
        seen.context = context;
        return answer();
      },
    };
  }

  function tools(over: Partial<AcquisitionTools> = {}): AcquisitionTools {
    const limits = effectiveLimits({}, {});
    if (!limits.ok) throw new Error('the limits are those by default');
    return {
      credentials: new Map(),
      limits: limits.values,
      tenant: 't',
      admission: null,
      grants: null,
      runRef: 'cmd-x',
      traceId: 'trace-x',
      signal: new AbortController().signal,
      reader: createDocumentReader(memoryFileSystem({}), '/'),
      hostDirectory: null,
      variable: () => undefined,
      missed: () => undefined,
      required: [],
      ...over,
    };
  }

  const through = (one: ProviderAdapter<string>, acquisitionTools: AcquisitionTools = tools()) =>
    acquireThrough(occurrence, acquisitionTools, { adapter: one, declaration: 'declared', checksOf: () => CHECKS });

  it('hands on what a thread can be given, and beside it the values of that provider', async () => {
    const seen: Seen = {};
    const opened = await through(adapter(async () => ({ ok: true, session: session() }), seen));
    if (!opened.ok) throw new Error('it opens');
    expect(structuredClone(seen.request)).to.deep.equal({
      alias: 'tools',
      declaration: 'declared',
      traceId: 'trace-x',
      limits: { argumentBytes: 262_144, resultBytes: 1_000_000, heapWords: 5_000_000, evaluationTimeoutMs: 30_000 },
    });
    const credentials = new Map([['key', new Secret('v')]]);
    await through(
      adapter(async () => ({ ok: true, session: session() }), seen),
      tools({ credentials, required: [opened.value, { ...opened.value, session: null }] }),
    );
    expect(seen.context?.credentials).to.equal(credentials);
    expect(seen.context?.dependencies).to.deep.equal([opened.value.session]);
  });

  it('gives its capabilities as values, and closes it when it is told', async () => {
    const opened = await through(adapter(async () => ({ ok: true, session: session() })));
    if (!opened.ok) throw new Error('it opens');
    const { capabilities, snapshot, hasActivity, close } = opened.value;
    expect(capabilities.map(({ name, outputSchema }) => [name, outputSchema])).to.deep.equal([['read-file', null]]);
    expect(capabilities[0]?.inputSchema).to.be.instanceOf(Map);
    expect([[...snapshot.acquisition], snapshot.unidentified, hasActivity]).to.deep.equal([
      [['source', 'mcp']],
      ['a'],
      true,
    ]);
    await close?.();
    expect(closed).to.equal(1);
  });

  it('refuses as its adapter does, and where that throws', async () => {
    const refusal = { code: 'provider_tool_missing', tool: 'look', hasActivity: true } as const;
    expect(await through(adapter(async () => ({ ok: false, refusal })))).to.deep.equal({ ok: false, refusal });
    const unavailable = { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: true } };
    expect(await through(adapter(() => Promise.reject(new Error('secret'))))).to.deep.equal(unavailable);
    expect(
      await through(
        adapter(() => {
          throw new Error('secret');
        }),
      ),
    ).to.deep.equal(unavailable);
  });

  it('lets go of a session that tells of itself what is no JSON', async () => {
    for (const broken of [
      session('{'),
      session('[]'),
      { ...session(), capabilities: session().capabilities.map((facts) => ({ ...facts, inputSchema: '{' })) },
    ]) {
      closed = 0;
      expect(await through(adapter(async () => ({ ok: true, session: broken })))).to.deep.equal({
        ok: false,
        refusal: { code: 'provider_protocol_error', tool: null, hasActivity: true },
      });
      expect(closed).to.equal(1);
    }
  });

  it('waits for nobody once the run is stopped, and closes what comes late', async () => {
    const stop = new AbortController();
    let open: (answer: AcquisitionAnswer) => void = () => undefined;
    const acquiring = through(
      adapter(
        () =>
          new Promise((resolve) => {
            open = resolve;
          }),
      ),
      tools({ signal: stop.signal }),
    );
    stop.abort();
    expect(await acquiring).to.deep.equal({ ok: false, refusal: 'stopped' });
    open({ ok: true, session: session() });
    await new Promise(setImmediate);
    expect(closed).to.equal(1);
  });
});
