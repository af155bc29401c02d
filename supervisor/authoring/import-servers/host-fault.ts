import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { endpointFaults } from '../../documents/host/addresses.ts';
import { check } from '../../documents/fields/check.ts';
import { HOST } from '../../documents/host/fields.ts';
import { credentialFaults, installationFaults } from '../../documents/host/semantics.ts';

/** The first rule of host documents that an installation breaks with the credentials it takes; null for none. */
export function findInstallationFault(alias: string, installation: JsonObject, credentials: JsonObject): string | null {
  const host = new Map<string, JsonValue>([
    ['install', new Map([[alias, installation]])],
    ['credentials', credentials],
  ]);
  const [endpoint] = endpointFaults(host);
  if (endpoint !== undefined) return endpoint.diagnostic.message;
  const checked = check(HOST, host);
  if (checked.status !== 'valid') return 'a member of it is longer or larger than a host document may have';
  const [fault] = [...credentialFaults(checked.value), ...installationFaults(checked.value)];
  return fault?.diagnostic.message ?? null;
}
