import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { cutSaid, type Attempt } from '../../../contract/provider-protocol/call.ts';
import type { FailureWords, ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { CallDeadline } from './call-deadline.ts';
import type { CallError } from './envelope.ts';

/** Calls of one capability, or of one model, that were answered with an error. */
export interface FailedCallCount {
  readonly name: string;
  /** Of a model; null for a tool. */
  readonly alias: string | null;
  readonly count: number;
  /** `kind/reason`, each once, in byte order. */
  readonly reasons: readonly string[];
}

/** A call that was answered with an error. */
export interface FailedCall {
  readonly name: string;
  readonly isModel: boolean;
  /** Of the provider; null where nobody knows it. */
  readonly alias: string | null;
  readonly error: CallError;
  readonly envelope: SerializedJson<JsonObject>;
  readonly words: FailureWords | null;
}

/** Errors that calls of a run were answered with, for people and for nobody else. */
export interface FailedCalls {
  remember(failed: FailedCall): void;
  counts(): readonly FailedCallCount[];
  /** What was said of the last failure that anything was said of. */
  last(): ProviderWords | null;
  /** What was said of the last failure of a model. */
  lastOfModels(): ProviderWords | null;
  /** What was said of the last failure whose envelope is part of this value, as a workflow fails with it. */
  within(failed: JsonValue): ProviderWords | null;
}

interface Group {
  readonly name: string;
  readonly alias: string | null;
  count: number;
  readonly reasons: Set<string>;
}

/** A loop of failed calls cannot fill the memory: of older ones the words are forgotten. */
const WORDS_MAX = 64;
/** Names of capabilities and models that are distinguished. */
const GROUPS_MAX = 256;

export function failedCalls(): FailedCalls {
  const groups = new Map<string, Group>();
  const latest: {
    readonly words: ProviderWords;
    readonly isModel: boolean;
    readonly envelope: SerializedJson<JsonObject>;
  }[] = [];
  return {
    remember: ({ name, isModel, alias, error, envelope, words }) => {
      const model = isModel ? alias : null;
      const key = JSON.stringify([name, model]);
      const group = groups.get(key) ?? { name, alias: model, count: 0, reasons: new Set<string>() };
      group.count += 1;
      group.reasons.add(`${error.kind}/${error.reason}`);
      if (groups.size < GROUPS_MAX) groups.set(key, group);
      if (alias === null || words === null) return;
      latest.unshift({ words: { alias, ...words }, isModel, envelope });
      latest.length = Math.min(latest.length, WORDS_MAX);
    },
    counts: () =>
      [...groups.values()].map((group) => ({ ...group, reasons: [...group.reasons].toSorted(compareUtf8) })),
    last: () => latest[0]?.words ?? null,
    lastOfModels: () => latest.find(({ isModel }) => isModel)?.words ?? null,
    within: (failed) => {
      if (latest.length === 0) return null;
      // An object within a value is a part of its canonical text.
      const text = canonicalJson(failed);
      return latest.find(({ envelope }) => text.includes(canonicalJson(envelope.value)))?.words ?? null;
    },
  };
}

/** What people read about a call that failed: the vendor's words, the network's, or the time that it had. */
export function wordsOf(
  attempts: readonly Attempt[],
  {
    error,
    deadline,
    isLate,
    isModel,
  }: {
    readonly error: CallError;
    readonly deadline: Pick<CallDeadline, 'bound' | 'limitMs'>;
    readonly isLate: boolean;
    readonly isModel: boolean;
  },
): FailureWords | null {
  if (isLate) {
    const { bound, limitMs } = deadline;
    // What ends with its caller or with its run says so elsewhere.
    if (bound === 'caller' || bound === 'run') return null;
    const setting = bound === 'installation' ? (isModel ? 'request_timeout_ms' : 'timeout_ms') : bound;
    return { said: `no answer within ${limitMs} ms (${setting})`, late: { setting, ms: limitMs } };
  }
  const details = typeof error.details === 'string' ? error.details : null;
  const said = attempts.at(-1)?.said ?? details;
  return said === null ? null : { said: cutSaid(said) };
}
