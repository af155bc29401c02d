import { expect } from 'chai';
import { mapTools, type MappingRow, type OfferedUpstream } from './map-tools.ts';

const row = (upstream: string, more: Partial<MappingRow> = {}): MappingRow => ({
  upstream,
  as: null,
  effect: null,
  description: null,
  errorFeedback: 'closed',
  isModelVisible: false,
  inspectionCapture: 'full',
  ...more,
});
const tool = (upstream: string, effect: 'read' | 'write' = 'read'): OfferedUpstream => ({
  upstream,
  effect,
  naming: upstream,
});
const named = (rows: readonly MappingRow[], offered: readonly OfferedUpstream[]): unknown => {
  const mapped = mapTools(rows, offered);
  return mapped.ok ? mapped.tools.map(({ as, effect }) => `${as} ${effect}`) : mapped.fault;
};

describe('a mapping of tools (world.md §2.3)', () => {
  it('maps what has a row, in the order in which it is offered', () => {
    expect(named([row('b'), row('a')], [tool('a'), tool('b', 'write'), tool('c')])).to.deep.equal(['a read', 'b write']);
  });

  it('maps everything by *, and a row of its own wins', () => {
    expect(
      named([row('*', { effect: 'write' }), row('getA', { as: 'first', effect: 'read' })], [tool('getA'), tool('getB')]),
    ).to.deep.equal(['first read', 'get-b write']);
  });

  it('gives no name of * to anything', () => {
    expect(named([row('*', { as: 'all' })], [tool('getA'), tool('getB')])).to.deep.equal(['get-a read', 'get-b read']);
  });

  it('names a row of what nobody offers', () => {
    expect(named([row('*'), row('gone')], [tool('a')])).to.deep.equal({ kind: 'missing', upstream: 'gone' });
  });

  it('names both of a collision', () => {
    expect(named([row('*')], [tool('getA'), tool('get_a')])).to.deep.equal({
      kind: 'collision',
      as: 'get-a',
      upstreams: ['getA', 'get_a'],
    });
  });

  for (const upstream of ['猫', 'kernelResult']) {
    it(`names ${upstream}, of which no name can be made`, () => {
      expect(named([row('*')], [tool(upstream)])).to.deep.equal({ kind: 'unnamed', upstream });
    });
  }

  it('keeps the whole results of what writes', () => {
    const mapped = mapTools(
      [row('*', { inspectionCapture: 'digest_results' })],
      [tool('a', 'read'), tool('b', 'write')],
    );
    expect(mapped.ok && mapped.tools.map(({ inspectionCapture }) => inspectionCapture)).to.deep.equal([
      'digest_results',
      'full',
    ]);
  });
});
