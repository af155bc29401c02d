/**
 * Integers of many digits, at every place where a text becomes a value: one bound, and never a crash (documents.md §5).
 */
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIXED_LIMITS } from '../../../contract/limits/catalogue.ts';
import { type Application, useSupervisor, work } from '../capabilities/runs.ts';

declare global {
  interface JSON {
    /** Of Node 21 and later; TypeScript does not know it yet. */
    rawJSON(text: string): unknown;
  }
}

const DIGITS = FIXED_LIMITS.integer_digits;
const LIMITS = {
  capability_argument_bytes: 4_000_000,
  capability_result_bytes: 4_000_000,
  terminal_result_bytes: 4_000_000,
};
/** As many nines as digits. */
const integer = (digits: number): unknown => JSON.rawJSON('9'.repeat(digits));
/** That it is the same integer, without its digits. */
const SAME = '(fn [n digits] [(integer? n) (count (str n)) (mod n 7)])';
const digitFacts = (digits: number): readonly unknown[] => [true, digits, Number(BigInt('9'.repeat(digits)) % 7n)];

describe('integers of many digits', () => {
  const runs = useSupervisor();

  const places: readonly (readonly [
    place: string,
    application: (digits: number) => Application,
    source: 'application' | 'external_input',
  ])[] = [
    [
      'an inline input',
      (digits) => ({ input: { n: integer(digits) }, body: `(${SAME} (get input "n") 0)`, limits: LIMITS }),
      'application',
    ],
    [
      'an input file',
      (digits) => ({ inputFile: `{"n":${'9'.repeat(digits)}}`, body: `(${SAME} (get input "n") 0)`, limits: LIMITS }),
      'external_input',
    ],
    [
      'the data of a mission',
      (digits) => ({
        components: [{ library: 'kernel' }],
        missions: { m: { components: [], data: { n: integer(digits) } } },
        body: `(:value (kernel/eval-source "m" ${JSON.stringify(`(${SAME} data/n 0)`)}))`,
        limits: LIMITS,
      }),
      'application',
    ],
  ];
  for (const [place, application, source] of places) {
    it(`in ${place}: as many as the limit says, and no more`, async () => {
      for (const digits of [DIGITS - 1, DIGITS]) {
        const done = await runs.run(application(digits));
        expect([done.unexpected, done.code, done.value], String(digits)).to.deep.equal([
          null,
          null,
          digitFacts(digits),
        ]);
      }
      for (const digits of [DIGITS + 1, DIGITS + 2, 900_000]) {
        const done = await runs.run(application(digits));
        expect([done.unexpected, done.code, done.exitStatus], String(digits)).to.deep.equal([
          null,
          'document_limit_exceeded',
          3,
        ]);
        expect(done.envelope)
          .to.have.nested.property('error.message')
          .that.includes(` exceeds ${DIGITS} digits of one integer`);
        expect(done.envelope).to.have.nested.property('error.source.kind', source);
      }
    });
  }

  it('that a function gives: a program is told, and goes on', async () => {
    const applicationWith = (digits: number): Application => ({
      custom: [work(() => ({ n: 10n ** BigInt(digits) - 1n }))],
      body: `(let [r (tool/work {})] [(:status r) (:kind r) (:reason r) (count (str (get-in r [:value "n"])))])`,
      limits: LIMITS,
    });
    for (const digits of [DIGITS - 1, DIGITS])
      expect((await runs.run(applicationWith(digits))).value).to.deep.equal(['ok', null, null, digits]);
    for (const digits of [DIGITS + 1, DIGITS + 2, 1_500_000]) {
      const done = await runs.run(applicationWith(digits));
      expect([done.unexpected, done.code, done.value], String(digits)).to.deep.equal([
        null,
        null,
        ['error', 'invalid_result', 'invalid_provider_return', 0],
      ]);
    }
  });

  /** An integer that a program may have: the largest has one digit more than may leave it. */
  const made = (digits: number): string => `(json/parse-string (str "4" (.repeat "0" ${digits - 1})))`;

  it('that a program makes: its result, up to the limit', async () => {
    for (const digits of [DIGITS - 1, DIGITS]) {
      const done = await runs.run({ body: made(digits), limits: LIMITS });
      expect([done.unexpected, done.code]).to.deep.equal([null, null]);
      expect(await readFile(join(runs.root(), '.svc/results', `${done.envelope.run_ref}.json`), 'utf8')).to.equal(
        `4${'0'.repeat(digits - 1)}`,
      );
    }
    const beyond = await runs.run({ body: made(DIGITS + 1), limits: LIMITS });
    expect([beyond.unexpected, beyond.code, beyond.exitStatus]).to.deep.equal([null, 'result_invalid', 7]);
  });

  it('that a program makes: an argument, and what a mission gives, up to the limit', async () => {
    const crossing = (digits: number): Application => ({
      components: [{ library: 'kernel' }],
      missions: { m: { components: [], data: {}, providers: ['tools'] } },
      custom: [work(({ n }) => n !== undefined)],
      body: `(let [called (kernel/eval-source "m" "(let [r (tool/work {:n ${made(digits)}})] [(:value r) (:reason r)])")
                   given (kernel/eval-source "m" "${made(digits)}")]
               [(:value called) (:outcome given) (:kind given)])`
        .replaceAll('"4"', '\\"4\\"')
        .replaceAll('"0"', '\\"0\\"'),
      limits: LIMITS,
    });
    expect((await runs.run(crossing(DIGITS))).value).to.deep.equal([[true, null], 'continued', null]);
    const beyond = await runs.run(crossing(DIGITS + 1));
    expect([beyond.unexpected, beyond.code, beyond.value]).to.deep.equal([
      null,
      null,
      [[null, 'invalid_arguments'], 'evaluation_error', 'projection_error'],
    ]);
  });
});
