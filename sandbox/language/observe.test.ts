import { expect } from 'chai';
import fc from 'fast-check';
import type { Observation } from '../../contract/sandbox-protocol.ts';
import { guestUnderTest } from './testing/guest-under-test.ts';

function observed(source: string, characters: number): Observation {
  const reply = guestUnderTest().evaluate(source, { projection: 'json', observation_characters: characters });
  if (reply.outcome === 'evaluation_error' || reply.observation === undefined) throw new Error(JSON.stringify(reply));
  return reply.observation;
}

describe('what a model is shown of an evaluation (agent-library.md §8)', () => {
  const texts: readonly (readonly [source: string, characters: number, text: string])[] = [
    ['(+ 1 2)', 64, 'user=> 3'],
    ['(+ 1 2)', 3, 'use'],
    ['(+ 1 2)', 7, 'user=> '],
    ['(+ 1 2)', 8, 'user=> 3'],
    ['"abcdef"', 10, 'user=> "ab'],
    ['(do (println "a") (println "b") 3)', 64, 'user=> 3\nprintln:\na\nb'],
    ['(do (println "abc") 3)', 21, 'user=> 3\nprintln:\nabc'],
    ['(do (println "abc") 3)', 20, 'user=> 3'],
    ['(do (println "a") (println (apply str (repeat 60 "b"))) (println "c") 3)', 64, 'user=> 3\nprintln:\na'],
    ['(range 20)', 300, `user=> (${Array.from({ length: 20 }, (_, i) => i).join(' ')})`],
    ['[[[[[1]]]]]', 100, 'user=> [[[[[1]]]]]'],
    ['(map (fn [_] (/ 1 0)) (iterate inc 0))', 100, 'user=> ...'],
  ];
  for (const [source, characters, text] of texts) {
    it(`${source} in ${characters} characters`, () => {
      expect(observed(source, characters).text).to.equal(text);
    });
  }

  const cuts: readonly (readonly [source: string, characters: number, line: string])[] = [
    ['(vec (range 20000))', 2048, ';; cut: 529 of 20000 items'],
    ['(range 20000)', 300, ';; cut: 90 of 20000 items'],
    ['(apply str (repeat 2100 "x"))', 2048, ';; cut: 2006 of 2100 characters'],
    ['{:rows (vec (range 5000))}', 512, ';; cut: 143 of 5000 items'],
    ['(zipmap (range 900) (range 900))', 256, ';; cut: 24 of 900 entries'],
    ['(doall (map inc (range 20000)))', 300, ';; cut: 90 of 20000 items'],
    ['[(vec (range 90)) "after" "it"]', 128, ';; cut: 32 of 90 items'],
    ['(mapv (fn [i] {:id i :name (str "name " i)}) (range 1000))', 1024, ';; cut: 39 of 1000 items'],
    ['(map inc (iterate inc 0))', 300, ';; cut: 16 items, more are not computed yet'],
  ];
  for (const [source, characters, line] of cuts) {
    it(`${source} in ${characters} characters ends with ${line}`, () => {
      const { text } = observed(source, characters);
      expect(text.split('\n').at(-1)).to.equal(line);
      if (!line.includes('not computed')) expect(text.length).to.be.within(Math.ceil(characters * 0.9), characters);
    });
  }

  it('gives a value the room that prints do not need', () => {
    const { text } = observed('(do (println "a") (vec (range 20000)))', 1000);
    expect(text.length).to.be.within(900, 1000);
    expect(text).to.match(/ of 20000 items\nprintln:\na$/);
  });

  it('says what was left out, with keys of the first map', () => {
    const shown = observed(
      '(do (println (apply str (repeat 900 "p"))) (zipmap (map (fn [i] (str "key" i)) (range 40)) (range 40)))',
      200,
    );
    expect(shown).to.deep.include({ value_truncated: true, prints_truncated: true });
    expect(shown.caps_hit).to.include.members(['output', 'prints']);
    expect(shown.sampled_keys).to.have.length(24);
    expect(observed('{:a 1}', 200)).to.deep.include({
      value_truncated: false,
      prints_truncated: false,
      caps_hit: [],
      sampled_keys: [],
    });
  });

  it('computes no further part of a lazy value than the usual preview', () => {
    const shown = observed('(def seen (atom 0)) (map (fn [i] (swap! seen inc) i) (iterate inc 0))', 4000);
    expect(shown.text).to.include('14 15 ...)');
    const guest = guestUnderTest();
    guest.evaluate('(def seen (atom 0)) (map (fn [i] (swap! seen inc) i) (iterate inc 0))', {
      observation_characters: 4000,
      projection: 'json',
    });
    expect(guest.evaluate('@seen')).to.have.property('value', '16');
  });

  it('a plain value is shown and not projected; a returned one is both', () => {
    const guest = guestUnderTest();
    const options = { projection: 'json', observation_characters: 64 } as const;
    expect(guest.evaluate('{nil 1}', options)).to.deep.include({
      outcome: 'continued',
      value: null,
      projection_fault: null,
    });
    expect(guest.evaluate('(return {:a 1})', options)).to.deep.include({ outcome: 'returned', value: '{"a":1}' });
    expect(guest.evaluate('(fail 1)', options)).to.not.have.property('observation');
  });

  it('is never longer than asked, whatever is shown', () => {
    const source = fc.constantFrom(
      '(vec (range 99))',
      '(apply str (repeat 900 "\\""))',
      '(do (println "one") (println "two") {:a {:b [1 2 3]}})',
      'inc',
      '(range)',
      '[nil]',
    );
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 300 }), (program, characters) => {
        expect(observed(program, characters).text.length).to.be.at.most(characters).and.at.least(1);
      }),
      { numRuns: 60 },
    );
  });
});

describe('where a failed value comes from (runtime.md §6, capability_failure?)', () => {
  const ENVELOPE =
    '{"reply":"envelope","envelope":{"status":"error","kind":"timeout","reason":"provider_timeout","retryable?":true}}';
  const cases: readonly (readonly [source: string, isLast: boolean])[] = [
    ['(fail (tool/find))', true],
    ['(let [r (tool/find)] (fail r))', true],
    ['(defn pass [x] (fail x)) (pass (tool/find))', true],
    ['(fail (into {} (tool/find)))', false],
    ['(let [r (tool/find)] (tool/find) (fail r))', false],
    ['(fail {:status :error})', false],
    ['(tool/find) (fail nil)', false],
  ];
  for (const [source, isLast] of cases) {
    it(`${source}: ${isLast ? 'the last reply itself' : 'something else'}`, () => {
      const reply = guestUnderTest(() => ENVELOPE).evaluate(source, { tools: ['find'], projection: 'json' });
      expect(reply.outcome).to.equal('failed');
      expect('is_last_reply' in reply).to.equal(isLast);
    });
  }

  it('an earlier evaluation proves nothing', () => {
    const guest = guestUnderTest(() => ENVELOPE);
    guest.evaluate('(def kept (tool/find))', { tools: ['find'] });
    expect(guest.evaluate('(fail kept)', { tools: ['find'] })).to.not.have.property('is_last_reply');
  });
});
