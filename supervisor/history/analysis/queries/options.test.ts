import { expect } from 'chai';
import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { isJsonObject } from '../../../../contract/json/value.ts';
import { digestOf } from '../../../evidence/fingerprint.ts';
import { queryOptions, type FilterForms } from './options.ts';

const FORMS: FilterForms = {
  word: 'text',
  status: 'trace text',
  name: 'label',
  number: 'integer',
  tags: 'tags',
  from: 'time',
  bundle: 'hex',
  view: 'view',
};

function read(plain: object): unknown {
  const query = jsonFromPlain(plain);
  if (!isJsonObject(query)) throw new TypeError('a query is an object');
  const options = queryOptions(query, FORMS, 20);
  return options.ok ? options.value : options.fault;
}

const filter = (plain: object): unknown => {
  const { filters } = Object(read(plain));
  return filters instanceof Map ? [...filters.values()][0] : read(plain);
};
const tags = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'v']));

describe('options of a query (evidence.md §7)', () => {
  it('are twenty items from the beginning when nothing is said', () => {
    expect(read({})).to.deep.equal({ filters: new Map(), limit: 20, cursor: null });
    expect(read({ cursor: null })).to.deep.equal({ filters: new Map(), limit: 20, cursor: null });
  });

  it('take limits from 1 to 100', () => {
    for (const limit of [1, 100]) expect(read({ limit })).to.include({ limit });
    for (const limit of [0, 101, -1, 1.5, '1', null]) expect(read({ limit })).to.equal('invalid_query');
  });

  const bounds: readonly (readonly [string, object, object])[] = [
    ['texts of 4096 bytes', { word: 'x'.repeat(4096) }, { word: 'x'.repeat(4097) }],
    ['texts of filters over traces of 256 bytes', { status: 'é'.repeat(128) }, { status: `${'é'.repeat(128)}x` }],
    ['16 tags', { tags: tags(16) }, { tags: tags(17) }],
    ['a digest without its prefix', { bundle: 'a'.repeat(64) }, { bundle: 'a'.repeat(63) }],
    ['integers', { number: 0 }, { number: -1 }],
    ['moments', { from: '2030-01-02T03:04:05Z' }, { from: '2030-13-02T03:04:05Z' }],
    ['two views', { view: 'full' }, { view: 'all' }],
  ];
  for (const [what, used, refused] of bounds) {
    it(`take ${what} and nothing beyond`, () => {
      expect(read(used)).to.have.property('filters');
      expect(read(refused)).to.equal('invalid_query');
    });
  }

  it('refuse what they do not know, texts of nothing and other kinds', () => {
    for (const query of [
      { surprise: 1 },
      { word: '' },
      { word: 1 },
      { word: null },
      { cursor: 1 },
      { tags: [] },
      { tags: { a: 1 } },
      { __proto__: null, constructor: 'x' },
    ])
      expect(read(query)).to.equal('invalid_query');
  });

  it('find a label by its text as by its fingerprint', () => {
    expect(filter({ name: 'target' })).to.equal(digestOf('target'));
    expect(filter({ name: digestOf('target') })).to.equal(digestOf('target'));
  });

  it('write a moment as traces do', () => {
    expect(filter({ from: '2030-01-02T03:04:05.25Z' })).to.equal('2030-01-02T03:04:05.250000Z');
  });
});
