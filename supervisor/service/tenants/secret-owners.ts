import { createHmac, randomBytes } from 'node:crypto';

/** Whose a credential is (gateway.md §17). Holds nothing that a value could be found from. */
export interface SecretOwners {
  /** False for a value that another tenant has used. */
  isOwn(tenant: string, value: string): boolean;
}

const STORED = 65_536;

/** `stored`: values that are remembered; of more, the one that was used longest ago is forgotten. */
export function secretOwners(stored = STORED): SecretOwners {
  const key = randomBytes(32);
  const owners = new Map<string, string>();
  return {
    isOwn(tenant, value) {
      const digest = createHmac('sha256', key).update(value).digest('base64');
      const owner = owners.get(digest) ?? tenant;
      if (owner !== tenant) return false;
      owners.delete(digest);
      owners.set(digest, tenant);
      const [oldest] = owners.keys();
      if (owners.size > stored && oldest !== undefined) owners.delete(oldest);
      return true;
    },
  };
}
