/** The tenants of a soak: three that are honest and whose runs have one right outcome, and three that are hostile. */
import { setTimeout as after } from 'node:timers/promises';
import type { PreparedApplication, RunRequest, RunResult, Supervisor } from '../supervisor/api/supervisor.ts';
import { median, quantile } from './figure.ts';

/** A run of a mix: its application, and what is asked besides. */
export interface MixedRun {
  readonly application: PreparedApplication;
  readonly request: RunRequest;
}

export const HONEST = ['honest-1', 'honest-2', 'honest-3'] as const;
export const HOSTILE = ['hostile-1', 'hostile-2', 'hostile-3'] as const;
/** Runs of one tenant that are under way or wait. */
export const LOADS = { honest: 2, hostile: 4 } as const;

/** What hostile programs do, as bodies of an entry; most of them without an end. */
export const HOSTILE_BODIES = [
  '(loop [] (recur))',
  '(loop [n 0] (try (tool/runtime-usage {}) (catch Throwable e nil)) (recur (inc n)))',
  '(loop [n 0] (loop [i 0] (when (< i 2000000) (recur (inc i)))) (try (tool/runtime-usage {}) (catch Throwable e nil)) (recur (inc n)))',
  '(loop [] (tool/work {}) (recur))',
  '(loop [v []] (recur (conj v (vec (range 1000)))))',
  '(loop [text "x"] (recur (str text text)))',
  '(throw (ex-info "x" {:a (vec (range 200000))}))',
  '(throw (ex-info (apply str (repeat 100000 "x")) {:a (range)}))',
  '(pmap (fn [n] (throw (ex-info "x" {:a (vec (range 20000))}))) (range 64))',
  '(pmap (fn [n] (loop [] (recur))) (range 8))',
  '(count (pmap inc (range 60000)))',
  '(loop [] (try (kernel/eval-source "m" "(loop [] (recur))") (catch Throwable e nil)) (recur))',
  '(loop [] (println (apply str (repeat 1000 "x"))) (recur))',
] as const;
/** A hostile run ends by then, so that there are others. */
export const HOSTILE_MS = 4000;

export function outcomeOf(end: RunResult): string {
  if (end.kind === 'refused') return `refused ${end.code}`;
  return end.envelope.status === 'ok' ? 'ok' : end.envelope.error.code;
}

/** What honest runs of one mix came to, by their number in it: `rights`: the right outcome of each. */
export class Honest {
  readonly #alone = new Map<number, number[]>();
  readonly #beside = new Map<number, number[]>();
  readonly #wrong = new Map<string, number>();
  readonly #killedAt: number[] = [];
  #hit = 0;

  readonly #rights: readonly string[];
  #hasNeighbours = false;

  constructor(rights: readonly string[]) {
    this.#rights = rights;
  }

  /** From now on the hostile tenants run beside them. */
  neighboursCame(): void {
    this.#hasNeighbours = true;
  }

  /** A process was killed: what was under way then is not held against anybody. */
  killed(): void {
    this.#killedAt.push(performance.now());
  }

  ended(which: number, end: RunResult, began: number): void {
    const now = performance.now();
    const how = outcomeOf(end);
    if (how === this.#rights[which]) listOf(this.#hasNeighbours ? this.#beside : this.#alone, which).push(now - began);
    else if (this.#killedAt.some((at) => at >= began && at <= now)) this.#hit += 1;
    else this.#wrong.set(`${which} ${how}`, (this.#wrong.get(`${which} ${how}`) ?? 0) + 1);
  }

  /** Runs with another outcome than the right one, but for those that the soak itself killed. */
  disturbed(): number {
    return [...this.#wrong.values()].reduce((sum, count) => sum + count, 0);
  }

  report(): string {
    const rows = this.#rights.map((right, which) => {
      const [alone, beside] = [listOf(this.#alone, which), listOf(this.#beside, which)];
      if (alone.length === 0 || beside.length === 0) return `  ${which} ${right}: none`;
      const [p95, p95Beside] = [quantile(alone, 0.95), quantile(beside, 0.95)];
      const medians = `p50 ${median(beside).toFixed(1)} ms against ${median(alone).toFixed(1)} alone`;
      const ratio = `p95 ${p95Beside.toFixed(1)} against ${p95.toFixed(1)} (${(p95Beside / p95).toFixed(2)} x)`;
      return `  ${which} ${right}: ${beside.length} runs, ${medians}, ${ratio}`;
    });
    const wrong = [...this.#wrong].map(([how, count]) => `${how} ${count}`).join(', ');
    const disturbed = `${this.disturbed()} honest runs disturbed${wrong === '' ? '' : `: ${wrong}`}`;
    const hit = `${this.#hit} more were under way when a process was killed`;
    return `honest runs, by number in the mix:\n${rows.join('\n')}\n${disturbed}; ${hit}\n`;
  }
}

/** A run of a hostile tenant, ended after a while. Its outcome is its own affair. */
export async function runHostile(
  supervisor: Supervisor,
  { application, request }: MixedRun,
  tenant: string,
): Promise<RunResult> {
  const end = await supervisor.run(application, { ...request, tenant, deadlineMs: HOSTILE_MS }).result;
  // One that is refused at once is asked again a little later: nobody is to flood the soak itself.
  if (end.kind === 'refused') await after(Math.min(HOSTILE_MS, end.retryAfterMs ?? 10));
  return end;
}

function listOf(lists: Map<number, number[]>, which: number): number[] {
  const list = lists.get(which) ?? [];
  lists.set(which, list);
  return list;
}
