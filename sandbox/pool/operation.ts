import { MOST_BRANCHES } from '../../contract/parallel.ts';

/** Calls that a guest wants to run in parallel, each as the guest wrote it, and what all of them share. */
export interface Operation {
  readonly shared: string;
  readonly calls: readonly string[];
}

/** Two members, a list, and a comma for each call. */
const MOST_MARKS = MOST_BRANCHES + 8;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `,`, `[`, `{` and `:`: each begins or parts something. */
const MARKS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b, 0x3a]);

/** Null for a text that no guest of ours wrote, and for more calls than an operation has. */
export function parseOperation(message: string): Operation | null {
  if (!hasFewMarks(message)) return null;
  try {
    const value: unknown = JSON.parse(message);
    if (typeof value !== 'object' || value === null || !('shared' in value) || !('calls' in value)) return null;
    const { shared, calls } = value;
    if (typeof shared !== 'string' || !Array.isArray(calls) || calls.length > MOST_BRANCHES) return null;
    return calls.every((call) => typeof call === 'string') ? { shared, calls } : null;
  } catch {
    return null;
  }
}

/**
 * Whether a text has as few parts as an operation: to make a value of a text of millions of them would keep the event
 * loop for long, and to look at its characters does not.
 */
function hasFewMarks(text: string): boolean {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (MARKS.has(unit)) marks += 1;
    if (marks > MOST_MARKS) return false;
  }
  return true;
}

/** Place of the quote that ends it. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) at += 1;
    else if (unit === QUOTE) return at;
  }
  return text.length;
}
