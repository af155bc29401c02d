import type { StderrEnd } from '../../contract/provider-protocol/provider-words.ts';

/** Why no answer came over a connection. */
export type TransportFault =
  /** The time of the exchange was over. */
  | 'timeout'
  /** Its caller gave it up. */
  | 'cancelled'
  /** More requests are under way than one connection takes. */
  | 'busy'
  /** The connection had ended before; nothing was sent. */
  | 'closed'
  /** It ended meanwhile, or the answer broke off. */
  | 'broken'
  /** What came is no message, or nobody asked for it. */
  | 'malformed'
  /** More came than one exchange may bring. */
  | 'oversize'
  /** Over HTTP, before anything was sent: every address refused, the name has none, the peer could not be verified. */
  | 'refused'
  | 'unresolved'
  | 'tls'
  /** Over HTTP: any other status, a connection that failed or broke off. */
  | 'unanswered'
  /** Over HTTP: what would travel as headers is more than headers may be. */
  | 'unsendable'
  /** Over HTTP, of a connection that was closed before. */
  | 'released'
  /** Over HTTP: the server knows nothing of the session any more; what was asked was not done. */
  | 'session_ended'
  /** The server does not take the credentials. */
  | 'unauthenticated'
  /** Nobody has authorised it, or not for this. */
  | 'unauthorised'
  /** Nobody can know whether it is authorised: what people granted cannot be read. Nothing was sent. */
  | 'grants_unavailable';

/** How one exchange with a server ended, before anybody reads the answer. */
export type Exchanged =
  /** The bytes of the one message that answers; `status` is that of HTTP, null over any other transport. */
  | {
      readonly kind: 'answered';
      readonly bytes: Uint8Array;
      readonly status: number | null;
      readonly stderr: StderrText | null;
    }
  | {
      readonly kind: 'failed';
      readonly fault: TransportFault;
      readonly isSent: boolean;
      readonly stderr: StderrText | null;
      /** What happened on the way, for people; absent: what its fault says. */
      readonly said?: string;
    };

/** A connection that was not opened. */
export interface NotOpened {
  readonly fault: TransportFault;
  /** What people read about it; null for nothing. */
  readonly said: string | null;
}

/** What is left to say of a server that did not answer. */
export interface LastWords {
  /** How it came to its end; null where it did not, or where nobody can see it. */
  readonly end: string | null;
  /** The end of its standard error; null where it wrote nothing, or has none. */
  readonly stderr: StderrEnd | null;
}

/** What a child wrote on its standard error meanwhile, for private inspection alone. */
export interface StderrText {
  readonly text: string;
  readonly isTruncated: boolean;
}
