/** What the build leaves in the folder of the program. */
export const PROGRAM_FILES = {
  hostScript: 'sandbox-host.cjs',
  /** Makes the guest image again for another platform than its build's. */
  imageScript: 'remake-image.cjs',
  guestImage: 'guest.snapshot',
  /** Version and revision (cli.md §10, "version"). */
  facts: 'build.json',
  libraries: 'libraries',
  /** What the build compiled of them. */
  compiledLibraries: 'compiled-libraries',
  examples: 'examples',
  /** Pages of the documentation, and their index (cli.md §7). */
  documentation: 'docs',
  /** The same pages for a browser. */
  documentationSite: 'site',
  /** JSON Schemas of the documents. */
  schemas: 'schemas',
  /** The page that the viewer serves. */
  viewer: 'viewer/index.html',
} as const;
