import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { arbitraryJson, hasEscapedKey } from './arbitrary-json.ts';
import { canonicalInteger, canonicalJson } from './canonical.ts';
import { valueOf } from './node.ts';
import { documentLimits, parseJson } from './parse.ts';
import { JsonFloat, type JsonValue } from './value.ts';

function reread(text: string): JsonValue {
  const parsed = parseJson(new TextEncoder().encode(text), documentLimits(1_000_000));
  if (!parsed.ok) {
    throw new Error(`refused: ${JSON.stringify(parsed.fault)}`);
  }
  return valueOf(parsed.root);
}

describe('canonicalJson (providers.md §6)', () => {
  it('meets the vector of the specification', () => {
    const text = canonicalJson(
      new Map<string, JsonValue>([
        ['system', 'S'],
        [
          'messages',
          [
            new Map([
              ['role', 'user'],
              ['content', 'ping é/"'],
            ]),
          ],
        ],
      ]),
    );
    expect(text).to.equal('{"messages":[{"content":"ping é/\\"","role":"user"}],"system":"S"}');
    expect(createHash('sha256').update(text).digest('hex')).to.equal(
      '7fc8a3d880a36ecfa85319ba540d9f31645b2de99c7aaf7ace3487c9f1b8a258',
    );
  });

  const cases: readonly (readonly [string, JsonValue, string])[] = [
    ['null', null, 'null'],
    ['booleans', [true, false], '[true,false]'],
    ['integers', [0, -7, 10n ** 25n], '[0,-7,10000000000000000000000000]'],
    ['a negative zero of the integer class', -0, '0'],
    ['floats by language.md §18', [1, -0, 0.2, 1e21].map((each) => new JsonFloat(each)), '[1.0,-0.0,0.2,1.0E21]'],
    ['empty containers', [[], new Map()], '[[],{}]'],
    ['short escapes', '\b\t\n\f\r"\\', '"\\b\\t\\n\\f\\r\\"\\\\"'],
    ['other controls in upper-case hex', '\u0000\u001f\u000b', '"\\u0000\\u001F\\u000B"'],
    ['nothing else escaped', '/\u007fé\u2028\u{1F600}', '"/\u007fé\u2028\u{1F600}"'],
    ['escapes in keys', new Map([['"\n', 1]]), '{"\\"\\n":1}'],
    [
      'keys by UTF-8 bytes, not by UTF-16 units',
      new Map(['\u{1F600}', '\uFFFD', 'é', 'b', 'a\u0000', 'a', ''].map((key) => [key, 0])),
      '{"":0,"a":0,"a\\u0000":0,"b":0,"é":0,"\uFFFD":0,"\u{1F600}":0}',
    ],
    [
      'the keys of plain objects',
      new Map([
        ['__proto__', 1],
        ['10', 2],
        ['9', 3],
      ]),
      '{"10":2,"9":3,"__proto__":1}',
    ],
  ];
  for (const [name, value, text] of cases) {
    it(`writes ${name}`, () => {
      expect(canonicalJson(value)).to.equal(text);
    });
  }

  it('gives one text for one value, however its keys are ordered', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' })), (keys) => {
        const forwards = new Map(keys.map((key) => [key, key]));
        const backwards = new Map(keys.toReversed().map((key) => [key, key]));
        expect(canonicalJson(forwards)).to.equal(canonicalJson(backwards));
      }),
    );
  });

  it('is idempotent over reading', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reread(text))).to.equal(text);
      }),
    );
  });

  it('writes what JSON.parse reads as the same data', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (plain) => {
        const text = JSON.stringify(plain);
        fc.pre(!hasEscapedKey(text));
        expect(JSON.parse(canonicalJson(reread(text)))).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('throws for values that are none', () => {
    expect(() => canonicalJson('\uD800')).to.throw(RangeError);
    expect(() => canonicalJson(new Map([['\uDC00', 1]]))).to.throw(RangeError);
    expect(() => canonicalInteger(1.5)).to.throw(RangeError);
    expect(() => canonicalJson([2 ** 53])).to.throw(RangeError);
  });

  it('needs no stack for depth', () => {
    let value: JsonValue = 1;
    for (let depth = 0; depth < 100_000; depth += 1) {
      value = depth % 2 === 0 ? [value] : new Map([['a', value]]);
    }
    expect(canonicalJson(value)).to.have.length(50_000 * 8 + 1);
  });
});
