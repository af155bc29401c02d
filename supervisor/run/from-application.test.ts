import { expect } from 'chai';
import { inCompileOrder } from './from-application.ts';

describe('order of components (language.md §13)', () => {
  const component = (id: string, ...dependencies: readonly string[]) => ({ id, dependencies, bytes: new TextEncoder().encode(`(ns ${id})`) });

  it('dependencies first, ties by id', () => {
    const ordered = inCompileOrder([component('main', 'a', 'z'), component('z'), component('a', 'z'), component('b')]);
    expect(ordered.map(({ id }) => id)).to.deep.equal(['b', 'z', 'a', 'main']);
    expect(ordered[0]?.source).to.equal('(ns b)');
  });

  it('a cycle is a bug here: it never compiles', () => {
    expect(() => inCompileOrder([component('a', 'b'), component('b', 'a')])).to.throw('order');
  });
});
