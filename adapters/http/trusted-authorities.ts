import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

let found: readonly string[] | undefined;
/** By the further certificates that a host document names; of no file, by null. */
const contexts = new Map<string | null, SecureContext>();
/** Host documents whose certificates are kept at once. */
const CONTEXTS_MAX = 16;

/**
 * Certificates, as PEM, of the authorities that models and tools alike are trusted by (world.md §1.6): those that the
 * runtime brings, with the file of `NODE_EXTRA_CA_CERTS`, and the store of the system, which `SSL_CERT_FILE` and
 * `SSL_CERT_DIR` replace. Read once.
 */
export function trustedAuthorities(): readonly string[] {
  // Within a thread that has no environment `default` is without `extra`.
  found ??= [...new Set((['default', 'extra', 'system'] as const).flatMap((store) => getCACertificates(store)))];
  return found;
}

/**
 * The same beside those of a host document, as PEM, read for connections: some hundred certificates are not read again
 * for each of them.
 */
export function trustedContext(further: string | null): SecureContext {
  const known = contexts.get(further);
  if (known !== undefined) return known;
  if (contexts.size >= CONTEXTS_MAX) contexts.clear();
  const made = createSecureContext({ ca: [...trustedAuthorities(), ...(further === null ? [] : [further])] });
  contexts.set(further, made);
  return made;
}
