import { expect } from 'chai';
import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { withoutDefaulted } from './without-defaulted.ts';

const TEXT = { type: 'string' };
const DEFAULTED = { type: 'string', default: 'a' };
function changed(plain: object): unknown {
  const schema = jsonFromPlain(plain);
  if (!isJsonObject(schema)) throw new TypeError('a schema is an object');
  return plainFromJson(withoutDefaulted(schema));
}

describe('what may be left out of arguments (world.md §2.2)', () => {
  const inner = { properties: { a: DEFAULTED, b: TEXT }, required: ['a', 'b'] };
  const relaxed = { ...inner, required: ['b'] };
  const rows: Readonly<Record<string, readonly [object, object]>> = {
    'a property with a default, whatever it is': [
      { properties: { a: { default: null }, b: TEXT }, required: ['b', 'a', 'c'] },
      { properties: { a: { default: null }, b: TEXT }, required: ['b', 'c'] },
    ],
    'at any depth': [
      { properties: { required: inner, x: { items: inner } }, anyOf: [inner], $defs: { d: inner } },
      { properties: { required: relaxed, x: { items: relaxed } }, anyOf: [relaxed], $defs: { d: relaxed } },
    ],
    'nothing that is data': [
      { properties: { a: { enum: [inner], const: inner, default: inner } } },
      { properties: { a: { enum: [inner], const: inner, default: inner } } },
    ],
    'nothing of what is no list': [
      { properties: { a: DEFAULTED, b: true }, required: 'a' },
      { properties: { a: DEFAULTED, b: true }, required: 'a' },
    ],
  };
  for (const [what, [input, expected]] of Object.entries(rows))
    it(what, () => {
      expect(changed(input)).to.deep.equal(expected);
    });
});
