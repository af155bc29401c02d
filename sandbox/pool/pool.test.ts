import { expect } from 'chai';
import { processGone, processesNaming } from '../../conformance/attacks/processes.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../../conformance/attacks/requests.ts';
import { buildSandboxUnderTest, RAW_GUEST, type SandboxUnderTest } from '../../conformance/attacks/sandbox-under-test.ts';
import { everywhere } from '../../scripts/build-snapshot.ts';
import type { CapabilityCall, EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from './interface.ts';
import { startSandbox } from './pool.ts';

const SPIN = 'for (;;);';
const ALLOCATE = 'const kept = []; for (;;) kept.push([kept.length]);';
const WITHIN = { timeoutMs: 5000 };

describe('the sandbox', () => {
  let built: SandboxUnderTest;
  let sandbox: Sandbox;

  before(async () => {
    built = await buildSandboxUnderTest(everywhere({ script: RAW_GUEST }));
  });
  after(() => built.remove());
  beforeEach(() => {
    sandbox = startSandbox({ ...built.options, isolatesPerHost: 3 });
  });
  afterEach(() => sandbox.close());

  const open = (trustDomain = 'run', environment: EnvironmentKind = 'mission'): Promise<Isolate> =>
    sandbox.openIsolate({ environment, trustDomain, heapWords: MISSION_HEAP_WORDS });
  /** One that has answered: it is made, and what becomes of it is told. */
  async function opened(): Promise<Isolate> {
    const isolate = await open();
    await isolate.request(evaluation('return 1'), WITHIN);
    return isolate;
  }
  const hosts = (): Promise<readonly number[]> => processesNaming(built.options.guestImage);

  it('answers a request with the value', async () => {
    const isolate = await open();
    expect(textOf(await isolate.request(evaluation('return 1 + 2'), WITHIN))).to.equal('3');
  });

  it('ends the hosts of one domain, and no others', async () => {
    const [ended, kept] = [await open('ended'), await open('kept')];
    await Promise.all([ended, kept].map((isolate) => isolate.request(evaluation('return 1'), WITHIN)));
    const before = (await hosts()).length;
    await sandbox.endDomain({ environment: 'mission', trustDomain: 'ended' });
    expect((await hosts()).length).to.equal(before - 1);
    expect([ended.isUsable(), kept.isUsable()]).to.deep.equal([false, true]);
    expect(textOf(await kept.request(evaluation('return 2'), WITHIN))).to.equal('2');
    await sandbox.endDomain({ environment: 'mission', trustDomain: 'ended' });
    expect(textOf(await (await open('ended')).request(evaluation('return 3'), WITHIN))).to.equal('3');
  });

  it('keeps what an isolate holds between its requests, and nothing between isolates', async () => {
    const isolate = await open();
    await isolate.request(evaluation('RegExp.prototype.kept = 5'), WITHIN);
    expect(textOf(await isolate.request(evaluation('return /x/.kept'), WITHIN))).to.equal('5');
    expect(textOf(await (await open()).request(evaluation('return /x/.kept'), WITHIN))).to.equal('undefined');
  });

  it('carries a capability call and its answer while the isolate waits', async () => {
    const calls: CapabilityCall[] = [];
    const outcome = await (await open()).request(evaluation('return call("tool/ä", "{\\"a\\":1}") + call("second", "{}")'), {
      timeoutMs: 5000,
      onCapabilityCall(call) {
        calls.push(call);
        return Promise.resolve(`"€${calls.length}"`);
      },
    });
    expect(textOf(outcome)).to.equal('"€1""€2"');
    expect(calls.map(({ name, arguments: text }) => ({ name, arguments: text }))).to.deep.equal([{ name: 'tool/ä', arguments: '{"a":1}' }, { name: 'second', arguments: '{}' }]);
  });

  it('refuses capability calls without a broker', async () => {
    const outcome = await (await open()).request(evaluation('return call("tool", "{}")'), WITHIN);
    expect(verdictOf(outcome)).to.equal('evaluation_error');
    expect(textOf(outcome)).to.match(/refused/);
  });

  it('cuts an argument text that is over every limit one character beyond the largest', async () => {
    let length = 0;
    await (await open()).request(evaluation('return call("tool", "x".repeat(4500000))'), {
      timeoutMs: 5000,
      onCapabilityCall(call) {
        length = call.arguments.length;
        return Promise.resolve('0');
      },
    });
    expect(length).to.equal(4_000_001);
  });

  it('gives the error of a broker that throws to its owner, and ends the isolate', async () => {
    const isolate = await open();
    const mistake = new Error('broker');
    const thrown: unknown = await isolate
      .request(evaluation('return call("tool", "{}")'), { timeoutMs: 5000, onCapabilityCall: () => Promise.reject(mistake) })
      .catch((error: unknown) => error);
    expect(thrown).to.equal(mistake);
    expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.match(/^host_lost/);
  });

  it('ends an isolate at its deadline, also while it waits for a capability', async () => {
    for (const source of [SPIN, 'return call("tool", "{}")']) {
      const isolate = await open();
      const outcome = await isolate.request(evaluation(source), { timeoutMs: 100, onCapabilityCall: () => new Promise(() => undefined) });
      expect(verdictOf(outcome)).to.equal('timeout');
      expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.match(/^host_lost/);
    }
  });

  it('takes a deadline that has passed, or is too far to be set, as what it is', async () => {
    expect(verdictOf(await (await open()).request(evaluation(SPIN), { timeoutMs: -5 }))).to.equal('timeout');
    expect(textOf(await (await open()).request(evaluation('return 1'), { timeoutMs: 2 ** 40 }))).to.equal('1');
  });

  it('ends an isolate beyond its memory', async () => {
    expect(verdictOf(await (await open()).request(evaluation(ALLOCATE), WITHIN))).to.equal('memory_exceeded');
  });

  it('leaves room for the words it promised', async () => {
    const words = await (await open()).request(evaluation('const kept = new Array(1200000).fill(0.5); return kept.length'), WITHIN);
    expect(textOf(words)).to.equal('1200000');
  });

  it('ends a running isolate when the signal is raised, and one that was raised before', async () => {
    const controller = new AbortController();
    const running = (await open()).request(evaluation(SPIN), { timeoutMs: 5000, signal: controller.signal });
    controller.abort();
    expect(verdictOf(await running)).to.equal('cancelled');
    expect(verdictOf(await (await open()).request(evaluation('return 1'), { timeoutMs: 5000, signal: controller.signal }))).to.equal('cancelled');
  });

  it('ends a running request when its isolate is disposed of, which may be said twice', async () => {
    const isolate = await open();
    const running = isolate.request(evaluation(SPIN), WITHIN);
    await Promise.all([isolate.dispose(), isolate.dispose()]);
    await isolate.dispose();
    expect(verdictOf(await running)).to.equal('cancelled');
    expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.equal('cancelled');
  });

  it('throws for a second request at a time, which is a mistake of the caller', async () => {
    const isolate = await open();
    const running = isolate.request(evaluation(SPIN), { timeoutMs: 100 });
    const thrown: unknown = await isolate.request(evaluation('return 1'), WITHIN).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
    await running;
  });

  it('starts a host before it is asked for an isolate, and uses it', async () => {
    expect(await hosts()).to.have.length(1);
    await open();
    expect(await hosts()).to.have.length(1);
  });

  it('gives environments and trust domains processes of their own', async () => {
    await Promise.all([open('a'), open('a'), open('b'), open('a', 'workflow')]);
    expect(await hosts()).to.have.length(3);
  });

  it('keeps a host ready for the next domain once it has come to four, and no more than one', async () => {
    for (const domain of ['a', 'b', 'c']) await open(domain);
    expect(await hosts()).to.have.length(3);
    await open('d');
    while ((await hosts()).length < 5) await new Promise((resolve) => { setImmediate(resolve); });
    const ready = new Set(await hosts());
    await open('e');
    await Promise.all([open('a'), open('b'), open('c')]);
    while ((await hosts()).length < 6) await new Promise((resolve) => { setImmediate(resolve); });
    expect((await hosts()).filter((pid) => ready.has(pid))).to.have.length(5);
  });

  it('opens a further host when one is full', async () => {
    await Promise.all([open(), open(), open()]);
    expect(await hosts()).to.have.length(1);
    await open();
    expect(await hosts()).to.have.length(2);
  });

  it('never puts an isolate into a host that has seen a fault, and replaces it', async () => {
    const [spinning, neighbour] = await Promise.all([open(), open()]);
    const [first] = await hosts();
    await spinning.request(evaluation(SPIN), { timeoutMs: 50 });
    const next = await open();
    expect(await hosts()).to.have.length(2);
    expect(textOf(await neighbour.request(evaluation('return 7'), WITHIN))).to.equal('7');
    expect(textOf(await next.request(evaluation('return 8'), WITHIN))).to.equal('8');
    await neighbour.dispose();
    await processGone(first, built.options.guestImage);
  });

  it('tells an isolate whose host is killed from outside that it is lost', async () => {
    const [isolate, idle] = await Promise.all([opened(), opened()]);
    const running = isolate.request(evaluation(SPIN), WITHIN);
    for (const pid of await hosts()) process.kill(pid, 'SIGKILL');
    expect(verdictOf(await running)).to.equal('host_lost/killed');
    expect(verdictOf(await idle.request(evaluation('return 1'), WITHIN))).to.equal('host_lost/killed');
    expect(textOf(await (await open()).request(evaluation('return 1'), WITHIN))).to.equal('1');
  });

  it('tries again in another process when an isolate is lost before it was made', async () => {
    await opened();
    const isolate = await open('other');
    const running = isolate.request(evaluation('return 2'), WITHIN);
    for (const pid of await hosts()) process.kill(pid, 'SIGKILL');
    expect(textOf(await running)).to.equal('2');
  });

  it('takes the crash of a process in which one isolate runs for that isolate\'s memory', async () => {
    const isolate = await opened();
    const running = isolate.request(evaluation(SPIN), WITHIN);
    for (const pid of await hosts()) process.kill(pid, 'SIGABRT');
    expect(verdictOf(await running)).to.equal('memory_exceeded');
  });

  it('does not blame one of two running isolates for a crash', async () => {
    const isolates = await Promise.all([opened(), opened()]);
    const running = isolates.map((isolate) => isolate.request(evaluation(SPIN), WITHIN));
    for (const pid of await hosts()) process.kill(pid, 'SIGABRT');
    expect((await Promise.all(running)).map(verdictOf)).to.deep.equal(['host_lost/exited', 'host_lost/exited']);
  });

  it('ends every host on close, also while isolates run', async () => {
    const running = (await open()).request(evaluation(SPIN), WITHIN);
    await open('other');
    await sandbox.close();
    expect(await hosts()).to.deep.equal([]);
    expect(verdictOf(await running)).to.equal('host_lost/killed');
    const thrown: unknown = await open().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });
});

describe('a sandbox whose host cannot start', () => {
  for (const [title, hostScript] of [['its script is missing', '/nonexistent/host.cjs'], ['its script is no program', '/etc/hostname']] as const) {
    it(`answers that the host is lost when ${title}`, async () => {
      const sandbox = startSandbox({ hostScript, guestImage: '/nonexistent/image', readableFolders: ['/nonexistent'], isolatesPerHost: 1 });
      const isolate = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'a', heapWords: MISSION_HEAP_WORDS });
      expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.equal('host_lost/exited');
      await sandbox.close();
    });
  }
});
