import { expect } from 'chai';
import { AREAS } from '../task.ts';
import { TASKS } from '../tasks/tasks.ts';
import { MISTAKES } from './mistakes.ts';
import { taskOf } from './trial.ts';

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

describe('the tasks and mistakes of the trial', () => {
  it('are 40 tasks of every area, each with a name of its own', () => {
    expect(TASKS).to.have.length(40);
    expect(repeated(TASKS.map(({ name }) => name))).to.deep.equal([]);
    expect(new Set(TASKS.map(({ area }) => area))).to.deep.equal(new Set(AREAS));
    for (const { name, area } of TASKS) expect(name.startsWith(`${area}/`), name).to.equal(true);
  });

  it('are 60 mistakes, each with a name of its own, in every task', () => {
    expect(MISTAKES).to.have.length(60);
    expect(repeated(MISTAKES.map(({ name }) => name))).to.deep.equal([]);
    const without = TASKS.filter(({ name }) => !MISTAKES.some(({ task }) => task === name));
    expect(without.map(({ name }) => name)).to.deep.equal([]);
  });

  for (const mistake of MISTAKES)
    it(`${mistake.name} is another answer than the right program`, () => {
      const { solution } = taskOf(mistake);
      const { text, toolCalls = [] } = mistake.answer(solution);
      expect({ text, args: toolCalls.map(({ name, args }) => [name, args]) }).to.not.deep.equal({
        text: undefined,
        args: [['run_svc_lisp', { program: solution }]],
      });
    });

  it('has no checker that nothing, or anything, satisfies', () => {
    for (const { name, check } of TASKS)
      for (const value of [null, true, '', -1, [], {}, 'gave-up']) expect(check(value, []), name).to.equal(false);
  });
});
