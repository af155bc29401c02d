/** Makes the image from which sandbox hosts start isolates: the guest, locked in as far as a snapshot can be. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { createGuestImage, encodeGuestImage } from '../sandbox/host/snapshot.ts';
import { WARM_UP_SCRIPT } from './warm-up.ts';

/** In strict code no function shows its caller or its callers' arguments. */
const STRICT = `'use strict';\n`;

const root = join(import.meta.dirname, '..');

export interface SnapshotOptions {
  /**
   * Leaves `globalThis.__svc_boot`, the function from a capability caller to a guest, and perhaps `__svc_cold`, which
   * takes the cold text.
   */
  readonly script: string;
  readonly coldText?: string;
}

/** Throws when the script fails or the isolate made from it cannot be locked down. */
export async function buildSnapshot({ script, coldText = '' }: SnapshotOptions): Promise<Uint8Array> {
  const scripts = [script, await bundleEntrance()].map((each) => STRICT + each);
  return encodeGuestImage(await createGuestImage({ scripts, coldText, warmUp: STRICT + WARM_UP }), sha256);
}

function sha256(parts: readonly Uint8Array[]): string {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
}

/**
 * Runs in a context of its own: what it defines is gone afterwards, what was compiled on the way stays. A guest that
 * cannot be warmed up is one all the same; the build has tried it before.
 */
const WARM_UP = `try { const handle = __svc_enter({ applySyncPromise: () => '-' }, '');${WARM_UP_SCRIPT} } catch {}`;

async function bundleEntrance(): Promise<string> {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['sandbox/guest/entrance.ts'],
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2024',
    minify: true,
    write: false,
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('the entrance bundle is empty');
  return output.text;
}
