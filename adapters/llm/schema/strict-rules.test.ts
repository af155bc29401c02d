import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { keepsStrictRules } from './strict-rules.ts';

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const N = { type: 'integer' };

describe('schemas that a vendor can enforce (providers.md §5.3)', () => {
  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['an object whose properties all have to be there', closed({ n: N }), true],
    ['an object of nothing', { type: 'object', additionalProperties: false }, true],
    ['what may be null', closed({ n: { type: ['integer', 'null'] } }), true],
    ['lists of objects, with bounds', closed({ l: { type: 'array', items: closed({ n: N }), minItems: 1 } }), true],
    ['alternatives within it', closed({ a: { anyOf: [N, closed({ s: { type: 'string', pattern: 'a' } })] } }), true],
    ['definitions', { ...closed({ a: { $ref: '#/$defs/a' } }), $defs: { a: closed({ n: N }) } }, true],
    ['a property that may be left out', closed({ n: N }, []), false],
    ['further properties', { type: 'object', properties: { n: N }, required: ['n'] }, false],
    ['further properties further in', closed({ o: { type: 'object', properties: {} } }), false],
    ['an open object in a list', closed({ l: { type: 'array', items: { type: 'object' } } }), false],
    ['an open object in a definition', { ...closed({}), $defs: { a: { type: 'object' } } }, false],
    ['a length', closed({ s: { type: 'string', maxLength: 3 } }), false],
    ['a format that is not known', closed({ s: { type: 'string', format: 'uri' } }), false],
    ['allOf', closed({ a: { allOf: [N] } }), false],
    ['a standard value', closed({ n: { type: 'integer', default: 1 } }), false],
    ['alternatives at its root', { anyOf: [closed({})] }, false],
    ['a list at its root', { type: 'array', items: N }, false],
    ['more levels than are taken', deep(11), false],
    ['as many levels as are taken', deep(10), true],
    ['too many values', closed({ e: { enum: Array.from({ length: 1001 }, (_, at) => at) } }), false],
  ];
  for (const [title, schema, keeps] of rows) {
    it(`${title}: ${keeps ? 'strict' : 'not strict'}`, () => {
      const value = jsonFromPlain(schema);
      expect(value !== undefined && isJsonObject(value) && keepsStrictRules(value)).to.equal(keeps);
    });
  }
});

function deep(levels: number): unknown {
  return levels === 1 ? closed({}) : closed({ o: deep(levels - 1) });
}
