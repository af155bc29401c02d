import type { Effect } from '../effect.ts';

/**
 * One function that a provider offers, as data: what programs call as `tool/<name>` (runtime.md §5). The supervisor
 * checks arguments and results, counts, and bounds by these facts; the provider only serves the calls. `Json` is text
 * where the facts cross to another thread, and the parsed value inside the supervisor.
 */
export interface CapabilityFacts<Json> {
  /** `^[a-z][a-z0-9._/-]{0,127}$`, and no reserved name (contract/routes.ts). */
  readonly name: string;
  /** As its server calls it, where people may search for that; absent where it has no such name. */
  readonly upstreamName?: string;
  /** 1 to 4096 bytes, for models and people. */
  readonly description: string;
  readonly effect: Effect;
  /** Whether models see it; decides nothing about who may call. */
  readonly isModelVisible: boolean;
  /** JSON Schemas. The output's is null for any JSON. */
  readonly inputSchema: Json;
  readonly outputSchema: Json | null;
  /** Milliseconds that the installation gives one call. */
  readonly timeoutMs: number;
  /** Canonical bytes that the installation gives arguments and result; the run's own limits hold beside them. */
  readonly argumentBytes: number;
  readonly resultBytes: number;
  /** Whether a private inspection keeps results, or their digest alone (evidence.md §6). */
  readonly inspectionCapture: 'full' | 'digest_results';
}
