import { expect } from 'chai';
import { MANIFEST } from '../manifest/fields.ts';
import { expectationOf } from './expectation.ts';
import { ENTRY } from './patterns.ts';
import {
  anyJson,
  boolean,
  freeObject,
  integer,
  list,
  map,
  number,
  numberAbove,
  oneOfValues,
  text,
  type Shape,
} from './shape.ts';

describe('what a table of fields wants, in words', () => {
  const cases: readonly (readonly [Shape, string])[] = [
    [text(8), 'a text of 1 to 8 bytes'],
    [text(257, ENTRY), 'namespace/function, such as main/run, in lowercase'],
    [integer(1, 9), 'an integer from 1 to 9'],
    [number(-2, 2), 'a number from -2 to 2'],
    [numberAbove(0, 1), 'a number above 0 and up to 1'],
    [boolean, 'true or false'],
    [oneOfValues('normal', 'private'), '"normal" or "private"'],
    [oneOfValues(1), '1'],
    [list(boolean, 3), 'a list of at most 3 items'],
    [list(boolean, 3, { minimum: 1 }), 'a list of 1 to 3 items'],
    [map(ENTRY, boolean, 16), 'an object of at most 16 members'],
    [
      map(ENTRY, MANIFEST.fields.workflow.shape, 16),
      'an object of at most 16 members, each an object with components, entry',
    ],
    [map(ENTRY, MANIFEST.fields.events.shape, 16), 'an object of at most 16 members'],
    [
      list(MANIFEST.fields.input.shape, 3),
      'a list of at most 3 items, each an object with value, or an object with path',
    ],
    [MANIFEST.fields.workflow.shape, 'an object with components, entry'],
    [MANIFEST.fields.input.shape, 'an object with value, or an object with path'],
    [MANIFEST.fields.events.shape, 'an object'],
    [freeObject, 'an object'],
    [anyJson, 'a value'],
  ];
  for (const [shape, words] of cases) it(words, () => expect(expectationOf(shape)).to.equal(words));
});
