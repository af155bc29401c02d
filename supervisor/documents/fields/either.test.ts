import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { check } from './check.ts';
import { expectationOf } from './expectation.ts';
import { fieldRows } from './field-rows.ts';
import { normalForm } from './normal-form.ts';
import { HEADER_VALUE, NAME } from './patterns.ts';
import { safePath } from './safe-pointer.ts';
import { either, map, object, optional, required, text } from './shape.ts';

const VALUE = either(text(9, HEADER_VALUE), object({ binding: required(text(128, NAME)) }));
const TABLE = object({ headers: optional(map(NAME, VALUE, 4)), proxy: optional(VALUE) });

const checked = (plain: unknown) => {
  const value = jsonFromPlain(plain);
  return value === undefined ? expect.fail('a test writes JSON') : check(TABLE, value);
};

describe('a text, or an object where a text does not say enough', () => {
  it('is read as it is written, and has one form for digests', () => {
    const read = checked({ headers: { b: { binding: 'key' }, a: 'plain' } });
    if (read.status !== 'valid') expect.fail(read.status);
    expect([...(read.value.headers ?? [])]).to.deep.equal([
      ['a', 'plain'],
      ['b', { binding: 'key' }],
    ]);
    expect(canonicalJson(normalForm(TABLE, read.value))).to.equal('{"headers":{"a":"plain","b":{"binding":"key"}}}');
  });

  const refused: readonly (readonly [given: unknown, rule: string, path: readonly string[]])[] = [
    [{ proxy: 7 }, 'type', ['proxy']],
    [{ proxy: ['a'] }, 'type', ['proxy']],
    [{ proxy: '' }, 'min_length', ['proxy']],
    [{ proxy: '0123456789' }, 'max_length', ['proxy']],
    [{ proxy: 'a\nb' }, 'pattern', ['proxy']],
    [{ proxy: {} }, 'required', ['proxy', 'binding']],
    [{ proxy: { binding: 'Key' } }, 'pattern', ['proxy', 'binding']],
    [{ headers: { a: { other: 1 } } }, 'required', ['headers', '*', 'binding']],
  ];
  for (const [input, rule, path] of refused) {
    it(`refuses ${JSON.stringify(input)}: ${rule}`, () => {
      const read = checked(input);
      expect(read).to.have.nested.property('violation.rule', rule);
      expect(read).to.have.nested.property('violation.path').that.deep.equals(path);
    });
  }

  it('tells of itself in words, in a table, and in a path', () => {
    expect(expectationOf(VALUE)).to.equal(`${HEADER_VALUE.words}, or an object with binding`);
    expect(fieldRows(TABLE).map(({ field, type }) => [field, type])).to.deep.include.members([
      ['proxy', 'string, 1 to 9 bytes, or object'],
      ['proxy.binding', 'string, 1 to 128 bytes'],
      ['headers.*.binding', 'string, 1 to 128 bytes'],
    ]);
    expect(safePath(TABLE, ['proxy', 'binding', 'x'])).to.deep.equal(['proxy', 'binding']);
  });
});
