import { expect } from 'chai';
import { FAILED_CHECKS } from '../../../contract/envelope/doctor.ts';
import { PROBE_CODES, type ProbeAnswer, type ProbeCode } from '../../../contract/provider-protocol/checks.ts';
import type { FailureWords } from '../../../contract/provider-protocol/provider-words.ts';
import { ACQUISITION_CODES, type AcquisitionCode } from '../../../contract/provider-protocol/session.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { load, MANIFEST, type Plain } from '../../documents/testing/application-tree.ts';
import { host, HTTP, INSPECTION, LLM, OAUTH, STDIO, TRACE } from '../../documents/testing/hosts.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { AcquisitionTools, InstalledProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import { connectProviders } from './connect.ts';

const ANSWERED: ProbeAnswer = { finding: null, isDispatched: true, usage: { input: 1, output: 1 } };

interface Adapters {
  readonly probe?: (alias: string, tools: AcquisitionTools) => ProbeAnswer | Promise<ProbeAnswer>;
  readonly refusal?: AcquisitionCode | null;
  readonly words?: FailureWords;
  readonly close?: () => Promise<void>;
  readonly connectivity?: InstalledProvider['connectivity'];
}

/** Everything that happened, in its order. */
let events: string[];

async function application(
  workflow: Plain,
  mission: Plain,
  adapters: Adapters,
  limits: Plain = {},
): Promise<Application> {
  const select = (install: Plain) => Object.keys(install).map((name) => ({ name }));
  const loaded = await load({
    manifest: {
      ...MANIFEST,
      providers: { workflow: select(workflow), mission: select(mission) },
      missions: { m: { providers: Object.keys(mission) } },
    },
    host: host({ ...workflow, ...mission }, { limits }),
  });
  if (!loaded.ok) throw new Error(`${loaded.diagnostic.code}: ${loaded.diagnostic.message}`);
  const adapted = (occurrence: Occurrence): Occurrence => ({
    ...occurrence,
    provider: { ...occurrence.provider, ...provider(occurrence, adapters) },
  });
  const { providers } = loaded.value;
  return {
    ...loaded.value,
    providers: { ...providers, workflow: providers.workflow.map(adapted), mission: providers.mission.map(adapted) },
  };
}

function provider({ provider: { connectivity } }: Occurrence, adapters: Adapters): Partial<InstalledProvider> {
  return {
    connectivity: adapters.connectivity ?? connectivity,
    probe:
      adapters.probe === undefined
        ? null
        : async ({ alias }, tools) => {
            events.push(`probe ${alias} ${[...tools.credentials.keys()].join()}`);
            return (adapters.probe ?? (() => ANSWERED))(alias, tools);
          },
    acquire: async ({ alias }, { required }) => {
      events.push(`acquire ${alias}${required.length > 0 ? ' behind another' : ''}`);
      const { refusal = null, words } = adapters;
      if (refusal !== null)
        return {
          ok: false,
          refusal: { code: refusal, tool: null, hasActivity: false, ...(words === undefined ? {} : { words }) },
        };
      const close =
        adapters.close ??
        (async () => {
          events.push(`close ${alias}`);
        });
      return {
        ok: true,
        value: {
          capabilities: [],
          snapshot: { acquisition: new Map(), unidentified: [], contentHash: null },
          session: null,
          hasActivity: true,
          share: null,
          close,
        },
      };
    },
  };
}

async function connected(
  of: Application,
  {
    variables = { MODEL_KEY: 'x' },
    signal = new AbortController().signal,
  }: { readonly variables?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
) {
  const files = memoryFileSystem({});
  const end = await connectProviders({
    application: of,
    sources: { variable: (name) => variables[name], files, reader: createDocumentReader(files, '/'), admission: null },
    runRef: 'cmd-00000000000000000000000000',
    tenant: 't',
    signal,
  });
  const { failures, passed, later, ...more } = end;
  const [failure = null, ...others] = failures;
  return {
    ...more,
    failure:
      failure === null
        ? null
        : `${failure.diagnostic.code} ${failure.diagnostic.subject?.operation ?? 'nobody'} ${String(failure.diagnostic.provider_activity)}`,
    row: failure?.row?.join('/') ?? null,
    others: others.map(({ diagnostic: { code }, row }) => `${code} ${row?.join('/') ?? 'nowhere'}`),
    passed: passed.map((row) => row.join('/')),
    words: failures.map(({ provider }) => provider).filter((one) => one !== null),
    later: later.map(({ code }) => code),
  };
}

describe('the active checks of doctor (providers.md §12)', () => {
  beforeEach(() => {
    events = [];
  });

  it('asks each model once, in the order of their declaration, and tells what that used', async () => {
    const done = await connected(
      await application(
        { b: LLM, a: LLM },
        {},
        { probe: (alias) => (alias === 'a' ? { ...ANSWERED, usage: null } : ANSWERED) },
      ),
    );
    expect(events).to.deep.equal(['probe b model-key', 'probe a model-key']);
    expect(done).to.deep.include({
      failure: null,
      hasActivity: true,
      passed: ['b/credentials', 'a/credentials', 'b/connectivity', 'a/connectivity'],
      later: [],
    });
    const counts = { installation_revision: 'r1', calls: 1, successful_calls: 1, usage_overflow: false };
    expect(done.usage).to.deep.equal([
      { alias: 'a', ...counts, missing_usage_calls: 1, usage_calls: 0, usage: {} },
      { alias: 'b', ...counts, missing_usage_calls: 0, usage_calls: 1, usage: { input: 1, output: 1 } },
    ]);
  });

  it('opens what is opened to be reached before any model is asked, each behind what it requires, and closes it again', async () => {
    const done = await connected(
      await application(
        { m: { ...LLM, accepts_data: ['normal', 'private_inspection'] } },
        { i: INSPECTION, t: TRACE },
        { probe: () => ANSWERED, connectivity: 'acquisition' },
      ),
    );
    expect(events).to.deep.equal([
      'acquire m',
      'acquire t',
      'acquire i behind another',
      'close i',
      'close t',
      'close m',
    ]);
    expect(done.passed).to.include.members(['m/connectivity', 't/connectivity', 'i/connectivity']);
    events = [];
    await connected(await application({ m: LLM }, { s: STDIO }, { probe: () => ANSWERED }));
    expect(events).to.deep.equal(['acquire s', 'probe m model-key', 'close s']);
  });

  it('goes on over what does not depend on one that failed (world.md §2.4)', async () => {
    const done = await connected(
      await application(
        { a: LLM, b: LLM, c: LLM },
        {},
        {
          probe: (alias) =>
            alias === 'b' ? { finding: 'connectivity_rejected', isDispatched: true, usage: null } : ANSWERED,
        },
      ),
    );
    expect(events).to.have.length(3);
    expect(done).to.include({ failure: 'connectivity_rejected connectivity true', row: 'b/connectivity' });
    expect(done.passed).to.include.members(['a/connectivity', 'c/connectivity']).and.not.to.include('b/connectivity');
  });

  it('tells of every alias that failed, in the order in which that was found', async () => {
    const done = await connected(
      await application(
        { a: LLM, b: LLM },
        { s: STDIO },
        {
          refusal: 'provider_unavailable',
          probe: (alias) =>
            alias === 'a' ? { finding: 'connectivity_rejected', isDispatched: true, usage: null } : ANSWERED,
        },
      ),
    );
    expect(done).to.deep.include({
      failure: 'provider_unavailable acquisition true',
      row: 's/connectivity',
      others: ['connectivity_rejected a/connectivity'],
    });
    expect(done.passed).to.include('b/connectivity');
  });

  it('leaves out what depends on one that failed', async () => {
    const done = await connected(
      await application(
        {},
        { i: INSPECTION, t: TRACE, s: { ...STDIO, accepts_data: ['normal', 'private_inspection'] } },
        { connectivity: 'acquisition', refusal: 'provider_unavailable' },
      ),
    );
    expect(events).to.deep.equal(['acquire t', 'acquire s']);
    expect(done).to.deep.include({ row: 't/connectivity', others: ['provider_unavailable s/connectivity'] });
  });

  it('keeps what it found when the time is over', async () => {
    const done = await connected(
      await application(
        { a: LLM },
        { s: STDIO },
        { refusal: 'provider_unavailable', probe: async () => new Promise(() => undefined) },
        { doctor_connectivity_timeout_ms: 100 },
      ),
    );
    expect(done).to.deep.include({ row: 's/connectivity', others: [], later: ['connectivity_timeout'] });
  });

  it('shows what a server said that did not start, without any credential of the command', async () => {
    const { words } = await connected(
      await application(
        { a: LLM },
        { s: STDIO },
        {
          refusal: 'provider_unavailable',
          words: { said: 'it exited with x-key-0123', stderr: { text: 'x-key-0123?', isTruncated: false } },
          probe: () => ANSWERED,
        },
      ),
      { variables: { MODEL_KEY: 'x-key-0123' } },
    );
    expect(words).to.deep.equal([
      { alias: 's', said: 'it exited with [redacted]', stderr: { text: '[redacted]?', isTruncated: false } },
    ]);
  });

  for (const code of PROBE_CODES) {
    it(`tells of a probe: ${code}`, async () => {
      const done = await connected(
        await application(
          { a: LLM },
          {},
          { probe: () => ({ finding: code satisfies ProbeCode, isDispatched: true, usage: null }) },
        ),
      );
      expect(done.failure).to.equal(`${code} connectivity true`);
      // The server that refuses a credential was reached.
      const isCredential = code === 'authentication_rejected';
      expect(done.row).to.equal(isCredential ? 'a/credentials' : 'a/connectivity');
      expect(done.passed.includes('a/connectivity')).to.equal(isCredential);
      const { fail }: { readonly fail: readonly string[] } =
        FAILED_CHECKS[isCredential ? 'credentials' : 'connectivity'];
      expect(fail).to.include(code);
    });
  }

  for (const code of ACQUISITION_CODES) {
    it(`tells of what could not be opened: ${code}`, async () => {
      const done = await connected(await application({}, { s: STDIO }, { refusal: code }));
      const rows: Readonly<Record<string, string>> = {
        authorization_required: 's/authorization',
        authorization_unavailable: 's/authorization',
        environment_unavailable: 's/local',
      };
      expect(done.failure?.split(' ')[0]).to.equal(code);
      expect(done.row).to.equal(rows[code] ?? 's/connectivity');
    });
  }

  it('cannot ask what has no adapter for it', async () => {
    expect(await connected(await application({ a: LLM }, {}, {}))).to.include({
      failure: 'connectivity_unsupported connectivity false',
      row: 'a/connectivity',
      hasActivity: false,
    });
  });

  it('reaches nobody whose credential is missing', async () => {
    const done = await connected(await application({ a: LLM, b: LLM }, { s: STDIO }, { probe: () => ANSWERED }), {
      variables: {},
    });
    expect(done).to.deep.include({
      failure: 'credential_unavailable credentials false',
      row: 'a/credentials',
      others: ['credential_unavailable b/credentials'],
      passed: ['s/connectivity'],
    });
    expect(events).to.deep.equal(['acquire s', 'close s']);
  });

  it('has no grant for what a person must authorize', async () => {
    const done = await connected(
      await application(
        { a: LLM },
        { o: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } } },
        { probe: () => ANSWERED },
      ),
      { variables: {} },
    );
    expect(done).to.deep.include({
      failure: 'authorization_required authorization false',
      row: 'o/authorization',
      others: ['credential_unavailable a/credentials'],
      hasActivity: false,
    });
  });

  it('has one time for the whole step, and then asks the model to stop', async () => {
    let stopped = false;
    const silent = async (_: string, { signal }: AcquisitionTools): Promise<ProbeAnswer> =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          stopped = true;
        }),
      );
    const done = await connected(
      await application({ a: LLM, b: LLM }, { s: STDIO }, { probe: silent }, { doctor_connectivity_timeout_ms: 100 }),
    );
    expect(done).to.include({ failure: 'connectivity_timeout nobody true', row: null });
    expect({ stopped, events }).to.deep.equal({ stopped: true, events: ['acquire s', 'probe a model-key', 'close s'] });
  });

  it('is ended by who asked for it', async () => {
    const requested = new AbortController();
    const done = await connected(
      await application(
        { a: LLM, b: LLM },
        {},
        {
          probe: async () => {
            requested.abort();
            return new Promise(() => undefined);
          },
        },
      ),
      { signal: requested.signal },
    );
    expect(done).to.include({ failure: 'internal_error nobody true', row: null });
    expect(events).to.have.length(1);
  });

  it('tells of what could not be closed, beside another failure or alone', async () => {
    const close = async (): Promise<void> => Promise.reject(new Error('it stays'));
    const alone = await connected(await application({}, { s: STDIO }, { close }));
    expect(alone).to.deep.include({ failure: 'provider_cleanup_failed nobody true', row: null, later: [] });
    const beside = await connected(
      await application(
        { a: LLM },
        { s: STDIO },
        { close, probe: () => ({ finding: 'connectivity_rate_limited', isDispatched: true, usage: null }) },
      ),
    );
    expect(beside).to.deep.include({
      failure: 'connectivity_rate_limited connectivity true',
      later: ['provider_cleanup_failed'],
    });
  });
});
