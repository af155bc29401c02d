/**
 * Builds the program into dist/: the command line, the sandbox host, the guest and its snapshot, the native addon of
 * isolated-vm for each Linux platform, the schemas of the documents, and the facts of this build. Everything that runs
 * is bundled, so that the packed program needs no package but a Node 24.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { buildSnapshot } from './build-snapshot.ts';
import { writeDocumentSchemas } from './document-schemas.ts';
import { bundleGuest } from './guest-bundle.ts';
import { GUESTS } from './warm-up.ts';

const root = join(import.meta.dirname, '..');
const finished = join(root, 'dist');
/** Everything is made here and takes the name of the finished folder at the end: a build that fails changes nothing. */
const dist = join(root, `dist.building-${process.pid}`);
const libraryFolder = join(root, 'sandbox/preludes');
const addonFolder = join(root, 'node_modules/isolated-vm/prebuilds');

/** In the bundle isolated-vm is its addon file in dist/native, found without looking through packages. */
const nativeAddon: esbuild.Plugin = {
  name: 'native-addon',
  setup(build) {
    build.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: 'isolated-vm', namespace: 'native-addon' }));
    build.onLoad({ filter: /.*/, namespace: 'native-addon' }, () => ({
      loader: 'js',
      contents: `
        const file = (libc) => [__dirname, 'native', [process.platform, process.arch].join('-') + '.' + libc + '.node'].join('/');
        const load = (libc) => require(file(libc)).ivm;
        let addon;
        try { addon = load('glibc'); } catch { addon = load('musl'); }
        module.exports = addon;`,
    }));
  },
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies esbuild.BuildOptions;

async function bundleHost(): Promise<void> {
  await esbuild.build({
    ...shared,
    entryPoints: { 'sandbox-host': 'sandbox/host/main.ts' },
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    plugins: [nativeAddon],
    minify: true,
  });
}

/**
 * Where the program is cut. What stands before `perform` is all that a start needs to fork the first host; `convict` is
 * wanted only when a setting is given.
 */
const PARTS = { perform: 'cli/perform.ts', 'convict-schema': 'supervisor/config/convict-schema.ts' };

const partsStayApart: esbuild.Plugin = {
  name: 'parts-stay-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/(perform|convict-schema)\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.cjs'), external: true } : null);
  },
};

/**
 * Node brings what it compiled from the folder beside the program; only files that are loaded by another one take part.
 * A folder that cannot be written to is no fault: it was filled by the build.
 */
const BOOT = `require('node:module').enableCompileCache({ directory: __dirname + '/compiled', portable: true });
require('./main.cjs');
`;

/**
 * CommonJS form: node's loader of ES modules costs a look-up and two reads for each of their files. What a command does
 * not need stays unread inside its function: esbuild makes dynamic imports lazy.
 */
async function bundleProgram(): Promise<void> {
  const options = {
    ...shared,
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.dirname': '__dirname' },
    supported: { 'dynamic-import': false },
    minify: true,
  } as const satisfies esbuild.BuildOptions;
  for (const [name, entry] of Object.entries({ main: 'cli/main.ts', ...PARTS })) {
    await esbuild.build({ ...options, entryPoints: { [name]: entry }, plugins: [partsStayApart] });
  }
  await writeFile(join(dist, 'svc.cjs'), BOOT);
}

/** Runs the program once as its users do, so that node keeps what it compiled. */
async function fillCompileCache(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-build-'));
  const svc = (...args: string[]): void => {
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--min-semi-space-size=16', join(dist, 'svc.cjs'), ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  try {
    svc('init', 'app');
    svc('validate', 'app/svc-project.json');
    svc('run', 'app/svc-project.json');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyAddons(): Promise<void> {
  await mkdir(join(dist, 'native'), { recursive: true });
  const platforms = (await readdir(addonFolder)).filter((name) => name.startsWith('linux-'));
  await Promise.all(
    platforms.flatMap((platform) =>
      (['glibc', 'musl'] as const).map((libc) =>
        copyFile(join(addonFolder, platform, `isolated-vm.abi137.${libc}.node`), join(dist, 'native', `${platform}.${libc}.node`)),
      ),
    ),
  );
  await copyFile(join(root, 'node_modules/isolated-vm/LICENSE'), join(dist, 'native/LICENSE.isolated-vm'));
}

/** The shipped libraries, which the program reads by id. */
async function copyLibraries(): Promise<void> {
  const names = (await readdir(libraryFolder)).filter((name) => name.endsWith('.clj'));
  await mkdir(join(dist, 'libraries'), { recursive: true });
  await Promise.all(names.map((name) => copyFile(join(libraryFolder, name), join(dist, 'libraries', name))));
}

/** Example trees as they stand, without what runs of them left behind. */
async function copyExamples(): Promise<void> {
  await cp(join(root, 'examples'), join(dist, 'examples'), { recursive: true, filter: (path) => !/\/\.svc(?:-|$)/.test(path) });
}

/** Revision and cleanliness of the sources; a build without them fails, since `svc version` must tell them. */
async function writeBuildFacts(): Promise<void> {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) throw new Error('package.json has no version');
  const facts = {
    version: manifest.version,
    source_revision: git('rev-parse', 'HEAD'),
    source_dirty: git('status', '--porcelain') !== '',
  };
  await writeFile(join(dist, 'build.json'), `${JSON.stringify(facts)}\n`);
}

async function build(): Promise<void> {
  await mkdir(dist, { recursive: true });
  const guests = { workflow: await bundleGuest(GUESTS.workflow), mission: await bundleGuest(GUESTS.mission) };
  const [snapshot] = await Promise.all([buildSnapshot(guests), bundleHost(), bundleProgram(), copyAddons(), copyLibraries(), copyExamples(), writeDocumentSchemas(join(dist, 'schemas')), writeBuildFacts()]);
  await writeFile(join(dist, 'guest.snapshot'), snapshot);
  await fillCompileCache();
  const sizes = Object.entries(guests).map(([kind, { script, coldText, warmUnits, coldUnits }]) => `${kind} ${script.length} bytes warm (${warmUnits} units), ${coldText.length} cold (${coldUnits})`);
  process.stderr.write(`build: guests: ${sizes.join('; ')}; image ${snapshot.byteLength} bytes\n`);
}

try {
  await build();
  await rm(finished, { recursive: true, force: true });
  await rename(dist, finished);
} finally {
  await rm(dist, { recursive: true, force: true });
}
