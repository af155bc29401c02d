/** What one host process may take of its machine; null where the system enforces no such limit, or needs none. */
export interface HostLimits {
  /** Of each thread. */
  readonly stackKilobytes: number;
  /** Of the data segment: address space, touched or not. */
  readonly dataKilobytes: number | null;
  /** What it really holds, which it watches itself. */
  readonly residentKilobytes: number | null;
}

const KILOBYTES_PER_MEBIBYTE = 1024;
/** Kibibytes of stack for each thread: some 150,000 frames of plain recursion (design.md §1.3). */
const STACK_KILOBYTES = 16_384;
/**
 * A host without isolates: node itself maps 1.1 GB of writable memory at its start (measured), and V8 may overstep an
 * isolate's limit before it notices.
 */
const BASE_KILOBYTES = { mapped: 1126 * KILOBYTES_PER_MEBIBYTE, held: 410 * KILOBYTES_PER_MEBIBYTE };
/**
 * For each isolate: the 512 MB of address space that V8 reserves for its code (which counts, touched or not), and the
 * largest heap (workflow_heap_words: 64 MB), a thread's stack and what V8 keeps beside them.
 */
const ISOLATE_KILOBYTES = { mapped: 512 * KILOBYTES_PER_MEBIBYTE, held: 128 * KILOBYTES_PER_MEBIBYTE };
/** A host keeps one isolate in reserve. */
const SPARE_ISOLATES = 1;

/**
 * The limits of a host that holds so many isolates at most. macOS takes a limit of the data segment and does not keep
 * it.
 */
export function hostLimits(isolatesPerHost: number, platform: NodeJS.Platform): HostLimits {
  const isolates = isolatesPerHost + SPARE_ISOLATES;
  const kilobytes = BASE_KILOBYTES.held + isolates * ISOLATE_KILOBYTES.held;
  if (platform === 'darwin')
    return { stackKilobytes: STACK_KILOBYTES, dataKilobytes: null, residentKilobytes: kilobytes };
  const mapped = BASE_KILOBYTES.mapped + isolates * ISOLATE_KILOBYTES.mapped;
  return { stackKilobytes: STACK_KILOBYTES, dataKilobytes: mapped + kilobytes, residentKilobytes: null };
}
