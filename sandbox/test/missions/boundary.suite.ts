import { expect } from 'chai';
import { useSupervisor } from '../../../supervisor/test/capabilities/runs.ts';

describe('which evaluation a failure is the result of (evidence.md §6, boundary_producer)', () => {
  const runs = useSupervisor();
  const call = '(kernel/eval-source "m" "(return {:b 1.5 :a [1 :k \\"\\u00fc\\"]})")';
  const rows: readonly (readonly [title: string, body: string, producers: readonly number[] | null])[] = [
    ['its record', `(fail ${call})`, [1]],
    ['the record of an earlier one', `(let [one ${call} two ${call}] (fail one))`, [1]],
    ['the record of a later one', `(let [one ${call} two ${call}] (fail two))`, [2]],
    ['a copy of its record', `(fail (into {} ${call}))`, [1]],
    ['the record of one that failed', '(fail (kernel/eval-source "m" "(fail 1)"))', [1]],
    ['a record with more in it', `(fail (assoc ${call} :more 1))`, null],
    ['a part of its record', `(fail (:value ${call}))`, null],
    ['something around it', `(fail {:because ${call}})`, null],
    ['the record of one that was not admitted', '(fail (kernel/eval-source "m" (apply str (repeat 200 " "))))', null],
  ];
  for (const [title, body, producers] of rows) {
    it(`${title}: ${producers === null ? 'none' : 'named'}`, async () => {
      const done = await runs.run({
        components: [{ library: 'kernel' }],
        missions: { m: { components: [] } },
        limits: { subordinate_source_bytes: 100 },
        body,
      });
      expect([done.unexpected, done.code]).to.deep.equal([null, 'explicit_failure']);
      const started = done.events
        .filter(({ type, data }) => type === 'evaluation-started' && data['environment'] === 'mission')
        .map(({ data }) => data['evaluation_id']);
      const reported = done.records.find(({ type }) => type === 'execution-error')?.payload;
      expect(reported?.['boundary_producer']).to.deep.equal(
        producers === null
          ? undefined
          : { evaluation_ids: producers.map((nth) => started[nth - 1]), 'complete?': true },
      );
      expect(JSON.stringify(done.envelope)).to.not.include('boundary_producer');
    });
  }
});
