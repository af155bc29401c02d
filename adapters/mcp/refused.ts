import type { AcquisitionCode, AcquisitionRefusal } from '../../contract/provider-protocol/session.ts';

/** Why a server was not opened (providers.md §3, table B). */
export type Unopened = { readonly ok: false; readonly refusal: AcquisitionRefusal };

/** `tool`: the upstream name that is missing. `said`: what is wrong, in words for people. */
export function refused(code: AcquisitionCode, tool: string | null = null, said: string | null = null): Unopened {
  return { ok: false, refusal: { code, tool, hasActivity: true, ...(said === null ? {} : { said }) } };
}
