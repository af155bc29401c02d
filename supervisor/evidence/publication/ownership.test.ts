import { expect } from 'chai';
import { ownershipFault } from './ownership.ts';

describe('directories of one user alone (documents.md §6)', () => {
  const rows = [
    ['a directory of theirs', { kind: 'directory', owner: 7, mode: 0o40700 }, null],
    ['a file', { kind: 'file', owner: 7, mode: 0o100700 }, 'not_a_directory'],
    ['a link', { kind: 'link', owner: 7, mode: 0o120777 }, 'not_a_directory'],
    ['somebody else’s', { kind: 'directory', owner: 8, mode: 0o40700 }, 'foreign_owner'],
    ['root’s', { kind: 'directory', owner: 0, mode: 0o40700 }, 'foreign_owner'],
    ...[0o001, 0o002, 0o004, 0o010, 0o020, 0o040].map(
      (bit) =>
        [
          `one that others may use (${bit.toString(8)})`,
          { kind: 'directory', owner: 7, mode: 0o40700 + bit },
          'mode',
        ] as const,
    ),
  ] as const;
  for (const [what, status, fault] of rows)
    it(`${what}: ${fault ?? 'fits'}`, () => expect(ownershipFault(status, 7)).to.equal(fault));
});
