import { expect } from 'chai';
import type { Accounts } from './accounts.ts';
import { refusalWords, shellWord } from './refusal-words.ts';
import type { RefusalReason } from './safe-directory.ts';

describe('what is said of a refused directory (first-day.md §4)', () => {
  const NAMES: Readonly<Record<number, string>> = { 7: 'ann', 8: 'bob' };
  const accounts: Accounts = {
    isPrivateGroup: () => false,
    userName: (id) => NAMES[id] ?? String(id),
    groupName: (id) => `g${id}`,
  };

  function words(reason: RefusalReason, owner: number, path = '/w/dir'): string {
    return refusalWords({ userId: 7, accounts }, { path, reason, owner, group: 50, mode: 0o775 });
  }

  const rows: readonly (readonly [RefusalReason, number, string])[] = [
    [
      'group_writable',
      7,
      '/w/dir (owner ann, group g50, mode 0775): members of the group g50 could replace files there; run chmod g-w /w/dir',
    ],
    [
      'group_writable',
      8,
      '/w/dir (owner bob, group g50, mode 0775): members of the group g50 could replace files there; run chmod g-w /w/dir, as its owner or root',
    ],
    [
      'all_writable',
      7,
      '/w/dir (owner ann, group g50, mode 0775): every user could replace files there; run chmod go-w /w/dir',
    ],
    [
      'foreign_owner',
      8,
      '/w/dir (owner bob, group g50, mode 0775): it belongs to bob, who could replace files there; run chown ann /w/dir, as root, or choose a directory of your own',
    ],
    [
      'foreign_link',
      9,
      '/w/dir (owner 9, group g50, mode 0775): it is a link of 9, who could lead it elsewhere; run chown -h ann /w/dir, as root, or name the directory itself',
    ],
    ['open_to_others', 7, '/w/dir (owner ann, group g50, mode 0775): others may use it; run chmod 700 /w/dir'],
    ['not_writable', 7, '/w/dir (owner ann, group g50, mode 0775): you may not write there; run chmod u+rwx /w/dir'],
    [
      'not_writable',
      0,
      '/w/dir (owner 0, group g50, mode 0775): you may not write there; run chown ann /w/dir, as root, or choose a directory of your own',
    ],
  ];
  for (const [reason, owner, expected] of rows)
    it(`${reason}, owner ${owner}`, () => expect(words(reason, owner)).to.equal(expected));

  it('writes a path as a shell takes it, without a character that acts on a terminal', () => {
    expect(shellWord("/a b/it's")).to.equal("'/a b/it'\\''s'");
    expect(words('all_writable', 7, '/w/\u001b[2J'))
      .to.include('⟨U+001B⟩[2J')
      .and.not.include('\u001b');
  });
});
