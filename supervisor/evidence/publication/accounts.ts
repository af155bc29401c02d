import { readFileSync, statSync } from 'node:fs';

/** Who the users and groups of this machine are, as far as its own files say. */
export interface Accounts {
  /** Whether a group is the private one of this user: the user's primary group, with no other member that is known. */
  isPrivateGroup(group: number, user: number): boolean;
  /** Name of a user, or the number where no file names it. */
  userName(user: number): string;
  groupName(group: number): string;
}

/** The user and the group of this process; where it runs under another, the effective ones. */
export interface ProcessAccount {
  readonly user: number;
  readonly group: number;
}

interface User {
  readonly name: string;
  readonly group: number;
}

interface Group {
  readonly name: string;
  readonly members: readonly string[];
}

export interface AccountFiles {
  /** Text of `/etc/passwd` and `/etc/group`; null for a file that says nothing. */
  readonly users: string | null;
  readonly groups: string | null;
}

const ROOT = 0;
/** A file of more bytes lists the users of a large site, in which no group counts as private. */
const FILE_BYTES = 4_194_304;

/**
 * The accounts of two texts. Where `files` is null there are more accounts than these files hold: no group is private.
 */
export function accountsOf(files: AccountFiles | null, own: ProcessAccount): Accounts {
  const users = new Map(
    fieldsOf(files?.users ?? null).map((fields) => [
      Number(fields[2]),
      { name: fields[0] ?? '', group: Number(fields[3]) } satisfies User,
    ]),
  );
  const groups = new Map(fieldsOf(files?.groups ?? null).map((fields) => [Number(fields[2]), groupOf(fields)]));
  /** A user of a container often is in no file; its group then has its number, or is the one of this process. */
  const isPrimary = (group: number, user: number): boolean => {
    const known = users.get(user);
    if (known !== undefined) return known.group === group;
    return group === user || (group === ROOT && user === own.user && own.group === ROOT);
  };
  const isExpected = (user: number, owner: number): boolean => user === owner || user === own.user || user === ROOT;
  return {
    isPrivateGroup: (group, user) =>
      files !== null &&
      isPrimary(group, user) &&
      [...users].every(([id, { group: primary }]) => primary !== group || isExpected(id, user)) &&
      (groups.get(group)?.members ?? []).every((name) =>
        [...users].some(([id, known]) => known.name === name && isExpected(id, user)),
      ),
    userName: (user) => users.get(user)?.name ?? String(user),
    groupName: (group) => groups.get(group)?.name ?? String(group),
  };
}

function groupOf(fields: readonly string[]): Group {
  return { name: fields[0] ?? '', members: (fields[3] ?? '').split(',').filter((name) => name !== '') };
}

function fieldsOf(text: string | null): readonly (readonly string[])[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name = '', , id = '']) => name !== '' && !name.startsWith('#') && /^\d+$/.test(id));
}

/**
 * The accounts of this machine, which are read when they are first asked for. On macOS the files name almost nobody,
 * and the primary group of all people is one.
 */
export function machineAccounts(): Accounts {
  let read: Accounts | null = null;
  const accounts = (): Accounts =>
    (read ??= accountsOf(process.platform === 'darwin' ? null : accountFiles(), {
      user: process.geteuid?.() ?? ROOT,
      group: process.getegid?.() ?? ROOT,
    }));
  return {
    isPrivateGroup: (group, user) => accounts().isPrivateGroup(group, user),
    userName: (user) => accounts().userName(user),
    groupName: (group) => accounts().groupName(group),
  };
}

function accountFiles(): AccountFiles | null {
  const [users, groups] = [textOf('/etc/passwd'), textOf('/etc/group')];
  return users === undefined || groups === undefined ? null : { users, groups };
}

/** Null for a file that is not there; undefined for one that is too large. */
function textOf(path: string): string | null | undefined {
  try {
    return statSync(path).size > FILE_BYTES ? undefined : readFileSync(path, 'utf8');
  } catch (error) {
    // A container need not have these files.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
