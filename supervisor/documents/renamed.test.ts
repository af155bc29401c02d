import { expect } from 'chai';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { LocatedFault } from './located-fault.ts';
import { withRenamed } from './renamed.ts';

const fault = (member: 'missing' | 'unknown', ...at: readonly string[]): LocatedFault => ({
  diagnostic: diagnostic(member === 'missing' ? 'required_property_missing' : 'schema_violation'),
  at,
  member,
});

describe('a member under a mistyped name', () => {
  it('is one fault, told as the first of the two where it stands', () => {
    for (const [faults, code] of [
      [[fault('missing', 'a', 'workflow'), fault('unknown', 'a', 'worflow')], 'required_property_missing'],
      [[fault('unknown', 'a', 'worflow'), fault('missing', 'a', 'workflow')], 'schema_violation'],
    ] as const) {
      const locatedFaults = withRenamed(faults);
      expect(locatedFaults.map(({ diagnostic: { code: one }, at, remedy }) => [one, at, remedy])).to.deep.equal([
        [code, ['a', 'worflow'], 'did you mean workflow?'],
      ]);
      expect(JSON.stringify(locatedFaults.map(({ problem, remedy }) => [problem, remedy]))).not.to.include('worflow');
    }
  });

  it('is two where the names are not near, or not of one object', () => {
    for (const faults of [
      [fault('missing', 'a', 'workflow'), fault('unknown', 'a', 's3cret')],
      [fault('missing', 'a', 'workflow'), fault('unknown', 'b', 'worflow')],
    ])
      expect(withRenamed(faults)).to.deep.equal(faults);
  });

  it('takes each unknown member for one name alone', () => {
    const faults = [fault('missing', 'left'), fault('missing', 'leftt'), fault('unknown', 'lft')];
    expect(withRenamed(faults)).to.have.length(2);
  });
});
