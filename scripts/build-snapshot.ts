/** Makes the image from which sandbox hosts start isolates: the guest, locked in as far as a snapshot can be. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import type { EnvironmentKind } from '../contract/sandbox-protocol.ts';
import { createSnapshotImage, encodeGuestImage } from '../sandbox/host/snapshot.ts';

/** In strict code no function shows its caller or its callers' arguments. */
const STRICT = `'use strict';\n`;

const root = join(import.meta.dirname, '..');

/** A guest as its build leaves it. */
export interface GuestText {
  /**
   * Leaves `globalThis.__svc_boot`, the function from a capability caller to a guest, and perhaps `__svc_cold`, which
   * takes the cold text.
   */
  readonly script: string;
  readonly coldText?: string;
  /** A script that asks guests of `freshGuest(answerCall)` what most programs do; it needs no cold text. */
  readonly warmUp?: string;
}

export type GuestTexts = Readonly<Record<EnvironmentKind, GuestText>>;

/** Throws when a script fails or the isolate made from it cannot be locked down. */
export async function buildSnapshot({ workflow, mission }: GuestTexts): Promise<Uint8Array> {
  const entrance = STRICT + (await bundleEntrance());
  const imageOf = ({ script, coldText = '', warmUp = '' }: GuestText): ReturnType<typeof createSnapshotImage> =>
    createSnapshotImage({ scripts: [STRICT + script, entrance], coldText, warmUp: STRICT + warmingUp(warmUp) });
  return encodeGuestImage({ workflow: await imageOf(workflow), mission: await imageOf(mission) }, sha256);
}

/**
 * For both kinds of environment.
 * @internal
 */
export function everywhere(guest: GuestText): GuestTexts {
  return { workflow: guest, mission: guest };
}

function sha256(parts: readonly Uint8Array[]): string {
  return parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
}

/**
 * Runs in a context of its own: what it defines is gone afterwards, what was compiled on the way stays. A guest that
 * cannot be warmed up is one all the same; the build has tried it before.
 */
function warmingUp(warmUp: string): string {
  return `try {
  const boot = __svc_boot;
  __svc_enter({ applySyncPromise: () => '-' }, '');
  const freshGuest = (answer) => { const guest = boot(answer); return (text) => guest.handle(text); };
  ${warmUp}
} catch {}`;
}

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
