import { expect } from 'chai';
import { newRunReference } from '../../contract/run-reference.ts';
import { ACQUISITION_CODES, type AcquisitionCode } from '../../contract/provider-protocol/session.ts';
import { capability } from '../calls/broker/testing/broker-harness.ts';
import { load, MANIFEST, type Plain } from '../documents/testing/application-tree.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { memoryFileSystem } from '../documents/testing/memory-file-system.ts';
import { host, INSPECTION, LLM, TRACE } from '../documents/testing/hosts.ts';
import type { Application } from '../application/preflight/application.ts';
import type {
  AcquiredProvider,
  AcquisitionTools,
  InstalledProvider,
  Occurrence,
} from '../providers/source/installed-provider.ts';
import { acquireProviders } from './acquisition.ts';

type Acquire = (alias: string, tools: AcquisitionTools) => Partial<AcquiredProvider> | AcquisitionCode;

const MODEL = { ...LLM, credential: 'a' };
const OTHER = { ...LLM, credential: 'b' };
const CREDENTIALS = { a: { env: 'A' }, b: { env: 'B' } };

/** An application that selects these, and whose adapters are the test. */
async function application(workflow: Plain, mission: Plain, acquire: Acquire | null): Promise<Application> {
  const select = (install: Plain) => Object.keys(install).map((name) => ({ name }));
  const loaded = await load({
    manifest: {
      ...MANIFEST,
      providers: { workflow: select(workflow), mission: select(mission) },
      missions: { m: { providers: Object.keys(mission) } },
    },
    host: host({ ...workflow, ...mission }, { credentials: CREDENTIALS }),
  });
  if (!loaded.ok) throw new Error(`${loaded.diagnostic.code}: ${loaded.diagnostic.message}`);
  const adapted = (occurrence: Occurrence): Occurrence => ({
    ...occurrence,
    provider: { ...occurrence.provider, acquire: acquire === null ? null : adapter(acquire) },
  });
  const { providers } = loaded.value;
  return {
    ...loaded.value,
    providers: { ...providers, workflow: providers.workflow.map(adapted), mission: providers.mission.map(adapted) },
  };
}

function adapter(acquire: Acquire): NonNullable<InstalledProvider['acquire']> {
  return async ({ alias }, tools) => {
    const acquired = acquire(alias, tools);
    if (typeof acquired === 'string')
      return {
        ok: false,
        refusal: { code: acquired, tool: acquired === 'provider_tool_missing' ? 'look"up' : null, hasActivity: false },
      };
    return {
      ok: true,
      value: {
        capabilities: [capability({ name: `${alias}.find` })],
        snapshot: { acquisition: new Map([['source', alias]]), unidentified: [], contentHash: null },
        session: null,
        hasActivity: false,
        share: null,
        close: null,
        ...acquired,
      },
    };
  };
}

const VARIABLES: Readonly<Record<string, string>> = { A: 'secret a', B: 'secret b' };

function acquired(of: Application, variables: Readonly<Record<string, string>> = VARIABLES) {
  const context = {
    signal: new AbortController().signal,
    trustDomain: 'tenant',
    runRef: newRunReference((bytes) => bytes.fill(0)),
    traceId: 'trace',
    missed: () => undefined,
  };
  const files = memoryFileSystem({});
  return acquireProviders(of, context, {
    variable: (name) => variables[name],
    files,
    reader: createDocumentReader(files, '/'),
    admission: null,
  });
}

describe('acquiring the providers of a run (providers.md §3, stages 5e and 6)', () => {
  it('gives each the values that it names, its tenant and its run, and to nobody more', async () => {
    const opened: unknown[] = [];
    const done = await acquired(
      await application({ a: MODEL, b: OTHER }, { t: TRACE }, (alias, { credentials, tenant, runRef, required }) => {
        opened.push([
          alias,
          [...credentials].map(([name, secret]) => `${name}=${secret.reveal()}`).join(),
          tenant,
          runRef,
          required.length,
        ]);
        return {};
      }),
    );
    if (!done.ok) throw new Error(done.diagnostic.message);
    const run = 'cmd-00000000000000000000000000';
    expect(opened).to.deep.equal([
      ['a', 'a=secret a', 'tenant', run, 0],
      ['b', 'b=secret b', 'tenant', run, 0],
      ['t', '', 'tenant', run, 0],
    ]);
    expect([[...done.value.workflow.keys()], [...(done.value.missions.get('m')?.keys() ?? [])]]).to.deep.equal([
      ['a.find', 'b.find'],
      ['t.find'],
    ]);
    expect(done.value).to.have.property('providerActivity', false);
  });

  it('opens nothing where a value cannot be had', async () => {
    let opened = 0;
    const done = await acquired(
      await application({ a: MODEL, b: OTHER }, {}, () => {
        opened += 1;
        return {};
      }),
      { A: 'x' },
    );
    expect(done).to.have.nested.property('diagnostic.code', 'credential_unavailable');
    expect(opened).to.equal(0);
  });

  it('refuses a source without an adapter before any value is looked for', async () => {
    const done = await acquired(await application({ a: MODEL }, {}, null), {});
    expect(done).to.have.nested.property('diagnostic.code', 'adapter_unavailable');
    expect(done).to.have.deep.nested.property('diagnostic.subject', {
      kind: 'provider',
      name: 'a',
      operation: 'local',
      occurrence: { destination: 'workflow', index: 0 },
    });
  });

  it('opens what is required first, whatever the order, and tells of all in the order of declaration', async () => {
    const order: string[] = [];
    const done = await acquired(
      await application({}, { reader: INSPECTION, traces: TRACE }, (alias, { required }) => {
        order.push(
          `${alias} over ${JSON.stringify(required.map(({ snapshot }) => [...snapshot.acquisition.values()]))}`,
        );
        return { hasActivity: alias === 'traces' };
      }),
    );
    if (!done.ok) throw new Error(done.diagnostic.message);
    expect(order).to.deep.equal(['traces over []', 'reader over [["traces"]]']);
    expect(
      done.value.snapshots.map((snapshot) => JSON.stringify([...Object(snapshot.get('acquisition'))])),
    ).to.deep.equal(['[["source","reader"]]', '[["source","traces"]]']);
    expect(done.value.providerActivity).to.equal(true);
  });

  it('closes in reverse what was opened before a refusal, and tells of a failure to do so besides', async () => {
    const closed: string[] = [];
    const done = await acquired(
      await application({ a: MODEL, b: OTHER }, { t: TRACE }, (alias) =>
        alias === 't'
          ? 'provider_unavailable'
          : {
              close: async () => {
                closed.push(alias);
                if (alias === 'a') throw new Error('secret');
              },
            },
      ),
    );
    expect(closed).to.deep.equal(['b', 'a']);
    expect(done).to.have.nested.property('diagnostic.code', 'provider_unavailable');
    expect(done.ok ? [] : (done.later ?? []).map(({ code }) => code)).to.deep.equal(['provider_cleanup_failed']);
  });

  const SUBJECTS: Partial<Readonly<Record<AcquisitionCode, readonly [string, string]>>> = {
    authorization_required: ['active_preflight', 'authorization'],
    authorization_unavailable: ['active_preflight', 'authorization'],
    authentication_rejected: ['active_preflight', 'acquisition'],
    environment_unavailable: ['local_preflight', 'local'],
  };
  for (const code of ACQUISITION_CODES) {
    const [phase, operation] = SUBJECTS[code] ?? ['provider_acquisition', 'acquisition'];
    it(`tells ${code} of the ${operation}, in phase ${phase}`, async () => {
      const acquireWith = async (isReached: boolean) =>
        acquired(
          await application({ a: MODEL, b: OTHER }, {}, (alias) => (alias === 'b' ? code : { hasActivity: isReached })),
        );
      const done = await acquireWith(false);
      expect(done).to.have.deep.nested.property('diagnostic.subject', {
        kind: 'provider',
        name: 'b',
        operation,
        occurrence: { destination: 'workflow', index: 1 },
      });
      expect(done).to.deep.nested.include({ 'diagnostic.code': code, 'diagnostic.phase': phase });
      const byEvidence = ['authorization_required', 'authorization_unavailable', 'environment_unavailable'].includes(
        code,
      );
      expect(done).to.have.nested.property('diagnostic.provider_activity', !byEvidence);
      expect(await acquireWith(true)).to.have.nested.property('diagnostic.provider_activity', true);
      if (code === 'provider_tool_missing')
        expect(done).to.have.nested.property('diagnostic.message').that.contains('"look\\"up"');
    });
  }
});
