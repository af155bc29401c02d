import { expect } from 'chai';
import * as fc from 'fast-check';
import { arbitraryKey } from './arbitrary-json.ts';
import type { JsonNode } from './node.ts';
import { documentLimits, parseJsonText } from './parse.ts';
import { buildPointer, parsePointer, resolvePointer } from './pointer.ts';

/** Diagnostic path of interface.md: empty, or segments that each start with a slash, tildes only as ~0 and ~1. */
const INTERFACE_PATTERN = /^(?:\/(?:[^~/]|~[01])*)*$/u;

function tree(text: string): JsonNode {
  const parsed = parseJsonText(text, documentLimits(10_000));
  if (!parsed.ok) {
    throw new Error('the fixture is JSON');
  }
  return parsed.root;
}

describe('JSON pointers (RFC 6901)', () => {
  it('are built and parsed without loss, in the form of the interface', () => {
    fc.assert(
      fc.property(fc.array(arbitraryKey), (segments) => {
        const pointer = buildPointer(segments);
        expect(pointer).to.match(INTERFACE_PATTERN);
        expect(parsePointer(pointer)).to.deep.equal(segments);
      }),
    );
  });

  it('are refused when malformed', () => {
    for (const malformed of ['a', 'a/b', '/~', '/~2', '/a~', '/~/a', ' /a']) {
      expect(parsePointer(malformed), malformed).to.equal(undefined);
      expect(resolvePointer(tree('{"a":1}'), malformed), malformed).to.equal(undefined);
    }
  });

  const root = tree('{"a":[10,{"b/c":11,"d~e":12,"":13,"01":14}],"__proto__":15,"~1":16,"length":17}');
  const found: readonly (readonly [string, number])[] = [
    ['/a/0', 10],
    ['/a/1/b~1c', 11],
    ['/a/1/d~0e', 12],
    ['/a/1/', 13],
    ['/a/1/01', 14],
    ['/__proto__', 15],
    ['/~01', 16],
    ['/length', 17],
  ];
  for (const [pointer, value] of found) {
    it(`resolve ${pointer}`, () => {
      expect(resolvePointer(root, pointer)).to.include({ kind: 'integer', value });
    });
  }

  it('resolve the root', () => {
    expect(resolvePointer(root, '')).to.equal(root);
  });

  for (const pointer of ['/b', '/a/2', '/a/-', '/a/01', '/a/-1', '/a/length', '/a/0/0', '/toString', '/', '/a/1e0']) {
    it(`find nothing at ${pointer}`, () => {
      expect(resolvePointer(root, pointer)).to.equal(undefined);
    });
  }
});
