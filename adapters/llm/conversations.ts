import type { Network } from '../../contract/provider-protocol/network.ts';
import { secretTexts } from '../../contract/provider-protocol/scrubber.ts';
import { createHash } from 'node:crypto';
import { proxySecrets } from '../http/proxy.ts';
import type { OwnRequest } from './authorise.ts';
import { converse } from './converse.ts';
import { PacedCalls, SYSTEM_CLOCK, type RetryClock } from './retry/paced-calls.ts';
import { ONE_ATTEMPT, type RetryPolicy } from './retry/policy.ts';
import { tryAgain, type Settled } from './retry/try-again.ts';
import { openConnections, type ModelConnections } from './transport.ts';
import type { WireName } from './vendors.ts';
import type { WrittenRequest } from './write-request.ts';

/** An installation that may be asked, with its credential. */
export interface OpenedModel {
  readonly credential: string;
  readonly wire: WireName;
  readonly region: string | null;
  readonly server: OwnRequest | null;
  readonly network: Network;
  /** Values of all credentials that it was given, the one that it is asked with among them. */
  readonly secrets: readonly string[];
  /** Which installation it is: calls of the same one with the same credential are held back together. */
  readonly installation: string;
  readonly retry: RetryPolicy;
}

export interface Conversation {
  /** Of `open`. */
  readonly model: number;
  /** Of the caller, unique among its running calls. */
  readonly call: number;
  readonly written: Extract<WrittenRequest, { ok: true }>;
  /** Milliseconds until the deadline of the whole call. */
  readonly remainingMs: number;
  /** Whether it is asked once, whatever the installation says. */
  readonly isOnce: boolean;
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
  converse(conversation: Conversation): Promise<Settled>;
  /** Ends a call: nothing is sent any more, and its socket is closed. */
  cancel(call: number): void;
  /** Ends the calls of an installation, closes its sockets and forgets its credential. */
  close(model: number): Promise<void>;
}

interface ModelEntry extends OpenedModel {
  readonly connections: ModelConnections;
  readonly calls: Set<number>;
  readonly paced: PacedCalls;
}

/** Installations whose rates are remembered; beyond them, those that nobody asks are forgotten. */
const PACED_MAX = 1024;

export function conversations(clock: RetryClock = SYSTEM_CLOCK): Conversations {
  const models = new Map<number, ModelEntry>();
  const running = new Map<number, AbortController>();
  /** By installation and digest of the credential: a rate is met by all runs of the process, and outlives each. */
  const paces = new Map<string, PacedCalls>();
  let opened = 0;

  const pacedBy = ({ installation, credential }: OpenedModel): PacedCalls => {
    const key = `${installation} ${createHash('sha256').update(credential).digest('hex')}`;
    const known = paces.get(key);
    if (known !== undefined) return known;
    if (paces.size >= PACED_MAX) for (const [other, calls] of paces) if (calls.isIdle()) paces.delete(other);
    const paced = new PacedCalls(clock);
    paces.set(key, paced);
    return paced;
  };

  return {
    open: (model) => {
      opened += 1;
      models.set(opened, {
        ...model,
        connections: openConnections(model.network),
        calls: new Set(),
        paced: pacedBy(model),
      });
      return opened;
    },
    converse: async ({ model, call, written, remainingMs, isOnce }) => {
      const modelEntry = models.get(model);
      if (modelEntry === undefined) throw new Error('a model is opened before it is asked');
      const ended = new AbortController();
      running.set(call, ended);
      modelEntry.calls.add(call);
      try {
        const { signal } = ended;
        const once = () =>
          converse(written, {
            ...modelEntry,
            secrets: () => [...models.values()].flatMap(secretsOf),
            signal,
            wall: () => clock.wall(),
            openGate: async () => !signal.aborted,
          });
        const policy = isOnce ? ONE_ATTEMPT : modelEntry.retry;
        return await tryAgain(once, { policy, calls: modelEntry.paced, clock, signal, remainingMs });
      } finally {
        running.delete(call);
        modelEntry.calls.delete(call);
      }
    },
    cancel: (call) => running.get(call)?.abort(),
    close: async (model) => {
      const modelEntry = models.get(model);
      models.delete(model);
      for (const call of modelEntry?.calls ?? []) running.get(call)?.abort();
      await modelEntry?.connections.destroy();
    },
  };
}

/** What no server may pass on. */
function secretsOf({ secrets, network }: OpenedModel): readonly string[] {
  return [...secrets.flatMap(secretTexts), ...proxySecrets(network.proxy)];
}
