import { expect } from 'chai';
import fc from 'fast-check';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { emptyUsage } from '../../contract/envelope/testing/empty-usage.ts';
import { timestampOf } from '../../system/clock.ts';
import { runStarted, runStopped, type TraceEvent } from './event.ts';
import { openTrace, terminalReserve, type TraceBounds, type TraceRecorder } from './recorder.ts';
import { readTrace } from './reader/testing/read-trace.ts';

const BOUNDS: TraceBounds = { payloadBytes: 2000, eventCount: 8, eventBytes: 20_000 };
const PRELUDE = { component_ids: [], dependency_indices: [], hash: null };
const STARTED = runStarted({ labels: {}, workflow_prelude: PRELUDE, missions: {}, connector_snapshots: [] });

function recorder(eventClass: 'normal' | 'private', bounds: TraceBounds = BOUNDS): TraceRecorder {
  return openTrace({ runId: 'r', traceId: 'r', eventClass, bounds, clock: { monotonic: () => 0, wall: () => 0 } });
}

function note(type: string, text = ''): TraceEvent {
  const data = jsonFromPlain({ text });
  if (!isJsonObject(data)) throw new Error('an object stays one');
  return { type, data };
}

function stop(dropped: Readonly<Record<string, number>>): TraceEvent {
  const usage = {
    ...emptyUsage({ remainingMs: 0, totalTokens: null, costMicrousd: null }),
    capability_calls: { workflow: {}, mission: {} },
    events_dropped: dropped,
  };
  return runStopped({ outcome: 'ok', reason: null, usage });
}

/** The whole trace, as its file would hold it. */
async function bytesOf(trace: TraceRecorder): Promise<Uint8Array> {
  const texts: string[] = [];
  for (let sequence = 1; ;) {
    const lines = await trace.since(sequence);
    if (lines.length === 0) return Buffer.from(texts.join(''));
    texts.push(...lines.map(({ text }) => `${text}\n`));
    sequence += lines.length;
  }
}

async function finalized(trace: TraceRecorder): Promise<readonly string[]> {
  const end = trace.finalize(stop);
  if (end.status === 'lost') return ['lost'];
  const read = readTrace(await bytesOf(trace));
  if (!read.ok) throw new Error(read.fault.rule);
  expect(end.isReadable).to.equal(true);
  return read.records.map(({ type }) => type);
}

describe('trace recorder (evidence.md §2, §4)', () => {
  it('keeps two events free for the end of a normal run, and counts what it drops', async () => {
    const trace = recorder('normal');
    trace.record(STARTED);
    const outcomes = Array.from({ length: 7 }, () => trace.record(note('progress')));
    expect(outcomes).to.deep.equal([...Array.from({ length: 5 }, () => 'recorded'), 'dropped', 'dropped']);
    expect(trace.dropped()).to.deep.equal({ progress: 2 });
    expect(await finalized(trace)).to.deep.equal([
      'run-started',
      ...Array.from({ length: 5 }, () => 'progress'),
      'events-dropped',
      'run-stopped',
    ]);
  });

  it('refuses instead on a private run, without a reserve', async () => {
    const trace = recorder('private');
    trace.record(STARTED);
    const outcomes = Array.from({ length: 8 }, () => trace.record(note('progress')));
    expect(outcomes).to.deep.equal([...Array.from({ length: 7 }, () => 'recorded'), 'refused']);
    expect(await finalized(trace)).to.deep.equal(['lost']);
  });

  it('tells each listener of every event until it is frozen, with its place, also of those it has no room for', async () => {
    const trace = recorder('normal', { ...BOUNDS, eventCount: 4 });
    const listening = (): readonly [string, number | null][] => {
      const reported: [string, number | null][] = [];
      trace.subscribe(({ event, sequence }) => {
        reported.push([event.type, sequence]);
      });
      return reported;
    };
    const first = listening();
    trace.record(STARTED);
    const second = listening();
    const stopListening = trace.subscribe(() => {
      throw new Error('a listener of its own');
    });
    for (const type of ['kept', 'lost']) trace.record(note(type));
    stopListening();
    await finalized(trace);
    trace.record(note('late'));
    const later = [
      ['kept', 2],
      ['lost', null],
      ['events-dropped', 3],
      ['run-stopped', 4],
    ] as const;
    expect([first, second]).to.deep.equal([[['run-started', 1], ...later], later]);
  });

  it('gives its lines from any sequence on, to whoever asks', async () => {
    const trace = recorder('normal');
    trace.record(STARTED);
    for (const type of ['a', 'b', 'c']) trace.record(note(type, 'x'.repeat(100)));
    const typesSince = async (sequence: number, mostBytes?: number) =>
      (await trace.since(sequence, mostBytes)).map((line) => [line.sequence, /"type":"([^"]+)"/.exec(line.text)?.[1]]);
    expect(await typesSince(0)).to.deep.equal([
      [1, 'run-started'],
      [2, 'a'],
      [3, 'b'],
      [4, 'c'],
    ]);
    expect(await typesSince(3)).to.deep.equal([
      [3, 'b'],
      [4, 'c'],
    ]);
    expect(await typesSince(2, 1), 'one at least').to.deep.equal([[2, 'a']]);
    expect(await typesSince(5)).to.deep.equal([]);
  });

  it('says whether a reader would take it', async () => {
    const trace = recorder('normal');
    trace.record(STARTED);
    trace.record(STARTED);
    expect(trace.finalize(stop)).to.deep.equal({ status: 'complete', isReadable: false });
    expect(readTrace(await bytesOf(trace)).ok).to.equal(false);
  });

  it('measures one payload exactly', () => {
    const empty = '{"text":""}'.length;
    const fits = note('progress', 'x'.repeat(BOUNDS.payloadBytes - empty));
    const exceeds = note('progress', 'x'.repeat(BOUNDS.payloadBytes - empty + 1));
    const trace = recorder('normal');
    trace.record(STARTED);
    expect([trace.record(fits), trace.record(exceeds)]).to.deep.equal(['recorded', 'dropped']);
  });

  it('says which limit kept the first lost event out', () => {
    const limits = { payloadBytes: 4096, eventCount: 100, eventBytes: 1_000_000 };
    const lost = (bounds: Partial<typeof limits>, ...events: readonly TraceEvent[]) => {
      const trace = openTrace({
        runId: 'r',
        traceId: 't',
        eventClass: 'normal',
        bounds: { ...limits, ...bounds },
        clock: { wall: () => 0, monotonic: () => 0 },
      });
      for (const event of events) trace.record(event);
      return trace.loss();
    };
    const five = Array.from({ length: 5 }, () => note('progress'));
    expect(lost({ eventCount: 8 }, ...five)).to.equal(null);
    expect(lost({ eventCount: 7 }, ...five)).to.equal(null);
    expect(lost({ eventCount: 6 }, ...five)).to.deep.equal({ limit: 'normal_event_count', value: 6 });
    expect(lost({ eventBytes: 8000 }, note('progress', 'x'.repeat(100)))).to.deep.equal({
      limit: 'normal_event_bytes',
      value: 8000,
    });
    expect(lost({ payloadBytes: 12 }, note('progress', '1'))).to.equal(null);
    expect(lost({ payloadBytes: 12 }, note('progress', '12'), ...five)).to.deep.equal({
      limit: 'event_payload_bytes',
      value: 12,
    });
  });

  it('a dropped event takes no number', async () => {
    const trace = recorder('normal');
    trace.record(STARTED);
    trace.record(note('progress', 'x'.repeat(5000)));
    trace.record(note('progress'));
    const end = trace.finalize(stop);
    const read = end.status === 'complete' ? readTrace(await bytesOf(trace)) : null;
    expect(read?.ok === true ? read.records.map(({ sequence }) => sequence) : null).to.deep.equal([1, 2, 3, 4]);
  });

  it('counts sixteen types by name, all others and bad ones together', () => {
    const trace = recorder('normal', { ...BOUNDS, eventCount: 3 });
    trace.record(STARTED);
    for (let index = 0; index < 18; index += 1) trace.record(note(`type-${index}`));
    trace.record(note('Not A Type'));
    expect(Object.keys(trace.dropped())).to.have.length(17);
    expect(trace.dropped()['$overflow']).to.equal(3);
  });

  it('is frozen by its end', () => {
    const trace = recorder('normal');
    trace.record(STARTED);
    trace.finalize(stop);
    expect(trace.record(note('progress'))).to.equal('refused');
    expect(trace.finalize(stop).status).to.equal('lost');
  });

  it('whatever is recorded, a normal run within its reserve ends complete and within its bounds', async () => {
    const minimum = terminalReserve(BOUNDS, 'r', 'r') + 1000;
    const events = fc.array(
      fc.record({ type: fc.constantFrom('progress', 'limit-exceeded', '???'), size: fc.nat(3000) }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        events,
        fc.integer({ min: minimum, max: 40_000 }),
        fc.integer({ min: 3, max: 30 }),
        async (list, eventBytes, eventCount) => {
          const trace = recorder('normal', { payloadBytes: 2000, eventBytes, eventCount });
          if (trace.record(STARTED) !== 'recorded') return;
          for (const { type, size } of list) trace.record(note(type, 'x'.repeat(size)));
          const end = trace.finalize(stop);
          if (end.status !== 'complete') throw new Error('the reserve is there for the end');
          const bytes = await bytesOf(trace);
          const read = readTrace(bytes);
          expect([read.ok, end.isReadable]).to.deep.equal([true, true]);
          expect(bytes.length).to.be.at.most(eventBytes);
          expect(read.ok && read.records.length <= eventCount).to.equal(true);
        },
      ),
    );
  });
});

describe('timestamps (evidence.md §2)', () => {
  it('are UTC to the microsecond', () => {
    expect(timestampOf(0)).to.equal('1970-01-01T00:00:00.000000Z');
    expect(timestampOf(1_893_553_445_000.006)).to.equal('2030-01-02T03:04:05.000006Z');
    expect(timestampOf(1_893_553_445_999.9995)).to.match(/^2030-01-02T03:04:05\.999999Z$/);
  });
});
