import { checkMemorySecrets } from './arguments.ts';
import type { Secret, SecretProvider, SecretQuery } from './interface.ts';

/** gateway.md §16: a provider that has not answered by then has no credential. */
const ANSWER_MS = 5000;
/** Longest value of a credential, bytes; what exceeds it is none. */
const VALUE_BYTES = 65_536;

/** A credential, or null: what went wrong is reported to nobody but as `credential_unavailable`. */
export async function resolveSecret(
  provider: SecretProvider,
  query: SecretQuery,
  { now = Date.now, answerMs = ANSWER_MS }: { readonly now?: () => number; readonly answerMs?: number } = {},
): Promise<Secret | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), answerMs);
  try {
    const secret = await Promise.race([Promise.resolve(provider.resolve(query)), late.promise]);
    return secret !== null && isUsable(secret, now()) ? secret : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Providers are written by others: nothing of what they answer is taken on trust. */
function isUsable(secret: unknown, now: number): boolean {
  if (typeof secret !== 'object' || secret === null) return false;
  const {
    value,
    version,
    expiresAt,
  }: { readonly value?: unknown; readonly version?: unknown; readonly expiresAt?: unknown } = secret;
  const isLive = expiresAt === undefined || (typeof expiresAt === 'number' && expiresAt > now);
  return (
    typeof value === 'string' &&
    value !== '' &&
    Buffer.byteLength(value) <= VALUE_BYTES &&
    typeof version === 'string' &&
    isLive
  );
}

/** Credentials that the calling program holds: by tenant, then by binding. */
export function createMemorySecrets(values: ReadonlyMap<string, Readonly<Record<string, string>>>): SecretProvider {
  checkMemorySecrets(values);
  return {
    resolve: async ({ tenant, binding }) => {
      const own = values.get(tenant);
      const value = own !== undefined && Object.hasOwn(own, binding) ? own[binding] : undefined;
      if (value === undefined) throw new Error('no such credential');
      return { value, version: '1' };
    },
  };
}
