import { expect } from 'chai';
import type { Frame } from '../data.ts';
import { liveBars, withActs } from './live-bars.ts';

type Act = Frame['activity'][number];
const act = (t: number, name: string, status: string, took?: number): Act => ({
  t,
  kind: 'capability',
  name,
  status,
  ...(took === undefined ? {} : { duration_ms: took }),
});
const frame = (...newestFirst: readonly Act[]): Frame => ({
  run_id: 'r',
  phase: 'running',
  seq: 1,
  elapsed_ms: 0,
  activity: newestFirst,
});

describe('bars of a live run', () => {
  it('are told once, though frames repeat what they hold', () => {
    const [a, b, c] = [act(1, 'a', 'start'), act(2, 'a', 'ok', 1), act(3, 'b', 'start')];
    const first = withActs([], frame(b, a));
    expect(withActs(withActs(first, frame(b, a)), frame(c, b, a))).to.deep.equal([a, b, c]);
    expect(withActs(first, frame(c))).to.deep.equal([a, b, c]);
    expect(withActs(first, frame())).to.deep.equal([a, b]);
  });

  it('end where they ended, and go on until now where they have not', () => {
    const acts = [act(0, 'slow', 'start'), act(10, 'x', 'start'), act(30, 'x', 'error', 20)];
    expect(
      liveBars(acts, 500, true).map(({ name, start, end, isOpen, hasFailed }) => [name, start, end, isOpen, hasFailed]),
    ).to.deep.equal([
      ['slow', 0, 500, true, false],
      ['x', 10, 30, false, true],
    ]);
    expect(liveBars(acts, 500, false).map(({ name }) => name)).to.deep.equal(['x']);
  });

  it('keep those apart that are called the same', () => {
    const acts = [act(0, 'x', 'start'), act(400, 'x', 'start'), act(900, 'x', 'ok', 500)];
    expect(liveBars(acts, 1000, true).map(({ start, isOpen }) => [start, isOpen])).to.deep.equal([
      [0, true],
      [400, false],
    ]);
  });
});
