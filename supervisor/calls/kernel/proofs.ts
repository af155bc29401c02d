/**
 * Secrets that the kernel hands out once and takes back once (runtime.md §6, `limit_proof`): who shows one was there
 * when the kernel refused.
 */
export interface LimitProofs {
  /** A proof for this caller that the quota of evaluations was reached: 64 hex digits. */
  issue(caller: string): string;
  /** Whether this caller was given it and has not used it. It is used now. */
  redeem(caller: string, proof: string): boolean;
}

const PROOF_BYTES = 32;
/** A workflow that asks on and on gets a proof each time; only the newest are remembered. */
const REMEMBERED = 1024;

export function limitProofs(random: (bytes: Uint8Array) => void): LimitProofs {
  const owners = new Map<string, string>();
  return {
    issue(caller) {
      const bytes = new Uint8Array(PROOF_BYTES);
      random(bytes);
      const proof = Buffer.from(bytes).toString('hex');
      owners.set(proof, caller);
      const [oldest] = owners.size > REMEMBERED ? owners.keys() : [];
      if (oldest !== undefined) owners.delete(oldest);
      return proof;
    },
    redeem(caller, proof) {
      return owners.get(proof) === caller && owners.delete(proof);
    },
  };
}
