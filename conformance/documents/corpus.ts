/**
 * Texts by the kinds that public JSON parser collections tell apart, made here: what every parser accepts, what every
 * parser refuses, and what each decides for itself with what documents.md §1 decides.
 */

/** Values that stand anywhere a value can. */
export const ACCEPTED: readonly string[] = [
  'null', 'true', 'false', '0', '-0', '12', '-12', '9'.repeat(400), `-${'1'.repeat(40)}`,
  '0.0', '-0.0', '1e0', '1E+2', '1e-2', '12.5e3', '0e999999', '1e-999999', '0.1000000000000000055511151231257827',
  '""', '"a"', '"\\""', '"\\\\"', '"\\/"', '"\\b\\f\\n\\r\\t"', '"\\u0000"', '"\\u0041\\u00e9\\uFFFF"', '"\\ud83d\\ude00"', '"\u007f"', '"é€😀"', '"\u2028\u2029"', '"\\\\u0041"', '" \u00a0 "',
  '[]', '[ ]', '[\n]', '[[[[]]]]', '[1,2]', ' [1 ,\t2\r\n] ', '{}', '{ }', '{"":0}', '{"a":{"a":{"a":1}}}', '{"a":1,"b":2}', '{"\\u0000":1}', '{"é":1,"e\u0301":2}', '{"__proto__":1,"constructor":2,"toString":3}',
  '[0,0.0,-0,1e2,"0"]', `[${'1,'.repeat(500)}1]`, `${'['.repeat(40)}${']'.repeat(40)}`,
];

/** Texts that are no JSON value; each also fails inside lists and objects. */
export const REFUSED: readonly string[] = [
  'nul', 'nulL', 'True', 'tru', 'NaN', 'Infinity', '-Infinity', 'undefined', 'nil', "'a'", '`a`', 'a',
  '01', '-01', '00', '+1', '.5', '5.', '-', '-.5', '1e', '1e+', '1.e1', '1.5e', '0x10', '0o7', '1_0', '1n', '--1', '1-', '1 000', '١',
  '"', '"a', 'a"', '"\n"', '"\t"', '"\u0000"', '"\u001f"', '"\\"', '"\\a"', '"\\x41"', '"\\u"', '"\\u00"', '"\\u00g0"', '"\\U0041"', '"\\\n"', '"\\u{41}"',
  '[', ']', '[1', '[1,', '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1;2]', '[[]', '[1}', '["a":1]', '[/**/]',
  '{', '}', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{,}', '{"a"}', '{"a" 1}', '{a:1}', "{'a':1}", '{1:1}', '{"a":1 "b":2}', '{"a":1,,"b":2}', '{"a"::1}', '{null:1}', '{"a":1]', '{"a":/*b*/1}',
  '\u00a01', '1\u00a0', '\f1', '\v1', '\u20281', '1//', '#1', '1;', '<1>', '*',
];

/** What a parser decides for itself, and what this one decides: `accepted`, or refused as no strict JSON. */
export const DECIDED: readonly (readonly [string, 'accepted' | 'refused', string | Uint8Array])[] = [
  ['an integer of 400 digits', 'accepted', '9'.repeat(400)],
  ['a float that vanishes', 'accepted', '1e-400'],
  ['a float of 400 digits', 'accepted', `0.${'1'.repeat(400)}`],
  ['a float that overflows', 'refused', '1e400'],
  ['a negative float that overflows', 'refused', '-1e400'],
  ['an exponent beyond all integers', 'refused', `1e${'9'.repeat(40)}`],
  ['a text that ends in half a pair', 'refused', '"\\ud800"'],
  ['the second half alone', 'refused', '"\\udc00"'],
  ['halves the wrong way round', 'refused', '"\\udc00\\ud800"'],
  ['half a pair before another escape', 'refused', '"\\ud800\\n"'],
  ['half a pair before a letter', 'refused', '"\\uD800a"'],
  ['half a pair in a key', 'refused', '{"\\ud800":1}'],
  ['a byte that starts nothing', 'refused', quoted(0xff)],
  ['a byte that continues nothing', 'refused', quoted(0x80)],
  ['an encoding cut short', 'refused', quoted(0xe2, 0x82)],
  ['an overlong slash', 'refused', quoted(0xc0, 0xaf)],
  ['an overlong NUL of three bytes', 'refused', quoted(0xe0, 0x80, 0x80)],
  ['an encoded surrogate', 'refused', quoted(0xed, 0xa0, 0x80)],
  ['a code point beyond the last', 'refused', quoted(0xf4, 0x90, 0x80, 0x80)],
  ['Latin-1', 'refused', quoted(0xe9)],
  ['the last code point', 'accepted', quoted(0xf4, 0x8f, 0xbf, 0xbf)],
  ['a non-character', 'accepted', quoted(0xef, 0xbf, 0xbe)],
  ['a byte order mark inside a text', 'accepted', '"\uFEFF"'],
];

/** Whole documents, whatever is expected of their content, that are no strict JSON. */
export const REFUSED_WHOLE: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['white space', bytes(' \n\t ')],
  ['two byte order marks before an object', bytes('\uFEFF\uFEFF{}')],
  ['two values', bytes('{}{}')],
  ['a byte after the value', bytes('{}\u0000')],
  ['UTF-16, little-endian', Uint8Array.from(Buffer.from('{"a":1}', 'utf16le'))],
  ['UTF-16 with its mark', Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  ['UTF-32', Uint8Array.from([0, 0, 0, 0x7b, 0, 0, 0, 0x7d])],
  ['half an object', bytes('{"a":')],
  ['NUL bytes', new Uint8Array(100)],
];

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function quoted(...content: readonly number[]): Uint8Array {
  return Uint8Array.from([0x22, ...content, 0x22]);
}

/** The value in a place of a document's text. */
export function placed(before: string, value: string | Uint8Array, after: string): Uint8Array {
  return Buffer.concat([bytes(before), typeof value === 'string' ? bytes(value) : value, bytes(after)]);
}
