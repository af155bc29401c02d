import { visibleText } from '../../../contract/visible-text.ts';
import type { PublicationFileSystem } from './file-system.ts';
import type { RefusalReason, RefusedDirectory } from './safe-directory.ts';

type Words = (about: {
  readonly path: string;
  readonly owner: string;
  readonly group: string;
  readonly self: string;
  readonly isOwn: boolean;
}) => {
  readonly reason: string;
  readonly command: string;
};

/** What may be typed without quotes. */
const PLAIN = /^[A-Za-z0-9._/+:@-]+$/;

const WORDS: Readonly<Record<RefusalReason, Words>> = {
  foreign_owner: ({ path, owner, self }) => ({
    reason: `it belongs to ${owner}, who could replace files there`,
    command: `chown ${self} ${path}, as root, or choose a directory of your own`,
  }),
  foreign_link: ({ path, owner, self }) => ({
    reason: `it is a link of ${owner}, who could lead it elsewhere`,
    command: `chown -h ${self} ${path}, as root, or name the directory itself`,
  }),
  group_writable: ({ path, group, isOwn }) => ({
    reason: `members of the group ${group} could replace files there`,
    command: `chmod g-w ${path}${isOwn ? '' : ', as its owner or root'}`,
  }),
  all_writable: ({ path, isOwn }) => ({
    reason: 'every user could replace files there',
    command: `chmod go-w ${path}${isOwn ? '' : ', as its owner or root'}`,
  }),
  open_to_others: ({ path }) => ({ reason: 'others may use it', command: `chmod 700 ${path}` }),
  not_writable: ({ path, self, isOwn }) => ({
    reason: 'you may not write there',
    command: isOwn ? `chmod u+rwx ${path}` : `chown ${self} ${path}, as root, or choose a directory of your own`,
  }),
};

/** What people read about a directory that was refused: its name, why, and what to run (first-day.md §4). */
export function refusalWords(
  { userId, accounts }: Pick<PublicationFileSystem, 'userId' | 'accounts'>,
  refused: RefusedDirectory,
): string {
  const owner = accounts.userName(refused.owner);
  const group = accounts.groupName(refused.group);
  const path = shellWord(refused.path);
  const { reason, command } = WORDS[refused.reason]({
    path,
    owner,
    group,
    self: accounts.userName(userId),
    isOwn: refused.owner === userId,
  });
  const mode = refused.mode.toString(8).padStart(4, '0');
  return visibleText(`${path} (owner ${owner}, group ${group}, mode ${mode}): ${reason}; run ${command}`);
}

/** A path as a shell takes it. */
export function shellWord(path: string): string {
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
