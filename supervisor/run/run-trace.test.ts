import { expect } from 'chai';
import { stat } from 'node:fs/promises';
import type { TraceEvent } from '../evidence/event.ts';
import type { TraceLine } from '../evidence/recorder.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../evidence/publication/owner.ts';
import { publishArtifacts } from '../evidence/publication/publish-artifacts.ts';
import { releaseReservation, reserve, type Reservation } from '../evidence/publication/reservation.ts';
import { contentsOf, removeScratch, scratchDirectory } from '../evidence/publication/testing/scratch.ts';
import { openRunTrace, type RunTrace } from './run-trace.ts';

const BOUNDS = { payloadBytes: 100_000, eventCount: 100, eventBytes: 10_000_000 };
const OPTIONS = {
  runId: 'r',
  traceId: 'r',
  eventClass: 'private',
  bounds: BOUNDS,
  clock: { monotonic: () => 0, wall: () => 0 },
} as const;
const note = (text: string): TraceEvent => ({ type: 'workflow-annotation', data: new Map([['text', text]]) });

/** Settles once `condition` holds; what never holds meets the limit of the test. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()))
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

describe('the trace of a run', () => {
  let root: string;
  let reservation: Reservation;
  let trace: RunTrace;
  beforeEach(async () => {
    root = await scratchDirectory();
    const tools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
    const reserved = await reserve(tools, {
      directory: root,
      name: 'run.jsonl',
      mode: 0o600,
      recovery: null,
      nameIsUnique: true,
    });
    if (!reserved.ok) throw new Error('the destination is free');
    ({ reservation } = reserved);
  });
  afterEach(async () => {
    await trace.close();
    await releaseReservation(reservation);
    await removeScratch(root);
  });
  const staged = (): string => `${root}/${reservation.staging.name}/content`;
  async function textOf(): Promise<string> {
    const lines: TraceLine[] = [];
    for (;;) {
      const read = await trace.recorder.since(lines.length + 1);
      if (read.length === 0) return lines.map(({ text }) => `${text}\n`).join('');
      lines.push(...read);
    }
  }
  const withFiles = (createFile: Reservation['staging']['directory']['createFile']): Reservation => ({
    ...reservation,
    staging: { ...reservation.staging, directory: { ...reservation.staging.directory, createFile } },
  });

  it('grows into its staged file, is read while it does, and is published as it was read', async () => {
    trace = await openRunTrace(reservation, OPTIONS);
    for (let event = 0; event < 5; event += 1)
      expect(trace.recorder.record(note('x'.repeat(30_000)))).to.equal('recorded');
    await until(async () => (await stat(staged())).size > 60_000);
    const text = await textOf();
    expect(text.split('\n')).to.have.length(6);
    const content = await trace.content(true);
    expect(await textOf(), 'still there').to.equal(text);
    const { failures } = await publishArtifacts(
      nodeFileSystem(),
      { trace: reservation, inspection: null, result: null },
      { trace: content, inspection: null, result: null },
    );
    expect([failures, (await contentsOf(root))['run.jsonl']]).to.deep.equal([[], text]);
    await trace.close();
    expect(await textOf()).to.equal('');
  });

  it('has nothing to publish when no reader would take it', async () => {
    trace = await openRunTrace(reservation, OPTIONS);
    expect(await trace.content(false)).to.deep.equal({ staged: null });
  });

  it('goes on in memory, with nothing to publish, where its file cannot be made', async () => {
    trace = await openRunTrace(
      withFiles(async () => ({ ok: false, errno: 'ENOSPC' })),
      OPTIONS,
    );
    trace.recorder.record(note('kept'));
    expect([await trace.content(true), (await textOf()).includes('kept')]).to.deep.equal([{ staged: null }, true]);
  });

  it('stays in memory where none was requested', async () => {
    trace = await openRunTrace(null, OPTIONS);
    trace.recorder.record(note('kept'));
    expect([await trace.content(true), (await textOf()).includes('kept')]).to.deep.equal([{ staged: null }, true]);
  });

  it('lets go of its file when it cannot be begun', async () => {
    const clock = {
      monotonic: () => 0,
      wall: () => {
        throw new Error('bug');
      },
    };
    let closed = 0;
    const counting = withFiles(async (...input) => {
      const created = await reservation.staging.directory.createFile(...input);
      if (!created.ok) return created;
      return {
        ok: true,
        value: {
          ...created.value,
          close: async () => {
            closed += 1;
            await created.value.close();
          },
        },
      };
    });
    const thrown = await openRunTrace(counting, { ...OPTIONS, clock }).catch((error: unknown) => error);
    trace = await openRunTrace(null, OPTIONS);
    expect([thrown, closed]).to.deep.equal([new Error('bug'), 1]);
  });
});
