import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Whether capabilities of a client say that it shows forms: `elicitation` alone, or with `form` (approvals.md §6). */
export function showsForms(capabilities: JsonValue | undefined): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities.get('elicitation') : undefined;
  return isJsonObject(elicitation) && (elicitation.size === 0 || elicitation.has('form'));
}
