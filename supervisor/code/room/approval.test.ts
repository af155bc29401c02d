import { expect } from 'chai';
import { matchesGlob, needsApproval } from './approval.ts';

describe('calls that need the yes of a person (code-mode.md §9, 42 and 43)', () => {
  it('a name is allowed exactly, by its beginning, or not at all', () => {
    expect(matchesGlob('github.get-issue', 'github.get-issue')).to.equal(true);
    expect(matchesGlob('github.get-*', 'github.get-issue')).to.equal(true);
    expect(matchesGlob('*', 'github.get-issue')).to.equal(true);
    for (const glob of ['github.get', 'get-*', 'githubXget-issue', 'github.get-*-x'])
      expect(matchesGlob(glob, 'github.get-issue'), glob).to.equal(false);
  });

  it('are those that may write, unless they are allowed or nobody is to be asked', () => {
    const ask = { approvals: 'ask', allow: ['notes.add'] } as const;
    expect(needsApproval({ name: 'notes.drop', effect: 'write' }, ask)).to.equal(true);
    expect(needsApproval({ name: 'notes.drop', effect: 'unknown' }, ask)).to.equal(true);
    expect(needsApproval({ name: 'notes.drop', effect: 'read' }, ask)).to.equal(false);
    expect(needsApproval({ name: 'notes.add', effect: 'write' }, ask)).to.equal(false);
    expect(needsApproval({ name: 'notes.drop', effect: 'write' }, { ...ask, approvals: 'off' })).to.equal(false);
  });
});
