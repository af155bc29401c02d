import { secretTexts } from '../../contract/provider-protocol/scrubber.ts';
import { converse, type Conversed } from './converse.ts';
import { openConnections, type ModelConnections } from './transport.ts';
import type { WireName } from './vendors.ts';
import type { WrittenRequest } from './write-request.ts';

/** An installation that may be asked, with its credential. */
export interface OpenedModel {
  readonly credential: string;
  readonly wire: WireName;
  readonly region: string | null;
}

export interface Conversation {
  /** Of `open`. */
  readonly model: number;
  /** Of the caller, unique among its running calls. */
  readonly call: number;
  readonly written: Extract<WrittenRequest, { ok: true }>;
}

/**
 * Conversations with models by the installations that they belong to: each has connections of its own, kept alive
 * between its calls and shared with no other credential. Everything that crosses is text, numbers and bytes.
 */
export interface Conversations {
  open(model: OpenedModel): number;
  /**
   * Sends nothing when `cancel` was called before. The supervisor opened the gate when it posted this (runtime.md §5
   * step 12).
   */
  converse(conversation: Conversation): Promise<Conversed>;
  /** Ends a call: nothing is sent any more, and its socket is closed. */
  cancel(call: number): void;
  /** Ends the calls of an installation, closes its sockets and forgets its credential. */
  close(model: number): Promise<void>;
}

interface Held extends OpenedModel {
  readonly connections: ModelConnections;
  readonly calls: Set<number>;
}

export function conversations(): Conversations {
  const models = new Map<number, Held>();
  const running = new Map<number, AbortController>();
  let opened = 0;
  return {
    open: (model) => {
      opened += 1;
      models.set(opened, { ...model, connections: openConnections(), calls: new Set() });
      return opened;
    },
    converse: async ({ model, call, written }) => {
      const held = models.get(model);
      if (held === undefined) throw new Error('a model is opened before it is asked');
      const ended = new AbortController();
      running.set(call, ended);
      held.calls.add(call);
      try {
        return await converse(written, {
          ...held,
          secrets: () => [...models.values()].flatMap(({ credential }) => secretTexts(credential)),
          signal: ended.signal,
          openGate: async () => !ended.signal.aborted,
        });
      } finally {
        running.delete(call);
        held.calls.delete(call);
      }
    },
    cancel: (call) => running.get(call)?.abort(),
    close: async (model) => {
      const held = models.get(model);
      models.delete(model);
      for (const call of held?.calls ?? []) running.get(call)?.abort();
      await held?.connections.destroy();
    },
  };
}
