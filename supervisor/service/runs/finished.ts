import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { envelopeText } from '../../../contract/envelope/text.ts';
import type { ArtifactClass, RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { Effect } from '../../../contract/effect.ts';
import { exitStatusOf } from '../../../contract/exit-status.ts';
import { stopOf } from '../../../contract/stop-signals.ts';
import type { RunReport } from '../../run/perform-run.ts';
import type { RetryAdvice, RunArtifact, RunEffects, RunFinished } from '../embedding/types.ts';

/** What is known of a run beside its report. */
export interface RunEnd {
  readonly report: RunReport;
  readonly signal: AbortSignal;
  /** Raised by the caller of the run alone. */
  readonly unwanted: AbortSignal;
  /** Of the application, before anything was acquired. */
  readonly effect: Effect;
  /** Calls of providers that it began. */
  readonly calls: number;
  readonly attempt: number;
  /** What a store has of it; else the absolute root of its artifacts, null where they are nowhere. */
  readonly left: readonly RunArtifact[] | string | null;
}

/** How a run ended, for the person who asked for it (gateway.md §16). Everything in it is plain data. */
export async function describeFinishedRun({
  report,
  signal,
  unwanted,
  effect,
  calls,
  attempt,
  left,
}: RunEnd): Promise<RunFinished<unknown>> {
  const { envelope, valueText, projectEnvelope, unexpected } = report;
  const effects = effectsOf(envelope, effect, calls);
  return {
    kind: 'finished',
    runRef: envelope.run_ref,
    envelope: withoutValue(envelope),
    envelopeText: envelopeText(envelope, valueText),
    ...(valueText === null ? {} : { value: JSON.parse(valueText) }),
    valueText,
    artifacts: typeof left === 'string' ? await listArtifacts(envelope, left) : (left ?? []),
    effects,
    retry: retryOf(envelope, effects),
    cancelled: unwanted.aborted && isInterrupted(envelope),
    attempt,
    exitStatus:
      projectEnvelope === 'failed'
        ? exitStatusOf({ outcome: 'envelope_lost' })
        : exitStatusOf(
            envelope.status === 'ok'
              ? { outcome: 'succeeded' }
              : { outcome: 'failed', error: envelope.error, stop: stopOf(signal) },
          ),
    unexpected,
  };
}

/** The same without the value of a success, which is next to it. */
export function withoutValue(envelope: RunSuccess | RunFailure): RunSuccess | RunFailure {
  if (envelope.status === 'error' || envelope.artifact_class === 'private') return envelope;
  return { ...envelope, result: { result_class: 'normal' } };
}

/**
 * Whether a run may have ended for being stopped: one that came to an end of its own first says why (runtime.md §10).
 */
export function isInterrupted(envelope: RunSuccess | RunFailure): boolean {
  return envelope.status === 'error' && envelope.error.code === 'internal_error';
}

/** A run that failed does not mention the writes that it began: what is not known is reported as such. */
function effectsOf(envelope: RunSuccess | RunFailure, effect: Effect, calls: number): RunEffects {
  const isTouched = calls > 0 || (envelope.status === 'error' && envelope.error.provider_activity);
  if (!isTouched) return 'none';
  if (effect === 'read' || calls === 0) return 'read';
  return envelope.status === 'ok' ? 'write_possible' : 'indeterminate';
}

/** gateway.md §5, "retry". */
export function retryOf(envelope: RunSuccess | RunFailure, effects: RunEffects): RetryAdvice {
  if (effects === 'write_possible' || effects === 'indeterminate') return 'unsafe';
  if (envelope.status === 'ok' || envelope.error.retryable) return 'safe';
  if (envelope.execution.state === 'not_started')
    return envelope.error.code === 'internal_error' ? 'safe' : 'after_fix';
  return 'no';
}

async function listArtifacts(
  { run_ref: ref, artifact_class: artifactClass, artifact_state: state }: RunSuccess | RunFailure,
  root: string,
): Promise<readonly RunArtifact[]> {
  const kinds = (['trace', 'inspection', 'result'] as const).filter((kind) => state[kind] === 'written');
  const found = await Promise.all(
    kinds.map((kind) => openArtifact(kind, artifactPath(root, { kind, runRef: ref, artifactClass }))),
  );
  return found.filter((artifact) => artifact !== null);
}

/** Where a run publishes an artifact below its root (documents.md §6). */
export function artifactPath(
  root: string,
  {
    kind,
    runRef,
    artifactClass,
  }: {
    readonly kind: RunArtifact['kind'];
    readonly runRef: string;
    readonly artifactClass: ArtifactClass | 'unclassified';
  },
): string {
  const infix = artifactClass === 'private' ? '.private' : '';
  const places = {
    trace: `traces/${runRef}${infix}.jsonl`,
    inspection: `inspection/${runRef}.svcins`,
    result: `results/${runRef}${infix}.json`,
  } as const;
  return `${root}/${places[kind]}`;
}

/** Null for one that somebody has removed since. */
async function openArtifact(kind: RunArtifact['kind'], path: string): Promise<RunArtifact | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      const part: Buffer = chunk;
      hash.update(part);
      bytes += part.length;
    }
  } catch {
    return null;
  }
  return { kind, uri: pathToFileURL(path).href, bytes, sha256: hash.digest('hex') };
}
