import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import ivm from 'isolated-vm';
import { enterGuest } from './enter-guest.ts';

/**
 * The guest as a file: the V8 snapshot of its loaded scripts, the text of what is not loaded, and the scripts
 * themselves, so that a host on another architecture or V8 (whose snapshots this one cannot read) makes its own.
 */

/** What isolates are made from. */
export interface SnapshotImage {
  readonly snapshot: ArrayBuffer;
  /** What the guest reads of itself when it is first needed (scripts/guest-bundle.ts); ASCII, perhaps empty. */
  readonly coldText: string;
  /** Heap bytes of an isolate that has entered the guest and run nothing: the idle baseline of heap limits. */
  readonly baselineBytes: number;
}

export interface GuestSources {
  readonly scripts: readonly string[];
  readonly coldText: string;
  /** Run and forgotten while the snapshot is made: the functions it calls are kept compiled. It needs no cold text. */
  readonly warmUp: string;
}

export interface GuestImage extends SnapshotImage, GuestSources {}

/** An image from which isolates are made: its snapshot and cold text outside any heap, shared by them all. */
export interface LoadedImage {
  readonly snapshot: ivm.ExternalCopy<ArrayBuffer>;
  readonly coldText: ivm.ExternalCopy<string>;
  readonly baselineBytes: number;
}

export function loadGuestImage({ snapshot, coldText, baselineBytes }: SnapshotImage): LoadedImage {
  return { snapshot: new ivm.ExternalCopy(snapshot, { transferOut: true }), coldText: new ivm.ExternalCopy(coldText), baselineBytes };
}

interface ImageHeader {
  readonly platform: string;
  readonly baseline_bytes: number;
  readonly snapshot_bytes: number;
  readonly cold_bytes: number;
}

/** For who must tell images apart (sandbox/pool/image-digest.ts); a host has no use for it. */
interface WrittenHeader extends ImageHeader {
  readonly digest: string;
}

interface ImageSources {
  readonly scripts: readonly string[];
  readonly warm_up: string;
}

const PREFIX_BYTES = 4;

/** What a snapshot depends on besides its scripts. */
function platform(): string {
  return `${process.platform}-${process.arch}-v8-${process.versions.v8}`;
}

/** Runs the scripts, freezes their heap into a snapshot and measures an idle isolate made from it. */
export async function createGuestImage(sources: GuestSources): Promise<GuestImage> {
  const { scripts, coldText, warmUp } = sources;
  const snapshot = ivm.Isolate.createSnapshot(scripts.map((code) => ({ code })), warmUp).copy();
  const isolate = new ivm.Isolate({ snapshot: new ivm.ExternalCopy(snapshot) });
  const refuse = new ivm.Reference(() => '');
  await enterGuest(isolate, refuse, new ivm.ExternalCopy(coldText));
  const { used_heap_size: used, externally_allocated_size: external } = await isolate.getHeapStatistics();
  isolate.dispose();
  return { ...sources, snapshot, baselineBytes: used + external };
}

/**
 * `u32 header length | header (JSON) | snapshot | cold text | other sources (JSON)`. `digestOf`: SHA-256 in hex of these
 * bytes.
 */
export function encodeGuestImage(image: GuestImage, digestOf: (parts: readonly Uint8Array[]) => string): Uint8Array {
  const snapshot = new Uint8Array(image.snapshot);
  const cold = Buffer.from(image.coldText, 'latin1');
  const sources: ImageSources = { scripts: image.scripts, warm_up: image.warmUp };
  const sourceBytes = Buffer.from(JSON.stringify(sources));
  const header: WrittenHeader = {
    platform: platform(),
    baseline_bytes: image.baselineBytes,
    snapshot_bytes: snapshot.length,
    cold_bytes: cold.length,
    digest: digestOf([snapshot, cold, sourceBytes]),
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(headerBytes.length);
  return Buffer.concat([prefix, headerBytes, snapshot, cold, sourceBytes]);
}

/** The bytes of an image, from which parts are taken. */
interface ImageBytes {
  readonly length: number;
  /** A copy of the bytes from `start` up to `end`, in a buffer of their own. */
  part(start: number, end: number): Buffer<ArrayBuffer>;
}

/** Reads an image file; of an image for this platform no more than is used. Throws as `decodeGuestImage` does. */
export async function readGuestImage(file: string): Promise<SnapshotImage> {
  const descriptor = openSync(file, 'r');
  try {
    return await decode({
      length: fstatSync(descriptor).size,
      part(start, end) {
        const bytes = Buffer.from(new ArrayBuffer(end - start));
        let read = 0;
        while (read < bytes.length) {
          const count = readSync(descriptor, bytes, read, bytes.length - read, start + read);
          if (count === 0) throw new Error('the guest image is cut');
          read += count;
        }
        return bytes;
      },
    });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads an image. Its sources, most of its text, are looked at only when it was made for another platform; its snapshot
 * is then made anew (about 0.1 s). Throws on foreign bytes.
 */
export async function decodeGuestImage(bytes: Buffer): Promise<SnapshotImage> {
  return decode({
    length: bytes.length,
    part(start, end) {
      const copy = Buffer.from(new ArrayBuffer(end - start));
      bytes.copy(copy, 0, start, end);
      return copy;
    },
  });
}

async function decode(image: ImageBytes): Promise<SnapshotImage> {
  const start = PREFIX_BYTES + image.part(0, PREFIX_BYTES).readUInt32BE(0);
  if (start > image.length) throw new Error('the guest image is cut');
  const header = parseHeader(image.part(PREFIX_BYTES, start).toString());
  const snapshotEnd = start + header.snapshot_bytes;
  const end = snapshotEnd + header.cold_bytes;
  if (image.length <= end) throw new Error('the guest image is cut');
  const coldText = image.part(snapshotEnd, end).toString('latin1');
  if (header.platform !== platform()) {
    const { scripts, warm_up: warmUp } = parseSources(image.part(end, image.length).toString());
    return createGuestImage({ scripts, coldText, warmUp });
  }
  return { snapshot: image.part(start, snapshotEnd).buffer, coldText, baselineBytes: header.baseline_bytes };
}

function parseHeader(text: string): ImageHeader {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === 'object' && value !== null &&
    'platform' in value && typeof value.platform === 'string' &&
    'baseline_bytes' in value && typeof value.baseline_bytes === 'number' &&
    'snapshot_bytes' in value && typeof value.snapshot_bytes === 'number' &&
    'cold_bytes' in value && typeof value.cold_bytes === 'number'
  ) {
    const { platform: madeFor, baseline_bytes, snapshot_bytes, cold_bytes } = value;
    return { platform: madeFor, baseline_bytes, snapshot_bytes, cold_bytes };
  }
  throw new Error('not a guest image');
}

function parseSources(text: string): ImageSources {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === 'object' && value !== null &&
    'warm_up' in value && typeof value.warm_up === 'string' &&
    'scripts' in value && Array.isArray(value.scripts) && value.scripts.every((script) => typeof script === 'string')
  ) {
    return { scripts: value.scripts, warm_up: value.warm_up };
  }
  throw new Error('not a guest image');
}
