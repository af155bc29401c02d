import { expect } from 'chai';
import { requiredTools, toolRequirement } from './requirement.ts';

describe('requirements of exports (language.md §13)', () => {
  it('name tools behind a prefix', () => {
    expect(requiredTools({ requirements: [toolRequirement('a/b'), 'tool:tool:', 'other:c'] })).to.deep.equal([
      'a/b',
      'tool:',
    ]);
  });
});
