/** Why there is no way through a proxy. Its words say that it was the proxy, and which one. */
export class ProxyFailure extends Error {
  readonly code: string;
  readonly words: string;

  /** `code`: of what happened on the way to the proxy, or one of this room's own. */
  constructor(code: string, words: string) {
    super(words);
    this.code = code;
    this.words = words;
  }
}

/** Of a proxy that does not let a connection through. */
export const PROXY_REFUSED = 'PROXY_REFUSED';
/** Of a proxy that cannot reach the server now. */
export const PROXY_UNAVAILABLE = 'PROXY_UNAVAILABLE';
