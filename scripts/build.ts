/**
 * Builds the program into dist/: the command line, the sandbox host, the guest and its snapshot, the native addon of
 * isolated-vm for each platform, the schemas of the documents, and the facts of this build. Everything that runs
 * is bundled, so that the packed program needs no package but a Node 24.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { ADDON_PLATFORMS, addonFiles, prebuiltAddon } from '../sandbox/host/addon-files.ts';
import { PROGRAM_FILES } from '../system/program-files.ts';
import { isLeftOut } from '../supervisor/authoring/initialize/left-out-files.ts';
import { buildSnapshot } from './build-snapshot.ts';
import {
  BUNDLED,
  COMPANIONS,
  FACES,
  PROGRAM_FORMAT,
  THREADS,
  bodyOf,
  partsStayApart,
  shared,
  threadPool,
} from './bundles.ts';
import { writeDocumentSchemas } from './document-schemas.ts';
import { buildPages, writeDocumentation } from './documentation.ts';
import { writeDeclarations } from './declarations.ts';
import { bundleGuest } from './guest-bundle.ts';
import { keepCode } from './kept-code.ts';
import { BundledPackages } from './notices.ts';
import { writeSite } from './site/build-site.ts';
import { writeReadyLibraries } from './ready-libraries.ts';
import { documented } from './pages/functions.ts';
import { buildPage } from './viewer-page.ts';
import { GUESTS } from './warm-up.ts';

const root = join(import.meta.dirname, '..');
const finished = join(root, 'dist');
/** Everything is made here and takes the name of the finished folder at the end: a build that fails changes nothing. */
const dist = join(root, `dist.building-${process.pid}`);
const libraryFolder = join(root, 'sandbox/preludes');
const addonFolder = join(root, 'node_modules/isolated-vm/prebuilds');

const packages = new BundledPackages();

/** Makes a bundle, and keeps in mind of which packages. */
async function bundle(options: esbuild.BuildOptions): Promise<esbuild.Metafile> {
  const { metafile } = await esbuild.build({ ...options, metafile: true });
  packages.add(filesIn(metafile));
  return metafile;
}

/** Files of which something is in what was made. */
function filesIn({ outputs }: esbuild.Metafile): readonly string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
}

/** In the bundle isolated-vm is its addon file in dist/native, found without looking through packages. */
const nativeAddon: esbuild.Plugin = {
  name: 'native-addon',
  setup(build) {
    build.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: 'isolated-vm', namespace: 'native-addon' }));
    build.onLoad({ filter: /.*/, namespace: 'native-addon' }, () => ({
      loader: 'js',
      resolveDir: root,
      contents: `
        import { addonFiles } from './sandbox/host/addon-files.ts';
        let addon;
        let failure;
        for (const file of addonFiles(process.platform + '-' + process.arch)) {
          try {
            addon ??= require(__dirname + '/native/' + file).ivm;
          } catch (error) {
            failure ??= error;
          }
        }
        if (addon === undefined) throw failure;
        export default addon;`,
    }));
  },
};

async function bundleHost(): Promise<void> {
  await bundle({
    ...shared,
    entryPoints: {
      [PROGRAM_FILES.hostScript.replace(/\.cjs$/, '')]: 'sandbox/host/main.ts',
      [PROGRAM_FILES.imageScript.replace(/\.cjs$/, '')]: 'sandbox/host/remake-image.ts',
    },
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    plugins: [nativeAddon],
    minify: true,
  });
}

const threadPoolFolder = join(root, 'node_modules/tinypool');

async function copyThreadPool(): Promise<void> {
  await cp(join(threadPoolFolder, 'dist'), join(dist, 'tinypool'), {
    recursive: true,
    filter: (path) => !path.endsWith('.d.ts'),
  });
  await copyFile(join(threadPoolFolder, 'LICENSE'), join(dist, 'tinypool/LICENSE'));
  await writeFile(join(dist, 'tinypool/package.json'), '{"type":"module"}\n');
}

/**
 * CommonJS form: node's loader of ES modules costs a look-up and two reads for each of their files. What a command does
 * not need stays unread inside its function: esbuild makes dynamic imports lazy.
 */
async function bundleProgram(): Promise<void> {
  const options = { ...PROGRAM_FORMAT, outdir: dist };
  for (const [name, entry] of Object.entries(BUNDLED)) {
    // Programs that import a face see its functions in stacks, and pay nothing for their names at each start.
    const metafile = await bundle({
      ...options,
      ...(Object.hasOwn(FACES, name) ? { banner: { js: refusal(`svc/${name}`, 'import') } } : {}),
      entryPoints: { [Object.hasOwn(THREADS, name) ? bodyOf(name) : name]: entry },
      plugins: [partsStayApart, threadPool],
      minifyIdentifiers: !Object.hasOwn(FACES, name),
    });
    if (name === 'main') assertSmallStart(metafile);
  }
  for (const [name, entry] of Object.entries(COMPANIONS)) {
    await bundle({ ...options, entryPoints: { [bodyOf(name)]: entry } });
    // The same launcher, which tells by its own name what it starts.
    await copyFile(join(root, 'bin/svc'), join(dist, `svc-${name}`));
  }
  await bundleStart('svc', 'main', 'svc');
  for (const name of [...Object.keys(THREADS), ...Object.keys(COMPANIONS)])
    await bundleStart(name, bodyOf(name), `svc-${name}`);
  for (const [name, entry] of Object.entries(FACES))
    await writeFile(join(dist, `${name}.mjs`), await esModule(name, entry));
  await Promise.all(['main', 'perform'].map(async (name) => assertPlainText(`${name}.cjs`)));
}

/** The one that the program is built for and that its addons load in. */
const NODE = '24';

/**
 * What a file begins with, so that a Node that is too old gets one line (first-day.md §5) in place of the first
 * function that it does not have: words that every Node reads.
 */
function refusal(called: string, kind: 'program' | 'import'): string {
  const text = `'${called} needs Node ${NODE}, this is '+process.versions.node`;
  const refuse =
    kind === 'import'
      ? // Without a trace: there is nothing in it for whoever reads the one line.
        `{const refused=new Error(${text});refused.stack=refused.message;throw refused}`
      : `{console.error('error: internal/launcher_unavailable: '+${text});process.exit(70)}`;
  return `"use strict";if(parseInt(process.versions.node,10)<${NODE})${refuse}`;
}

/** A file that node starts, and that goes on with another. */
async function bundleStart(name: string, next: string, called: string): Promise<void> {
  await bundle({
    ...PROGRAM_FORMAT,
    outdir: dist,
    entryPoints: { [name]: 'cli/boot.ts' },
    minifyIdentifiers: true,
    banner: { js: refusal(called, 'program') },
    footer: { js: `module.exports = require('./${next}.cjs');` },
  });
}

/**
 * What a start may load before the first host is forked. One import of an entry point of the supervisor brings in
 * documents and diagnostics, which `perform` then has a second time: some 20 ms of processor time of every start.
 */
const START =
  /^(?:cli|system|sandbox\/(?:pool|wire)|supervisor\/platform|contract\/(?!json\/|diagnostics\/)|node_modules\/comlink)/;

function assertSmallStart(metafile: esbuild.Metafile): void {
  const beyond = filesIn(metafile).filter((file) => !START.test(file));
  if (beyond.length > 0)
    throw new Error(
      `a start loads ${beyond.length} modules too many, ${beyond[0]} among them: import less in cli/main.ts`,
    );
}

/**
 * One character beyond ASCII, which esbuild leaves alone in a pattern, and V8 reads the whole file as text of twice its
 * size: 2 ms of every start.
 */
async function assertPlainText(file: string): Promise<void> {
  const bytes = await readFile(join(dist, file));
  const at = bytes.findIndex((byte) => byte > 0x7f);
  if (at >= 0)
    throw new Error(
      `${file} has a character beyond ASCII, write it with an escape: ${bytes.toString('utf8', at - 40, at + 10)}`,
    );
}

/**
 * The names of a module, from its bundle: node reads them out of the text of one in CommonJS form only where it can.
 */
async function esModule(summary: string, entry: string): Promise<string> {
  const { metafile } = await esbuild.build({
    ...shared,
    entryPoints: [entry],
    format: 'esm',
    write: false,
    metafile: true,
    outdir: dist,
    packages: 'external',
    plugins: [partsStayApart, threadPool],
  });
  const names = Object.values(metafile.outputs)
    .flatMap(({ exports }) => exports)
    .toSorted();
  return `import face from './${summary}.cjs';\nexport const { ${names.join(', ')} } = face;\n`;
}

async function copyAddons(): Promise<void> {
  await mkdir(join(dist, 'native'), { recursive: true });
  await Promise.all(
    ADDON_PLATFORMS.flatMap((platform) =>
      addonFiles(platform).map((file) =>
        copyFile(join(addonFolder, prebuiltAddon(platform, file)), join(dist, 'native', file)),
      ),
    ),
  );
  await copyFile(join(root, 'node_modules/isolated-vm/LICENSE'), join(dist, 'native/LICENSE.isolated-vm'));
}

/** The shipped libraries, which the program reads by id. */
async function copyLibraries(): Promise<void> {
  const names = (await readdir(libraryFolder)).filter((name) => name.endsWith('.clj'));
  const folder = join(dist, PROGRAM_FILES.libraries);
  await mkdir(folder, { recursive: true });
  await Promise.all(names.map((name) => copyFile(join(libraryFolder, name), join(folder, name))));
  const compiled = join(dist, PROGRAM_FILES.compiledLibraries);
  await mkdir(compiled, { recursive: true });
  writeReadyLibraries(folder, compiled);
}

/** Example trees as they stand, without what runs of them left behind and without anybody's credentials. */
async function copyExamples(): Promise<void> {
  await cp(join(root, 'examples'), join(dist, PROGRAM_FILES.examples), {
    recursive: true,
    filter: (path) => !isLeftOut(basename(path)),
  });
}

/** Revision and cleanliness of the sources; a build without them fails, since `svc version` must tell them. */
async function writeBuildFacts(): Promise<void> {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest))
    throw new Error('package.json has no version');
  const facts = {
    version: manifest.version,
    source_revision: git('rev-parse', 'HEAD'),
    source_dirty: git('status', '--porcelain') !== '',
  };
  await writeFile(join(dist, PROGRAM_FILES.facts), `${JSON.stringify(facts)}\n`);
}

async function build(): Promise<void> {
  await mkdir(dist, { recursive: true });
  const guests = { workflow: await bundleGuest(GUESTS.workflow), mission: await bundleGuest(GUESTS.mission) };
  const [snapshot] = await Promise.all([
    buildSnapshot(guests),
    bundleHost(),
    bundleProgram(),
    copyAddons(),
    copyThreadPool(),
    buildPage(join(dist, dirname(PROGRAM_FILES.viewer)), (files) => packages.add(files)),
    copyFile(join(root, 'adapters/llm/catalogue/models.json'), join(dist, 'models.json')),
    // Names of the language, for whoever searches a session for them (code-mode.md §4).
    writeFile(
      join(dist, 'core.json'),
      JSON.stringify(documented().map(({ name, shapes, doc }) => ({ name, shapes, doc }))),
    ),
    copyLibraries(),
    copyExamples(),
    writeDocumentSchemas(join(dist, 'schemas')),
    writeBuildFacts(),
  ]);
  await writeFile(join(dist, PROGRAM_FILES.guestImage), snapshot);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), packages.notices());
  const pages = await buildPages(join(dist, 'schemas'));
  await writeDocumentation(join(dist, PROGRAM_FILES.documentation), pages);
  await writeSite(join(dist, PROGRAM_FILES.documentationSite), pages);
  for (const summary of Object.values(FACES)) writeDeclarations(summary, join(dist, 'types'));
  await keepCode(dist, [
    ...Object.keys(BUNDLED).map((name) => (Object.hasOwn(THREADS, name) ? bodyOf(name) : name)),
    ...Object.keys(COMPANIONS).map(bodyOf),
  ]);
  // Node's own cache is filled where the program is used.
  await rm(join(dist, 'compiled'), { recursive: true, force: true });
  const sizes = Object.entries(guests).map(
    ([kind, { script, coldText, warmUnits, coldUnits }]) =>
      `${kind} ${script.length} bytes warm (${warmUnits} units), ${coldText.length} cold (${coldUnits})`,
  );
  process.stderr.write(`build: guests: ${sizes.join('; ')}; image ${snapshot.byteLength} bytes\n`);
}

try {
  await build();
  await rm(finished, { recursive: true, force: true });
  await rename(dist, finished);
} finally {
  // After a fault other parts still write there; what failed is told, and not that the folder was not empty.
  await rm(dist, { recursive: true, force: true, maxRetries: 10 });
}
