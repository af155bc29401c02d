import {
  aFunction,
  checkArguments,
  count,
  fits,
  mapOf,
  maybe,
  objectWith,
  orNull,
  recordOf,
  nonEmptyText,
  withFunctions,
  type Members,
} from '../../platform/arguments/checks.ts';
import type { ObjectStoreOptions } from './object-client.ts';

/** What the stores are made with, which both entry points of the package pass on (gateway.md §16). */

type Credentials = ObjectStoreOptions['credentials'];
const CREDENTIALS: Members<Credentials> = {
  accessKeyId: nonEmptyText,
  secretAccessKey: nonEmptyText,
  sessionToken: maybe(nonEmptyText),
};
const OBJECTS: Members<ObjectStoreOptions> = {
  endpoint: fits(
    'an address that begins with https:// or http://',
    (value) => typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value),
  ),
  bucket: nonEmptyText,
  region: nonEmptyText,
  credentials: objectWith<Credentials>(CREDENTIALS),
  encryptionKey: maybe(aFunction),
  partBytes: maybe(count(1)),
  answerMs: maybe(count(1)),
};
const objectOptions = objectWith<ObjectStoreOptions>(OBJECTS);
const values = mapOf(nonEmptyText, recordOf(fits('a text', (value) => typeof value === 'string')));

export function checkObjectStore(options: unknown): void {
  checkArguments('openObjectArtifacts', { options: [options, objectOptions] });
}

/** `call`: which of the stores that are a directory. */
export function checkDirectory(call: string, directory: unknown): void {
  checkArguments(call, { directory: [directory, nonEmptyText] });
}

export function checkMemorySecrets(input: unknown): void {
  checkArguments('createMemorySecrets', { values: [input, values] });
}

/** An owner may be a whole record: what else it has is no mistake. */
export function checkStoredEnvelope(owner: unknown, store: unknown): void {
  const named = fits(
    'an object with tenant, runRef and epoch',
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      typeof Reflect.get(value, 'tenant') === 'string' &&
      typeof Reflect.get(value, 'runRef') === 'string' &&
      Number.isSafeInteger(Reflect.get(value, 'epoch')),
  );
  checkArguments('readStoredEnvelope', { owner: [owner, named], store: [store, orNull(withFunctions('read'))] });
}

export function checkJournal(call: string, journal: unknown): void {
  checkArguments(call, { journal: [journal, withFunctions('create', 'cas', 'get', 'scan')] });
}
