import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

let found: readonly string[] | undefined;
let context: SecureContext | undefined;

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

/** The same, read for connections: some hundred certificates are not read again for each of them. */
export function trustedContext(): SecureContext {
  context ??= createSecureContext({ ca: [...trustedAuthorities()] });
  return context;
}
