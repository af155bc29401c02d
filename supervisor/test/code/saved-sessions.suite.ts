/** Sessions that are saved and opened again, and sessions of several tenants (code-mode.md §6). */
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  SessionNotRestored,
  SessionNotSaved,
  openDirectoryKeys,
  type CodeRoom,
  type CodeSession,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { sealSession } from '../../code/embedded/sealed-session.ts';
import { SEMANTIC_REVISION } from '../../documents/identity/effective.ts';
import { errorOf, openSupervisor, PLAIN_ROOM, tool, valueOf } from './embedded.ts';

const KEY = randomBytes(32);
const SUPERVISOR = pathToFileURL(join(import.meta.dirname, '../../../dist/supervisor.mjs')).href;

async function codeOf(requested: Promise<unknown>): Promise<string> {
  try {
    await requested;
    return 'nothing was refused';
  } catch (error) {
    if (error instanceof SessionNotRestored || error instanceof SessionNotSaved) return error.code;
    throw error;
  }
}

describe('a saved session', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-saved-')));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  async function started(options: SupervisorOptions = {}): Promise<Supervisor> {
    supervisor = await openSupervisor(options);
    return supervisor;
  }

  const room: CodeRoom = { ...PLAIN_ROOM, tools: { work: tool(({ n }) => n) } };

  async function worked(session: CodeSession): Promise<void> {
    await valueOf(session, '(defn next-of [n] (:value (tool/work {:n (inc n)}))) (def counts (atom {:a 1}))');
    await valueOf(session, '{"deep" [1 2.5 nil "ü" 90071992547409930]}');
  }

  it('goes on where it was, in another process too (49)', async () => {
    const session = await (await started()).openSession(room, { tenant: 'acme' });
    await worked(session);
    const saved = await session.save({ key: KEY });
    await worked(session);
    expect(saved.length).to.be.below(5000);
    const program = `
      import { createSupervisor } from ${JSON.stringify(SUPERVISOR)};
      const supervisor = await createSupervisor();
      const room = ${JSON.stringify(PLAIN_ROOM)};
      room.tools = { work: { description: 'Does something.', inputSchema: { type: 'object' }, execute: ({ n }) => n } };
      const options = { tenant: 'acme', key: Buffer.from('${KEY.toString('hex')}', 'hex') };
      const session = await supervisor.restoreSession(Buffer.from('${Buffer.from(saved).toString('base64')}',
        'base64'), room, options);
      const { text } = await session.evaluate('[*1 (next-of 41) (:a @counts)]');
      console.log(text);
      await supervisor.close();`;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })).to.equal(
      '[{"deep":[1,2.5,null,"ü",90071992547409930]},42,1]\n',
    );
  });

  it('that holds nothing is opened as one that holds nothing, and can be saved again before it is used', async () => {
    const own = await started();
    const empty = await own.restoreSession(await (await own.openSession({})).save({ key: KEY }), {}, { key: KEY });
    expect(errorOf(await empty.evaluate('x')).kind).to.equal('unbound_var');
    await valueOf(empty, '(def x 1)');
    const first = await own.restoreSession(await empty.save({ key: KEY }), {}, { key: KEY });
    const second = await own.restoreSession(await first.save({ key: KEY }), {}, { key: KEY });
    expect(await valueOf(second, 'x')).to.equal(1);
    await second.reset();
    const third = await own.restoreSession(await second.save({ key: KEY }), {}, { key: KEY });
    expect(errorOf(await third.evaluate('x')).kind).to.equal('unbound_var');
  });

  it('is refused where anything of it was changed, byte by byte', async () => {
    const own = await started();
    const session = await own.openSession(room);
    await worked(session);
    const saved = await session.save({ key: KEY });
    // Mark, epoch, tenant, nonce, content, tag and digest each have bytes among these.
    for (let at = 0; at < saved.length; at += at < 80 || at > saved.length - 60 ? 3 : 41) {
      const changed = Uint8Array.from(saved);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      expect(await codeOf(own.restoreSession(changed, room, { key: KEY })), `byte ${at}`).to.equal('damaged');
    }
    for (const bytes of [
      new Uint8Array(),
      saved.subarray(0, saved.length - 1),
      saved.subarray(1),
      Buffer.concat([saved, saved]),
      randomBytes(64_000_001),
    ])
      expect(await codeOf(own.restoreSession(bytes, room, { key: KEY })), `${bytes.length}`).to.equal('damaged');
    expect(await codeOf(own.restoreSession(saved, room, { key: randomBytes(32) }))).to.equal('damaged');
    expect(own.snapshot().sessions).to.equal(1);
  });

  it('is refused for another tenant, another room and another revision', async () => {
    const own = await started();
    const session = await own.openSession(room, { tenant: 'acme' });
    await worked(session);
    const saved = await session.save({ key: KEY });
    const restore = async (other: CodeRoom, tenant = 'acme', bytes = saved): Promise<string> =>
      codeOf(own.restoreSession(bytes, other, { key: KEY, tenant }));
    expect(await restore(room, 'globex')).to.equal('other_tenant');
    expect(await restore(PLAIN_ROOM)).to.equal('application_changed');
    expect(await restore({ ...room, data: { settings: { a: 2 } } })).to.equal('application_changed');
    expect(await restore({ ...room, limits: { evaluation_timeout_ms: 1000 } })).to.equal('application_changed');
    const changedTool = tool(() => 1, { inputSchema: { type: 'object', required: ['n'] } });
    expect(await restore({ ...room, tools: { work: changedTool } })).to.equal('application_changed');
    const older = sealSession({ room: 'x', revision: 'sem0', continuation: null }, 'acme', { epoch: 0, key: KEY });
    expect(await restore(room, 'acme', older ?? new Uint8Array())).to.equal('revision_changed');
    expect(await restore(room)).to.equal('nothing was refused');
  });

  it('that whoever has the key made up is read in an isolate, and refused there', async () => {
    const own = await started();
    const session = await own.openSession(room);
    await worked(session);
    const genuine = await session.save({ key: KEY });
    const digest = roomDigestIn(genuine);
    const continuation = (definitions: string, history: readonly string[]) => ({
      definitions,
      history,
      definedCount: 1,
      memoryBytes: Buffer.byteLength(definitions),
      historyBytes: 0,
      largestHistoryBytes: 0,
    });
    for (const [definitions, history] of [
      ['no continuation at all', []],
      ['{"defs":[{"name":"x","value":{"constructor":"Function"}}]}', []],
      ['['.repeat(200_000), []],
      ['', ['{"__proto__":1}']],
    ] as const) {
      const sealed = sealSession(
        { room: digest, revision: SEMANTIC_REVISION, continuation: continuation(definitions, history) },
        'local',
        { epoch: 0, key: KEY },
      );
      const code = await codeOf(own.restoreSession(sealed ?? new Uint8Array(), room, { key: KEY }));
      expect(code, definitions.slice(0, 30)).to.equal('damaged');
    }
    for (const content of ['', '\0\0\0\xff', '\0\0\0\x02{}', '\0\0\0\x04null', '\xff\xff\xff\xff{}'])
      expect(
        await codeOf(own.restoreSession(sealedContent(genuine, Buffer.from(content, 'latin1')), room, { key: KEY })),
      ).to.equal('damaged');
    expect(await valueOf(session, '(next-of 1)')).to.equal(2);
  });

  it('has at most 64,000,000 bytes', () => {
    const saved = (bytes: number) => ({
      room: '',
      revision: '',
      continuation: {
        definitions: 'x'.repeat(bytes),
        history: [],
        definedCount: 1,
        memoryBytes: bytes,
        historyBytes: 0,
        largestHistoryBytes: 0,
      },
    });
    const around = sealSession(saved(10_000_000), 't', { epoch: 1, key: KEY });
    const over = (around?.length ?? 0) - 10_000_000;
    expect(sealSession(saved(64_000_000 - over), 't', { epoch: 1, key: KEY })).to.have.length(64_000_000);
    expect(sealSession(saved(64_000_001 - over), 't', { epoch: 1, key: KEY })).to.equal(null);
  });

  it('is not made while a program is evaluated or waits, nor of a closed session', async () => {
    const called = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<number>();
    const session = await (
      await started()
    ).openSession({
      tools: {
        wait: tool(() => {
          called.resolve();
          return answer.promise;
        }),
      },
    });
    const going = session.evaluate('(def x (:value (tool/wait {})))');
    await called.promise;
    expect(await codeOf(session.save({ key: KEY }))).to.equal('session_busy');
    answer.resolve(7);
    await going;
    expect(await codeOf(session.save({ key: KEY }))).to.equal('nothing was refused');
    await session.close();
    expect(await codeOf(session.save({ key: KEY }))).to.equal('session_closed');
  });

  it('is sealed with keys of its tenant, the newest of them, and opened while its own is there', async () => {
    const keyOf = (tenant: string, epoch: number): string => join(folder, tenant, 'keys', `${epoch}`);
    for (const tenant of ['acme', 'globex']) {
      mkdirSync(join(folder, tenant, 'keys'), { recursive: true, mode: 0o700 });
      writeFileSync(keyOf(tenant, 1), randomBytes(32).toString('hex'), { mode: 0o600 });
    }
    const own = await started({ stores: { keys: openDirectoryKeys(folder) } });
    const session = await own.openSession(room, { tenant: 'acme' });
    await valueOf(session, '(def x 5)');
    const first = await session.save();
    writeFileSync(keyOf('acme', 2), randomBytes(32).toString('hex'), { mode: 0o600 });
    const second = await session.save();
    for (const saved of [first, second])
      expect(await valueOf(await own.restoreSession(saved, room, { tenant: 'acme' }), 'x')).to.equal(5);
    rmSync(keyOf('acme', 1));
    expect(await codeOf(own.restoreSession(first, room, { tenant: 'acme' }))).to.equal('key_unavailable');
    expect(await codeOf(own.restoreSession(second, room, { tenant: 'globex' }))).to.equal('other_tenant');
    const keyless = await own.openSession(room, { tenant: 'initech' });
    expect(await codeOf(keyless.save())).to.equal('key_unavailable');
  });
});

/** From the sealed content, by the key that the test has. */
function roomDigestIn(saved: Uint8Array): string {
  const found = /"room":"([0-9a-f]{64})"/.exec(Buffer.from(opened(saved)).toString('latin1'));
  return found?.[1] ?? '';
}

const HEAD = 56;

function opened(saved: Uint8Array): Uint8Array {
  // A stream cipher gives its text back where the same is written over it: counter mode begins at 2 in GCM.
  const nonce = saved.subarray(HEAD - 12, HEAD);
  const content = saved.subarray(HEAD, saved.length - 48);
  const stream = createCipheriv('aes-256-gcm', KEY, nonce).update(content);
  return stream;
}

/** Other content, sealed as it should be. */
function sealedContent(saved: Uint8Array, content: Buffer): Uint8Array {
  const head = Buffer.from(saved.subarray(0, HEAD));
  const cipher = createCipheriv('aes-256-gcm', KEY, head.subarray(HEAD - 12)).setAAD(head);
  const sealed = Buffer.concat([head, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([sealed, createHash('sha256').update(sealed).digest()]);
}

describe('sessions of several tenants (52)', () => {
  let supervisor: Supervisor | null = null;
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  /** What a hostile program tries; each must come to an end that harms nobody else. */
  const HOSTILE = [
    '(loop [] (recur))',
    '(def big (vec (range 10000000)))',
    '(apply str (repeat 100000000 "x"))',
    '((fn again [n] (+ 1 (again (inc n)))) 0)',
    '(pmap (fn [_] (loop [] (recur))) (range 50))',
    '(dotimes [n 100000] (println (apply str (repeat 100 "x"))))',
    '(def secret "of the attacker") (pmap (fn [n] (tool/late {:n n})) (range 20))',
    '(.exit System 1)',
    '(eval (quote (def x 1)))',
    '[secret *1 *2 *3 data/owner]',
    '(re-find #"(a+)+$" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")',
  ];

  it('share nothing: not a definition, not a value, not a process, and nothing comes late', async () => {
    supervisor = await openSupervisor();
    const own = supervisor;
    const ended = new Set<string>();
    const late: string[] = [];
    const roomOf = (owner: string): CodeRoom => ({
      data: { owner },
      limits: { evaluation_timeout_ms: 1500, parallel_timeout_ms: 1500 },
      tools: {
        whoami: tool(() => {
          if (ended.has(owner)) late.push(owner);
          return owner;
        }),
        late: tool((_, { signal }) => new Promise((done) => signal.addEventListener('abort', () => done(owner)))),
      },
    });
    const attacker = await supervisor.openSession(roomOf('attacker'), { tenant: 'attacker' });
    const victims = await Promise.all(
      ['a', 'b', 'c'].flatMap((tenant) =>
        [1, 2].map(async (n) => ({
          name: `${tenant}${n}`,
          session: await own.openSession(roomOf(`${tenant}${n}`), { tenant }),
        })),
      ),
    );
    for (const { name, session } of victims) await valueOf(session, `(def secret "of ${name}") secret`);
    const attacks = (async () => {
      const ends: unknown[] = [];
      for (const program of HOSTILE) ends.push(await attacker.evaluate(program));
      ended.add('attacker');
      return ends;
    })();
    for (let round = 0; round < 8; round += 1)
      for (const { name, session } of victims)
        expect(await valueOf(session, '[secret data/owner (:value (tool/whoami {}))]')).to.deep.equal([
          `of ${name}`,
          name,
          name,
        ]);
    const ends = await attacks;
    const reported = JSON.stringify(ends);
    for (const { name } of victims) expect(reported, name).to.not.contain(`of ${name}`);
    expect(late).to.deep.equal([]);
    const still = await attacker.evaluate('(+ 1 1)');
    expect(still.kind).to.equal('value');
    for (const { name, session } of victims) expect(await valueOf(session, 'secret')).to.equal(`of ${name}`);
  });
});
