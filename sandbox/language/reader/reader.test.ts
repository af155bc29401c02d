import { expect } from 'chai';
import fc from 'fast-check';
import { printString } from '../../runtime/print.ts';
import { CompileFailure } from '../compile-failure.ts';
import { syntaxValue } from './data.ts';
import { byteSpan, positionsOf } from './positions.ts';
import { readForms } from './reader.ts';

function readAsText(source: string): string {
  return readForms(source)
    .map((form) =>
      printString(syntaxValue(form, (node) => (node.automatic ? 'user' : node.namespace), { metadata: true })),
    )
    .join(' ');
}

function faultOf(source: string): CompileFailure {
  try {
    readForms(source);
  } catch (thrown) {
    if (thrown instanceof CompileFailure) return thrown;
    throw thrown;
  }
  throw new Error(`${source} was read`);
}

const READINGS: readonly (readonly [string, string])[] = [
  ['0x1F 010 2r101 36rZZ +5 -7 1e3', '31 8 5 1295 5 -7 1000.0'],
  ['1N 1. 0 -0.0 1e400 12345678901234567890', '1 1.0 0 -0.0 ##Inf 12345678901234567890'],
  ['##Inf ##-Inf ##NaN', '##Inf ##-Inf ##NaN'],
  ['.5', '.5'],
  ['"a\\t\\u0041\\101\\\\"', '"a\\tAA\\\\"'],
  ['"two\nlines"', '"two\\nlines"'],
  ['\\a \\newline \\space \\u0041 \\o101 \\( \\,', '\\a \\newline \\space \\A \\A \\( \\,'],
  [":1 :a.b/c :a'b [:a:b] ::k", ":1 :a.b/c :a'b [:a:b] :user/k"],
  ['/ a/b clojure.core// +a -b a->b %', '/ a/b clojure.core// +a -b a->b %'],
  ["'x #'x @x", '(quote x) (var x) (clojure.core/deref x)'],
  ['(a, b)\n;c\n#!d\n[e]', '(a b) [e]'],
  ['a ;b\rc ;d\r\n#!e\rf ;g', 'a c f'],
  ['[#_a b #_ #_ c d e]', '[b e]'],
  ['#:a{:b 1 :_/c 2 d 3 :e/f 4}', '{:a/b 1, :c 2, a/d 3, :e/f 4}'],
  ['#::{:b 1}', '{:user/b 1}'],
  ['#{1 1.0} {1 2 1.0 3}', '#{1.0 1} {1 2, 1.0 3}'],
  ['"\\"" #"a\\"b\\d"', '"\\"" #"a\\"b\\d"'],
  ['()', '()'],
  ['é日本 :ключ', 'é日本 :ключ'],
  ['#uuid "00000000-0000-0000-0000-00000000000A"', '#uuid "00000000-0000-0000-0000-00000000000a"'],
  [
    '#inst "2020-01-02T03:04:05+02:00" #inst "2020"',
    '#inst "2020-01-02T01:04:05.000-00:00" #inst "2020-01-01T00:00:00.000-00:00"',
  ],
];

/** Source, offset of the fault in bytes, and a part of its message (language.md §2). */
const REFUSALS: readonly (readonly [string, number, string])[] = [
  ['(a', 0, 'Unclosed ('],
  ['é [a (b', 6, 'Unclosed ('],
  ['a)', 1, 'Unmatched delimiter: )'],
  ['(a]', 2, 'needs )'],
  ['"abc', 0, 'EOF while reading string'],
  ['"\\d"', 1, '#"\\d"'],
  ['"\\400"', 1, 'octal'.replace('o', 'O')],
  ['\\abc', 0, 'Unsupported character'],
  ['\\ud800', 0, 'surrogate'],
  ['1/2', 0, '(/ 1 2)'],
  ['1.5M', 0, '1.5'],
  ['1_000', 0, '1000'],
  ['1a', 0, 'Invalid number'],
  ['08', 0, 'octal'],
  ['a: ', 0, 'Invalid token'],
  ['a::b', 0, 'Invalid token'],
  [':', 0, 'Invalid token'],
  ['{:a}', 0, 'even number'],
  ['`a', 0, 'Syntax quote'],
  ['~a', 0, 'Unquote'],
  ['#?(:clj 1)', 0, 'Reader conditionals'],
  ['#=(a)', 0, 'Evaluation'],
  ['#<x>', 0, 'Unreadable'],
  ['#foo 1', 0, 'tag foo'],
  ['#inst "nope"', 6, 'date/time'],
  ['#(a #(b))', 4, 'Nested'],
  ["'#(a)", 1, 'quoted'],
  ['#(%21)', 2, 'Invalid parameter'],
  ['^:a 1', 0, 'Metadata can only'],
  ['^1 a', 1, 'Metadata must be'],
  ['#_', 0, 'Nothing follows'],
  ["('", 1, 'Nothing follows'],
];

describe('the reader', () => {
  for (const [source, text] of READINGS) {
    it(`reads ${JSON.stringify(source)}`, () => {
      expect(readAsText(source)).to.equal(text);
    });
  }

  for (const [source, byte, message] of REFUSALS) {
    it(`refuses ${JSON.stringify(source)} at byte ${byte}`, () => {
      const fault = faultOf(source);
      expect(fault.reason).to.equal('parse_error');
      expect(fault.message.toLowerCase()).to.contain(message.toLowerCase());
      const place = fault.place ?? { start: -1, end: -1 };
      expect(byteSpan(positionsOf(source), place.start, place.end)).to.deep.equal({ start_byte: byte, end_byte: byte });
    });
  }

  const DUPLICATES = [
    '{:a 1 :a 2}',
    '#{1 1}',
    '{[1] 1 (1) 2}',
    '#{"a" "a"}',
    '{#{1 2} 1 #{2 1} 2}',
    '#{{:a 1 :b 2} {:b 2 :a 1}}',
    '#{0.0 -0.0}',
  ];
  for (const source of DUPLICATES) {
    it(`refuses the duplicate in ${source}`, () => {
      expect(faultOf(source).reason).to.equal('duplicate_key');
    });
  }

  it('admits 200 nested openers and refuses 201', () => {
    expect(readForms('['.repeat(200) + ']'.repeat(200))).to.have.length(1);
    expect(faultOf('['.repeat(201) + ']'.repeat(201)).details).to.deep.equal({ limit: 200 });
  });

  it('refuses endless prefixes without running out of stack', () => {
    for (const prefix of ["'", '@', '#_', '^', "#'", '^:a ']) {
      expect(faultOf(`${prefix.repeat(100_000)}x`).reason).to.equal('parse_error');
    }
  });

  it('bounds integer literals at 1,000 digits and names at 10,000', () => {
    expect(readForms('9'.repeat(1000))).to.have.length(1);
    expect(faultOf('9'.repeat(1001)).message).to.contain('1000 digits');
    const names = Array.from({ length: 10_001 }, (_, index) => `s${index}`);
    expect(readForms(names.slice(1).join(' '))).to.have.length(10_000);
    expect(faultOf(names.join(' ')).reason).to.equal('symbol_limit_exceeded');
  });

  it('spans every form exactly, in bytes', () => {
    const source = 'é (a [b] "c" #{1} :d \'e #(f %) ^:g h #"i") 日';
    const positions = positionsOf(source);
    const bytes = Buffer.from(source);
    const [, list] = readForms(source);
    const texts =
      list !== undefined && 'items' in list ? list.items.map((item) => byteSpan(positions, item.start, item.end)) : [];
    expect(texts.map((span) => bytes.subarray(span.start_byte, span.end_byte).toString())).to.deep.equal([
      'a',
      '[b]',
      '"c"',
      '#{1}',
      ':d',
      "'e",
      '#(f %)',
      '^:g h',
      '#"i"',
    ]);
  });

  it('never ends in anything but forms or a compile failure', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      '#',
      "'",
      '^',
      '@',
      ':',
      '/',
      'a',
      '1',
      '.',
      '-',
      '%',
      ' ',
      ';',
      '\n',
      '~',
      'é',
      '\ud83d',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          return readForms(pieces.join('')).every((form) => form.start < form.end);
        } catch (thrown) {
          return thrown instanceof CompileFailure;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('reads back what it prints', () => {
    const scalar = fc.oneof(
      fc.integer().map(String),
      fc.string().map((text) => printString(text)),
      fc.constantFrom(':k', ':a/b', 'sym', 'nil', 'true', '\\a', '1.5'),
    );
    const form = fc.letrec<{ form: string }>((tie) => ({
      form: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('form'), { maxLength: 4 }).map((items) => `[${items.join(' ')}]`),
        fc.array(tie('form'), { maxLength: 4 }).map((items) => `(${items.join(' ')})`),
      ),
    })).form;
    fc.assert(
      fc.property(form, (source) => {
        const once = readAsText(source);
        expect(readAsText(once)).to.equal(once);
      }),
      { numRuns: 500 },
    );
  });
});
