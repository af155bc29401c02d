import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { check } from './check.ts';
import { NAME, TOOL_NAME } from './patterns.ts';
import { safePath } from './safe-pointer.ts';
import {
  boolean,
  choice,
  defaulted,
  EMPTY_OBJECT,
  freeObject,
  integer,
  list,
  map,
  numberAbove,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Shape,
} from './shape.ts';
import { mostSpecific, violation } from './violation.ts';

function json(plain: unknown) {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new Error('a test writes JSON');
  return value;
}

function verdict(shape: Shape, plain: unknown): string {
  const checked = check(shape, json(plain));
  if (checked.status !== 'invalid') return checked.status;
  const { path, rule, facts } = checked.violation;
  return `${rule} /${path.join('/')} ${JSON.stringify(facts)}`;
}

describe('rules of a table of fields (documents.md §13)', () => {
  const cases: readonly (readonly [string, Shape, unknown, string])[] = [
    ['text of another type', text(3), 1, 'type / {}'],
    ['empty text', text(3), '', 'min_length / {"bound":1}'],
    ['text by bytes, not characters', text(3), 'éé', 'max_length / {"bound":3}'],
    ['text of three bytes', text(3), 'éa', 'valid'],
    ['text against its pattern', text(128, NAME), 'A', 'pattern / {}'],
    ['text with a line feed at its end', text(128, NAME), 'a\n', 'pattern / {}'],
    ['a fraction for an integer', integer(1, 2), 1.5, 'type / {}'],
    ['an integer below', integer(1, 2), 0, 'minimum / {"bound":1}'],
    ['a huge integer', integer(1, 2), 10n ** 40n, 'maximum / {"bound":2}'],
    ['a bound that is excluded', numberAbove(0, 1), 0, 'minimum / {"bound":0}'],
    ['null for a flag', boolean, null, 'type / {}'],
    ['another constant', oneOfValues('only'), 'x', 'const / {"expected":"only"}'],
    ['another member', oneOfValues('a', null), 'x', 'enum / {"allowed":["a","null"]}'],
    ['a short list', list(boolean, 2, { minimum: 1 }), [], 'min_items / {"bound":1}'],
    ['a long list', list(boolean, 1), [true, false], 'max_items / {"bound":1}'],
    ['a repeated item', list(text(9), 2, { unique: 'checked' }), ['a', 'a'], 'unique_items / {}'],
    ['a long map', map(NAME, boolean, 1), { a: true, b: true }, 'max_properties / {"bound":1}'],
    ['an empty map', map(NAME, boolean, 1, 1), {}, 'min_properties / {"bound":1}'],
    ['a key against its pattern', map(NAME, boolean, 1), { A: true }, 'pattern / {}'],
    ['a key that hides', map(NAME, boolean, 1), { secret: 1 }, 'type /* {}'],
    ['a key that could be a star', map(TOOL_NAME, boolean, 1), { secret: 1 }, 'type / {}'],
    [
      'an unknown property',
      object({ a: required(boolean) }),
      { a: true, secret: 1 },
      'unknown_property / {"allowed":["a"]}',
    ],
    [
      'a property of Object.prototype',
      object({ a: optional(boolean) }),
      { constructor: 1 },
      'unknown_property / {"allowed":["a"]}',
    ],
    ['a missing property', object({ a: required(boolean) }), {}, 'required /a {}'],
    ['free JSON that is no object', freeObject, [], 'type / {}'],
  ];
  for (const [title, shape, value, expected] of cases) {
    it(`${title}: ${expected}`, () => {
      expect(verdict(shape, value)).to.equal(expected);
    });
  }
});

describe('one of several objects', () => {
  const tagged = choice(
    'kind',
    object({ kind: required(oneOfValues('a')), x: required(boolean) }),
    object({ kind: required(oneOfValues('b')), y: required(boolean), z: required(boolean) }),
  );
  const untagged = choice(
    null,
    object({ file: required(text(9)) }),
    object({ name: required(text(9)), more: optional(boolean) }),
  );
  const cases: readonly (readonly [string, Shape, unknown, string])[] = [
    ['the tag chooses', tagged, { kind: 'b', y: true }, 'required /z {}'],
    ['an unknown tag tells all tags', tagged, { kind: 'c', x: true }, 'enum /kind {"allowed":["a","b"]}'],
    ['an unknown tag before what its nearest object lacks', tagged, { kind: 'c' }, 'enum /kind {"allowed":["a","b"]}'],
    [
      'an unknown tag before what is unknown beside it',
      tagged,
      { kind: 'c', more: true },
      'enum /kind {"allowed":["a","b"]}',
    ],
    ['an unknown tag before what is wrong beside it', tagged, { kind: 'c', x: 1 }, 'enum /kind {"allowed":["a","b"]}'],
    ['no tag before what its nearest object lacks', tagged, { x: 1 }, 'required /kind {}'],
    ['no tag: the fewest missing', tagged, { y: true, z: true }, 'required /kind {}'],
    ['no tag at all: the fewest missing, then the fewest faults', untagged, { name: 1, more: true }, 'type /name {}'],
    ['both at once', untagged, { name: 'a', file: 'b' }, 'unknown_property / {"allowed":["file"]}'],
    ['neither', untagged, {}, 'required /file {}'],
    ['no object', untagged, 'secret', 'type / {}'],
  ];
  for (const [title, shape, value, expected] of cases) {
    it(`${title}: ${expected}`, () => {
      expect(verdict(shape, value)).to.equal(expected);
    });
  }
});

describe('which of several faults is told (documents.md §13)', () => {
  it('the deepest, then a concrete rule, then the first in byte order', () => {
    const [deep, collective, concrete, later] = [
      violation(['a', 'b'], 'type'),
      violation(['a'], 'one_of'),
      violation(['z'], 'type'),
      violation(['zz'], 'type'),
    ];
    expect(mostSpecific([later, concrete, collective, deep])).to.equal(deep);
    expect(mostSpecific([later, collective, concrete])).to.equal(concrete);
    expect(mostSpecific([])).to.equal(null);
  });
});

describe('decoded values', () => {
  const shape = object({
    flag: defaulted(boolean, true),
    inner: defaulted(object({ size: defaulted(integer(0, 9), 3) }), EMPTY_OBJECT),
    entries: defaulted(map(NAME, integer(0, 9), 9), EMPTY_OBJECT),
    none: optional(boolean),
  });

  it('hold defaults at every depth, and nothing for what is optional', () => {
    const checked = check(shape, json({}));
    expect(checked).to.deep.equal({ status: 'valid', value: { flag: true, inner: { size: 3 }, entries: new Map() } });
  });

  it('hold maps in byte order of their keys, integral floats as integers', () => {
    const checked = check(shape, json({ entries: { b: 1, a: 2, 'a-b': 3 } }));
    expect(checked.status === 'valid' && [...checked.value.entries]).to.deep.equal([
      ['a', 2],
      ['a-b', 3],
      ['b', 1],
    ]);
  });
});

describe('publishable paths (documents.md §13)', () => {
  const shape = object({
    open: optional(map(NAME, object({ list: optional(list(freeObject, 9)) }), 9)),
    tools: optional(map(TOOL_NAME, boolean, 9)),
    either: optional(
      choice(null, object({ a: required(boolean) }), object({ b: required(object({ c: optional(boolean) })) })),
    ),
  });
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['open', 'secret', 'list', '3', 'secret'],
      ['open', '*', 'list', '3'],
    ],
    [
      ['open', 'secret', 'secret'],
      ['open', '*'],
    ],
    [
      ['open', 'secret', 'list', 'secret'],
      ['open', '*', 'list'],
    ],
    [['tools', 'secret'], ['tools']],
    [
      ['either', 'b', 'c'],
      ['either', 'b', 'c'],
    ],
    [['either', 'secret'], ['either']],
    [['__proto__'], []],
  ];
  for (const [path, expected] of cases) {
    it(`/${path.join('/')} as /${expected.join('/')}`, () => {
      expect(safePath(shape, path)).to.deep.equal(expected);
    });
  }
});
