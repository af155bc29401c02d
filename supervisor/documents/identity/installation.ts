import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { normalForm } from '../fields/normal-form.ts';
import type { Installation } from '../host/fields.ts';
import { INSTALLATION } from '../host/sources/table.ts';
import { identityDigest, type Digest } from '../digest.ts';

/** What an operator configured, without its revision and without any secret (documents.md §10). */
export function installationIdentity(installation: Installation): JsonObject {
  const form = normalForm(INSTALLATION, installation);
  if (!isJsonObject(form)) throw new Error('an installation is a JSON object');
  return form;
}

/** The digest of what was configured, no matter who configured it. */
export function configDigest(identity: JsonObject): Digest {
  return identityDigest('svc.installation-config.v1', identity);
}
