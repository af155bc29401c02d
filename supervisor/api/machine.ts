/**
 * What a command needs of the machine it runs on: files, stores, the sandbox, the documents that its arguments name.
 */
export { thisMachine } from '../application/machine.ts';
export {
  publicationTools,
  publishedFiles,
  type AdmittedFile,
  type PublishedFiles,
} from '../evidence/publication/published-files.ts';
export { machineBundleStore, type BundleStore } from '../application/bundle-store.ts';
export { findDeclaredHost } from '../documents/project/declared-host.ts';
export { describeConfinement } from '../application/confinement-text.ts';
export { LOCAL_TENANT, type DocumentOptions } from '../run/named-documents.ts';

/** What this user granted, for the commands that use it and grant nothing themselves. */
export { userGrantUse } from '../service/stores/user-grants.ts';
export { WatchedFiles } from '../documents/watched-files.ts';
