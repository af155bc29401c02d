import { realpathSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, processEnded, processesNaming } from '../testing/processes.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from '../testing/requests.ts';
import { RAW_GUEST, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import { until } from '../testing/until.ts';
import { everywhere } from '../../scripts/build-snapshot.ts';
import type { CapabilityCall, EnvironmentKind, HeapFigure } from '../../contract/sandbox-protocol.ts';
import type { Isolate } from './interface.ts';
import { startSandbox } from './pool.ts';

const SPIN = 'for (;;);';
/** A table doubles in one piece: V8 gives an isolate up that has no room for that. */
const GROW_TABLE = 'const table = {}; for (let i = 0; ; i++) table["k" + i] = i;';
/** A built-in that does not let itself be interrupted. */
const STUCK = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)';
const ALLOCATE = 'const kept = []; for (;;) kept.push([kept.length]);';
/** For what ends by itself: a guard, far beyond what a busy machine needs. */
const WITHIN = { timeoutMs: 60_000 };

describe('the sandbox', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: RAW_GUEST }), { startsFor: 'test', isolatesPerHost: 3 });

  const open = (trustDomain = 'run', environment: EnvironmentKind = 'mission'): Promise<Isolate> =>
    built.sandbox.openIsolate({ environment, trustDomain, heapWords: MISSION_HEAP_WORDS });
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
    const [ended, stored] = [await open('ended'), await open('kept')];
    await Promise.all([ended, stored].map((isolate) => isolate.request(evaluation('return 1'), WITHIN)));
    const before = (await hosts()).length;
    await built.sandbox.endDomain({ environment: 'mission', trustDomain: 'ended' });
    expect((await hosts()).length).to.equal(before - 1);
    expect([ended.isUsable(), stored.isUsable()]).to.deep.equal([false, true]);
    expect(textOf(await stored.request(evaluation('return 2'), WITHIN))).to.equal('2');
    await built.sandbox.endDomain({ environment: 'mission', trustDomain: 'ended' });
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
    const outcome = await (
      await open()
    ).request(evaluation('return call("tool/ä", "{\\"a\\":1}") + call("second", "{}")'), {
      timeoutMs: WITHIN.timeoutMs,
      onCapabilityCall(call) {
        calls.push(call);
        return Promise.resolve(`"€${calls.length}"`);
      },
    });
    expect(textOf(outcome)).to.equal('"€1""€2"');
    expect(calls.map(({ name, arguments: text }) => ({ name, arguments: text }))).to.deep.equal([
      { name: 'tool/ä', arguments: '{"a":1}' },
      { name: 'second', arguments: '{}' },
    ]);
  });

  it('tells of the heap of an isolate with each reply, and not while a call is open, more is held', async () => {
    const heaps: HeapFigure[] = [];
    const ask = async (isolate: Isolate, body: string): Promise<readonly HeapFigure[]> => {
      heaps.length = 0;
      const outcome = await isolate.request(evaluation(body), {
        timeoutMs: WITHIN.timeoutMs,
        onHeap: (heap) => heaps.push(heap),
        onCapabilityCall: async () => '0',
      });
      expect(verdictOf(outcome)).to.equal('returned');
      return [...heaps];
    };
    const isolate = await open();
    const [before, ...none] = await ask(isolate, 'call("tool", "{}"); return 1');
    expect(none).to.deep.equal([]);
    const [after] = await ask(isolate, 'globalThis.kept = Array(200000).fill(1); return 1');
    if (before === undefined || after === undefined) throw new Error('nothing was told');
    expect(before.baselineWords).to.be.above(0).and.equal(after.baselineWords);
    expect(after.observedWords).to.be.above(before.observedWords + 100_000);
    expect(await ask(isolate, 'return 1')).to.have.length(1);
  });

  it('looks at heaps on the thread of their isolate: what a guest puts off holds up nobody beside it', async () => {
    const isolate = await open();
    const neighbour = await open();
    const outcome = isolate.request(evaluation('Promise.resolve().then(() => { for (;;); }); return 1'), {
      timeoutMs: 300,
      onHeap: () => undefined,
    });
    expect(verdictOf(await neighbour.request(evaluation('return 1'), WITHIN))).to.equal('returned');
    await outcome;
    expect(verdictOf(await neighbour.request(evaluation('return 1'), WITHIN))).to.equal('returned');
  });

  it('refuses capability calls without a broker', async () => {
    const outcome = await (await open()).request(evaluation('return call("tool", "{}")'), WITHIN);
    expect(verdictOf(outcome)).to.equal('evaluation_error');
    expect(textOf(outcome)).to.match(/refused/);
  });

  it('cuts an argument text that is over every limit one character beyond the largest', async () => {
    let length = 0;
    await (
      await open()
    ).request(evaluation('return call("tool", "x".repeat(4500000))'), {
      timeoutMs: WITHIN.timeoutMs,
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
      .request(evaluation('return call("tool", "{}")'), {
        timeoutMs: WITHIN.timeoutMs,
        onCapabilityCall: () => Promise.reject(mistake),
      })
      .catch((error: unknown) => error);
    expect(thrown).to.equal(mistake);
    expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.match(/^host_lost/);
  });

  it('ends an isolate at its deadline, also while it waits for a capability', async () => {
    for (const source of [SPIN, 'return call("tool", "{}")']) {
      const isolate = await open();
      const outcome = await isolate.request(evaluation(source), {
        timeoutMs: 100,
        onCapabilityCall: () => new Promise(() => undefined),
      });
      expect(verdictOf(outcome)).to.equal('timeout');
      expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.match(/^host_lost/);
    }
  });

  it('tells a deadline that passed while the host itself was silent from one that a program let pass', async () => {
    for (const source of [SPIN, STUCK])
      expect(await (await open()).request(evaluation(source), { timeoutMs: 100 })).to.deep.equal({ status: 'timeout' });
    const isolate = await opened();
    const stopped = await hosts();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    expect(await isolate.request(evaluation(SPIN), { timeoutMs: 100 })).to.deep.equal({
      status: 'timeout',
      isHostSilent: true,
    });
    expect(textOf(await (await open()).request(evaluation('return 2'), WITHIN))).to.equal('2');
  });

  it('takes a deadline that has passed, or is too far to be set, as what it is', async () => {
    expect(verdictOf(await (await open()).request(evaluation(SPIN), { timeoutMs: -5 }))).to.equal('timeout');
    expect(textOf(await (await open()).request(evaluation('return 1'), { timeoutMs: 2 ** 40 }))).to.equal('1');
  });

  it('ends an isolate beyond its memory', async () => {
    expect(verdictOf(await (await open()).request(evaluation(ALLOCATE), WITHIN))).to.equal('memory_exceeded');
  });

  it('leaves room for the words it promised', async () => {
    const words = await (
      await open()
    ).request(evaluation('const kept = new Array(1200000).fill(0.5); return kept.length'), WITHIN);
    expect(textOf(words)).to.equal('1200000');
  });

  it('ends a running isolate when the signal is raised, and one that was raised before', async () => {
    const controller = new AbortController();
    const running = (await open()).request(evaluation(SPIN), {
      timeoutMs: WITHIN.timeoutMs,
      signal: controller.signal,
    });
    controller.abort();
    expect(verdictOf(await running)).to.equal('cancelled');
    expect(
      verdictOf(
        await (
          await open()
        ).request(evaluation('return 1'), { timeoutMs: WITHIN.timeoutMs, signal: controller.signal }),
      ),
    ).to.equal('cancelled');
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
    await until('a fifth host', async () => ((await hosts()).length < 5 ? undefined : true));
    const ready = new Set(await hosts());
    await open('e');
    await Promise.all([open('a'), open('b'), open('c')]);
    await until('a sixth host', async () => ((await hosts()).length < 6 ? undefined : true));
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
    await processEnded(first, built.options.guestImage);
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
    const folder = await mkdtemp(join(realpathSync(tmpdir()), 'svc-held-'));
    const acquired = join(folder, 'held');
    const hostScript = join(folder, 'host.cjs');
    // A host that is started while this file is there makes no isolate; it is killed before it could make one.
    await writeFile(acquired, '');
    await writeFile(
      hostScript,
      `if (require('node:fs').existsSync(${JSON.stringify(acquired)})) setInterval(() => undefined, 1e6);\nelse require(${JSON.stringify(built.options.hostScript)});`,
    );
    const own = startSandbox({
      ...built.options,
      hostScript,
      readableFolders: [...built.options.readableFolders, folder],
    });
    try {
      const isolate = await own.openIsolate({
        environment: 'mission',
        trustDomain: 'run',
        heapWords: MISSION_HEAP_WORDS,
      });
      const running = isolate.request(evaluation('return 2'), WITHIN);
      const [first] = await processesNaming(hostScript);
      if (first === undefined) throw new Error('no host was started');
      process.kill(first, 'SIGKILL');
      rmSync(acquired);
      expect(textOf(await running)).to.equal('2');
      expect(await processesNaming(hostScript)).to.not.include(first);
    } finally {
      await own.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  async function untilHosts(condition: (pids: readonly number[]) => boolean): Promise<readonly number[]> {
    for (let round = 0; round < 500; round += 1) {
      const pids = await hosts();
      if (condition(pids)) return pids;
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    throw new Error('these processes were awaited in vain');
  }

  it("takes the crash of a process in which one isolate runs for that isolate's memory", async () => {
    const isolate = await opened();
    const running = isolate.request(evaluation(SPIN), WITHIN);
    for (const pid of await hosts()) process.kill(pid, 'SIGTRAP');
    expect(verdictOf(await running)).to.equal('memory_exceeded');
  });

  for (const signal of ['SIGKILL', 'SIGABRT', 'SIGTERM'] as const) {
    it(`tells of ${signal} without a word of the engine that it came from outside, and no memory was full`, async () => {
      const isolate = await opened();
      const running = isolate.request(evaluation(SPIN), WITHIN);
      for (const pid of await hosts()) process.kill(pid, signal);
      expect(await running).to.deep.equal({ status: 'host_lost', cause: 'killed', signal });
    });
  }

  describe('when a process dies of a signal that its program may have caused', () => {
    const sent = async (): Promise<void> => {
      for (const pid of await hosts()) process.kill(pid, 'SIGSEGV');
    };

    it('begins the program again, and has its value', async () => {
      const isolate = await open();
      const running = isolate.request(evaluation('for (let n = 0; n < 1e9; n += 1); return 4'), WITHIN);
      await (await opened()).dispose();
      const first = await hosts();
      await sent();
      expect(textOf(await running)).to.equal('4');
      expect(await hosts(), 'it was begun again').to.not.include.members([...first]);
    });

    it('takes it for the memory of the program when it comes again in a process of its own', async () => {
      const isolate = await open();
      const running = isolate.request(evaluation(SPIN), WITHIN);
      await (await opened()).dispose();
      const first = await hosts();
      await sent();
      await untilHosts((pids) => pids.length > 0 && first.every((pid) => !pids.includes(pid)));
      await opened();
      await sent();
      expect(verdictOf(await running)).to.equal('memory_exceeded');
    });

    it('names it where the program has called something', async () => {
      const called = Promise.withResolvers<void>();
      const running = (await opened()).request(evaluation(`call("a", "{}"); ${SPIN}`), {
        ...WITHIN,
        onCapabilityCall: () => {
          called.resolve();
          return Promise.resolve('0');
        },
      });
      await called.promise;
      await sent();
      expect(await running).to.deep.equal({ status: 'host_lost', cause: 'crashed', signal: 'SIGSEGV' });
    });
  });

  it('gives up a host that somebody stopped long before the deadline of what it owes', async () => {
    const running = (await opened()).request(evaluation('return call("a", "{}")'), {
      timeoutMs: 600_000,
      onCapabilityCall: async () => {
        for (const pid of await hosts()) process.kill(pid, 'SIGSTOP');
        return '0';
      },
    });
    expect(await running).to.deep.equal({ status: 'host_lost', cause: 'killed', signal: 'SIGSTOP' });
    expect(textOf(await (await open()).request(evaluation('return 1'), WITHIN))).to.equal('1');
  });

  it('lets the others in a process go on when the memory of one isolate cannot be given back', async () => {
    const { promise: reported, resolve } = Promise.withResolvers<string>();
    const neighbour = await opened();
    const [host] = await hosts();
    const running = neighbour.request(evaluation('return call("wait", "{}")'), {
      timeoutMs: 20_000,
      onCapabilityCall: () => reported,
    });
    expect(verdictOf(await (await open()).request(evaluation(GROW_TABLE), WITHIN))).to.equal('memory_exceeded');
    resolve('after');
    expect(textOf(await running)).to.equal('after');
    expect(textOf(await (await open()).request(evaluation('return 2'), WITHIN))).to.equal('2');
    expect(await hosts())
      .to.include(host)
      .and.have.length(2);
    await neighbour.dispose();
    await processEnded(host, built.options.guestImage);
  });

  it('kills a process for an isolate whose memory cannot be given back, and that was alone in it', async () => {
    const isolate = await open();
    const [host] = await hosts();
    expect(verdictOf(await isolate.request(evaluation(GROW_TABLE), WITHIN))).to.equal('memory_exceeded');
    expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.equal('host_lost/killed');
    await processEnded(host, built.options.guestImage);
  });

  describe('when a process dies through one of the programs in it', () => {
    const ENDLESS = { timeoutMs: 600_000 };

    /** Two isolates of one process that run this as the first that is asked of them, and the process. */
    async function twoRunning(sources: readonly string[], onCapabilityCall?: () => Promise<string>) {
      const cancel = new AbortController();
      const running: Promise<string>[] = [];
      for (const source of sources) {
        const isolate = await open();
        running.push(
          isolate
            .request(evaluation(source), {
              ...ENDLESS,
              signal: cancel.signal,
              ...(onCapabilityCall === undefined ? {} : { onCapabilityCall }),
            })
            .then(verdictOf),
        );
      }
      // Asked after them, of the same process.
      await (await opened()).dispose();
      const [host] = await hosts();
      if (host === undefined) throw new Error('no host');
      return { running, host, cancel };
    }

    it('begins those again that called nothing, each alone in a process, when any may have been the cause', async () => {
      const { running, host, cancel } = await twoRunning([SPIN, SPIN]);
      process.kill(host, 'SIGTRAP');
      const fresh = await untilHosts((pids) => pids.length === 2 && !pids.includes(host));
      await opened();
      expect(await hosts())
        .to.include.members([...fresh])
        .and.have.length.above(2);
      cancel.abort();
      expect(await Promise.all(running)).to.deep.equal(['cancelled', 'cancelled']);
      await Promise.all(fresh.map((pid) => processEnded(pid, built.options.guestImage)));
    });

    it('begins those again that did not cause it', async () => {
      const { running, host, cancel } = await twoRunning([SPIN]);
      const stuck = await open();
      expect(verdictOf(await stuck.request(evaluation(STUCK), { timeoutMs: 100 }))).to.equal('timeout');
      await untilHosts((pids) => pids.length > 0 && !pids.includes(host));
      cancel.abort();
      expect(await Promise.all(running)).to.deep.equal(['cancelled']);
    });

    it('begins those again that did not cause it when a guest that was taken over is the cause', async () => {
      const { running, host, cancel } = await twoRunning([SPIN]);
      const rogue = await open();
      expect(
        verdictOf(
          await rogue.request(evaluation('return Promise.resolve().then(() => { throw new Error("x"); })'), WITHIN),
        ),
      ).to.equal('host_lost/protocol_violation');
      await untilHosts((pids) => pids.length > 0 && !pids.includes(host));
      cancel.abort();
      expect(await Promise.all(running)).to.deep.equal(['cancelled']);
    });

    it('begins nothing again that has called something, or that answered before', async () => {
      let calls = 0;
      const called = Promise.withResolvers<void>();
      const { running, host } = await twoRunning([`call("a", "{}"); ${SPIN}`, `call("b", "{}"); ${SPIN}`], () => {
        calls += 1;
        if (calls === 2) called.resolve();
        return Promise.resolve('0');
      });
      const spent = (await opened()).request(evaluation(SPIN), ENDLESS);
      await Promise.all([called.promise, opened()]);
      // A busy machine may have given the third a process of its own, which ends like theirs.
      for (const pid of new Set([host, ...(await hosts())])) process.kill(pid, 'SIGTRAP');
      expect(await Promise.all(running)).to.deep.equal(['host_lost/neighbour', 'host_lost/neighbour']);
      expect(await spent.then(verdictOf)).to.be.oneOf(['host_lost/neighbour', 'memory_exceeded']);
      expect(calls).to.equal(2);
    });

    it('begins nothing again that was ended from outside', async () => {
      const { running, host } = await twoRunning([SPIN, SPIN]);
      process.kill(host, 'SIGKILL');
      expect(await Promise.all(running)).to.deep.equal(['host_lost/killed', 'host_lost/killed']);
    });
  });

  it('opens no debugger in a host that is asked for one by signal, and lets it go on', async () => {
    const isolate = await opened();
    const [host] = await hosts();
    if (host === undefined) throw new Error('no host');
    process.kill(host, 'SIGUSR1');
    // Long enough in it for a thread that was started to have opened its port.
    for (let requested = 0; requested < 50; requested += 1)
      expect(textOf(await isolate.request(evaluation('return 1'), WITHIN))).to.equal('1');
    expect(await listening(host)).to.deep.equal([]);
  });

  it('ends every host on close, also while isolates run', async () => {
    const running = (await open()).request(evaluation(SPIN), WITHIN);
    await open('other');
    await built.sandbox.close();
    expect(await hosts()).to.deep.equal([]);
    expect(verdictOf(await running)).to.equal('host_lost/killed');
    const thrown: unknown = await open().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });
});

describe('a sandbox whose host cannot start', () => {
  const built = useSandboxUnderTest(() => everywhere({ script: RAW_GUEST }));
  for (const [title, hostScript] of [
    ['its script is missing', '/nonexistent/host.cjs'],
    ['its script is no program', '/etc/hostname'],
  ] as const) {
    it(`answers that the host is lost when ${title}`, async () => {
      const sandbox = startSandbox({ ...built.options, hostScript });
      const isolate = await sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: 'a',
        heapWords: MISSION_HEAP_WORDS,
      });
      expect(verdictOf(await isolate.request(evaluation('return 1'), WITHIN))).to.equal('host_lost/exited');
      await sandbox.close();
    });
  }
});
