import { expect } from 'chai';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import * as Comlink from 'comlink';
import type { CallAnswer, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import type { AcquisitionRequest, ProviderAdapter, ProviderSession } from '../../contract/provider-protocol/session.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { SerializedJson } from '../../contract/json/serialized.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Capability, DispatchedCall } from '../calls/broker/capability.ts';
import { dataOf, harness } from '../calls/broker/testing/broker-harness.ts';
import { sessionCapability, type SupervisorChecks } from './session-capability.ts';
import { sessionLoss } from './session-loss.ts';
import type { CallControl, ServedJob } from './testing/provider-thread.ts';
import { threadEndpoint } from '../../adapters/threads/thread-endpoint.ts';
import { SYSTEM_NETWORK } from '../../contract/provider-protocol/network.ts';

const FACTS: CapabilityFacts<string> = {
  name: 'find',
  description: 'Finds.',
  effect: 'write',
  isModelVisible: true,
  inputSchema: '{"type":"object"}',
  outputSchema: null,
  timeoutMs: 60_000,
  argumentBytes: 1000,
  resultBytes: 1000,
  inspectionCapture: 'full',
};
const CHECKS: SupervisorChecks = {
  checkArguments: async () => ({ status: 'valid' }),
  checkResult: async () => ({ status: 'valid' }),
  accepts: () => true,
};

const DISPATCHED: DispatchedCall = {
  capabilityId: 'c',
  signal: new AbortController().signal,
  deadlineMs: 1000,
  model: null,
  keepsExchanges: false,
  openGate: async () => true,
};

function canonicalOf(plain: unknown): string {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('this is JSON');
  return canonicalJson(value);
}

interface Declaration {
  readonly script: string;
}

/** An adapter as contract/provider-protocol describes one: a job with a port for each call, and a worker to end. */
const ADAPTER: ProviderAdapter<Declaration> = {
  checkLocally: null,
  probe: null,
  acquire: async ({ declaration }) => ({ ok: true, session: threadSession(declaration) }),
};

const PLACE = { alias: 'a', destination: 'mission', index: 2 } as const;

/** Its facts are right. */
function capabilityOf(
  {
    serve,
    lost = new Promise(() => undefined),
  }: Pick<ProviderSession, 'serve'> & Partial<Pick<ProviderSession, 'lost'>>,
  facts = FACTS,
): Capability {
  const found = sessionCapability({ serve, loss: sessionLoss({ lost }, PLACE) }, facts, CHECKS);
  if (found === null) throw new Error('its schemas are JSON');
  return found;
}

function threadSession({ script }: Declaration): ProviderSession {
  const worker = new Worker(join(import.meta.dirname, script));
  const lost = new Promise<CallAnswer>((resolve) => {
    worker.once('exit', () =>
      resolve({ outcome: { kind: 'fault', reason: 'provider_exit', exception: null }, exchanges: [] }),
    );
  });
  const serve = (request: CallRequest, side: CallSide): ServedCall => {
    const { port1, port2 } = new MessageChannel();
    const endpoint = threadEndpoint(port1);
    Comlink.expose(side, endpoint);
    const control = Comlink.wrap<CallControl>(endpoint);
    worker.postMessage({ request, port: port2 } satisfies ServedJob, [port2]);
    const answer = Promise.race([control.answer(), lost]).finally(() => port1.close());
    return { answer, cancel: () => void control.cancel(), kill: async () => void (await worker.terminate()) };
  };
  const snapshot = { acquisition: '{"source":"test"}', unidentified: [], contentHash: null };
  return {
    capabilities: [FACTS],
    model: null,
    snapshot,
    hasActivity: true,
    lost: lost.then(() => undefined),
    ended: null,
    serve,
    share: null,
    close: async () => void (await worker.terminate()),
  };
}

const REQUEST: AcquisitionRequest<Declaration> = {
  alias: 'a',
  declaration: { script: 'testing/provider-thread.ts' },
  traceId: 'cmd-00000000000000000000000000',
  limits: { argumentBytes: 1000, resultBytes: 1000, heapWords: 5_000_000, evaluationTimeoutMs: 1000 },
};

describe('a provider in another thread (contract/provider-protocol)', () => {
  let session: ProviderSession;
  let find: Capability;
  beforeEach(async () => {
    const acquired = await ADAPTER.acquire(REQUEST, {
      credentials: new Map(),
      network: SYSTEM_NETWORK,
      dependencies: [],
      signal: new AbortController().signal,
    });
    if (!acquired.ok) throw new Error(acquired.refusal.code);
    session = acquired.session;
    find = capabilityOf(session);
  });
  afterEach(() => session.close());

  it('is given text and gives text, with the classes of numbers and the order of keys', async () => {
    const { open, records } = harness({ capabilities: [find] });
    const text = '{"a":1.0,"b":12345678901234567890}';
    expect(await open().call({ name: 'find', arguments: text })).to.equal(
      `{"envelope":{"status":"ok","value":[${text},1.0]},"reply":"envelope"}`,
    );
    expect(records.map(({ type }) => type)).to.deep.equal([
      'capability-input',
      'mcp-request',
      'mcp-response',
      'mcp-stderr',
      'capability-output',
    ]);
    expect(dataOf(records[2])).to.deep.equal({ transport: 'stdio', body: 'no JSON' });
  });

  it('asks by message whether it may send, and is told no once the run is closed', async () => {
    const { open, broker } = harness({ capabilities: [find] });
    const scope = open('m');
    const answer = scope.call({ name: 'find', arguments: '{"do":"wait before the gate"}' });
    await broker.close();
    expect(await answer).to.equal('{"reason":"run_closed","reply":"closed"}');
    expect((await scope.end()).reached).to.equal(null);
    expect(broker.providerActivity()).to.equal(false);
  });

  const WRITTEN = { status: 'error', kind: 'provider_error', 'retryable?': false } as const;
  const ends: readonly (readonly [string, object, 'write' | null])[] = [
    ['end before the gate', { ...WRITTEN, reason: 'provider_exit' }, null],
    ['end behind the gate', { ...WRITTEN, reason: 'provider_exit', mutation_state: 'indeterminate' }, 'write'],
    ['throw', { ...WRITTEN, reason: 'exception', mutation_state: 'indeterminate' }, 'write'],
    [
      'no JSON',
      { ...WRITTEN, kind: 'invalid_result', reason: 'invalid_provider_return', mutation_state: 'indeterminate' },
      'write',
    ],
  ];
  for (const [behaviour, envelope, reached] of ends) {
    it(`${behaviour}: ${reached === null ? 'nothing was sent' : 'it may have been done'}`, async () => {
      const { open, call } = harness({ capabilities: [find] });
      const scope = open('m');
      expect(await call(scope, 'find', { do: behaviour })).to.deep.equal(envelope);
      expect((await scope.end()).reached).to.equal(reached);
    });
  }

  for (const behaviour of ['heed', 'never end']) {
    it(`is cancelled at its deadline, and ended where it does not heed: ${behaviour}`, async () => {
      const { open, call } = harness({ capabilities: [capabilityOf(session, { ...FACTS, timeoutMs: 1000 })] });
      expect(await call(open(), 'find', { do: behaviour })).to.include({ kind: 'timeout', reason: 'provider_timeout' });
    });
  }

  it('that throws instead of answering is a fault of the call', async () => {
    const broken = capabilityOf({
      serve: () => {
        throw new RangeError('a bug');
      },
    });
    const { open, call, records } = harness({ capabilities: [broken] });
    expect(await call(open(), 'find')).to.include({ kind: 'provider_error', reason: 'exception' });
    expect(dataOf(records[1])).to.include({ exception_class: 'RangeError', message: 'a bug' });
  });

  describe('that is lost while it is open', () => {
    const LOSS = { kind: 'provider_lost', ...PLACE };
    const never = (): Promise<never> => new Promise(() => undefined);

    for (const isSent of [false, true]) {
      it(`ends a call that is pending ${isSent ? 'behind' : 'before'} its gate, although its adapter says nothing`, async () => {
        const loss = Promise.withResolvers<void>();
        const served = Promise.withResolvers<void>();
        const silent = capabilityOf({
          lost: loss.promise,
          serve: (_, side) => {
            void (isSent ? side.openGate() : Promise.resolve()).then(() => served.resolve());
            return { answer: never(), cancel: () => undefined, kill: never };
          },
        });
        const { open, broker } = harness({ capabilities: [silent] });
        const scope = open('m');
        const answer = scope.call({ name: 'find', arguments: '{}' });
        await served.promise;
        loss.resolve();
        const { envelope } = JSON.parse(await answer);
        expect(envelope).to.deep.equal({
          ...WRITTEN,
          reason: 'provider_exit',
          ...(isSent ? { mutation_state: 'indeterminate' } : {}),
        });
        expect((await scope.end()).reached).to.equal(isSent ? 'write' : null);
        expect(broker.issued(canonicalOf(envelope))).to.deep.equal(LOSS);
      });
    }

    it('refuses every later call before anything is sent, and the run may tell of it', async () => {
      let calls = 0;
      const closed = capabilityOf({
        lost: Promise.reject(new Error('an adapter that rejects')),
        serve: () => {
          calls += 1;
          return { answer: never(), cancel: () => undefined, kill: never };
        },
      });
      const { open, broker } = harness({ capabilities: [closed] });
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      const scope = open('m');
      const { envelope } = JSON.parse(await scope.call({ name: 'find', arguments: '{}' }));
      expect(envelope).to.deep.equal({ ...WRITTEN, reason: 'admission_unavailable' });
      expect([calls, (await scope.end()).reached]).to.deep.equal([0, null]);
      expect(broker.issued(canonicalOf(envelope))).to.deep.equal(LOSS);
    });

    it('leaves what its adapter knows of a call to the adapter', async () => {
      const loss = Promise.withResolvers<void>();
      const said: CallAnswer = {
        outcome: {
          kind: 'error',
          reason: 'transport_error',
          details: null,
          retryable: true,
          proof: 'not_dispatched',
          isProtocolFault: false,
          usage: null,
          replayMiss: null,
        },
        exchanges: [],
      };
      const telling = capabilityOf({
        lost: loss.promise,
        serve: () => {
          setImmediate(loss.resolve);
          return { answer: loss.promise.then(() => said), cancel: () => undefined, kill: never };
        },
      });
      const { open, call } = harness({ capabilities: [telling] });
      expect(await call(open(), 'find')).to.deep.include({ kind: 'provider_error', reason: 'transport_error' });
    });

    it('takes what an adapter has whole, unless it is nested too deep', async () => {
      const nested = (levels: number): JsonValue => (levels === 1 ? 1 : [nested(levels - 1)]);
      for (const [levels, kind] of [
        [50, 'value'],
        [51, 'invalid_return'],
      ] as const) {
        for (const value of [SerializedJson.of(nested(levels)), canonicalJson(nested(levels))]) {
          const whole = capabilityOf({
            serve: () => ({
              answer: Promise.resolve({ outcome: { kind: 'value', value, usage: null, finish: null }, exchanges: [] }),
              cancel: () => undefined,
              kill: async () => undefined,
            }),
          });
          const outcome = await whole.dispatch(SerializedJson.object([]), DISPATCHED).outcome;
          expect(outcome.kind, `${levels} levels`).to.equal(kind);
        }
      }
    });

    it('is heard once it is no call any more, and by nobody who is gone', () => {
      const heard: string[] = [];
      const loss = sessionLoss({ lost: never() }, PLACE);
      loss.onLost(() => heard.push('a'))();
      expect([loss.lost(), heard]).to.deep.equal([null, []]);
    });
  });

  it('is read no further than its bound', async () => {
    const answering = (value: string) => ({
      serve: () => ({
        answer: Promise.resolve({
          outcome: { kind: 'value', value, usage: null, finish: null },
          exchanges: [],
        } as const),
        cancel: () => undefined,
        kill: async () => undefined,
      }),
    });
    const answerOfLength = async (characters: number): Promise<unknown> => {
      const { open, call } = harness({ capabilities: [capabilityOf(answering(`"${'x'.repeat(characters - 2)}"`))] });
      return (await call(open(), 'find'))['kind'] ?? 'ok';
    };
    expect([await answerOfLength(999), await answerOfLength(1000), await answerOfLength(1001)]).to.deep.equal([
      'ok',
      'ok',
      'result_exceeded',
    ]);
  });
});
