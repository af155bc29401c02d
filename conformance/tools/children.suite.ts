import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../until.ts';
import { descendantsOf, isAlive, membersOf, workingIn } from '../cli/descendants.ts';
import type { Started } from '../cli/program.ts';
import type { Script } from '../servers/mcp-stdio/script.ts';
import { CALL, LOOK_UP, ToolRoom, call, discover, listing, runTools, textResult } from './room.ts';

/** Programs that are killed at each stage, one after the other: SVC_KILLS says how many. */
const KILLS = Number(process.env['SVC_KILLS'] ?? '2');

const STUBBORN = { ignoresEof: true, ignoresSigterm: true, grandchild: true, stray: true, daemon: true };
const KINDS: Readonly<Record<string, Omit<Script, 'steps'>>> = {
  'that is well-behaved': {},
  'that stays when its input ends': { ignoresEof: true },
  'that ignores SIGTERM too': { ignoresEof: true, ignoresSigterm: true },
  'with a process of its own': { grandchild: true },
  'with a process in a session of its own': { stray: true },
  'with a process that was forked twice': { daemon: true },
  'that is stubborn in every way': STUBBORN,
};
const ANSWERED = [discover(), listing(LOOK_UP), call({ result: textResult('a') })];
/** A call that nobody answers. */
const SILENT = [discover(), listing(LOOK_UP), call({})];
const TRANSPORT = { grace_ms: 50 };

/** Waits for something that a running program does; its end is the end of the wait. */
async function whileRunning<T>(what: string, observe: () => T | undefined, { ended }: Started): Promise<T> {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  return until(what, () => {
    const seen = observe();
    if (seen === undefined && isOver) throw new Error(`the program ended before ${what}`);
    return seen;
  });
}

async function inRoom(
  script: Script,
  work: (room: ToolRoom) => Promise<void>,
  transport: Readonly<Record<string, unknown>> = TRANSPORT,
): Promise<void> {
  const room = new ToolRoom({ script, transport });
  try {
    await work(room);
    await room.allEnded();
  } finally {
    room.close();
  }
}

describe('the end of a server of tools (providers.md §7.8)', () => {
  for (const [kind, behaviour] of Object.entries(KINDS)) {
    it(`${kind} comes with the end of its run`, async () => {
      await runTools({ script: { steps: ANSWERED, ...behaviour }, transport: TRANSPORT }, (report, room) => {
        expect(report.envelope).to.deep.include({ status: 'ok', secondary_errors: [] });
        expect(report.value).to.deep.include({ status: 'ok' });
        expect(room.pids().filter(isAlive), 'before the program tells its end').to.deep.equal([]);
      });
    });

    it(`${kind} comes when the run is stopped in the middle of a call`, async () => {
      await inRoom({ steps: SILENT, ...behaviour }, async (room) => {
        const started = room.start();
        await whileRunning(
          'a call was under way',
          () => (room.methods().includes('tools/call') ? true : undefined),
          started,
        );
        started.child.kill('SIGTERM');
        expect((await started.ended).status).to.equal(143);
        expect(room.pids().filter(isAlive)).to.deep.equal([]);
      });
    });
  }

  it('comes when the run is stopped while it is opened', async () => {
    await inRoom({ steps: [discover({})], ...STUBBORN }, async (room) => {
      const started = room.start();
      await whileRunning('it was asked what it is', () => (room.methods().length > 0 ? true : undefined), started);
      started.child.kill('SIGTERM');
      expect((await started.ended).status).to.equal(143);
      const { envelope } = await room.report(await started.ended);
      expect(envelope['error']).to.deep.include({ code: 'internal_error', provider_activity: true });
    });
  });

  it('comes when it is not opened in its time', async () => {
    await runTools(
      {
        script: { steps: [discover({})], ...STUBBORN },
        transport: TRANSPORT,
        installation: { ceilings: { timeout_ms: 1500 } },
      },
      (report) => {
        expect(report.envelope['error']).to.deep.include({ code: 'provider_acquisition_timeout' });
        expect(report.envelope['secondary_errors']).to.deep.equal([]);
      },
    );
  });

  it('that ends itself under a run leaves nothing either', async () => {
    await runTools(
      {
        script: {
          steps: [discover(), listing(LOOK_UP), call({ exit: 3 })],
          grandchild: true,
          stray: true,
          daemon: true,
        },
        transport: TRANSPORT,
        program: `[${CALL} ${CALL}]`,
      },
      (report) => {
        expect(report.envelope).to.deep.include({ status: 'ok', secondary_errors: [] });
      },
    );
  });

  /** What the server has seen by the time at which the program is killed. */
  const stages: Readonly<Record<string, (room: ToolRoom) => boolean>> = {
    'the server is there': () => true,
    'it is asked what it is': (room) => room.methods().includes('server/discover'),
    'it is asked for its list': (room) => room.methods().includes('tools/list'),
    'a call is under way': (room) => room.methods().includes('tools/call'),
    'it is being ended': (room) => room.requests().some((line) => line['end_of_input'] === true),
  };
  for (const [stage, isReached] of Object.entries(stages))
    it(`comes with the program's own, killed when ${stage}: ${KILLS} times`, async () => {
      for (let time = 0; time < KILLS; time += 1) {
        const [steps, grace] = stage === 'it is being ended' ? [ANSWERED, 5000] : [SILENT, 50];
        await inRoom(
          { steps, ...STUBBORN },
          async (room) => {
            const started = room.start();
            await whileRunning(stage, () => (room.pids().length === 4 && isReached(room) ? true : undefined), started);
            const [leader] = room.pids();
            expect(membersOf(leader ?? 0).length, 'the server, what it started, and its watcher').to.equal(3);
            expect(workingIn(room.directory)).to.include.members([...room.pids()]);
            const hosts = descendantsOf(started.child.pid ?? 0);
            started.child.kill('SIGKILL');
            await started.ended;
            await until('the end of everything that the program started', () =>
              hosts.some(isAlive) ? undefined : true,
            );
          },
          { grace_ms: grace },
        );
      }
    });

  it(`comes with the program's own, killed at ${4 * KILLS} moments between its start and its end`, async () => {
    const opened = performance.now();
    await inRoom({ steps: ANSWERED, ...STUBBORN }, async (room) => void (await room.start().ended));
    const lasting = performance.now() - opened;
    for (let time = 0; time < 4 * KILLS; time += 1) {
      await inRoom({ steps: ANSWERED, ...STUBBORN }, async (room) => {
        const started = room.start();
        await setTimeout((lasting * time) / (4 * KILLS));
        started.child.kill('SIGKILL');
        await started.ended;
        await until('the end of every process that works there', () =>
          workingIn(room.directory).length > 0 ? undefined : true,
        );
      });
    }
  });
});
