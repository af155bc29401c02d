/** What a listener speaks TLS with. */
export interface TlsMaterial {
  readonly certificate: Buffer;
  readonly key: Buffer;
}
