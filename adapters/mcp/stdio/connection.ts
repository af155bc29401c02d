import { timedOut } from '../../http/timed-out.ts';
import type { Exchanged, LastWords, TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import { cancelledNotification, INITIALIZED, type ClientInfo, type ServerRequest } from '../protocol/request.ts';
import {
  isOlder,
  MESSAGE_BYTES_IN,
  MESSAGE_BYTES_OUT,
  PROTOCOL_VERSION,
  type Revision,
  type RevisionPolicy,
} from '../protocol/revision.ts';
import { answerToServer, type ServerQuestion } from '../protocol/server-request.ts';
import type { Connection } from '../transport.ts';
import { ChildEnd } from './child-end.ts';
import type { GuardedChild } from './guarded-child.ts';
import { lineReader } from './lines.ts';
import { OutgoingLines, type OutgoingLine } from './outgoing-lines.ts';
import { stderrTail, type StderrTail } from './stderr-tail.ts';

/** Requests that one server works at at a time (providers.md §7.8). */
const IN_FLIGHT_MAX = 128;

/** Answers to what a server asks that it has not read yet. */
const ANSWERS_MAX = 128;

interface StdioTerms {
  readonly stderrBytes: number;
  readonly client: ClientInfo;
  readonly revisions: RevisionPolicy;
}

/** A request that waits for its answer. */
interface Pending {
  readonly id: number;
  readonly line: OutgoingLine;
  readonly stderrMark: number;
  readonly resolve: (exchanged: Exchanged) => void;
  /** Bytes of notifications about it. */
  bytes: number;
}

/** Speaks lines of JSON with a child (providers.md §7.8). */
export function stdioConnection(child: GuardedChild, terms: StdioTerms): Connection {
  return new StdioConnection(child, terms);
}

class StdioConnection implements Connection {
  readonly ended: Promise<void>;
  readonly #child: GuardedChild;
  readonly #client: ClientInfo;
  readonly #stderr: StderrTail;
  readonly #childEnd: ChildEnd;
  readonly #outgoing: OutgoingLines;
  readonly #pending = new Map<number, Pending>();
  /** Given up after they were sent: their answers may still come. */
  readonly #cancelled = new Set<number>();
  readonly #reportEnd: () => void;
  #isOpen = true;
  #hasSent = false;
  /** That is spoken, once it is known. */
  #revision: Revision | null;
  /** Why it ended, until the caller was informed: a child may say too much before it is asked anything. */
  #unreported: TransportFault | null = null;
  /** Bytes of notifications that belong to no request, since the last answer. */
  #idleBytes = 0;

  constructor(child: GuardedChild, { stderrBytes, client, revisions }: StdioTerms) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#reportEnd = resolve;
    this.#child = child;
    this.#client = client;
    this.#revision = revisions === 'auto' ? null : revisions;
    this.#stderr = stderrTail(stderrBytes);
    this.#outgoing = new OutgoingLines(child.stdin, () => this.#end('broken'));
    this.#childEnd = new ChildEnd(child, () => this.#end('broken'));
    this.#listen();
  }

  exchange({ id, text }: ServerRequest, signal: AbortSignal): Promise<Exchanged> {
    const fault = this.#refusal(text, signal);
    this.#unreported = null;
    this.#hasSent = true;
    if (fault !== null) return Promise.resolve({ kind: 'failed', fault, isSent: false, stderr: null });
    const { promise, resolve } = Promise.withResolvers<Exchanged>();
    const stderrMark = this.#stderr.mark();
    const entry: Pending = { id, line: this.#outgoing.add('request', text), stderrMark, resolve, bytes: 0 };
    const stop = (): void => this.#giveUp(entry, timedOut(signal) ? 'timeout' : 'cancelled');
    this.#pending.set(id, entry);
    signal.addEventListener('abort', stop, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', stop));
  }

  async agree(agreed: Revision): Promise<TransportFault | null> {
    this.#revision = agreed;
    if (!this.#isOpen) return 'closed';
    if (isOlder(agreed)) this.#outgoing.add('message', INITIALIZED);
    return null;
  }

  lastWords(): Promise<LastWords> {
    return this.#childEnd.lastWords(!this.#isOpen);
  }

  async close(): Promise<boolean> {
    this.#stop();
    this.#settleAll('broken');
    return this.#child.end();
  }

  #listen(): void {
    const { stdout, stderr } = this.#child;
    const lines = lineReader(MESSAGE_BYTES_IN);
    stdout.on('data', (chunk: Buffer) => {
      const whole = this.#isOpen ? lines.take(chunk) : [];
      if (whole === null) return this.#end('oversize');
      for (const line of whole) if (this.#isOpen) this.#receive(line);
    });
    stdout.once('close', () => this.#end('broken'));
    stderr.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
  }

  /** Why a request is not sent; null: it is. */
  #refusal(text: string, signal: AbortSignal): TransportFault | null {
    if (!this.#isOpen) return this.#unreported ?? 'closed';
    if (this.#pending.size >= IN_FLIGHT_MAX) return 'busy';
    if (signal.aborted) return 'cancelled';
    return Buffer.byteLength(text) > MESSAGE_BYTES_OUT ? 'oversize' : null;
  }

  #receive(line: Uint8Array): void {
    const peeked = peek(line);
    if (peeked === null) return this.#end('malformed');
    const { id, hasMethod, question, progressToken } = peeked;
    if (hasMethod && id !== undefined) return this.#answerQuestion(question, line.length);
    if (hasMethod) return this.#notified(line.length, progressToken);
    if (id === undefined) return this.#end('malformed');
    this.#answered(id, line);
  }

  #answered(id: number | null, line: Uint8Array): void {
    this.#idleBytes = 0;
    const entry = id === null ? undefined : this.#pending.get(id);
    if (entry === undefined) {
      const isLate = id !== null && this.#cancelled.delete(id);
      return isLate ? undefined : this.#end('malformed');
    }
    // An answer to what it cannot have read yet.
    if (entry.line.state !== 'written') return this.#end('malformed');
    if (entry.bytes + line.length > MESSAGE_BYTES_IN) return this.#settle(entry, { fault: 'oversize' });
    this.#settle(entry, { bytes: new Uint8Array(line) });
  }

  /** Servers of earlier revisions may ask something; one that does not read what it is answered is given up. */
  #answerQuestion(question: ServerQuestion | null, bytes: number): void {
    if (question === null || this.#revision === PROTOCOL_VERSION) return this.#end('malformed');
    if (this.#outgoing.waitingMessages >= ANSWERS_MAX) return this.#end('oversize');
    this.#outgoing.add('message', answerToServer(question));
    this.#notified(bytes, null);
  }

  #notified(bytes: number, token: number | null): void {
    const about = token === null ? undefined : this.#pending.get(token);
    if (about === undefined) {
      this.#idleBytes += bytes;
      if (this.#idleBytes > MESSAGE_BYTES_IN) this.#end('oversize');
      return;
    }
    about.bytes += bytes;
    if (about.bytes > MESSAGE_BYTES_IN) this.#giveUp(about, 'oversize');
  }

  /** Informs the caller first; a request that is only half written cannot be taken back. */
  #giveUp(entry: Pending, fault: TransportFault): void {
    const { id, line } = entry;
    if (!this.#pending.has(id)) return;
    const { state } = line;
    this.#settle(entry, { fault });
    if (state === 'waiting') return this.#outgoing.withdraw(line);
    if (state === 'writing') return this.#end('broken');
    this.#cancelled.add(id);
    // Before a revision is agreed on nobody takes anything back: a server that keeps silent is asked once more.
    if (this.#revision === null) return;
    const reason = 'the caller no longer waits';
    this.#outgoing.add('message', cancelledNotification(this.#client, this.#revision, id, reason));
  }

  #settle(
    { id, line, stderrMark, resolve }: Pending,
    exchanged: { readonly bytes: Uint8Array } | { readonly fault: TransportFault },
  ): void {
    this.#pending.delete(id);
    const stderr = this.#stderr.since(stderrMark);
    resolve(
      'bytes' in exchanged
        ? { kind: 'answered', bytes: exchanged.bytes, status: null, stderr }
        : { kind: 'failed', fault: exchanged.fault, isSent: line.state !== 'waiting', stderr },
    );
  }

  #settleAll(fault: TransportFault): void {
    for (const entry of this.#pending.values()) this.#settle(entry, { fault });
  }

  /** The stream cannot be trusted, or is gone: anyone who waits is informed, and nothing goes over it any more. */
  #end(fault: TransportFault): void {
    if (!this.#isOpen) return;
    this.#unreported = this.#pending.size === 0 && !this.#hasSent ? fault : null;
    this.#stop();
    this.#settleAll(fault);
    // A server whose words make no sense is not waited for.
    this.#child.stdin.end();
    this.#child.stdout.destroy();
  }

  #stop(): void {
    this.#isOpen = false;
    this.#outgoing.stop();
    this.#reportEnd();
  }
}
