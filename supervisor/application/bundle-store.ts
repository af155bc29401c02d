import { cacheFolder } from '../../system/configuration/cache-folder.ts';
import type { Variables } from '../../system/configuration/configuration.ts';
import type { Configuration } from '../../system/configuration/settings.ts';
import { diskBundleStore } from './preflight/bundle-cache/disk-store.ts';
import { imageCompiler } from './preflight/bundle-cache/guest-image.ts';
import type { GuestImageFile } from '../platform/image-stamp.ts';
import { NO_BUNDLE_STORE, type BundleStore } from './preflight/bundle-store.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';

export type { BundleStore } from './preflight/bundle-store.ts';

/** Where this process keeps compiled bundles, as its configuration decides; a store that forgets if it does not. */
export function machineBundleStore(
  image: GuestImageFile,
  configuration: Configuration,
  variables: Variables,
): BundleStore {
  const base = cacheFolder(configuration, variables);
  if (base === null) return NO_BUNDLE_STORE;
  return diskBundleStore({ place: { fileSystem: nodeFileSystem(), base }, compiler: imageCompiler(image) });
}
