import { randomBytes } from 'node:crypto';
import { visibleText } from '../../../contract/visible-text.ts';
import type { GrantKey, StoredGrant } from '../../../contract/provider-protocol/grant-store.ts';
import { grantsFolder } from '../../../system/configuration/cache-folder.ts';
import type { Variables } from '../../../system/configuration/configuration.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import { refusalWords } from '../../evidence/publication/refusal-words.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory, type SafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { publishSingleFile } from '../../evidence/publication/single-file.ts';
import { grantFiles, type LockedGrantStore } from './file-grants.ts';
import { parseGrantKey, type GrantKeys } from './grant-keys.ts';
import type { GrantUse } from '../../providers/source/installed-provider.ts';
import { readOwnFile } from './own-file.ts';
import { StoreError, type StoreFault } from './store-error.ts';

/** Anyone who runs commands on this machine: the folder is theirs alone. */
export const LOCAL_USER = 'user';

export interface UserGrantsPlace {
  /** Absolute; null: this user has no folder for it. */
  readonly directory: string | null;
  /** Of `SVC_GRANTS_KEY`; undefined or empty: the key file of the folder, which is made with the first grant. */
  readonly key: string | undefined;
}

/** A grant of the folder; `problem`: why it cannot be read, in words for people. */
export type UserGrant =
  | { readonly id: string; readonly grant: StoredGrant }
  | { readonly id: string; readonly problem: string };

/**
 * What this user granted (world.md §2.5), each sealed in a directory `<id>` of one folder. Several processes may use it
 * beside each other. Anyone who is named, it is this user's grant: the tools of a gateway share it. Rejects with
 * `UserGrantsError`, and changes nothing that it cannot read.
 */
export interface UserGrants extends LockedGrantStore {
  /** Makes the folder and its key where they are missing, so that nobody is asked for what could not be kept. */
  prepare(): Promise<void>;
  /** All that are kept, by id. */
  list(): Promise<readonly UserGrant[]>;
  /** Moves a grant that is damaged out of the way; where it is then, null where it is not damaged. */
  setAside(key: GrantKey): Promise<string | null>;
}

/** Why a grant is not there to be used, in words for people; no secret and nothing of a grant is in them. */
export class UserGrantsError extends StoreError {
  readonly problem: string;

  constructor(fault: StoreFault, problem: string) {
    super(fault);
    this.name = 'UserGrantsError';
    this.problem = problem;
  }
}

const ID = /^[0-9a-f]{64}$/;
const KEY_NAME = 'key';
const KEY_BYTES = 32;
/** 64 digits and a line feed, however it is written. */
const KEY_FILE_BYTES = 66;
const ENTRIES = 10_000;
const OPEN_TO_OTHERS = 0o077;
/** Epochs of the two keys: what is sealed from now on has the higher one that is there. */
const EPOCHS = { file: 1, variable: 2 } as const;

/**
 * Those of the user whose variables these are (docs/guides/connecting-tools-with-mcp.md). Nothing is read or made
 * before it is asked.
 */
export function openUserGrants(variables: Variables): UserGrants {
  return userGrants(publicationTools(), {
    directory: grantsFolder(variables),
    key: variables['SVC_GRANTS_KEY'],
  });
}

/** What this user granted, as every command uses it (world.md §2.5); read when an installation needs it. */
export function userGrantUse(variables: Variables): GrantUse {
  return { store: openUserGrants(variables), principal: LOCAL_USER };
}

export function userGrants(tools: ReservationTools, { directory, key }: UserGrantsPlace): UserGrants {
  const open = async (isMade: boolean): Promise<SafeDirectory | null> => openFolder(tools, directory, isMade);
  const placeOf = (id: string): string => visibleText(`${directory ?? ''}/${id}`);
  const files = grantFiles(tools, {
    open: async (_tenant, isMade) => open(isMade),
    keys: async (_tenant, isMade) => keysIn(tools, open, key, isMade),
    refuseKeyless: ({ id }, epoch) => {
      throw epoch === EPOCHS.variable
        ? new UserGrantsError(
            'unavailable',
            `the grant in ${placeOf(id)} is sealed with SVC_GRANTS_KEY, which is not set`,
          )
        : new UserGrantsError('damaged', `the grant in ${placeOf(id)} cannot be opened: its key file is gone`);
    },
    nameOf: ({ id }) => id,
  });
  /** In words for people what a file that cannot be used is. */
  async function explained<T>(id: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof StoreError) || error instanceof UserGrantsError) throw error;
      throw new UserGrantsError(
        error.fault,
        error.fault === 'damaged'
          ? `the grant in ${placeOf(id)} cannot be opened: it was changed, or sealed with another key`
          : `the grant in ${placeOf(id)} cannot be used: its files must be yours alone (chmod -R go= ${placeOf(id)})`,
      );
    }
  }
  const read = async ({ id }: GrantKey): Promise<StoredGrant | null> => explained(id, files.read(keyOf(id)));

  return {
    read,
    replace: async ({ id }, generation, grant) => explained(id, files.replace(keyOf(id), generation, grant)),
    remove: async ({ id }, generation) => explained(id, files.remove(keyOf(id), generation)),
    lock: async ({ id }) => explained(id, files.lock(keyOf(id))),
    unlock: async ({ id }) => files.unlock(keyOf(id)),
    prepare: async () => {
      await keysIn(tools, open, key, true);
    },
    list: async () => {
      const found: UserGrant[] = [];
      for (const id of await namesIn(open)) {
        const entry = await read(keyOf(id)).then(
          (grant) => (grant === null ? null : { id, grant }),
          (error: unknown) => {
            if (error instanceof UserGrantsError) return { id, problem: error.problem };
            throw error;
          },
        );
        if (entry !== null) found.push(entry);
      }
      return found;
    },
    setAside: async (of) => {
      const isDamaged = await read(of).then(
        () => false,
        (error: unknown) => error instanceof UserGrantsError && error.fault === 'damaged',
      );
      const folder = isDamaged ? await open(false) : null;
      if (folder === null) return null;
      const name = `${of.id}.damaged-${randomBytes(4).toString('hex')}`;
      const moved = await folder.directory.rename(folder.directory, of.id, name);
      await folder.directory.close();
      if (!moved.ok) throw new UserGrantsError('unavailable', `${placeOf(of.id)} cannot be moved out of the way`);
      return placeOf(name);
    },
  };
}

/** The key of a grant of this user. */
export function keyOf(id: string): GrantKey {
  return { tenant: LOCAL_TENANT, principal: LOCAL_USER, id };
}

async function namesIn(open: (isMade: boolean) => Promise<SafeDirectory | null>): Promise<readonly string[]> {
  const folder = await open(false);
  if (folder === null) return [];
  const names = await folder.directory.names(ENTRIES);
  await folder.directory.close();
  if (!names.ok) throw new UserGrantsError('unavailable', 'the folder of grants cannot be read');
  return names.value.filter((name) => ID.test(name)).toSorted();
}

/** Null where there is none and none is to be made. Rejects for one that is not this user's alone. */
async function openFolder(
  { fileSystem }: ReservationTools,
  path: string | null,
  isMade: boolean,
): Promise<SafeDirectory | null> {
  if (path === null) {
    if (!isMade) return null;
    throw new UserGrantsError('unavailable', 'there is no folder for grants: set SVC_GRANTS_DIR to an absolute path');
  }
  const shown = visibleText(path);
  if (isMade)
    try {
      makeDirectory(path);
    } catch {
      throw new UserGrantsError('unavailable', `the folder of grants ${shown} cannot be made`);
    }
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) {
    if (opened.fault === 'missing' && !isMade) return null;
    const why = opened.refused === null ? 'it cannot be opened' : refusalWords(fileSystem, opened.refused);
    throw new UserGrantsError('unavailable', `the folder of grants ${shown} is not used: ${why}`);
  }
  const { directory } = opened.value;
  const status = await directory.status();
  if (status.ok && status.value.owner === fileSystem.userId && (status.value.mode & OPEN_TO_OTHERS) === 0)
    return opened.value;
  await directory.close();
  const isOurs = status.ok && status.value.owner === fileSystem.userId;
  const why = isOurs ? `others may look into it; chmod 700 ${shown}` : 'it belongs to another user';
  throw new UserGrantsError('unavailable', `the folder of grants ${shown} is not used: ${why}`);
}

/** The key of the variable, and that of the file; `isMade`: one of them is there afterwards. */
async function keysIn(
  tools: ReservationTools,
  open: (isMade: boolean) => Promise<SafeDirectory | null>,
  variable: string | undefined,
  isMade: boolean,
): Promise<GrantKeys> {
  const keys = new Map<number, Uint8Array>();
  if (variable !== undefined && variable !== '') {
    const named = parseGrantKey(variable);
    if (named === null) throw new UserGrantsError('unavailable', 'SVC_GRANTS_KEY must be 64 hexadecimal digits');
    keys.set(EPOCHS.variable, named);
  }
  const key =
    (await keyIn(tools, await open(isMade))) ?? (isMade && keys.size === 0 ? await makeKey(tools, open) : null);
  if (key !== null) keys.set(EPOCHS.file, key);
  return keys;
}

/** Closes the folder. Null where it has no key file. */
async function keyIn(tools: ReservationTools, folder: SafeDirectory | null): Promise<Uint8Array | null> {
  if (folder === null) return null;
  const shown = visibleText(`${folder.path}/${KEY_NAME}`);
  try {
    const bytes = await readOwnFile(tools, folder, KEY_NAME, KEY_FILE_BYTES);
    const key = bytes === null ? null : parseGrantKey(Buffer.from(bytes).toString('latin1'));
    if (bytes !== null && key === null)
      throw new UserGrantsError('damaged', `the key file ${shown} does not hold 64 hexadecimal digits`);
    return key;
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof UserGrantsError) throw error;
    throw new UserGrantsError('unavailable', `the key file ${shown} must be yours alone (chmod 600 ${shown})`);
  } finally {
    await folder.directory.close();
  }
}

/** Anyone who makes it first, all processes have the same one. */
async function makeKey(
  tools: ReservationTools,
  open: (isMade: boolean) => Promise<SafeDirectory | null>,
): Promise<Uint8Array | null> {
  const folder = await open(true);
  if (folder === null) return null;
  const text = `${randomBytes(KEY_BYTES).toString('hex')}\n`;
  await publishSingleFile(tools, { directory: folder, name: KEY_NAME }, Buffer.from(text), true);
  return keyIn(tools, await open(false));
}
