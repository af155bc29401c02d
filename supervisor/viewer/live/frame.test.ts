import { expect } from 'chai';
import { frameOf } from './frame.ts';

const FRAME = { run_id: 'r', seq: 1, phase: 'running', elapsed_ms: 1, activity: [] };
const HEAP = { observed_words: 2, peak_words: 3, baseline_words: 1, ceiling_words: 9, samples: [] };

function isAccepted(frame: object): boolean {
  return frameOf(Buffer.from(JSON.stringify({ ...FRAME, ...frame }))) !== null;
}

describe('the heap in a frame of a run (evidence.md §10)', () => {
  const sample = { t: 1, observed_words: 2 };
  for (const heap of [undefined, null, HEAP, { ...HEAP, samples: Array.from({ length: 100 }, () => sample) }])
    it(`may be ${JSON.stringify(heap)?.slice(0, 120) ?? 'absent'}`, () => {
      expect(isAccepted({ heap })).to.equal(true);
    });

  for (const heap of [
    7,
    'much',
    [],
    {},
    { ...HEAP, observed_words: '<b>' },
    { ...HEAP, ceiling_words: -1 },
    { ...HEAP, peak_words: null },
    { ...HEAP, samples: {} },
    { ...HEAP, samples: [7] },
    { ...HEAP, samples: [{ ...sample, observed_words: '2' }] },
    { ...HEAP, samples: Array.from({ length: 101 }, () => sample) },
  ])
    it(`is not ${JSON.stringify(heap).slice(0, 120)}`, () => {
      expect(isAccepted({ heap })).to.equal(false);
    });
});

describe('agents and programs in a frame of a run (world.md §3.10)', () => {
  const agent = { id: 'agent-1', turn: 3, max_turns: null, kind: 'tool-call' };
  const program = { line: '(f)', outcome: null };
  for (const frame of [
    { agents: [], programs: [] },
    { agents: [agent, { ...agent, max_turns: 200 }], programs: [program, { ...program, outcome: 'continued' }] },
  ])
    it(`may be ${JSON.stringify(frame).slice(0, 120)}`, () => {
      expect(isAccepted(frame)).to.equal(true);
    });

  for (const frame of [
    { agents: 7 },
    { agents: null },
    { agents: {} },
    { agents: [7] },
    { agents: [{ ...agent, turn: '3' }] },
    { agents: [{ ...agent, max_turns: 'all' }] },
    { agents: [{ ...agent, kind: null }] },
    { agents: Array.from({ length: 65 }, () => agent) },
    { programs: 'all' },
    { programs: [null] },
    { programs: [{ outcome: null }] },
    { programs: [{ ...program, outcome: {} }] },
    { programs: Array.from({ length: 65 }, () => program) },
  ])
    it(`are not ${JSON.stringify(frame).slice(0, 120)}`, () => {
      expect(isAccepted(frame)).to.equal(false);
    });
});
