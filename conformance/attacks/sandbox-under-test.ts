import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { SandboxOptions } from '../../sandbox/pool/options.ts';
import { buildSnapshot, type GuestTexts } from '../../scripts/build-snapshot.ts';
import { bundleGuest } from '../../scripts/guest-bundle.ts';
import { GUESTS } from '../../scripts/warm-up.ts';

const root = join(import.meta.dirname, '../..');

/**
 * A guest that treats the source of an evaluation as raw JavaScript, with the bridge in its hands: `bridge` is the
 * guest's own way out, `call(name, argumentsText)` an honest use of it. It stands where the real guest stands, behind the same
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
        fault: { reason: 'raw', message: describe(error), span: null, details: {}, exception_class: null, public_error: null },
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

/** The same without JSON in between: the source, of a load the code, is a function body whose result leaves `handle` as it is. */
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

/** The product's own guest, in the product's own form. */
export async function productGuest(): Promise<GuestTexts> {
  return { workflow: await bundleGuest(GUESTS.workflow), mission: await bundleGuest(GUESTS.mission) };
}

export interface SandboxUnderTest {
  readonly options: SandboxOptions;
  remove(): Promise<void>;
}

const addons = join(root, 'node_modules/isolated-vm/prebuilds');

/** As in the product, isolated-vm is its addon file: looking for a package would read files a host may not read. */
const addonAlone: esbuild.Plugin = {
  name: 'addon-alone',
  setup(build) {
    build.onResolve({ filter: /^isolated-vm$/ }, () => ({ path: 'isolated-vm', namespace: 'addon' }));
    build.onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
      contents: `
        const load = (libc) => require(${JSON.stringify(`${addons}/`)} + process.platform + '-' + process.arch + '/isolated-vm.abi137.' + libc + '.node').ivm;
        let addon;
        try { addon = load('glibc'); } catch { addon = load('musl'); }
        module.exports = addon;`,
    }));
  },
};

/** Bundles the host and builds a guest's image, as the product's build does, into a folder of their own. */
export async function buildSandboxUnderTest(guest: GuestTexts): Promise<SandboxUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sandbox-'));
  const [image] = await Promise.all([
    buildSnapshot(guest),
    esbuild.build({
      absWorkingDir: root,
      entryPoints: ['sandbox/host/main.ts'],
      outfile: join(folder, 'host.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      plugins: [addonAlone],
      minify: true,
    }),
  ]);
  await writeFile(join(folder, 'guest.image'), image);
  return {
    options: {
      hostScript: join(folder, 'host.cjs'),
      guestImage: join(folder, 'guest.image'),
      readableFolders: [folder, addons],
      isolatesPerHost: 16,
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
