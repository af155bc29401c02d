import { expect } from 'chai';
import { documentLimits, parseJson, type JsonFault } from './parse.ts';

/**
 * The kinds of texts that public parser test collections distinguish: those every parser must accept, those every
 * parser must refuse, and those each implementation decides for itself, with what is decided here. Tokens are tried
 * in every place a value can stand.
 */
const encoder = new TextEncoder();
const PLACES: readonly (readonly [string, string])[] = [
  ['', ''],
  [' ', '\n'],
  ['[', ']'],
  ['[0,', ',0]'],
  ['{"k":', '}'],
  ['{"a":{"k": ', ' },"b":[]}'],
];

function faultOf(document: string | Uint8Array): JsonFault | null {
  const bytes = typeof document === 'string' ? encoder.encode(document) : document;
  const parsed = parseJson(bytes, documentLimits(1_000_000));
  return parsed.ok ? null : parsed.fault;
}

const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  words: ['null', 'true', 'false'],
  integers: ['0', '-0', '7', '-7', '10', '1234567890123456789012345678901234567890'],
  floats: ['0.0', '-0.0', '0e0', '0E+0', '1e1', '1E1', '1.5e-7', '-1.5E+7', '0.1', '10.01', '1e-10000', '123.456e78'],
  strings: ['""', '"a"', '" "', '"/"', '"\u007f"', '"\u00a0\u2028\u2029"', '"\uFFFF\u{10FFFF}\u{1F600}"', '"\uFEFF"'],
  escapes: [
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0000\\u001F\\u001f"',
    '"\\uFFFE\\uffff"',
    '"\\uD83D\\uDE00"',
    '"\\ud800\\udc00\\uDBFF\\uDFFF"',
    '"\\\\u00"',
  ],
  structures: [
    '[]',
    '[ ]',
    '{}',
    '{\t}',
    '[[]]',
    '[{}]',
    '{"":""}',
    '{"a":[{"b":[]}]}',
    '[1\n,\r2\t, 3 ]',
    '{ "a" : 1 }',
  ],
};

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  numbers: [
    '01',
    '00',
    '-01',
    '-',
    '--1',
    '+1',
    '- 1',
    '-a',
    '.5',
    '-.5',
    '1.',
    '-1.',
    '1.e1',
    '1.-5',
    '1..2',
    '1.2.3',
    '1e',
    '1E',
    '1e+',
    '1e-',
    '1e1.5',
    '1ee1',
    '1e+-1',
    '0e',
    '0.0e',
    '0x1F',
    '0b1',
    '1n',
    '1_000',
    '1 000',
    '1a',
    'NaN',
    '-NaN',
    'Infinity',
    '-Infinity',
    'inf',
    '\uFF11',
    '1\u0660',
    '0.1\u0660',
    '1,000.0.',
    '$1',
    '1%',
  ],
  words: [
    'nul',
    'nulll',
    'Null',
    'NULL',
    'tru',
    'True',
    'falsE',
    'fals',
    'truefalse',
    'undefined',
    'a',
    'n ull',
    'nil',
  ],
  strings: [
    '"',
    '"a',
    "'a'",
    "'",
    '`a`',
    'a"',
    '"a""b"',
    '"\n"',
    '"\t"',
    '"\r"',
    '"\u0000"',
    '"\u001f"',
    '\u201Ca\u201D',
    '"\\"',
    '"\\\\\\"',
    '"\\',
    '\\"a"',
    '\\u0022a"',
  ],
  escapes: [
    '"\\a"',
    '"\\v"',
    '"\\0"',
    '"\\x41"',
    '"\\\'"',
    '"\\U0041"',
    '"\\ "',
    '"\\\n"',
    '"\\é"',
    '"\\{0}"',
    '"\\`"',
    '"\\u"',
    '"\\u0"',
    '"\\u00"',
    '"\\u004"',
    '"\\u004g"',
    '"\\uG041"',
    '"\\u 041"',
    '"\\u-041"',
    '"\\u+041"',
    '"\\u{41}"',
    '"\\u\uFF10\uFF10\uFF14\uFF11"',
    '"\\u00@0"',
    '"\\u00`0"',
    '"\\u00/0"',
    '"\\u00:0"',
  ],
  structures: [
    '[',
    ']',
    '{',
    '}',
    '[}',
    '{]',
    '[1,]',
    '[,1]',
    '[,]',
    '[1,,2]',
    '[1 2]',
    '[1;2]',
    '[1:2]',
    '[1',
    '[1,',
    '[[]',
    '[]]',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{"a",1}',
    '{:1}',
    '{"a":1,}',
    '{,"a":1}',
    '{,}',
    '{"a":1,,"b":2}',
    '{"a":1 "b":2}',
    '{a:1}',
    "{'a':1}",
    '{1:1}',
    '{null:1}',
    '{[]:1}',
    '{"a":1',
    '{"a":',
    '{"a"',
    '{"a',
    '{"a"::1}',
    '{"a":1:2}',
    '{"a"=1}',
    '{"a":b}',
    '[a]',
    '[][]',
    '{}{}',
    '1 2',
    '"a" 1',
    'null null',
    '[1]x',
    '{}#',
    '[]\u0000',
    '(1)',
    '<null>',
    '*',
    '&1',
  ],
  'white space': [
    '1\f',
    '\v1',
    '\u00a01',
    '1\u00a0',
    '\u20281',
    '1\u2029',
    '\u30001',
    '\u0085 1',
    '\u200b1',
    '1\uFEFF',
    '\u0000 1',
  ],
  comments: ['/**/1', '1/**/', '//a\n1', '1//', '#a\n1', '--a\n1', '[1/**/]', '{/**/}', '{"a"/**/:1}', '/1', '1/'],
};

describe('texts every parser accepts', () => {
  for (const [kind, tokens] of Object.entries(ACCEPTED)) {
    it(kind, () => {
      for (const token of tokens) {
        for (const [before, after] of PLACES) {
          expect(faultOf(before + token + after), before + token + after).to.equal(null);
        }
      }
    });
  }
});

describe('texts every parser refuses', () => {
  it('nothing, and white space alone', () => {
    for (const text of ['', ' ', '\n\r\t ']) {
      expect(faultOf(text)).to.deep.equal({ kind: 'syntax', offset: text.length });
    }
  });

  for (const [kind, tokens] of Object.entries(REFUSED)) {
    it(kind, () => {
      for (const token of tokens) {
        // Some tokens complete each other's places ("1 , 2" in an array); the engine's parser knows which.
        for (const text of PLACES.map(([before, after]) => before + token + after).filter(refusedByEngine)) {
          expect(faultOf(text)?.kind, text).to.equal('syntax');
        }
        expect(faultOf(token)?.kind, token).to.be.oneOf(['syntax', 'encoding']);
      }
    });
  }
});

describe('texts one edit away from JSON', () => {
  const document = '{"a\\u0041\\n":[-10.5e+3,0,"é\\\\"],"b": {"c":true,"d":[null,{}]},"e":"\\ud83d\\ude00"}';
  const units = document.split('');
  const inserted = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '0',
    '9',
    '-',
    '+',
    '.',
    'e',
    'E',
    'u',
    't',
    ' ',
    '\n',
    '\f',
    '\u0000',
    'é',
  ];

  it('every beginning of a document is refused at its end or earlier', () => {
    for (let length = 0; length < document.length; length += 1) {
      const beginning = document.slice(0, length);
      const fault = faultOf(beginning);
      expect(fault?.kind, beginning).to.be.oneOf(['syntax', 'encoding']);
      expect(fault?.offset).to.be.at.most(encoder.encode(beginning).length);
    }
  });

  const edits: Readonly<Record<string, (index: number, unit: string) => string>> = {
    deleted: (index) => units.toSpliced(index, 1).join(''),
    inserted: (index, unit) => units.toSpliced(index, 0, unit).join(''),
    replaced: (index, unit) => units.toSpliced(index, 1, unit).join(''),
  };
  for (const [name, edit] of Object.entries(edits)) {
    it(`are judged as the engine judges them, but for what strictness adds: one unit ${name}`, () => {
      for (let index = 0; index < units.length; index += 1) {
        for (const unit of name === 'deleted' ? [''] : inserted) {
          const text = edit(index, unit);
          const fault = faultOf(text);
          const stricter =
            fault !== null && (fault.kind === 'duplicate_key' || fault.kind === 'encoding' || overflows(text));
          expect(fault !== null, text).to.equal(refusedByEngine(text) || stricter);
        }
      }
    });
  }
});

describe('texts each parser decides on', () => {
  const decided: readonly (readonly [string, string, JsonFault['kind'] | null])[] = [
    ['integers of any size', `[${'8'.repeat(5000)}]`, null],
    ['a float too large', '[1e999]', 'syntax'],
    ['a negative float too large', '[-1e999]', 'syntax'],
    ['a float too small', '[1e-999]', null],
    ['an exponent of many digits', `[1e-${'9'.repeat(5000)}]`, null],
    ['a zero with an enormous exponent', `[0e${'9'.repeat(5000)}]`, null],
    ['a lone high surrogate escape', '["\\uD800"]', 'encoding'],
    ['a lone low surrogate escape', '["\\uDC00"]', 'encoding'],
    ['two high surrogate escapes', '["\\uD800\\uD800"]', 'encoding'],
    ['swapped surrogate escapes', '["\\uDE00\\uD83D"]', 'encoding'],
    ['a high surrogate escape and text', '["\\uD83Dx\\uDE00"]', 'encoding'],
    ['a high surrogate escape and another escape', '["\\uD83D\\u0041"]', 'encoding'],
    ['a lone surrogate escape in a key', '{"\\uDBFF":1}', 'encoding'],
    ['escaped noncharacters', '["\\uFFFF\\uFDD0"]', null],
    ['an escaped NUL', '["\\u0000"]', null],
    ['an escaped byte order mark', '["\\uFEFF"]', null],
    ['a byte order mark', '\uFEFF[]', 'encoding'],
    ['a byte order mark alone', '\uFEFF', 'encoding'],
    ['repeated keys', '{"a":1,"a":1}', 'duplicate_key'],
    ['an empty key', '{"":0}', null],
    ['a scalar as root', '"a"', null],
    ['depth', '['.repeat(100_000), 'too_deep'],
  ];
  for (const [name, text, kind] of decided) {
    it(`${kind === null ? 'accepts' : 'refuses'} ${name}`, () => {
      expect(faultOf(text)?.kind ?? null).to.equal(kind);
    });
  }
});

describe('bytes that are no UTF-8', () => {
  const malformed: Readonly<Record<string, readonly number[]>> = {
    'a continuation byte alone': [0x80],
    'the last continuation byte alone': [0xbf],
    'an overlong NUL': [0xc0, 0x80],
    'an overlong slash of two bytes': [0xc0, 0xaf],
    'an overlong character of two bytes': [0xc1, 0xbf],
    'an overlong character of three bytes': [0xe0, 0x9f, 0xbf],
    'an overlong character of four bytes': [0xf0, 0x8f, 0xbf, 0xbf],
    'an encoded high surrogate': [0xed, 0xa0, 0x80],
    'an encoded surrogate pair': [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    'an encoded low surrogate': [0xed, 0xbf, 0xbf],
    'a code point beyond the last': [0xf4, 0x90, 0x80, 0x80],
    'a lead byte of five': [0xf8, 0x88, 0x80, 0x80, 0x80],
    'a lead byte of six': [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
    'a byte never used': [0xff],
    'a sequence of two cut off': [0xc3],
    'a sequence of three cut off': [0xe2, 0x82],
    'a sequence of four cut off': [0xf0, 0x9f, 0x98],
    'Latin-1': [0xe9],
  };
  for (const [name, bytes] of Object.entries(malformed)) {
    it(`refuses ${name}, wherever it stands`, () => {
      for (const [before, after] of [
        ['"é', '"'],
        ['{"', '":1}'],
        ['', ''],
        ['[1', ']'],
        [']"', ''],
      ]) {
        const head = encoder.encode(before);
        const document = Uint8Array.from([...head, ...bytes, ...encoder.encode(after)]);
        expect(faultOf(document)).to.deep.equal({ kind: 'encoding', offset: head.length });
      }
    });
  }

  it('accepts the ends of every range', () => {
    for (const code of [0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
      expect(faultOf(`"${String.fromCodePoint(code)}"`), code.toString(16)).to.equal(null);
    }
  });

  it('refuses other encodings of JSON', () => {
    const text = '["é"]';
    const little = Uint8Array.from(Buffer.from(text, 'utf16le'));
    const big = little.map((_, index) => little[index ^ 1] ?? 0);
    for (const document of [
      little,
      big,
      Uint8Array.from([0xff, 0xfe, ...little]),
      Uint8Array.from([0xfe, 0xff, ...big]),
    ]) {
      expect(faultOf(document)?.kind).to.be.oneOf(['encoding', 'syntax']);
    }
  });
});

function refusedByEngine(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** Whether a text that the engine reads holds a number beyond the range of a double. */
function overflows(text: string): boolean {
  let found = false;
  if (!refusedByEngine(text)) {
    JSON.parse(text, (_, value: unknown) => {
      found ||= value === Infinity || value === -Infinity;
      return value;
    });
  }
  return found;
}
