/** How a run of the public suite is judged; the run itself needs a checkout of the suite (README.md). */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { holds } from './checks.ts';
import { leftOut } from './left-out.ts';
import { differencesOf, type Judged, report } from './report.ts';

function judged(id: string, verdict: Judged['verdict']): Judged {
  return { id, check: `(check ${id})`, verdict };
}

const JUDGED: readonly Judged[] = [
  judged('a', { kind: 'passes' }),
  judged('b', { kind: 'differs', actual: '[:fail]' }),
  judged('c', { kind: 'left out', what: 'eval' }),
  judged('d', { kind: 'differs', actual: '[:error]' }),
];

function fault(
  reason: string,
  details: Readonly<Record<string, unknown>> = {},
  raised: string | null = null,
): EvaluationFault {
  return { reason, message: '', span: null, details, exception_class: raised, public_error: null };
}

describe('the report of the public Clojure test suite', () => {
  it('counts what passes of what needs nothing left out', () => {
    const { complaints, ...figures } = report(
      JUDGED,
      differencesOf('{"A3: one type": ["b"], "language.md §4: raises": ["d"]}'),
    );
    expect(complaints).to.deep.equal([]);
    expect(figures).to.deep.equal({ passed: 1, counted: 2, excluded: 2 });
  });

  it('complains of a difference that is not in the list', () => {
    const { complaints } = report(JUDGED, differencesOf('{"A3: one type": ["b"]}'));
    expect(complaints).to.deep.equal(['differs  d\n   (check d)\n   gave [:error]']);
  });

  it('complains of an entry that passes, is left out or is gone', () => {
    const { complaints } = report(JUDGED, differencesOf('{"A3: one type": ["a", "b", "c", "d", "e"]}'));
    expect(
      complaints.map((complaint) =>
        complaint
          .split(' ')
          .filter((word) => word !== '')
          .slice(0, 2),
      ),
    ).to.deep.equal([
      ['stale', 'a'],
      ['stale', 'c'],
      ['stale', 'e'],
    ]);
  });

  it('refuses a list that tells an id twice', () => {
    expect(() => differencesOf('{"A3: x": ["a"], "A4: y": ["a"]}')).to.throw('twice');
  });

  it('has a list whose reasons are accepted differences or sections', () => {
    const reasons = new Set(
      differencesOf(readFileSync(join(import.meta.dirname, 'differences.json'), 'utf8')).values(),
    );
    for (const reason of reasons) expect(reason).to.match(/^(?:A[1-7]|language\.md §\d+|functions\.md §\d+): \S/);
  });

  it('takes a check for held that was reached and held each time', () => {
    expect(['[:pass]', '[:pass :pass]', '[]', '[:pass :fail]', '[:error]', 'nil', undefined].map(holds)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  for (const [rule, program, evaluationFault, what] of [
    ['a name that is out', '(eval 1)', fault('unbound_var', { unbound_names: ['eval'] }), 'eval'],
    [
      'a name that is to come later',
      '(let [x 1] (deftype y [x]))',
      fault('unbound_var', { unbound_names: ['deftype'] }),
      'deftype',
    ],
    [
      'no name that only a local has',
      '(let [eval 1] (nope eval))',
      fault('unbound_var', { unbound_names: ['nope'] }),
      null,
    ],
    ['no name that must be there', '(mapv inc [1])', fault('unbound_var', { unbound_names: ['mapv'] }), null],
    ['a ratio', '(= 1 2/4)', fault('parse_error'), '2/4'],
    ['a decimal', '[-1.5M]', fault('parse_error'), '-1.5M'],
    ['a decimal with an exponent', '(f 1E+10M)', fault('parse_error'), '1E+10M'],
    ['no decimal in a string, no name with digits', '(f "1.5M" a1/2 :k/2M \\1)', fault('parse_error'), null],
    ['no text that should be read', '(f 1 2)', fault('parse_error'), null],
    ['a class of a type', '(deftype R [a]) (R. 1)', fault('unsupported_java_class', { class: 'R' }), 'deftype'],
    ['a member that is not offered', '(do (Thread/sleep 5))', fault('unsupported_java_class'), 'Thread/sleep'],
    ['no class that must be there', '(String. "a")', fault('unsupported_java_member'), null],
    ['nothing of a program that ran', '(eval 1)', fault('type_error', {}, 'java.lang.ClassCastException'), null],
  ] as const) {
    it(`knows ${rule}`, () => expect(leftOut(program, evaluationFault)).to.equal(what));
  }
});
