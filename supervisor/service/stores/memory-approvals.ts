import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { byAge, EXPIRED, storedApproval, type ApprovalStore } from './approval-store.ts';

interface Entry {
  readonly request: ApprovalRequest;
  decision: ApprovalDecision | null;
}

/**
 * Questions that have an end and are kept for the person who asks about them later; of more, the oldest are forgotten.
 */
const ENDED_STORED = 10_000;

/** Questions in the memory of this process (approvals.md §7). `now`: milliseconds since 1970. */
export function createMemoryApprovals(now: () => number = Date.now): ApprovalStore {
  return new MemoryApprovals(now);
}

class MemoryApprovals implements ApprovalStore {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** Ids of those that have an end, in the order of their ends. */
  readonly #ended = new Set<string>();
  /** Reported the id of each question that gets its end. */
  readonly #watchers = new Set<(id: string) => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async put(request: ApprovalRequest): Promise<'new' | 'same'> {
    if (this.#entries.has(request.approvalId)) return 'same';
    this.#entries.set(request.approvalId, { request, decision: null });
    return 'new';
  }

  async decide(id: string, tenant: string | null, decision: ApprovalDecision): ReturnType<ApprovalStore['decide']> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.request.tenant !== tenant) return 'unknown';
    if (this.#storedApproval(entry).isExpired) return 'expired';
    if (entry.decision !== null) return 'already';
    this.#end(entry, decision);
    return 'decided';
  }

  async expire(id: string): Promise<ApprovalDecision | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    if (entry.decision === null) this.#end(entry, EXPIRED);
    return this.#storedApproval(entry).decision;
  }

  async get(id: string): ReturnType<ApprovalStore['get']> {
    const entry = this.#entries.get(id);
    return entry === undefined ? null : this.#storedApproval(entry);
  }

  async list({ tenant }: Parameters<ApprovalStore['list']>[0]): ReturnType<ApprovalStore['list']> {
    return [...this.#entries.values()]
      .filter(({ request }) => tenant === null || request.tenant === tenant)
      .map((entry) => this.#storedApproval(entry))
      .toSorted(byAge);
  }

  watch(ids: ReadonlySet<string>, signal: AbortSignal): Promise<readonly string[]> {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    if (signal.aborted) return Promise.resolve([]);
    const ended = [...ids].filter((id) => (this.#entries.get(id)?.decision ?? null) !== null);
    if (ended.length > 0) return Promise.resolve(ended);
    const stop = (): void => settle([]);
    const notify = (id: string): void => {
      if (ids.has(id)) settle([id]);
    };
    const settle = (found: readonly string[]): void => {
      this.#watchers.delete(notify);
      signal.removeEventListener('abort', stop);
      resolve(found);
    };
    this.#watchers.add(notify);
    signal.addEventListener('abort', stop);
    return promise;
  }

  async remove(id: string): Promise<void> {
    this.#entries.delete(id);
    this.#ended.delete(id);
  }

  #storedApproval({ request, decision }: Entry): ReturnType<typeof storedApproval> {
    return storedApproval(request, decision, this.#now());
  }

  #end(entry: Entry, decision: ApprovalDecision): void {
    const { approvalId } = entry.request;
    entry.decision = decision;
    this.#ended.add(approvalId);
    const [oldest] = this.#ended;
    if (this.#ended.size > ENDED_STORED && oldest !== undefined) void this.remove(oldest);
    for (const notify of this.#watchers) notify(approvalId);
  }
}
