import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as esbuild from 'esbuild';
import { COMMAND_NAMES, COMMANDS } from '../cli/declaration/table.ts';

/** What the program is bundled from, for the build and for checks of what it makes. */

const root = join(import.meta.dirname, '..');

/**
 * Packages whose main file is one that no bundler can follow, with the file of theirs that one can.
 */
const FOLLOWABLE = {
  'vscode-json-languageservice': 'vscode-json-languageservice/lib/esm/jsonLanguageService.js',
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
};

export const shared = {
  alias: FOLLOWABLE,
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'warning',
  // Node shows the line that an error nobody caught comes from.
  lineLimit: 200,
} as const satisfies esbuild.BuildOptions;

/** Of the program itself, with what threads are started from: CommonJS, minified. */
export const PROGRAM_FORMAT = {
  ...shared,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    // There is one where node was started with a file of the program, and none where an ES module imports it.
    'import.meta.main': 'require.main',
  },
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
} as const satisfies esbuild.BuildOptions;

/** What stands behind `cli/boot.ts` in the file of a thread or of a companion. */
export const bodyOf = (name: string): string => `${name}-body`;

/** What threads are started from: the schema checker's, and of each adapter what lies in its folder `worker`. */
export const THREADS: Readonly<Record<string, string>> = {
  'schema-thread': 'supervisor/providers/schemas/schema-thread.ts',
  ...Object.fromEntries(
    globSync('adapters/*/worker/*.ts', { cwd: root, exclude: (path) => path.endsWith('.test.ts') })
      .toSorted()
      .map((path) => [`${basename(join(path, '../..'))}-${basename(path, '.ts')}`, path]),
  ),
};

/**
 * Where the program is cut. What stands before `perform` is all that a start needs to fork the first host; `convict` is
 * wanted only when a setting is given, models, servers of tools, APIs and captured runs only by who has some (undici
 * alone is half of it all). They are brought in by dynamic imports, hold no state that two of them share, and hand over
 * no object of a class of ours but those of `SHARED`: each has its own (`scripts/shared-state.ts` looks).
 */
const PARTS = {
  perform: 'cli/perform.ts',
  'convict-schema': 'system/configuration/convict-schema.ts',
  models: 'adapters/pool/models.ts',
  servers: 'adapters/pool/servers.ts',
  apis: 'adapters/pool/apis.ts',
  snapshots: 'supervisor/providers/snapshots/adapter.ts',
  runner: 'supervisor/api/runner.ts',
  transcript: 'supervisor/history/transcript/transcript-command.ts',
  telemetry: 'supervisor/evidence/telemetry/export-run.ts',
  ...Object.fromEntries(
    COMMAND_NAMES.filter((name) => COMMANDS[name].isBundledApart === true).map((name) => [
      `${name}-command`,
      `cli/commands/${name}.ts`,
    ]),
  ),
};

const partOf = new Map(Object.entries(PARTS).map(([part, file]) => [join(root, file), part]));

/** A package that only those need who check schemas, and that is a sixth of the program: one file for all parts. */
const AJV = { specifier: 'ajv/dist/2020.js', file: 'ajv' };

/** What other programs import (`@svc-lisp/svc/supervisor`, `@svc-lisp/svc/engine`, `@svc-lisp/svc/ai`). */
export const FACES = {
  supervisor: 'supervisor/api/supervisor.ts',
  engine: 'supervisor/api/engine.ts',
  ai: 'supervisor/code/ai/ai.ts',
};

/**
 * Modules that all files of the program share, each in a file of its own: a class that programs know by `instanceof`,
 * whichever entry point it comes through, and which runs of this process go on.
 */
const SHARED = {
  'store-error': 'supervisor/service/stores/store-error.ts',
  'live-runs': 'supervisor/evidence/publication/live-runs.ts',
};
const sharedOf = new Map(Object.entries(SHARED).map(([name, file]) => [join(root, file), name]));

/** Programs of their own, which the launcher tells by its name. */
export const COMPANIONS: Readonly<Record<string, string>> = {
  'mcp-bridge': 'adapters/mcp/bridge/main.ts',
  'fs-mcp': 'adapters/file-server/main.ts',
};

/**
 * Every file of the program by its entry; `main` and the faces are loaded first, the others by one of them or by a
 * thread.
 */
export const BUNDLED: Readonly<Record<string, string>> = {
  main: 'cli/main.ts',
  [AJV.file]: AJV.specifier,
  ...SHARED,
  ...FACES,
  ...PARTS,
  ...THREADS,
};

export const partsStayApart: esbuild.Plugin = {
  name: 'parts-stay-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const module = join(resolveDir, path);
      const part =
        kind === 'dynamic-import' ? partOf.get(module) : kind === 'entry-point' ? undefined : sharedOf.get(module);
      return part === undefined ? null : { path: `./${part}.cjs`, external: true };
    });
    build.onResolve({ filter: /^ajv\/dist\/2020\.js$/ }, ({ kind }) =>
      kind === 'entry-point' ? null : { path: `./${AJV.file}.cjs`, external: true },
    );
  },
};

/** Threads are started from files, their pool's own among them: it stands beside the program as it is. */
export const threadPool: esbuild.Plugin = {
  name: 'thread-pool',
  setup(build) {
    build.onResolve({ filter: /^tinypool$/ }, () => ({ path: './tinypool/index.js', external: true }));
  },
};
