import { setTimeout as pause } from 'node:timers/promises';
import { STDERR_END_BYTES } from '../../../contract/provider-protocol/provider-words.ts';
import { timedOut } from '../../http/timed-out.ts';
import type { Exchanged, TransportFault } from '../exchanged.ts';
import { peek } from '../protocol/peek.ts';
import { cancelledNotification, INITIALIZED, type ClientInfo } from '../protocol/request.ts';
import {
  isOlder,
  MESSAGE_BYTES_IN,
  MESSAGE_BYTES_OUT,
  PROTOCOL_VERSION,
  type Revision,
  type RevisionPolicy,
} from '../protocol/revision.ts';
import { answerToServer, type AskedByServer } from '../protocol/server-request.ts';
import type { Connection } from '../transport.ts';
import type { ChildExit, GuardedChild } from './guarded-child.ts';
import { lineReader } from './lines.ts';
import { stderrTail } from './stderr-tail.ts';

/** Requests that one server works at at a time (providers.md §7.8). */
const IN_FLIGHT_MAX = 128;

/** Answers to what a server asks that it has not read yet. */
const ANSWERS_MAX = 128;

/** Milliseconds that the output of a server that has exited may be held open by somebody else. */
const DRAIN_MS = 250;

interface Pending {
  readonly id: number;
  readonly line: Buffer;
  readonly stderrMark: number;
  readonly resolve: (exchanged: Exchanged) => void;
  state: 'waiting' | 'writing' | 'written';
  /** Bytes of notifications about it. */
  bytes: number;
}

function exitWords({ code, signal }: ChildExit): string {
  return signal === null ? `it exited with status ${code ?? 'unknown'}` : `it was ended by ${signal}`;
}

/** Speaks lines of JSON with a child (providers.md §7.8). */
export function stdioConnection(
  child: GuardedChild,
  {
    stderrBytes,
    client,
    revisions,
  }: { readonly stderrBytes: number; readonly client: ClientInfo; readonly revisions: RevisionPolicy },
): Connection {
  const stderr = stderrTail(stderrBytes);
  const last = stderrTail(STDERR_END_BYTES);
  let exit: ChildExit | null = null;
  const lines = lineReader(MESSAGE_BYTES_IN);
  const pending = new Map<number, Pending>();
  /** Given up after they were sent: their answers may still come. */
  const cancelled = new Set<number>();
  const outgoing: (Pending | Buffer)[] = [];
  let isWriting = false;
  let hasAsked = false;
  let isOpen = true;
  /** That is spoken, once it is known. */
  let revision: Revision | null = revisions === 'auto' ? null : revisions;
  const { promise: ended, resolve: tellEnd } = Promise.withResolvers<void>();
  /** Why it ended, until the caller was informed: a child may say too much before it is asked anything. */
  let untold: TransportFault | null = null;
  /** Bytes of notifications that belong to no request, since the last answer. */
  let idleBytes = 0;

  function settle(
    entry: Pending,
    exchanged: { readonly bytes: Uint8Array } | { readonly fault: TransportFault },
  ): void {
    pending.delete(entry.id);
    const written = stderr.since(entry.stderrMark);
    entry.resolve(
      'bytes' in exchanged
        ? { kind: 'answered', bytes: exchanged.bytes, status: null, stderr: written }
        : { kind: 'failed', fault: exchanged.fault, isSent: entry.state !== 'waiting', stderr: written },
    );
  }

  /** The stream cannot be trusted, or is gone: anyone who waits is informed, and nothing goes over it any more. */
  function end(fault: TransportFault): void {
    if (!isOpen) return;
    isOpen = false;
    untold = pending.size === 0 && !hasAsked ? fault : null;
    outgoing.length = 0;
    tellEnd();
    for (const entry of pending.values()) settle(entry, { fault });
    // A server whose words make no sense is not waited for.
    child.stdin.end();
    child.stdout.destroy();
  }

  function write(): void {
    const next = isWriting || !isOpen ? undefined : outgoing.shift();
    if (next === undefined) return;
    const entry = Buffer.isBuffer(next) ? null : next;
    if (entry !== null) entry.state = 'writing';
    isWriting = true;
    child.stdin.write(Buffer.isBuffer(next) ? next : next.line, (error) => {
      isWriting = false;
      if (entry !== null) entry.state = 'written';
      if (error === null || error === undefined) write();
      else end('broken');
    });
  }

  function receive(line: Uint8Array): void {
    const peeked = peek(line);
    if (peeked === null) return end('malformed');
    if (peeked.hasMethod && peeked.id !== undefined) return askedBack(peeked.asked, line.length);
    if (peeked.id === undefined)
      return peeked.hasMethod ? notified(line.length, peeked.progressToken) : end('malformed');
    const entry = peeked.id === null ? undefined : pending.get(peeked.id);
    idleBytes = 0;
    if (entry === undefined) return peeked.id !== null && cancelled.delete(peeked.id) ? undefined : end('malformed');
    // An answer to what it cannot have read yet.
    if (entry.state !== 'written') return end('malformed');
    if (entry.bytes + line.length > MESSAGE_BYTES_IN) return settle(entry, { fault: 'oversize' });
    settle(entry, { bytes: new Uint8Array(line) });
  }

  /** Servers of earlier revisions may ask something; one that does not read what it is answered is given up. */
  function askedBack(asked: AskedByServer | null, bytes: number): void {
    if (asked === null || revision === PROTOCOL_VERSION) return end('malformed');
    if (outgoing.filter((each) => Buffer.isBuffer(each)).length >= ANSWERS_MAX) return end('oversize');
    send(answerToServer(asked));
    notified(bytes, null);
  }

  function send(text: string): void {
    outgoing.push(Buffer.from(`${text}\n`));
    write();
  }

  function notified(bytes: number, token: number | null): void {
    const about = token === null ? undefined : pending.get(token);
    if (about === undefined) {
      idleBytes += bytes;
      if (idleBytes > MESSAGE_BYTES_IN) end('oversize');
      return;
    }
    about.bytes += bytes;
    if (about.bytes > MESSAGE_BYTES_IN) giveUp(about, 'oversize');
  }

  /** Informs the caller first; a request that is only half written cannot be taken back. */
  function giveUp(entry: Pending, fault: TransportFault): void {
    if (!pending.has(entry.id)) return;
    const { state } = entry;
    settle(entry, { fault });
    if (state === 'waiting') {
      const at = outgoing.indexOf(entry);
      if (at !== -1) outgoing.splice(at, 1);
    } else if (state === 'writing') {
      end('broken');
    } else {
      cancelled.add(entry.id);
      // Before a revision is agreed on nobody takes anything back: a server that keeps silent is asked once more.
      if (revision !== null) send(cancelledNotification(client, revision, entry.id, 'the caller no longer waits'));
    }
  }

  child.stdout.on('data', (chunk: Buffer) => {
    const whole = isOpen ? lines.take(chunk) : [];
    if (whole === null) return end('oversize');
    for (const line of whole) if (isOpen) receive(line);
  });
  child.stdout.once('close', () => end('broken'));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.add(chunk);
    last.add(chunk);
  });
  const { promise: drained, resolve: tellDrained } = Promise.withResolvers<void>();
  child.stderr.once('close', () => tellDrained());
  // Its output may be held by a process that it started.
  const drain = (): void => {
    end('broken');
    tellDrained();
  };
  void (async () => {
    exit = await child.exited;
    setTimeout(drain, DRAIN_MS).unref();
  })();

  return {
    exchange: ({ id, text }, signal) => {
      const line = Buffer.from(`${text}\n`);
      const early = untold;
      untold = null;
      const fault: TransportFault | null = !isOpen
        ? (early ?? 'closed')
        : pending.size >= IN_FLIGHT_MAX
          ? 'busy'
          : signal.aborted
            ? 'cancelled'
            : line.length - 1 > MESSAGE_BYTES_OUT
              ? 'oversize'
              : null;
      hasAsked = true;
      if (fault !== null) return Promise.resolve({ kind: 'failed', fault, isSent: false, stderr: null });
      let stop = (): void => undefined;
      return new Promise<Exchanged>((resolve) => {
        const entry: Pending = { id, line, stderrMark: stderr.mark(), resolve, state: 'waiting', bytes: 0 };
        pending.set(id, entry);
        outgoing.push(entry);
        stop = () => giveUp(entry, timedOut(signal) ? 'timeout' : 'cancelled');
        signal.addEventListener('abort', stop, { once: true });
        write();
      }).finally(() => {
        signal.removeEventListener('abort', stop);
      });
    },
    agree: async (agreed) => {
      revision = agreed;
      if (!isOpen) return 'closed';
      if (isOlder(agreed)) send(INITIALIZED);
      return null;
    },
    ended,
    lastWords: async () => {
      // One that is ended by what it wrote may live.
      if (!isOpen)
        await Promise.race([Promise.all([child.exited, drained]), pause(DRAIN_MS, undefined, { ref: false })]);
      return { end: exit === null ? null : exitWords(exit), stderr: last.since(0) };
    },
    close: async () => {
      isOpen = false;
      tellEnd();
      for (const entry of pending.values()) settle(entry, { fault: 'broken' });
      return child.end();
    },
  };
}
