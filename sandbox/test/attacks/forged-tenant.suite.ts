import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CompileReply } from '../../../contract/sandbox-protocol.ts';
import { startSandbox } from '../../pool/pool.ts';
import type { Supervisor } from '../../../supervisor/api/supervisor.ts';
import { sandboxFiles } from '../../../supervisor/platform/program-folder.ts';
import { endedRun, work } from '../../../supervisor/test/capabilities/runs.ts';
import { runOnce, supervise } from '../../../supervisor/test/capabilities/supervised.ts';
import { PREAMBLE } from '../../testing/rogue-preamble.ts';

const dist = join(import.meta.dirname, '../../../dist');

/** In a component: whoever runs it has taken over the host that compiles it. */
const TAKES_OVER = 'taken over from here on';

/**
 * A host that is ours until it meets `TAKES_OVER`. From then on it answers what it is asked to compile with code of its
 * own.
 */
const forgedHost = (forged: CompileReply): string => `
const net = require('node:net');
const Real = net.Socket;
const forged = ${JSON.stringify(`r${JSON.stringify(forged)}`)};
const frame = ${/const frame = ([\s\S]*?\n\};)/.exec(PREAMBLE)?.[1] ?? ''}
let isTakenOver = false;
net.Socket = class extends Real {
  on(event, listener) {
    if (event !== 'data') return super.on(event, listener);
    let held = Buffer.alloc(0);
    return super.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
        const whole = held.subarray(0, 4 + held.readUInt32BE(0));
        held = held.subarray(whole.length);
        const length = whole.readUInt16BE(5);
        const [id, method] = String(whole.subarray(7, 7 + length)).split(' ');
        const body = String(whole.subarray(7 + length));
        if (body.includes(${JSON.stringify(TAKES_OVER)})) isTakenOver = true;
        if (isTakenOver && method === 'request'
          && body.includes('"operation":"compile"')) this.write(frame(0, id, forged));
        else listener(whole);
      }
    });
  }
};
require('./real-host.cjs');
`;

interface HostReport {
  readonly value: unknown;
  /** Arguments of each call of its function. */
  readonly calls: readonly unknown[];
  /** What its trace says of each call: type, id and name. */
  readonly events: readonly unknown[];
}

describe('two tenants in one process, one of which has taken its host over', () => {
  let folder: string;
  let program: string;
  let supervisor: Supervisor | null = null;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-forged-')));
    program = join(folder, 'program');
    await cp(dist, program, { recursive: true });
    await rename(join(program, 'sandbox-host.cjs'), join(program, 'real-host.cjs'));
    await writeFile(
      join(program, 'sandbox-host.cjs'),
      forgedHost(await compiled('(ns main) (defn run [input] (:value (tool/work {"by" "forger"})) "forged")')),
    );
    // Byte for byte the same application for both: what one host made of it has the same name as what the other's did.
    await application(
      'same',
      '(ns main) (defn run [input] {"did" (:value (tool/work {"by" "the program"})) "sum" (reduce + (pmap inc [1 2 3]))})',
    );
    await application('opening', `(ns main) (defn run [input] "${TAKES_OVER}")`);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  /** What an honest compiler makes of a source. */
  async function compiled(source: string): Promise<CompileReply> {
    const sandbox = startSandbox({ ...sandboxFiles(await realpath(dist)), isolatesPerHost: 1 });
    try {
      const isolate = await sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: 'honest',
        heapWords: 8_000_000,
      });
      const outcome = await isolate.request(
        { operation: 'compile', environment: 'workflow', components: [{ id: 'main', source, dependencies: [] }] },
        { timeoutMs: 60_000 },
      );
      if (outcome.status !== 'replied' || outcome.reply.status !== 'compiled') throw new Error('it compiles');
      return outcome.reply;
    } finally {
      await sandbox.close();
    }
  }

  async function application(name: string, source: string): Promise<void> {
    const at = join(folder, name);
    await mkdir(at);
    await writeFile(
      join(at, 'svc.json'),
      JSON.stringify({
        version: 1,
        workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
        missions: {},
        input: { value: {} },
        providers: { workflow: [{ name: 'tools' }], mission: [] },
      }),
    );
    await writeFile(join(at, 'svc-host.json'), JSON.stringify({ install: {} }));
    await writeFile(
      join(at, 'svc-project.json'),
      JSON.stringify({
        kind: 'svc-project',
        version: 1,
        application: { path: 'svc.json' },
        host: { path: 'svc-host.json' },
        artifacts: { root: '.svc', trace: true },
      }),
    );
    await writeFile(join(at, 'main.clj'), source);
  }

  const open = async (): Promise<Supervisor> => {
    supervisor = await supervise({ programDirectory: program });
    return supervisor;
  };

  async function run(opened: Supervisor, tenant: string, name: string): Promise<HostReport> {
    const calls: unknown[] = [];
    const custom = [
      work((input) => {
        calls.push(input);
        return Promise.resolve(`secret of ${tenant}`);
      }),
    ];
    const at = join(folder, name);
    const report = await runOnce(
      opened,
      { kind: 'directory', manifest: 'svc-project.json', workingDirectory: at, custom },
      { tenant },
    );
    const { value, events, envelope } = await endedRun(at, report);
    if (envelope.status === 'error') throw new Error(envelope.error.message);
    return {
      value,
      calls,
      events: events
        .filter(({ type }) => type.startsWith('capability-'))
        .map(({ type, data }) => [type, data['capability_id'], data['name']]),
    };
  }

  it('leaves the code, the values, the calls and the ids of the other as they are without it', async () => {
    const alone = await run(await open(), 'b', 'same');
    expect(alone.value).to.deep.equal({ did: 'secret of b', sum: 9 });
    expect(alone.calls).to.deep.equal([{ by: 'the program' }]);
    expect(alone.events).to.have.length(2);
    await supervisor?.close();

    const opened = await open();
    expect(await run(opened, 'a', 'opening'), 'what compiles it has been taken over').to.deep.include({
      value: 'forged',
      calls: [{ by: 'forger' }],
    });
    // Neither the other tenant's nor its own: what was taken over has seen nothing but its own source, and sees no
    // other.
    const inTurn = [await run(opened, 'a', 'same'), await run(opened, 'b', 'same')];
    const both = await Promise.all(['a', 'b', 'a', 'b'].map((tenant) => run(opened, tenant, 'same')));
    const ofA = { ...alone, value: { did: 'secret of a', sum: 9 } };
    expect([...inTurn, ...both]).to.deep.equal([ofA, alone, ofA, alone, ofA, alone]);
  });

  it('leaves the starts of the other as they are, however much the one asks for', async () => {
    const opened = await open();
    await run(opened, 'a', 'opening');
    const flood = Promise.allSettled(Array.from({ length: 40 }, () => run(opened, 'a', 'same')));
    const values = await Promise.all(Array.from({ length: 4 }, () => run(opened, 'b', 'same')));
    expect(values.map(({ value }) => value)).to.deep.equal(
      Array.from({ length: 4 }, () => ({ did: 'secret of b', sum: 9 })),
    );
    expect((await flood).filter(({ status }) => status === 'rejected')).to.deep.equal([]);
  });
});
