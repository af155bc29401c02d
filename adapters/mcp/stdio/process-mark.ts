import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A mark that every process has which a server started, and that it cannot lose: a limit of the number of file locks,
 * which Linux hands on to children, in whatever session or group and with whatever environment they are, which no
 * unprivileged process can raise, and which the kernel has not looked at since Linux 2.4. Anyone who runs below a
 * marked process, a server that is itself a program of this kind, marks its own children within the range of its own
 * mark, so that both find them.
 */
export interface ProcessMark {
  /** The limit that is set. */
  readonly highest: bigint;
  /** Limits from here to `highest` are of this mark. */
  readonly lowest: bigint;
}

/**
 * Bits of the numbers below a mark that are its own: of a mark around all others, of one within it, of one within that.
 */
const OUTER_BITS = 32n;
const INNER_BITS = 8n;
/** Of the outer marks, at random: with the bits below, the limit is below 2^63 and far above any that people set. */
const NUMBER_BITS = 30n;
const NUMBER_LEAST = 2n ** 29n;

/** A mark for one server; null where the system has none. */
export function newProcessMark(around: bigint | 'unlimited' | null = ownLimit()): ProcessMark | null {
  if (around === null) return null;
  if (around === 'unlimited') return markOf((NUMBER_LEAST + randomBits(NUMBER_BITS - 1n)) << OUTER_BITS, OUTER_BITS);
  // A limit that somebody else set leaves no room.
  if (around < NUMBER_LEAST << OUTER_BITS) return null;
  const isOuter = (around & (2n ** OUTER_BITS - 1n)) === 0n;
  return isOuter
    ? markOf(around - ((1n + randomBits(OUTER_BITS - INNER_BITS - 1n)) << INNER_BITS), INNER_BITS)
    : markOf(around - 1n - randomBits(INNER_BITS - 1n), 0n);
}

function markOf(highest: bigint, bits: bigint): ProcessMark {
  return { highest, lowest: highest - 2n ** bits + 1n };
}

function randomBits(bits: bigint): bigint {
  return BigInt(randomInt(2 ** Number(bits)));
}

/** Whether the text of `/proc/PID/limits` is that of a process with this mark. */
export function isMarked(limits: string, { highest, lowest }: ProcessMark): boolean {
  const found = limitsIn(limits);
  return found !== null && found.some((limit) => limit !== 'unlimited' && limit >= lowest && limit <= highest);
}

function ownLimit(): bigint | 'unlimited' | null {
  if (process.platform !== 'linux') return null;
  try {
    return limitsIn(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? null;
  } catch {
    // No such file system, or none with limits in it.
    return null;
  }
}

/** Soft and hard limit of file locks. */
function limitsIn(text: string): readonly [bigint | 'unlimited', bigint | 'unlimited'] | null {
  const found = /^Max file locks +(\d+|unlimited) +(\d+|unlimited)/m.exec(text);
  return found === null ? null : [limitOf(found[1]), limitOf(found[2])];
}

function limitOf(text: string | undefined): bigint | 'unlimited' {
  return text === undefined || text === 'unlimited' ? 'unlimited' : BigInt(text);
}
