import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import type { Sandbox } from '../pool/interface.ts';
import type { SandboxOptions } from '../pool/options.ts';
import { startSandbox } from '../pool/pool.ts';
import { buildSnapshot, type GuestTexts } from '../../scripts/build-snapshot.ts';
import { bundled, bundleGuest } from '../../scripts/guest-bundle.ts';
import { GUESTS } from '../../scripts/warm-up.ts';

const root = join(import.meta.dirname, '../..');

/**
 * A guest that treats the source of an evaluation as raw JavaScript, with the bridge in its hands: `bridge` is the
 * guest's own way out, `call(name, argumentsText)` an honest use of it. It is where the real guest is, behind the same
 * lock-down, so what a payload reaches here is what an attacker reaches who has broken out of svc-lisp.
 */
export const RAW_GUEST = `
globalThis.__svc_boot = (() => {
  const compile = Function, { JSON, String } = globalThis;
  return (bridge) => ({
    handle(text) {
      const call = (name, argumentsText) => bridge(JSON.stringify({ name, arguments: argumentsText }));
      const request = JSON.parse(text);
      const fault = (error) => ({
        outcome: 'evaluation_error', prints: [],
        fault: { reason: 'raw', message: describe(error), span: null, details: {}, exception_class: null,
          public_error: null },
      });
      const describe = (error) => { try { return String(error); } catch { return 'no description'; } };
      let reply;
      try {
        const value = compile('bridge', 'call', request.source)(bridge, call);
        reply = { outcome: 'returned', value: String(value), projection_fault: null, prints: [] };
      } catch (error) {
        reply = fault(error);
      }
      return JSON.stringify(reply);
    },
  });
})();`;

/**
 * The same without JSON in between: the source, of a load the code, is a function body whose result leaves `handle` as
 * it is.
 */
export const BARE_GUEST = `
globalThis.__svc_boot = (() => {
  const compile = Function;
  return (bridge) => ({
    handle(text) {
      const { code, source = code } = JSON.parse(text);
      return compile('bridge', source)(bridge);
    },
  });
})();`;

/** The product's own guest, in the product's own form; made once, and again when it is another. */
export function productGuest(): Promise<GuestTexts> {
  product ??= bundleProduct();
  return product;
}

let product: Promise<GuestTexts> | null = null;

/** Kept between processes: parting a guest into what is warm and what is cold takes five seconds. */
async function bundleProduct(): Promise<GuestTexts> {
  const stored = join(root, 'node_modules/.cache/guests', `${await hashOfProduct()}.json`);
  if (existsSync(stored)) return JSON.parse(await readFile(stored, 'utf8'));
  const made = { workflow: await bundleGuest(GUESTS.workflow), mission: await bundleGuest(GUESTS.mission) };
  try {
    await mkdir(dirname(stored), { recursive: true });
    await writeFile(`${stored}.${process.pid}`, JSON.stringify(made));
    await rename(`${stored}.${process.pid}`, stored);
  } catch (error) {
    // Packages that belong to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
  }
  return made;
}

/** Of all that the guests are made of: their sources, the scripts that part them, and the versions of packages. */
async function hashOfProduct(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const { entry, ...options } of [GUESTS.workflow, GUESTS.mission])
    hash.update(JSON.stringify([await bundled(entry), options]));
  for (const file of [
    'scripts/guest-bundle.ts',
    'scripts/guest-layout.ts',
    'scripts/guest-units.ts',
    'sandbox/runtime/intrinsics.ts',
    'package-lock.json',
  ])
    hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

interface SandboxUnderTest {
  readonly options: SandboxOptions;
  remove(): Promise<void>;
}

/** Without links: a host may read what lies there, not what a link there points to. */
const addons = realpathSync(join(root, 'node_modules/isolated-vm/prebuilds'));

/** As in the product, isolated-vm is its addon file: looking for a package would read files a host may not read. */
const addonAlone: esbuild.Plugin = {
  name: 'addon-alone',
  setup(build) {
    build.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: 'isolated-vm', namespace: 'addon' }));
    build.onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
      contents: `
        const load = (libc) =>
          require(${JSON.stringify(`${addons}/`)} + process.platform + '-' + process.arch
            + '/isolated-vm.abi137.' + libc + '.node').ivm;
        let addon;
        try { addon = load('glibc'); } catch { addon = load('musl'); }
        module.exports = addon;`,
    }));
  },
};

/** The host in one file, made once for all suites of a process. */
let hostText: Promise<string> | null = null;

async function bundleHost(): Promise<string> {
  const {
    outputFiles: [host],
  } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['sandbox/host/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [addonAlone],
    minify: true,
    write: false,
  });
  if (host === undefined) throw new Error('the host has no bundle');
  return host.text;
}

/** Images by guest, each made once for all suites of a process. */
const images = new Map<string, Promise<Uint8Array>>();

function imageOf(guest: GuestTexts): Promise<Uint8Array> {
  const key = JSON.stringify(guest);
  const image = images.get(key) ?? buildSnapshot(guest);
  images.set(key, image);
  return image;
}

/** Bundles the host and builds a guest's image, as the product's build does, into a folder of their own. */
async function buildSandboxUnderTest(guest: GuestTexts): Promise<SandboxUnderTest> {
  const [image, host] = await Promise.all([imageOf(guest), (hostText ??= bundleHost())]);
  const folder = await mkdtemp(join(realpathSync(tmpdir()), 'svc-sandbox-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await Promise.all([writeFile(join(folder, 'guest.image'), image), writeFile(join(folder, 'host.cjs'), host)]);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    options: {
      hostScript: join(folder, 'host.cjs'),
      guestImage: join(folder, 'guest.image'),
      readableFolders: [folder, addons],
      isolatesPerHost: 16,
    },
    remove,
  };
}

export interface BuiltSandbox {
  /** Of the running block; throws outside of it. */
  readonly options: SandboxOptions;
  /** The one that runs; throws while none does. */
  readonly sandbox: Sandbox;
}

export interface SandboxUse {
  /** What a sandbox is started for; nothing by default. */
  readonly startsFor?: 'test' | 'block';
  readonly isolatesPerHost?: number;
}

/**
 * Builds the sandbox of a block before its tests, and starts it if that is asked for. It is closed and removed after
 * them, also where its building failed or came too late.
 */
export function useSandboxUnderTest(
  guest: () => GuestTexts | Promise<GuestTexts>,
  { startsFor, isolatesPerHost }: SandboxUse = {},
): BuiltSandbox {
  let building: Promise<SandboxUnderTest> | null = null;
  let built: SandboxUnderTest | null = null;
  let running: Sandbox | null = null;
  const optionsOf = (): SandboxOptions => {
    if (built === null) throw new Error('the sandbox of a block is there while its tests run');
    return isolatesPerHost === undefined ? built.options : { ...built.options, isolatesPerHost };
  };
  const start = (): void => {
    running = startSandbox(optionsOf());
  };
  const stop = async (): Promise<void> => {
    await running?.close();
    running = null;
  };
  before(async () => {
    building = Promise.resolve(guest()).then(buildSandboxUnderTest);
    built = await building;
    if (startsFor === 'block') start();
  });
  if (startsFor === 'test') {
    beforeEach(start);
    afterEach(stop);
  }
  after(async () => {
    await stop();
    // Why it failed was reported by the hook before.
    const made = await building?.catch(() => null);
    await made?.remove();
  });
  return {
    get options() {
      return optionsOf();
    },
    get sandbox() {
      if (running === null) throw new Error('the sandbox of a block runs while its tests do');
      return running;
    },
  };
}
