import { expect } from 'chai';
import { UNBOUND, Var } from './var.ts';

describe('the metadata of a variable', () => {
  it('are made once, when they are first asked for', () => {
    const variable = new Var('main', 'x', UNBOUND, null);
    let made = 0;
    variable.describeBy(() => {
      made += 1;
      return { made };
    });
    expect(made).to.equal(0);
    const first = variable.meta;
    expect([first, variable.meta === first, made]).to.deep.equal([{ made: 1 }, true, 1]);
  });

  it('that are set take the place of what would have been made', () => {
    const variable = new Var('main', 'x', 1, null);
    variable.describeBy(() => {
      throw new Error('nobody asked for these');
    });
    variable.meta = null;
    expect(variable.meta).to.equal(null);
  });
});
