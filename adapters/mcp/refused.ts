import type { FailureWords } from '../../contract/provider-protocol/provider-words.ts';
import type { AcquisitionCode, AcquisitionRefusal } from '../../contract/provider-protocol/session.ts';

/** Why a server was not opened (providers.md §3, table B). */
export type Unopened = { readonly ok: false; readonly refusal: AcquisitionRefusal };

/** `tool`: the upstream name that is missing; `words`: what people read about it. */
export function refused(
  code: AcquisitionCode,
  tool: string | null = null,
  words: FailureWords | null = null,
): Unopened {
  return { ok: false, refusal: { code, tool, hasActivity: true, ...(words === null ? {} : { words }) } };
}
