/** Outcomes of agent loops that may be failed with later (runtime.md §6, "Stored outcome proofs"). */
export interface OutcomeTokens {
  /** A token for this evidence (canonical JSON): 64 hex digits; null when no more are kept. */
  record(evidence: string, evaluationId: string | null): string | null;
  /** What was recorded with exactly this evidence under the token, which is used now; null otherwise. */
  consume(token: string, evidence: string): { readonly evaluationId: string | null } | null;
}

export const OUTCOME_TOKENS = 2048;
export const OUTCOME_BYTES = 16_000_000;
const TOKEN_BYTES = 32;

export function outcomeTokens(random: (bytes: Uint8Array) => void): OutcomeTokens {
  const stored = new Map<
    string,
    { readonly evidence: string; readonly evaluationId: string | null; readonly bytes: number }
  >();
  let size = 0;
  return {
    record(evidence, evaluationId) {
      const bytes = Buffer.byteLength(evidence);
      if (stored.size >= OUTCOME_TOKENS || size + bytes > OUTCOME_BYTES) return null;
      const filled = new Uint8Array(TOKEN_BYTES);
      random(filled);
      const token = Buffer.from(filled).toString('hex');
      stored.set(token, { evidence, evaluationId, bytes });
      size += bytes;
      return token;
    },
    consume(token, evidence) {
      const known = stored.get(token);
      if (known === undefined || known.evidence !== evidence) return null;
      stored.delete(token);
      size -= known.bytes;
      return { evaluationId: known.evaluationId };
    },
  };
}
