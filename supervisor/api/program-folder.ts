import { join } from 'node:path';

/** What the build leaves in the folder of the program. */
export const PROGRAM_FILES = {
  hostScript: 'sandbox-host.cjs',
  guestImage: 'guest.snapshot',
  /** Version and revision (cli.md §10, "version"). */
  facts: 'build.json',
  libraries: 'libraries',
  examples: 'examples',
  /** The page that the viewer serves. */
  viewer: 'viewer/index.html',
} as const;

/** Where a sandbox finds its host program in a folder, as an absolute path when the folder is one. */
export function sandboxFiles(directory: string): { readonly hostScript: string; readonly guestImage: string; readonly readableFolders: readonly string[] } {
  return { hostScript: join(directory, PROGRAM_FILES.hostScript), guestImage: join(directory, PROGRAM_FILES.guestImage), readableFolders: [directory] };
}
