import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { commandFailure } from '../../../contract/envelope/build.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import { faultLines } from '../../../cli/streams/fault-lines.ts';
import { checkEnvelope } from '../../../conformance/envelopes/checker/check-envelope.ts';
import { LOWER_MARK } from '../../../conformance/documents/base.ts';
import { GOOD, loadWith, ROLES } from './loaders.ts';
import { mutated } from './mutations.ts';
import { seededRandom } from './random.ts';

/** Any: no verdict depends on it. */
const RUN_REFERENCE = newRunReference((bytes) => bytes.fill(0));

const TERMINAL = { colour: true, width: 80 };

export interface Finding {
  readonly seed: number;
  readonly what: string;
}

export interface Fuzzed {
  /** Null: as it should be. */
  readonly finding: Finding | null;
  /** The diagnostic's code, or `loaded`. */
  readonly verdict: string;
}

/** A pointer and a text; aliases of subjects and names of sources are meant to be told (documents.md §13). */
function shown({ message, path }: Diagnostic): string {
  return `${message} ${path ?? ''}`.toLowerCase();
}

/**
 * Loads one mutated document: it must be loaded, or diagnosed in a valid envelope that is no internal error and shows
 * nothing of its author, and explained for a terminal.
 */
export async function fuzzOnce(seed: number): Promise<Fuzzed> {
  const random = seededRandom(seed);
  const role = random.pick(ROLES);
  try {
    const bytes = mutated(random, GOOD[role]);
    const loaded = await loadWith(role, bytes);
    if (loaded.kind === 'loaded') return { finding: null, verdict: 'loaded' };
    if (loaded.kind === 'refused') return { finding: null, verdict: `${role} ${loaded.code}` };
    const { diagnostic, explanation } = loaded;
    if (diagnostic.code === 'internal_error')
      return { finding: { seed, what: `${role}: internal_error` }, verdict: 'internal_error' };
    if (shown(diagnostic).includes(LOWER_MARK))
      return { finding: { seed, what: `${role}: shows text of its author` }, verdict: 'shown' };
    const explained = explanation === null ? [] : faultLines(explanation);
    if (explained.join('\n').toLowerCase().includes(LOWER_MARK))
      return { finding: { seed, what: `${role}: explains with text of its author` }, verdict: 'shown' };
    if (explanation !== null) faultLines(explanation, TERMINAL);
    const departures = checkEnvelope(JSON.parse(JSON.stringify(commandFailure('validate', RUN_REFERENCE, diagnostic))));
    const finding = departures.length === 0 ? null : { seed, what: `${role}: ${departures.join('; ')}` };
    return { finding, verdict: `${role} ${diagnostic.code}` };
  } catch (error) {
    return {
      finding: { seed, what: `${role}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` },
      verdict: 'thrown',
    };
  }
}
