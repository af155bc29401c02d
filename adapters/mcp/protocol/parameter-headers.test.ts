import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { parameterHeaders, parameterValues } from './parameter-headers.ts';

const HEADERS = [
  { property: 'region', header: 'mcp-param-region' },
  { property: 'count', header: 'mcp-param-count' },
  { property: 'dry', header: 'mcp-param-dry' },
];

describe('arguments that travel as headers (providers.md §7.1)', () => {
  const rows: Readonly<Record<string, readonly [string, readonly (readonly [string, string])[]]>> = {
    'each as its text': [
      '{"count":-7,"dry":false,"other":1,"region":"eu ß"}',
      [
        ['mcp-param-region', 'eu ß'],
        ['mcp-param-count', '-7'],
        ['mcp-param-dry', 'false'],
      ],
    ],
    'none that is null or missing': ['{"region":null}', []],
    'none that is no such value': ['{"count":1.5,"dry":[],"region":{}}', []],
    'an integral float as the integer that it is': ['{"count":2.0}', [['mcp-param-count', '2']]],
  };
  for (const [what, [input, expected]] of Object.entries(rows)) {
    it(what, () => {
      expect(parameterValues(HEADERS, input).map(({ header, value }) => [header, value])).to.deep.equal(expected);
    });
  }
});

describe('annotations of properties that travel as headers (providers.md §7.1)', () => {
  const headersOf = (properties: Readonly<Record<string, unknown>>): readonly string[] | null => {
    const schema = jsonFromPlain({ type: 'object', properties });
    return isJsonObject(schema) ? (parameterHeaders(schema)?.map(({ header }) => header) ?? null) : null;
  };
  const annotated = (name: unknown, type = 'string'): unknown => ({ type, 'x-mcp-header': name });

  for (const [count, fits] of [
    [23, true],
    [24, true],
    [25, false],
  ] as const) {
    it(`are ${fits ? '' : 'not '}read where they are ${count}`, () =>
      expect(
        headersOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, annotated(`N${at}`)])))
          ?.length ?? null,
      ).to.equal(fits ? count : null));
  }
  for (const [bytes, fits] of [
    [127, true],
    [128, true],
    [129, false],
  ] as const) {
    it(`are ${fits ? '' : 'not '}read with a name of ${bytes} bytes`, () =>
      expect(headersOf({ a: annotated('n'.repeat(bytes)) })).to.deep.equal(
        fits ? [`mcp-param-${'n'.repeat(bytes)}`] : null,
      ));
  }
  for (const type of ['string', 'integer', 'boolean'])
    it(`are read of ${type}s`, () => expect(headersOf({ a: annotated('N', type) })).to.deep.equal(['mcp-param-n']));
  for (const type of ['number', 'object', 'array', 'null'])
    it(`are not read of ${type}s`, () => expect(headersOf({ a: annotated('N', type) })).to.equal(null));
  for (const name of ['', 'a b', 'a:b', 'é', 'a\tb', 7, null])
    it(`are not read with the name ${JSON.stringify(name)}`, () =>
      expect(headersOf({ a: annotated(name) })).to.equal(null));
  it('are not read where two differ by case alone', () =>
    expect(headersOf({ a: annotated('N'), b: annotated('n') })).to.equal(null));
  it('are none where no property has one', () => expect(headersOf({ a: { type: 'number' } })).to.deep.equal([]));
});
