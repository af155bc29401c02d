import { createHash } from 'node:crypto';

/** A DIGEST: `sha256:` and 64 lowercase hex digits of the text's UTF-8 bytes. */
export function digestOf(text: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** A label leaves only as a fingerprint; one that is a fingerprint already stays (evidence.md §4). */
export function labelFingerprint(text: string): string {
  return DIGEST.test(text) ? text : digestOf(text);
}

/** Words of a failure's kind that a trace shows in clear (runtime.md §7, evidence.md §3). */
const KNOWN_FAILURE_KINDS: ReadonlySet<string> = new Set([
  'invalid-agent-config',
  'invalid-input',
  'invalid-prompt',
  'invalid-transcript',
  'mission-unavailable',
  'transcript-limit',
  'turn-limit',
  'model-program-failed',
  'non-retryable-evaluation',
  'evaluation-unavailable',
  'llm-provider-error',
  'protocol-error',
  'provider-error',
  'capability-error',
  'capability-unavailable',
  'assertion-failed',
  'unknown-action',
  'phase-return-contract-failed',
  'verification-failed',
]);
const FAILURE_KIND_BYTES = 256;

export interface FailureKind {
  readonly failure_kind?: string;
  readonly failure_kind_fingerprint?: string;
}

/** What a trace says of the scalar `kind` of a `fail` value: a known word, a fingerprint, or nothing. */
export function failureKindOf(kind: unknown): FailureKind {
  if (typeof kind !== 'string') return {};
  const word = kind.replaceAll('_', '-');
  if (KNOWN_FAILURE_KINDS.has(word)) return { failure_kind: word };
  const length = Buffer.byteLength(kind, 'utf8');
  if (length === 0 || length > FAILURE_KIND_BYTES) return {};
  return { failure_kind_fingerprint: digestOf(`failure-kind:${kind}`) };
}
