/** Makes the image from which sandbox hosts start isolates: the guest, locked in as far as a snapshot can be. */
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { GuestRequest } from '../contract/sandbox-protocol.ts';
import { createGuestImage, encodeGuestImage } from '../sandbox/host/snapshot.ts';

/** In strict code no function shows its caller or its callers' arguments. */
const STRICT = `'use strict';\n`;

const root = join(import.meta.dirname, '..');

/**
 * `guestBundle`: a script that leaves `globalThis.__svc_boot`, the function from a capability caller to a guest.
 * Throws when the scripts fail or the isolate made from them cannot be locked down.
 */
export async function buildSnapshot(options: { readonly guestBundle: string }): Promise<Uint8Array> {
  const entrance = await bundleEntrance();
  return encodeGuestImage(await createGuestImage([STRICT + options.guestBundle, STRICT + entrance], STRICT + warmUp()));
}

/** What nearly every program does, so that its first evaluation compiles nothing but itself. */
const TYPICAL_PROGRAM = `
(defn total [items] (reduce + 0 (map :amount items)))
(let [{:keys [a b]} {:a 1 :b 2} items [{:amount a} {:amount b}]]
  (if (> (total items) 2) (return {"total" (total items) "names" (str a "," b)}) (fail {:reason :none})))`;

/** Failures are without consequence: all that counts is what was compiled on the way. */
function warmUp(): string {
  const component = { id: 'warm', source: '(ns warm) (defn f "Doc." [x] (+ x 1))', dependencies: [] };
  const requests: readonly GuestRequest[] = [
    { operation: 'compile', environment: 'mission', components: [component] },
    { operation: 'evaluate', environment: 'mission', source: TYPICAL_PROGRAM, data: {}, tools: [], loop_iterations: null, projection: 'json' },
  ];
  return `
    const handle = __svc_enter({ applySyncPromise: () => '-' });
    for (const request of ${JSON.stringify(requests)}) try { handle(JSON.stringify(request)); } catch {}`;
}

async function bundleEntrance(): Promise<string> {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['sandbox/guest/entrance.ts'],
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2024',
    write: false,
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('the entrance bundle is empty');
  return output.text;
}
