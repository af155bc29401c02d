import type { FailureWords } from '../../contract/provider-protocol/provider-words.ts';
import type { Exchanged, LastWords, TransportFault } from './exchanged.ts';

/** How long an exchange could take, and the setting that says so. */
export interface TimeBound {
  readonly ms: number;
  readonly setting: string;
}

/** Faults that say all by themselves; what is not here has a diagnostic of its own, or nobody to show it to. */
const PLAIN: Readonly<Partial<Record<TransportFault, string>>> = {
  busy: 'more requests are under way than it takes',
  closed: 'its connection had ended before',
  broken: 'it ended its output before it answered',
  malformed: 'what it wrote is no message of the protocol',
  oversize: 'it wrote more than a message may have',
  refused: 'connection refused',
  unresolved: 'name not found',
  tls: 'TLS: the handshake failed',
  unanswered: 'the connection ended before the answer was whole',
  session_ended: 'it knows nothing of its session any more',
  unsendable: 'what would be sent as headers is more than headers may be',
};

/** What people read about an exchange without an answer (world.md §2.4); null for nothing. */
export function failureWords(
  { fault, said }: Pick<Extract<Exchanged, { readonly kind: 'failed' }>, 'fault' | 'said'>,
  { end, stderr }: LastWords,
  bound: TimeBound | null,
): FailureWords | null {
  const isOver = fault === 'closed' || fault === 'broken';
  const late = fault === 'timeout' && bound !== null ? `no answer within ${bound.ms} ms (${bound.setting})` : null;
  const words = said ?? (isOver && end !== null ? `${end} before it answered` : null) ?? late ?? PLAIN[fault] ?? null;
  if (words === null) return null;
  return { said: words, ...(stderr === null ? {} : { stderr }) };
}
