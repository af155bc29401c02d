import { createHash } from 'node:crypto';
import { parseGuestReply } from '../../../../sandbox/pool/reply.ts';
import type { BundleName, CompiledReply } from '../bundle-store.ts';

/** Changes with the layout of an entry; entries of another layout have other names. */
const LAYOUT = 'svc-bundle-1';

/** Bytes of one entry; a bundle that needs more is compiled every time. */
export const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

const ENTRY_NAME = /^[0-9a-f]{64}\.bundle$/;

/** File name of the bundle that this compiler makes. `compiler`: identity of the guest image. */
export function entryName(compiler: string, { environment, hash }: BundleName): string {
  return `${sha256([LAYOUT, compiler, environment, hash].join(' '))}.bundle`;
}

export function isEntryName(name: string): boolean {
  return ENTRY_NAME.test(name);
}

/** One line with layout, name and digest of what follows, then the guest's answer. */
export function encodeEntry(name: string, reply: CompiledReply): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(reply));
  return Buffer.concat([new TextEncoder().encode(headerOf(name, body)), body]);
}

/** The answer that was kept under this name; null for bytes that `encodeEntry` did not make for it. */
export function decodeEntry(name: string, bytes: Uint8Array): CompiledReply | null {
  const end = bytes.indexOf(LINE_FEED) + 1;
  const body = bytes.subarray(end);
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('latin1');
  if (header !== headerOf(name, body)) return null;
  const reply = parseGuestReply(
    { operation: 'compile', environment: 'workflow', components: [] },
    new TextDecoder().decode(body),
  );
  return reply?.status === 'compiled' ? reply : null;
}

const LINE_FEED = 0x0a;

function headerOf(name: string, body: Uint8Array): string {
  return `${LAYOUT} ${name} sha256:${sha256(body)}\n`;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
