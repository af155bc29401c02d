import { cp, mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import {
  createRunRef,
  type PoolEvent,
  type RunEvent,
  type SecretProvider,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { work } from '../capabilities/runs.ts';
import { finished, supervise } from '../capabilities/supervised.ts';

const dist = join(import.meta.dirname, '../../../dist');
const MARK = 'nobody-else-sees-7319';
const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function files(
  body: string,
  manifest: object = {},
  more: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries({
      'svc.json': {
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
        ...manifest,
      },
      'main.clj': `(ns main)\n(defn run [input] ${body})\n`,
      ...more,
    }).map(([name, value]) => [name, bytes(value)]),
  );
}

/** Whoever has taken a host over looks at all that a process can look at, and says what it found. */
const PROBING = `
const found = {};
const probe = (name, look) =>
  { try { found[name] = String(look()).slice(0, 2000); } catch (error) { found[name] = 'refused: ' + error.code; } };
const fs = require('node:fs');
const paths = __PATHS__;
probe('own', () => fs.readFileSync(process.argv[2]).length);
for (const path of paths) probe(path, () => fs.statSync(path).isDirectory()
  ? fs.readdirSync(path) : fs.readFileSync(path, 'latin1'));
probe('parent environment', () => fs.readFileSync('/proc/' + process.ppid + '/environ', 'latin1'));
probe('parent memory', () => fs.openSync('/proc/' + process.ppid + '/mem', 'r'));
probe('neighbours', () => fs.readdirSync('/proc'));
probe('environment', () => JSON.stringify(process.env));
probe('program', () => require('node:child_process').execFileSync('/bin/cat', paths));
probe('thread', () => new (require('node:worker_threads').Worker)('1', { eval: true }) && 'made');
probe('signal', () => process.kill(process.ppid, 0) && 'may signal');
process.stderr.write('PROBE ' + JSON.stringify(found) + '\\n');
require('./real-host.cjs');
`;

describe('what one tenant can find out of another (gateway.md §21)', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-probes-')));
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
    await rm(folder, { recursive: true, force: true });
  });

  async function started(options: SupervisorOptions): Promise<Supervisor> {
    supervisor = await supervise(options);
    return supervisor;
  }

  it('from a host that it has taken over: no file, no memory, no variable, no program, no thread', async () => {
    const program = join(folder, 'program');
    const left = join(folder, 'left');
    const stderr: string[] = [];
    await cp(dist, program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    const paths = [
      left,
      join(left, 'b'),
      join(left, 'b/results'),
      join(folder, 'secret'),
      '/etc/passwd',
      '/proc/self/environ',
    ];
    await writeFile(join(program, 'sandbox-host.cjs'), PROBING.replace('__PATHS__', JSON.stringify(paths)));
    await writeFile(join(folder, 'secret'), MARK);
    const own = await started({
      programDirectory: program,
      artifacts: left,
      onPoolEvent: (event: PoolEvent) => {
        if (event.event === 'host_ended') stderr.push(event.stderr);
      },
    });
    const application = await own.prepare({ kind: 'memory', files: files('(get input "secret")') });
    const run = (tenant: string) =>
      own.run(application, { tenant, input: { secret: MARK }, artifacts: { result: true } }).result;
    expect(finished(await run('b')).value).to.equal(MARK);
    expect(finished(await run('a')).value).to.equal(MARK);
    await own.close();
    await until('the last words of the hosts', () => (stderr.length >= 3 ? true : undefined));
    for (const line of stderr.flatMap((text) => /PROBE (\{.*\})/.exec(text)?.slice(1) ?? [])) {
      const { own: ownFile, environment, signal, ...rest } = Object(JSON.parse(line));
      expect([Number(ownFile) > 0, environment], 'what is its own can be read: the probe works').to.deep.equal([
        true,
        '{"PWD":"/"}',
      ]);
      for (const [name, answer] of Object.entries(rest)) expect(answer, name).to.match(/^refused: /);
      expect(line).to.not.include(MARK);
      expect(signal).to.be.a('string');
    }
    expect(stderr.filter((text) => text.includes('PROBE '))).to.have.length(stderr.length);
  });

  it('from what it is told: no value, name, text or reference of the other is in envelopes, events, refusals and counts', async () => {
    const own = await started({
      artifacts: join(folder, 'left'),
      secrets: { resolve: ({ tenant }) => Promise.resolve({ value: `${MARK}-key-of-${tenant}`, version: '1' }) },
      tenant: () => ({ maxRuns: 1, maxQueued: 0 }),
    });
    const keys: string[] = [];
    let go: (() => void) | null = null;
    const tools = (isWaiting: boolean) =>
      work(
        () =>
          isWaiting
            ? new Promise((resolve) => {
                go = () => resolve({ told: MARK });
              })
            : { told: 'of b' },
        { timeoutMs: 60_000 },
        {
          credentials: ['key'],
          open: ({ credentials }) => {
            keys.push(String(credentials.get('key')?.reveal()));
            return {};
          },
        },
      );
    const project = {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'svc-host.json' },
    };
    const more = {
      'svc-host.json': { install: {}, credentials: { key: { env: 'NOWHERE' } } },
      'svc-project.json': project,
    };
    const selecting = { providers: { workflow: [{ name: 'tools' }] } };
    const ofA = await own.prepare({
      kind: 'memory',
      manifest: 'svc-project.json',
      custom: [tools(true)],
      files: files(`(do "${MARK}" (:value (tool/work)))`, { ...selecting, labels: { name: MARK } }, more),
    });
    const ofB = await own.prepare({
      kind: 'memory',
      manifest: 'svc-project.json',
      custom: [tools(false)],
      files: files('(:value (tool/work))', selecting, more),
    });
    const broken = await own.prepare({ kind: 'memory', files: files('(fail {:of "b"})') });
    const runRef = createRunRef();
    const events: RunEvent[] = [];
    const first = own.run(ofA, {
      tenant: 'a',
      runRef,
      input: { secret: MARK },
      artifacts: { trace: true, inspection: true, result: true },
    });
    await until('the call', () => go ?? undefined);
    const reported: unknown[] = [];
    const onEvent = (event: RunEvent): void => {
      events.push(event);
    };
    // The same reference is nobody's but its tenant's: that it is taken is no news to another.
    for (const request of [{}, { runRef }, { input: bytes('[]') }, { deadlineMs: 1 }])
      reported.push(await own.run(ofB, { tenant: 'b', onEvent, ...request }).result);
    reported.push(await own.run(broken, { tenant: 'b', onEvent }).result);
    expect(reported.slice(0, 2).map((end) => [Object(end).kind, Object(end).code])).to.deep.equal([
      ['finished', undefined],
      ['finished', undefined],
    ]);
    expect(JSON.stringify([reported, events])).to.not.include(MARK);
    expect(JSON.stringify(own.snapshot())).to.not.include(MARK);
    Object(go)();
    expect(finished(await first.result).value).to.deep.equal({ told: MARK });
    expect(await own.run(ofA, { tenant: 'a', runRef }).result).to.include({
      kind: 'refused',
      code: 'run_ref_conflict',
    });
    expect(keys).to.deep.equal([`${MARK}-key-of-a`, `${MARK}-key-of-b`, `${MARK}-key-of-b`]);
    expect(await readdir(join(folder, 'left'))).to.deep.equal(['a']);
  });

  describe('a provider of secrets (gateway.md §20)', () => {
    const asking = (own: Supervisor, seen: string[]) =>
      own.prepare({
        kind: 'memory',
        manifest: 'svc-project.json',
        files: files(
          '(:value (tool/work))',
          { providers: { workflow: [{ name: 'tools' }] } },
          {
            'svc-host.json': { install: {}, credentials: { key: { literal: 'of the document' } } },
            'svc-project.json': {
              kind: 'svc-project',
              version: 1,
              application: { path: 'svc.json' },
              host: { path: 'svc-host.json' },
            },
          },
        ),
        custom: [
          work(
            () => 1,
            {},
            {
              credentials: ['key'],
              open: ({ credentials }) => {
                seen.push(String(credentials.get('key')?.reveal()));
                return {};
              },
            },
          ),
        ],
      });

    const FAULTS: readonly (readonly [what: string, resolve: SecretProvider['resolve']])[] = [
      [
        'that throws',
        () => {
          throw new Error(MARK);
        },
      ],
      ['that rejects', () => Promise.reject(new Error(MARK))],
      ['that never answers', () => new Promise(() => undefined)],
      ['that answers with nothing of use', async () => Object(null)],
      ['whose answer has expired', async () => ({ value: MARK, version: '1', expiresAt: 1 })],
    ];
    for (const [what, resolve] of FAULTS) {
      it(`${what}: credential_unavailable, asked once, and nothing of it is told`, async () => {
        let requested = 0;
        const seen: string[] = [];
        const own = await started({
          secrets: {
            resolve: (query) => {
              requested += 1;
              return resolve(query);
            },
          },
        });
        const end = finished(await own.run(await asking(own, seen), { tenant: 'a' }).result);
        expect(end.envelope).to.have.nested.property('error.code', 'credential_unavailable');
        expect([requested, seen, JSON.stringify(end).includes(MARK)]).to.deep.equal([1, [], false]);
      });
    }

    it('that gives one value to two tenants: the second has none, unless that is allowed', async () => {
      for (const [sharedSecrets, second] of [
        [undefined, 'credential_unavailable'],
        ['refused', 'credential_unavailable'],
        ['allowed', 'ok'],
      ] as const) {
        const seen: string[] = [];
        const own = await started({
          secrets: { resolve: async () => ({ value: 'one for all', version: '1' }) },
          ...(sharedSecrets === undefined ? {} : { sharedSecrets }),
        });
        const application = await asking(own, seen);
        const ends = [];
        for (const tenant of ['a', 'b', 'a']) {
          const { envelope } = finished(await own.run(application, { tenant }).result);
          ends.push(envelope.status === 'ok' ? 'ok' : envelope.error.code);
        }
        expect(ends).to.deep.equal(['ok', second, 'ok']);
        await own.close();
      }
    });

    it('whose value runs out during a run: no call leaves from then on', async () => {
      const callsWithin = async (livesMs: number): Promise<number> => {
        let [expiresAt, calls] = [0, 0];
        const own = await started({
          secrets: {
            resolve: async () => ({
              value: 'short-lived',
              version: '1',
              expiresAt: (expiresAt = Date.now() + livesMs),
            }),
          },
        });
        const application = await own.prepare({
          kind: 'memory',
          manifest: 'svc-project.json',
          files: files(
            '[(tool/work) (tool/work)]',
            { providers: { workflow: [{ name: 'tools' }] } },
            {
              'svc-host.json': { install: {}, credentials: { key: { literal: 'of the document' } } },
              'svc-project.json': {
                kind: 'svc-project',
                version: 1,
                application: { path: 'svc.json' },
                host: { path: 'svc-host.json' },
              },
            },
          ),
          custom: [
            work(
              async () => {
                calls += 1;
                await until('its end', () => (Date.now() > expiresAt + 100 ? true : undefined));
                return 1;
              },
              {},
              { credentials: ['key'], open: () => ({}) },
            ),
          ],
        });
        const { value } = finished(await own.run(application, { tenant: 'a' }).result);
        await own.close();
        if (calls > 0)
          expect([calls, JSON.stringify(value).match(/"status":"\w+"/g)]).to.deep.equal([
            1,
            ['"status":"ok"', '"status":"error"'],
          ]);
        return calls;
      };
      // A machine that is too slow for the first call to leave in time is given more.
      for (let livesMs = 1000; (await callsWithin(livesMs)) === 0;) livesMs *= 4;
    });

    it('is asked by each run anew, so that a new value is used from then on', async () => {
      let version = 0;
      const seen: string[] = [];
      const own = await started({
        secrets: {
          resolve: async ({ tenant, binding, installation, purpose }) => {
            version += 1;
            return { value: `${tenant} ${binding} ${installation} ${purpose} ${version}`, version: String(version) };
          },
        },
      });
      const application = await asking(own, seen);
      for (const tenant of ['a', 'a', 'b'])
        expect(finished(await own.run(application, { tenant }).result).value).to.equal(1);
      expect(seen).to.deep.equal([
        'a key tools acquisition 1',
        'a key tools acquisition 2',
        'b key tools acquisition 3',
      ]);
    });
  });
});
