import { expect } from 'chai';
import * as fc from 'fast-check';
import { FIXED_LIMITS } from '../limits/catalogue.ts';
import { arbitraryJson, hasEscapedKey } from './arbitrary-json.ts';
import { canonicalJson } from './canonical.ts';
import { valueOf, type JsonNode } from './node.ts';
import { documentLimits, parseJson, parseJsonText, type JsonFault, type JsonParse } from './parse.ts';
import { plainFromJson } from './plain.ts';
import { pointerToOffset, resolvePointer } from './pointer.ts';
import { JsonFloat, type JsonValue } from './value.ts';

const LIMITS = documentLimits(1_000_000);
const encoder = new TextEncoder();

function parse(text: string): JsonParse {
  return parseJson(encoder.encode(text), LIMITS);
}

function valueIn(text: string): JsonValue {
  const parsed = parse(text);
  if (!parsed.ok) {
    throw new Error(`refused: ${JSON.stringify(parsed.fault)}`);
  }
  return valueOf(parsed.root);
}

function faultIn(text: string | Uint8Array, limits = LIMITS): JsonFault | null {
  const parsed = parseJson(typeof text === 'string' ? encoder.encode(text) : text, limits);
  return parsed.ok ? null : parsed.fault;
}

/** A tree without its values, one line a node: kind and the bytes it covers. */
function extents(node: JsonNode, bytes: Uint8Array): string[] {
  const cut = (start: number, end: number): string => new TextDecoder().decode(bytes.subarray(start, end));
  const own = `${node.kind} ${cut(node.start, node.end)}`;
  if (node.kind === 'array') {
    return [own, ...node.items.flatMap((item) => extents(item, bytes))];
  }
  if (node.kind === 'object') {
    return [
      own,
      ...node.members.flatMap((member) => [
        `key ${cut(member.keyStart, member.keyEnd)}`,
        ...extents(member.value, bytes),
      ]),
    ];
  }
  return [own];
}

describe('parseJson', () => {
  it('reads integers of as many digits as the limit table says (documents.md §5), and floats of any number', () => {
    const digits = FIXED_LIMITS.integer_digits;
    const [less, most, more] = ['9'.repeat(digits - 1), '9'.repeat(digits), '9'.repeat(digits + 1)];
    for (const text of [less, most, `-${most}`, `${more}.0e-${digits}`, `1e${'0'.repeat(digits + 1)}`])
      expect(faultIn(text) === null, text.slice(0, 3)).to.equal(true);
    for (const text of [more, `-${more}`])
      expect(faultIn(`[1,${text}]`)).to.deep.equal({ kind: 'too_many_digits', offset: 3 });
  });

  describe('numbers keep their class (documents.md §1)', () => {
    const cases: readonly (readonly [string, JsonValue])[] = [
      ['0', 0],
      ['-0', 0],
      ['1', 1],
      ['-17', -17],
      ['999999999999999', 999_999_999_999_999],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
      ['9007199254740992', 9_007_199_254_740_992n],
      ['-9007199254740991', Number.MIN_SAFE_INTEGER],
      ['-9007199254740992', -9_007_199_254_740_992n],
      ['123456789012345678901234567890', 123_456_789_012_345_678_901_234_567_890n],
      ['1.0', new JsonFloat(1)],
      ['1e0', new JsonFloat(1)],
      ['1E+2', new JsonFloat(100)],
      ['-0.0', new JsonFloat(-0)],
      ['0e99999999999', new JsonFloat(0)],
      ['1e-400', new JsonFloat(0)],
      ['5e-324', new JsonFloat(Number.MIN_VALUE)],
      ['1.7976931348623157e308', new JsonFloat(Number.MAX_VALUE)],
      ['1.7976931348623158e308', new JsonFloat(Number.MAX_VALUE)],
    ];
    for (const [text, value] of cases) {
      it(text, () => {
        expect(valueIn(text)).to.deep.equal(value);
        expect(Object.is(valueIn(text), -0)).to.equal(false);
      });
    }

    it('refuses a float beyond the range of a double, at its start', () => {
      expect(faultIn('[1, 1e309]')).to.deep.equal({ kind: 'syntax', offset: 4 });
      expect(faultIn(`${'9'.repeat(400)}.0`)).to.deep.equal({ kind: 'syntax', offset: 0 });
      expect(faultIn('1.7976931348623159e308')).to.deep.equal({ kind: 'syntax', offset: 0 });
    });

    it('reads integers of thousands of digits exactly', () => {
      const digits = '9'.repeat(20_000);
      expect(canonicalJson(valueIn(`[${digits},-${digits}]`))).to.equal(`[${digits},-${digits}]`);
    });
  });

  it('keeps the order of keys and gives none a meaning', () => {
    const value = valueIn('{"b":1,"2":2,"1":3,"__proto__":{"x":1},"constructor":null}');
    expect(value).to.deep.equal(
      new Map<string, JsonValue>([
        ['b', 1],
        ['2', 2],
        ['1', 3],
        ['__proto__', new Map([['x', 1]])],
        ['constructor', null],
      ]),
    );
    expect([...(value instanceof Map ? value.keys() : [])]).to.deep.equal(['b', '2', '1', '__proto__', 'constructor']);
  });

  it('tells keys apart that begin alike before unescaping, whatever was read before', () => {
    const keys = ['\\\\', '\\"', '\\n', '\\u0001', '\\\\n', '\\\\u0001'];
    for (const key of [...keys, ...keys.toReversed()]) {
      expect(valueIn(`{"a":0,"${key}":1}`)).to.deep.equal(
        new Map([
          ['a', 0],
          [String(JSON.parse(`"${key}"`)), 1],
        ]),
      );
    }
  });

  it('gives the byte extent of every value and key, also behind characters of several bytes', () => {
    const text = ' {"é" : [1, -2.5e1 ,"\u{1F600}漢", "\\ud83d\\ude00"],"z":{ } , "t":true,"n": null,"e":[ ]}\n';
    const bytes = encoder.encode(text);
    const parsed = parseJson(bytes, LIMITS);
    expect(parsed.ok && extents(parsed.root, bytes)).to.deep.equal([
      `object ${text.trim()}`,
      'key "é"',
      'array [1, -2.5e1 ,"\u{1F600}漢", "\\ud83d\\ude00"]',
      'integer 1',
      'float -2.5e1',
      'string "\u{1F600}漢"',
      'string "\\ud83d\\ude00"',
      'key "z"',
      'object { }',
      'key "t"',
      'boolean true',
      'key "n"',
      'null null',
      'key "e"',
      'array [ ]',
    ]);
  });

  describe('duplicate keys', () => {
    const cases: readonly (readonly [string, string, string, number])[] = [
      ['the root', '{"a":1,"a":2}', '', 7],
      ['a nested object', '{"a":{"b":[0,{"c":1,"c":1}]}}', '/a/b/1', 20],
      ['keys equal after unescaping', '{"a":1,"\\u0061":2}', '', 7],
      ['keys that need escapes in a pointer', '{"~/":{"x":1,"x":2}}', '/~0~1', 13],
      ['an object before its children', '{"a":{"b":1,"b":2},"c":0,"c":0}', '', 25],
      ['an object before its children, however deep', '{"x":{"a":[{"b":1,"b":2}],"c":0,"c":0}}', '/x', 32],
      ['the earlier of two children', '[{"b":1,"b":2},{"a":1,"a":2}]', '/0', 8],
      ['the first repetition in an object', '{"a":1,"b":1,"b":2,"a":2}', '', 13],
      ['empty keys', '{"":1,"":2}', '', 6],
      ['__proto__', '{"__proto__":1,"__proto__":2}', '', 15],
      ['behind characters of several bytes', '{"é":1,"é":2}', '', 8],
    ];
    for (const [name, text, pointer, offset] of cases) {
      it(`are reported at the object that holds them: ${name}`, () => {
        expect(faultIn(text)).to.deep.equal({ kind: 'duplicate_key', offset, pointer });
      });
    }

    it('are not a matter of Unicode normalisation, case or number', () => {
      expect(faultIn('{"\u00e9":1,"e\u0301":2,"A":1,"a":2,"1":1,"1.0":2}')).to.equal(null);
    });

    it('are found among any number of keys', () => {
      for (const count of [7, 8, 9, 40_000]) {
        const keys = Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',');
        expect(faultIn(`{${keys}}`)).to.equal(null);
        for (const repeated of [0, count - 1]) {
          expect(faultIn(`{${keys},"k${repeated}":1}`)).to.deep.equal({
            kind: 'duplicate_key',
            offset: keys.length + 2,
            pointer: '',
          });
        }
      }
    });

    it('give way to faults that make the text no admissible JSON', () => {
      expect(faultIn('{"a":1,"a":2')?.kind).to.equal('syntax');
      expect(faultIn('{"a":1,"a":"\\ud800"}')?.kind).to.equal('encoding');
      expect(faultIn('{"a":1,"a":[[0]]}', { bytes: 100, depth: 3, nodes: 9 })?.kind).to.equal('too_deep');
      expect(faultIn('{"a":1,"a":2}', { bytes: 100, depth: 3, nodes: 4 })?.kind).to.equal('too_many_nodes');
    });
  });

  describe('limits', () => {
    it('admits exactly the given bytes', () => {
      const bytes = encoder.encode('"é"');
      for (const [limit, fault] of [
        [5, null],
        [4, null],
        [3, { kind: 'too_large', offset: 3 }],
      ] as const) {
        expect(faultIn(bytes, documentLimits(limit))).to.deep.equal(fault);
        const text = parseJsonText('"é"', documentLimits(limit));
        expect(text.ok ? null : text.fault).to.deep.equal(fault);
      }
    });

    it('admits depth 64, the root and scalars counting as levels', () => {
      for (const text of [nested(63), nested(64), objects(63), objects(64)]) {
        expect(faultIn(text)).to.equal(null);
      }
      expect(faultIn(nested(65))).to.deep.equal({ kind: 'too_deep', offset: 64 });
      expect(faultIn(objects(65))).to.deep.equal({ kind: 'too_deep', offset: 64 * 5 });
      expect(faultIn('[0]', { ...LIMITS, depth: 1 })).to.deep.equal({ kind: 'too_deep', offset: 1 });
    });

    it('admits 100000 nodes, values and keys counting one each', () => {
      expect(faultIn(arrayOf(99_999))).to.equal(null);
      expect(faultIn(arrayOf(100_000))).to.equal(null);
      expect(faultIn(arrayOf(100_001))?.kind).to.equal('too_many_nodes');
      const object = '{"a":[1,{"b":2}]}';
      expect(faultIn(object, { ...LIMITS, nodes: 8 })).to.equal(null);
      expect(faultIn(object, { ...LIMITS, nodes: 7 })).to.equal(null);
      expect(faultIn(object, { ...LIMITS, nodes: 6 })).to.deep.equal({ kind: 'too_many_nodes', offset: 13 });
      expect(faultIn(object, { ...LIMITS, nodes: 5 })).to.deep.equal({ kind: 'too_many_nodes', offset: 9 });
    });

    it('stands hostile nesting, keys and tokens', () => {
      expect(faultIn('['.repeat(1_000_000))?.kind).to.equal('too_deep');
      expect(faultIn('{"a":'.repeat(200_000))?.kind).to.equal('too_deep');
      expect(faultIn('['.repeat(500_000), { bytes: 1e6, depth: 1e6, nodes: 1e6 })?.kind).to.equal('syntax');
      expect(faultIn(nested(200_000), { bytes: 1e6, depth: 1e6, nodes: 1e6 })).to.equal(null);
      expect(valueIn(`"${'\\n'.repeat(400_000)}"`)).to.equal('\n'.repeat(400_000));
      expect(valueIn(`0.${'3'.repeat(900_000)}`)).to.deep.equal(new JsonFloat(1 / 3));
    });
  });

  it('reads a tree of any permitted depth to its value', () => {
    const parsed = parseJson(encoder.encode(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`), {
      bytes: 1e6,
      depth: 1e6,
      nodes: 1e6,
    });
    const text = parsed.ok ? canonicalJson(valueOf(parsed.root)) : '';
    expect(text).to.have.length(400_001);
  });

  it('reads decoded text as it reads bytes', () => {
    for (const text of ['{"é":[1.0,"\u{1F600}"]}', '["é",', '{"é":1,"é":2}', '\uFEFF1']) {
      expect(parseJsonText(text, LIMITS)).to.deep.equal(parse(text));
    }
    expect(parseJsonText('"é\uD800"', LIMITS)).to.deep.equal({ ok: false, fault: { kind: 'encoding', offset: 3 } });
    expect(parseJsonText('"\uDC00\uD800"', LIMITS)).to.deep.equal({
      ok: false,
      fault: { kind: 'encoding', offset: 1 },
    });
  });

  it('reads back what the canonical encoder writes', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        expect(valueIn(canonicalJson(value))).to.deep.equal(sorted(value));
      }),
    );
  });

  it('agrees with JSON.parse on every text that both accept', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
        fc.pre(!hasEscapedKey(json));
        const text = `${space}${JSON.stringify(JSON.parse(json), null, space)}${space}`;
        expect(JSON.stringify(plainFromJson(valueIn(text)))).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('never accepts what JSON.parse refuses, and refuses more only for its own rules', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'nul',
      ' ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const fault = faultIn(text);
        const refused = refusedByEngine(text);
        expect(fault === null && refused).to.equal(false);
        expect(!refused && fault !== null && fault.kind !== 'duplicate_key' && !/e/.test(text)).to.equal(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('names every node by a pointer that leads back to it', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        const parsed = parse(canonicalJson(value));
        const visit = (root: JsonNode, node: JsonNode): void => {
          expect(resolvePointer(root, pointerToOffset(root, node.start))).to.equal(node);
          const children =
            node.kind === 'array' ? node.items : node.kind === 'object' ? node.members.map((each) => each.value) : [];
          for (const child of children) {
            visit(root, child);
          }
        };
        expect(parsed.ok).to.equal(true);
        if (parsed.ok) {
          visit(parsed.root, parsed.root);
        }
      }),
    );
  });
});

/** Arrays inside each other, the innermost empty. */
function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** Objects inside each other around a number, which is a level too. */
function objects(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}0${'}'.repeat(depth - 1)}`;
}

function arrayOf(nodes: number): string {
  return `[${Array.from({ length: nodes - 1 }, () => '0').join(',')}]`;
}

/** The value with the members of every object in canonical order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value instanceof Map) {
    return new Map(
      [...value]
        .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
        .map(([key, member]) => [key, sorted(member)]),
    );
  }
  return value;
}

function refusedByEngine(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
