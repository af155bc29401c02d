import { expect } from 'chai';
import { RUN_STATES, journalLine, mayFollow, readJournal, type JournalEntry, type RunState } from './states.ts';

const OWNER = { boot: 'b', namespace: 'n', pid: 7, started: '1' };
const HASH = `sha256:${'a'.repeat(64)}`;

const entry = (state: RunState, more: Partial<JournalEntry> = {}): JournalEntry => ({
  state,
  at: '2030-01-02T03:04:05.000006Z',
  resultHash: null,
  owner: null,
  ...more,
});
const file = (...entries: JournalEntry[]): Uint8Array => Buffer.concat(entries.map(journalLine));

describe('states of a run (runtime.md §3)', () => {
  it('begin with prepared and go in one order; activated may be left out', () => {
    const followers = Object.fromEntries(
      [null, ...RUN_STATES].map((state) => [state ?? 'start', RUN_STATES.filter((next) => mayFollow(state, next))]),
    );
    expect(followers).to.deep.equal({
      start: ['prepared'],
      prepared: ['authorized', 'aborted'],
      authorized: ['activated', 'running', 'aborted'],
      activated: ['running', 'aborted'],
      running: ['draining', 'aborted'],
      draining: ['sealed', 'aborted'],
      sealed: ['publishing'],
      publishing: ['published'],
      published: [],
      aborted: [],
    });
  });
});

describe('lines of a journal (runtime.md §15.1)', () => {
  it('are canonical JSON with a line feed', () => {
    const text = new TextDecoder().decode(file(entry('sealed', { resultHash: HASH })));
    expect(text).to.equal(`{"at":"2030-01-02T03:04:05.000006Z","result_hash":"${HASH}","state":"sealed"}\n`);
  });

  it('read back to the last whole one', () => {
    const whole = file(
      entry('prepared', { owner: OWNER }),
      entry('authorized'),
      entry('running'),
      entry('draining'),
      entry('sealed', { resultHash: HASH }),
      entry('publishing'),
    );
    expect(readJournal(whole)).to.deep.equal({ state: 'publishing', resultHash: HASH, owner: OWNER });
    const states = new Set(
      Array.from({ length: whole.length + 1 }, (_, length) => readJournal(whole.subarray(0, length)).state),
    );
    expect([...states]).to.deep.equal([null, 'prepared', 'authorized', 'running', 'draining', 'sealed', 'publishing']);
  });

  const broken: readonly (readonly [string, Uint8Array | string])[] = [
    ['nothing', ''],
    ['a line without its end', journalLine(entry('prepared')).subarray(0, -1)],
    ['no JSON', 'prepared\n'],
    ['another value', 'null\n[]\n7\n'],
    ['an unknown state', '{"state":"flying"}\n'],
    ['a state out of order', file(entry('running'))],
    ['bytes that are no text', Uint8Array.of(0xff, 0x0a)],
  ];
  for (const [what, bytes] of broken) {
    it(`are none: ${what}`, () => {
      expect(readJournal(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)).to.deep.equal({
        state: null,
        resultHash: null,
        owner: null,
      });
    });
  }

  it('count up to the first that is wrong, and no hash but a digest', () => {
    const bytes = Buffer.concat([
      file(entry('prepared', { owner: OWNER })),
      Buffer.from('{"result_hash":"no","state":"authorized"}\n{"state":"sealed"}\n'),
    ]);
    expect(readJournal(bytes)).to.deep.equal({ state: 'authorized', resultHash: null, owner: OWNER });
  });
});
