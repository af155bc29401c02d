import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import ivm from 'isolated-vm';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { imagePlatform } from '../wire/image-platform.ts';
import { enterGuest } from './enter-guest.ts';

/**
 * The guests as a file, one for each kind of environment (what is warm in them differs): the V8 snapshot of a guest's
 * loaded scripts, the text of what is not loaded, and the scripts themselves, so that a host on another architecture or
 * V8 (whose snapshots this one cannot read) makes its own.
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

export type GuestImage = Readonly<Record<EnvironmentKind, SnapshotImage & GuestSources>>;

/** What isolates of one kind are made from, outside any heap and shared by them all. */
export interface LoadedImage {
  readonly snapshot: ivm.ExternalCopy<ArrayBuffer>;
  readonly coldText: ivm.ExternalCopy<string>;
  readonly baselineBytes: number;
}

export function loadSnapshotImage({ snapshot, coldText, baselineBytes }: SnapshotImage): LoadedImage {
  return {
    snapshot: new ivm.ExternalCopy(snapshot, { transferOut: true }),
    coldText: new ivm.ExternalCopy(coldText),
    baselineBytes,
  };
}

export type GuestImages = (environment: EnvironmentKind) => Promise<LoadedImage>;

/** The images of a file, each read when it is first asked for, which rejects as `readGuestImage` does. */
export function guestImages(file: string): GuestImages {
  const images = new Map<EnvironmentKind, Promise<LoadedImage>>();
  return (environment) => {
    const image = images.get(environment) ?? readGuestImage(file, environment).then(loadSnapshotImage);
    images.set(environment, image);
    return image;
  };
}

/** The parts of a file that belong to one guest, by their lengths: its snapshot, its cold text, its sources as JSON. */
interface GuestHeader {
  readonly baseline_bytes: number;
  readonly snapshot_bytes: number;
  readonly cold_bytes: number;
  readonly source_bytes: number;
}

/** The guests' parts follow it in this order. */
interface ImageHeader extends Readonly<Record<EnvironmentKind, GuestHeader>> {
  readonly platform: string;
}

/** For code that must distinguish images (sandbox/pool/image-digest.ts); a host has no use for it. */
interface WrittenHeader extends ImageHeader {
  readonly digest: string;
}

interface ImageSources {
  readonly scripts: readonly string[];
  readonly warm_up: string;
}

const PREFIX_BYTES = 4;

/** Runs the scripts, freezes their heap into a snapshot and measures an idle isolate made from it. */
export async function createSnapshotImage(sources: GuestSources): Promise<SnapshotImage & GuestSources> {
  const { scripts, coldText, warmUp } = sources;
  const snapshot = ivm.Isolate.createSnapshot(
    scripts.map((code) => ({ code })),
    warmUp,
  ).copy();
  const isolate = new ivm.Isolate({ snapshot: new ivm.ExternalCopy(snapshot) });
  const refuse = new ivm.Reference(() => '');
  enterGuest(isolate, refuse, new ivm.ExternalCopy(coldText));
  const { used_heap_size: used, externally_allocated_size: external } = await isolate.getHeapStatistics();
  isolate.dispose();
  return { ...sources, snapshot, baselineBytes: used + external };
}

/** `u32 header length | header (JSON) | parts of each guest`. `digestOf`: SHA-256 in hex of the parts. */
export function encodeGuestImage(image: GuestImage, digestOf: (parts: readonly Uint8Array[]) => string): Uint8Array {
  const workflow = partsOf(image.workflow);
  const mission = partsOf(image.mission);
  const parts = [...workflow.parts, ...mission.parts];
  const header: WrittenHeader = {
    platform: imagePlatform(),
    digest: digestOf(parts),
    workflow: workflow.header,
    mission: mission.header,
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(headerBytes.length);
  return Buffer.concat([prefix, headerBytes, ...parts]);
}

function partsOf(guest: SnapshotImage & GuestSources): {
  readonly header: GuestHeader;
  readonly parts: readonly Uint8Array[];
} {
  const snapshot = new Uint8Array(guest.snapshot);
  const cold = Buffer.from(guest.coldText, 'latin1');
  const written: ImageSources = { scripts: guest.scripts, warm_up: guest.warmUp };
  const sources = Buffer.from(JSON.stringify(written));
  return {
    header: {
      baseline_bytes: guest.baselineBytes,
      snapshot_bytes: snapshot.length,
      cold_bytes: cold.length,
      source_bytes: sources.length,
    },
    parts: [snapshot, cold, sources],
  };
}

/** The bytes of an image, from which parts are taken. */
interface ImageBytes {
  readonly length: number;
  /** A copy of the bytes from `start` up to `end`, in a buffer of their own. */
  part(start: number, end: number): Buffer<ArrayBuffer>;
}

/**
 * Reads one guest of an image file; of an image for this platform no more than is used. Throws as `decodeGuestImage`
 * does.
 */
export function readGuestImage(file: string, environment: EnvironmentKind): Promise<SnapshotImage> {
  return withFile(file, (image) => decode(environment, image));
}

/** The image of a file, made again for this platform from the sources in it. Throws as `decodeGuestImage` does. */
export function remakeGuestImage(file: string): Promise<GuestImage> {
  return withFile(file, async (image) => ({
    workflow: await remakeSnapshot(partsFor('workflow', image)),
    mission: await remakeSnapshot(partsFor('mission', image)),
  }));
}

async function withFile<T>(file: string, use: (image: ImageBytes) => Promise<T>): Promise<T> {
  const descriptor = openSync(file, 'r');
  try {
    return await use({
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
 * Reads one guest of an image. Its sources are looked at only when it was made for another platform; its snapshot is
 * then made again (some tenths of a second). Throws on foreign bytes.
 * @internal
 */
export async function decodeGuestImage(bytes: Buffer, environment: EnvironmentKind): Promise<SnapshotImage> {
  return decode(environment, {
    length: bytes.length,
    part(start, end) {
      const copy = Buffer.from(new ArrayBuffer(end - start));
      bytes.copy(copy, 0, start, end);
      return copy;
    },
  });
}

/** What an image has for one guest, each part read when it is asked for. */
interface GuestParts {
  readonly platform: string;
  readonly baselineBytes: number;
  snapshot(): ArrayBuffer;
  coldText(): string;
  sources(): ImageSources;
}

async function decode(environment: EnvironmentKind, image: ImageBytes): Promise<SnapshotImage> {
  const parts = partsFor(environment, image);
  if (parts.platform !== imagePlatform()) return remakeSnapshot(parts);
  return { snapshot: parts.snapshot(), coldText: parts.coldText(), baselineBytes: parts.baselineBytes };
}

function remakeSnapshot(parts: GuestParts): Promise<SnapshotImage & GuestSources> {
  const { scripts, warm_up: warmUp } = parts.sources();
  return createSnapshotImage({ scripts, coldText: parts.coldText(), warmUp });
}

function partsFor(environment: EnvironmentKind, image: ImageBytes): GuestParts {
  const headerEnd = PREFIX_BYTES + image.part(0, PREFIX_BYTES).readUInt32BE(0);
  if (headerEnd > image.length) throw new Error('the guest image is cut');
  const header = parseHeader(image.part(PREFIX_BYTES, headerEnd).toString());
  const { baseline_bytes: baselineBytes, snapshot_bytes, cold_bytes, source_bytes } = header[environment];
  const start = headerEnd + (environment === 'workflow' ? 0 : lengthOf(header.workflow));
  const snapshotEnd = start + snapshot_bytes;
  const coldEnd = snapshotEnd + cold_bytes;
  const end = coldEnd + source_bytes;
  if (end > image.length) throw new Error('the guest image is cut');
  return {
    platform: header.platform,
    baselineBytes,
    snapshot: () => image.part(start, snapshotEnd).buffer,
    coldText: () => image.part(snapshotEnd, coldEnd).toString('latin1'),
    sources: () => parseSources(image.part(coldEnd, end).toString()),
  };
}

function lengthOf({ snapshot_bytes, cold_bytes, source_bytes }: GuestHeader): number {
  return snapshot_bytes + cold_bytes + source_bytes;
}

function parseHeader(text: string): ImageHeader {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    'platform' in value &&
    typeof value.platform === 'string' &&
    'workflow' in value &&
    isGuestHeader(value.workflow) &&
    'mission' in value &&
    isGuestHeader(value.mission)
  ) {
    const { platform: madeFor, workflow, mission } = value;
    return { platform: madeFor, workflow, mission };
  }
  throw new Error('not a guest image');
}

function isGuestHeader(value: unknown): value is GuestHeader {
  return (
    typeof value === 'object' &&
    value !== null &&
    'baseline_bytes' in value &&
    typeof value.baseline_bytes === 'number' &&
    'snapshot_bytes' in value &&
    typeof value.snapshot_bytes === 'number' &&
    'cold_bytes' in value &&
    typeof value.cold_bytes === 'number' &&
    'source_bytes' in value &&
    typeof value.source_bytes === 'number'
  );
}

function parseSources(text: string): ImageSources {
  const value: unknown = JSON.parse(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    'warm_up' in value &&
    typeof value.warm_up === 'string' &&
    'scripts' in value &&
    Array.isArray(value.scripts) &&
    value.scripts.every((script) => typeof script === 'string')
  ) {
    return { scripts: value.scripts, warm_up: value.warm_up };
  }
  throw new Error('not a guest image');
}
