import { expect } from 'chai';
import { HINTS } from '../hints.ts';
import { letters } from '../code-text.ts';
import { enterFunction, isLocal, LocalNames, resolveUnnamed, resolveLocal, rootContext, withLocals } from './scope.ts';

describe('scope', () => {
  it('shows named locals, the innermost first and of two equal names the later', () => {
    const names = new LocalNames();
    const [outer, first, second] = [names.named('x'), names.named('x'), names.named('x')];
    const context = withLocals(rootContext(), [outer]);
    expect(resolveLocal(context, 'x')).to.equal(outer);
    expect(resolveLocal(withLocals(context, [first, second]), 'x')).to.equal(second);
    expect([isLocal(context, 'x'), isLocal(context, 'y'), resolveLocal(context, 'y')]).to.deep.equal([
      true,
      false,
      null,
    ]);
  });

  it('has no place for a hidden local, which has no name either', () => {
    const hidden = new LocalNames().hidden('p');
    // @ts-expect-error -- only what the program named can be visible to it.
    const context = withLocals(rootContext(), [hidden]);
    expect(isLocal(context, 'p')).to.equal(false);
    // @ts-expect-error -- there is nothing by which it could be found.
    expect(hidden.name).to.equal(undefined);
  });

  it('takes no word for a hidden local that is not among the hints, all of which are identifiers', () => {
    // @ts-expect-error -- so that the fuzzer knows every one.
    expect(new LocalNames().hidden('unheard').id).to.equal('unheard$');
    for (const hint of HINTS) expect(letters(hint)).to.equal(hint);
  });

  it('gives each local an identifier of its own until the next form begins', () => {
    const names = new LocalNames();
    expect([
      names.named('p').id,
      names.hidden('p').id,
      names.functionIdentifier('p'),
      names.functionIdentifier(null),
      names.jump([]).label,
    ]).to.deep.equal(['p$', 'p$2', 'p$3', 'fn$', 'again$']);
    names.restart();
    expect(names.hidden('p').id).to.equal('p$');
  });

  it('records what is used of an outer function as captured by each function between, named and held alike', () => {
    const names = new LocalNames();
    const [named, hidden] = [names.named('x'), names.hidden('step')];
    const outer = enterFunction(rootContext());
    const middle = enterFunction(withLocals(outer, [named]));
    const inside = enterFunction(middle);
    const acquired = { local: hidden, owner: outer.functionScope };
    expect([
      resolveLocal(inside, 'x'),
      resolveUnnamed(inside, acquired),
      resolveUnnamed(outer, acquired),
    ]).to.deep.equal([named, hidden, hidden]);
    for (const { functionScope } of [middle, inside])
      expect([...functionScope.captures]).to.deep.equal([named, hidden]);
    expect([...outer.functionScope.captures]).to.deep.equal([]);
  });
});
