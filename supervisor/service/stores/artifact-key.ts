import { isRunReference } from '../../../contract/run-reference.ts';
import { StoreError, type ArtifactKey } from './interface.ts';

const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
/** Of the files that hold the checksums of others. */
export const SUM_SUFFIX = '.sha256';

/** Throws StoreError `key_invalid` for what is no key: none of it may lead out of its tenant. */
export function checkKey({ tenant, runRef, epoch, name }: ArtifactKey): void {
  checkTenant(tenant);
  const isKey =
    isRunReference(runRef) &&
    Number.isSafeInteger(epoch) &&
    epoch >= 0 &&
    NAME.test(name) &&
    !name.endsWith(SUM_SUFFIX);
  if (!isKey) throw new StoreError('key_invalid');
}

/** Throws StoreError `key_invalid` for what is no name of a tenant. */
export function checkTenant(tenant: string): void {
  if (!TENANT.test(tenant)) throw new StoreError('key_invalid');
}

/** Parts of the place of an artifact, tenant first. */
export function splitArtifactKey({ tenant, runRef, epoch, name }: ArtifactKey): readonly string[] {
  return [tenant, runRef, String(epoch), name];
}

/** The order in which a store lists. */
export function compareKeys(left: ArtifactKey, right: ArtifactKey): number {
  if (left.runRef !== right.runRef) return left.runRef < right.runRef ? -1 : 1;
  if (left.epoch !== right.epoch) return left.epoch - right.epoch;
  return left.name === right.name ? 0 : left.name < right.name ? -1 : 1;
}

/** The key of parts below a tenant; null where they have none. */
export function parseArtifactKey(tenant: string, runRef: string, epoch: string, name: string): ArtifactKey | null {
  if (!isRunReference(runRef) || !/^(?:0|[1-9]\d{0,15})$/.test(epoch) || !NAME.test(name) || name.endsWith(SUM_SUFFIX))
    return null;
  return { tenant, runRef, epoch: Number(epoch), name };
}
