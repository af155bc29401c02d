import { expect } from 'chai';
import { accountsOf, machineAccounts, type AccountFiles } from './accounts.ts';

describe('private groups (first-day.md §4)', () => {
  const USERS =
    'root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\neve:x:1002:100::/home/eve:/bin/sh\nmax:x:1003:100::/:/bin/sh\n';
  const GROUPS = 'root:x:0:\nusers:x:100:\nann:x:1000:\nbob:x:1001:ann\ndev:x:50:ann,bob\n';
  const FILES: AccountFiles = { users: USERS, groups: GROUPS };
  const ANN = { user: 1000, group: 1000 };

  const rows: readonly {
    readonly what: string;
    readonly files: AccountFiles | null;
    readonly own: typeof ANN;
    readonly group: number;
    readonly user: number;
    readonly isPrivate: boolean;
  }[] = [
    { what: 'the primary group of a user alone', files: FILES, own: ANN, group: 1000, user: 1000, isPrivate: true },
    { what: 'a group that is not the primary one', files: FILES, own: ANN, group: 50, user: 1000, isPrivate: false },
    {
      what: 'a primary group that others share',
      files: FILES,
      own: { user: 1002, group: 100 },
      group: 100,
      user: 1002,
      isPrivate: false,
    },
    {
      what: 'a primary group with another member',
      files: FILES,
      own: { user: 1001, group: 1001 },
      group: 1001,
      user: 1001,
      isPrivate: false,
    },
    {
      what: 'the private group of another owner, to which we belong',
      files: FILES,
      own: ANN,
      group: 1001,
      user: 1001,
      isPrivate: true,
    },
    {
      what: 'a member that no file names',
      files: { users: USERS, groups: 'ann:x:1000:zoe\n' },
      own: ANN,
      group: 1000,
      user: 1000,
      isPrivate: false,
    },
    {
      what: 'a user of a container, with a group of its number',
      files: FILES,
      own: { user: 7000, group: 7000 },
      group: 7000,
      user: 7000,
      isPrivate: true,
    },
    {
      what: 'a user of a container, with a group of another number',
      files: FILES,
      own: { user: 7000, group: 7001 },
      group: 7001,
      user: 7000,
      isPrivate: false,
    },
    {
      what: 'a user of a container in the group of root',
      files: FILES,
      own: { user: 7000, group: 0 },
      group: 0,
      user: 7000,
      isPrivate: true,
    },
    {
      what: 'no files at all',
      files: { users: null, groups: null },
      own: ANN,
      group: 1000,
      user: 1000,
      isPrivate: true,
    },
    { what: 'files that name not all accounts', files: null, own: ANN, group: 1000, user: 1000, isPrivate: false },
    { what: 'root', files: FILES, own: { user: 0, group: 0 }, group: 0, user: 0, isPrivate: true },
  ];
  for (const { what, files, own, group, user, isPrivate } of rows) {
    it(`${what}: ${isPrivate ? 'private' : 'shared'}`, () =>
      expect(accountsOf(files, own).isPrivateGroup(group, user)).to.equal(isPrivate));
  }

  it('names users and groups, and numbers those it does not know', () => {
    const accounts = accountsOf(FILES, ANN);
    expect([
      accounts.userName(1001),
      accounts.userName(9),
      accounts.groupName(50),
      accounts.groupName(9),
    ]).to.deep.equal(['bob', '9', 'dev', '9']);
  });

  it('reads the accounts of this machine', () => {
    expect(machineAccounts().userName(4_000_000_000)).to.equal('4000000000');
  });
});
