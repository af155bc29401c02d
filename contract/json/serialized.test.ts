import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { arbitraryJson, arbitraryKey } from './arbitrary-json.ts';
import { canonicalJson } from './canonical.ts';
import type { Pace } from './paced.ts';
import { SerializedJson, flatObjectText } from './serialized.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Counts the turns that work waits for. */
function countedPace(units: number): Pace & { readonly turns: () => number } {
  let turns = 0;
  return {
    units,
    next: async () => {
      turns += 1;
    },
    turns: () => turns,
  };
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const members = fc.dictionary(arbitraryKey, arbitraryJson, { maxKeys: 8 });

describe('a serialized value', () => {
  it('has the canonical text of its value, and the digest of that, in slices of whatever size', () =>
    fc.assert(
      fc.asyncProperty(arbitraryJson, fc.integer({ min: 1, max: 40 }), async (value, units) => {
        const json = SerializedJson.of(value);
        const text = canonicalJson(value);
        expect(await json.digest(countedPace(units))).to.equal(digestOf(text));
        expect(await json.text(EVENT_LOOP_PACE)).to.equal(text);
        expect(json.value).to.equal(value);
      }),
    ));

  it('is put together of its parts, serialized or not', () =>
    fc.assert(
      fc.asyncProperty(
        members,
        fc.integer({ min: 1, max: 40 }),
        fc.func(fc.boolean()),
        async (plain, units, isReady) => {
          const object: JsonObject = new Map(Object.entries(plain));
          const parts = [...object].map(([key, part]) => [key, isReady(key) ? SerializedJson.of(part) : part] as const);
          const json = SerializedJson.object(parts);
          expect(await json.text(countedPace(units))).to.equal(canonicalJson(object));
          expect(json.value).to.deep.equal(object);
          expect(flatObjectText(object)).to.equal(canonicalJson(object));
        },
      ),
    ));

  it('is written and hashed once', async () => {
    const pace = countedPace(10);
    const json = SerializedJson.of(Array.from({ length: 100 }, () => 1));
    const [first, second] = [json.text(pace), json.text(pace)];
    expect(first).to.equal(second);
    await first;
    const turns = pace.turns();
    expect(turns).to.be.above(0);
    await Promise.all([json.digest(pace), json.digest(pace)]);
    const hashed = pace.turns();
    expect(hashed).to.be.above(turns);
    await SerializedJson.object([['inner', json]]).text(pace);
    await json.digest(pace);
    expect(pace.turns()).to.equal(hashed);
  });

  it('takes the text that is known, as it is', async () => {
    const value: JsonValue = ['é', 1n];
    const json = SerializedJson.read(value, '["é",1]');
    expect(json.text(EVENT_LOOP_PACE)).to.equal('["é",1]');
    expect(
      await SerializedJson.object([
        ['b', json],
        ['a', null],
      ]).text(EVENT_LOOP_PACE),
    ).to.equal('{"a":null,"b":["é",1]}');
  });

  it('tells everybody who asks of a value that has no text', async () => {
    const broken = SerializedJson.of([...Array.from({ length: 100 }, () => 1), '\ud800']);
    const pace = countedPace(10);
    const whole = SerializedJson.object([['broken', broken]]);
    for (const ask of [() => broken.text(pace), () => broken.digest(pace), () => whole.text(pace)])
      expect(
        await Promise.resolve()
          .then(ask)
          .catch(() => 'refused'),
      ).to.equal('refused');
  });
});
