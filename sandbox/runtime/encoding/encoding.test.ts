import { expect } from 'chai';
import fc from 'fast-check';
import { comprehensionBodies } from '../../language/link/comprehension.ts';
import { encodingWorld } from '../../language/link/encoding-world.ts';
import { newSession } from '../../language/link/new-session.ts';
import { equals } from '../equality.ts';
import { LispError } from '../errors.ts';
import { metaOf } from '../metadata.ts';
import { printString } from '../print.ts';
import { Atom } from '../values/atom.ts';
import { char } from '../values/char.ts';
import type { Collection } from '../values/collection.ts';
import { double, Float32, integer } from '../values/double.ts';
import { keyword } from '../values/keyword.ts';
import { arrayMap, mapFromEntries } from '../values/map-builder.ts';
import { countedSeq, EMPTY_SEQ, list, realised } from '../values/seq.ts';
import { setFrom } from '../values/set.ts';
import { symbol } from '../values/symbol.ts';
import { Vector, vector } from '../values/vector.ts';
import { ValueDecoder } from './decoder.ts';
import { ValueEncoder } from './encoder.ts';
import { DamagedEncoding, EncodingStop } from './world.ts';

const WIDE = 1_000_000;

function encoded(value: unknown, limit = WIDE): string {
  return new ValueEncoder(encodingWorld(newSession()), comprehensionBodies).encode(value, limit).text;
}

function decoded(text: string): unknown {
  const session = newSession();
  return new ValueDecoder(encodingWorld(session), session.effects, comprehensionBodies).decode(text);
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)) }),
);
const name = fc.string({ minLength: 1 });
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, NaN, Infinity, -Infinity, double(-0), double(1), 0),
  fc.maxSafeInteger(),
  fc.bigInt().map(integer),
  fc.double().map(double),
  fc.float().map((value) => new Float32(value)),
  text,
  fc.tuple(fc.option(name), name).map(([namespace, local]) => keyword(namespace, local)),
  fc.tuple(fc.option(name), name).map(([namespace, local]) => symbol(namespace, local)),
  fc.integer({ min: 0, max: 0xffff }).map(char),
);
const values = fc.letrec<{ value: unknown; collection: Collection }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('collection')),
  collection: fc
    .tuple(
      fc.oneof(
        fc.array(tie('value')).map((items) => vector(items)),
        fc.array(tie('value')).map((items) => list(items)),
        fc.array(tie('value')).map((items) => realised(items)),
        fc.array(tie('value')).map((items) => countedSeq(items)),
        fc.array(tie('value')).map((items) => setFrom(items)),
        fc
          .array(fc.tuple(tie('value'), tie('value')), { maxLength: 20 })
          .map((entries) => mapFromEntries(entries.flat())),
        fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 20 }).map((entries) => arrayMap(entries.flat())),
        fc.constant(EMPTY_SEQ),
      ),
      fc.option(fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 3 })),
    )
    .map(([collection, meta]) =>
      meta === null ? collection : collection.withMeta(mapFromEntries(Object.entries(meta).flat())),
    ),
})).value;

describe('the encoding of values', () => {
  it('keeps equality, printing and metadata, and writes a value that was read as it stood', () => {
    fc.assert(
      fc.property(values, (value) => {
        const first = encoded(value);
        const again = decoded(first);
        expect(encoded(again)).to.equal(first);
        expect(printString(again)).to.equal(printString(value));
        expect(printString(metaOf(again))).to.equal(printString(metaOf(value)));
        expect(first.isWellFormed()).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it('stops at its limit, and not before', () => {
    fc.assert(
      fc.property(values, (value) => {
        const { length } = encoded(value);
        expect(encoded(value, length)).to.have.length(length);
        expect(() => encoded(value, length - 1))
          .to.throw()
          .instanceOf(EncodingStop);
      }),
      { numRuns: 100 },
    );
  });

  it('writes shared parts once, and they stay shared', () => {
    const atom = new Atom(1, null, null);
    const part = vector([atom, 'a longer text', 'a longer text']);
    const again = decoded(encoded(vector([part, part, list([part])])));
    if (!(again instanceof Vector)) throw new Error('no vector');
    expect(again.at(0)).to.equal(again.at(1));
    expect(encoded(vector([part, part])).length - encoded(part).length).to.be.lessThan(10);
  });

  it('reads hash maps and sets whose members stand in another order than theirs, or twice', () => {
    const members = Array.from({ length: 100 }, (_, i) => i);
    expect(equals(decoded(`i100:${members.map((i) => `${i},`).join('')}`), setFrom(members))).to.equal(true);
    expect(equals(decoded('h3:1,1,2,2,1,3,'), mapFromEntries([1, 3, 2, 2]))).to.equal(true);
    expect(equals(decoded('i3:nnn'), setFrom([null]))).to.equal(true);
  });

  it('takes an atom that holds itself', () => {
    const atom = new Atom(null, null, null);
    atom.value = vector([atom, 1]);
    const again = decoded(encoded(atom));
    expect(again instanceof Atom && again.value instanceof Vector && again.value.at(0) === again).to.equal(true);
  });

  it('nests without a stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = vector([deep]);
    const written = encoded(deep);
    expect(encoded(decoded(written))).to.equal(written);
  });

  it('keeps order and metadata where recursion ends', () => {
    fc.assert(
      fc.property(values, values, fc.integer({ min: 60, max: 68 }), fc.boolean(), (inner, beside, depth, hasMeta) => {
        let value: unknown = inner;
        for (let i = 0; i < depth; i += 1) {
          const meta = hasMeta ? arrayMap([keyword(null, 'at'), vector([i, beside])]) : null;
          value =
            i % 3 === 0
              ? vector([i, value, beside], meta)
              : i % 3 === 1
                ? list([value, beside, i])
                : arrayMap([i, value, 'next', beside]).withMeta(meta);
        }
        const first = encoded(value);
        const again = decoded(first);
        expect(encoded(again)).to.equal(first);
        expect(printString(again)).to.equal(printString(value));
        expect(printString(metaOf(again))).to.equal(printString(metaOf(value)));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses text that it did not write, whatever it is', () => {
    const valid = fc
      .tuple(values, fc.nat(), fc.string({ maxLength: 3 }), fc.nat({ max: 3 }))
      .map(([value, at, inserted, cut]) => {
        const whole = encoded(value);
        const from = at % (whole.length + 1);
        return whole.slice(0, from) + inserted + whole.slice(from + cut);
      });
    fc.assert(
      fc.property(fc.oneof(valid, fc.string()), (hostile) => {
        let known: unknown;
        try {
          known = encoded(decoded(hostile)).length >= 0;
        } catch (thrown) {
          known =
            thrown instanceof DamagedEncoding ||
            thrown instanceof EncodingStop ||
            thrown instanceof LispError ||
            thrown instanceof Error;
        }
        expect(known).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });

  const damaged: readonly (readonly [what: string, text: string])[] = [
    ['nothing', ''],
    ['a count beyond the text', 'v99999999999999:'],
    ['a list of more cells than text', 'm999999:'],
    ['a reference to a value that is being read', 'v1:^0,'],
    ['a reference to nothing', '^5,'],
    ['an unknown tag', '\u00ff'],
    ['two values', 'nn'],
    ['metadata that is no map', '*v1:1,2,'],
    ['a function without code', 'Fs8:000000000:0:'],
    ['a function of a built-in that makes none', 'Gs18:clojure.core/swap!1:n'],
    ['an unknown built-in', 'bs4:evil'],
    ['an integer that is none', '1-,'],
    ['a seq onto no seq', 'o1:1,2,'],
    ['an unknown lazy body', 'z1s4:evil0:'],
    ['a text beyond the text', 's4:abc'],
    ['a text without a length', 's:abc'],
    ['an entry of one', 'x1:1,'],
    ['a reference without an end', 's4:abcd^0'],
  ];
  for (const [what, hostile] of damaged) {
    it(`refuses ${what}`, () => {
      expect(() => decoded(hostile))
        .to.throw()
        .instanceOf(DamagedEncoding);
    });
  }
});
