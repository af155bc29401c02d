import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { runFailure } from '../../../contract/envelope/build.ts';
import { notStarted } from '../../../contract/envelope/execution.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import { exitStatusOf } from '../../../contract/exit-status.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { createHash } from 'node:crypto';
import type { ArtifactStore, RunRecord } from '../stores/interface.ts';
import { readStoredEnvelope } from '../stores/stored-envelope.ts';
import { ARTIFACT_FILES } from './artifact-uploads.ts';
import { isInterrupted, retryOf, withoutValue } from './finished.ts';
import type { RefusalCode, RunArtifact, RunEffects, RunResult } from '../embedding/types.ts';

const REFUSALS: readonly RefusalCode[] = ['input_invalid', 'deadline_unreachable', 'tenant_unknown', 'unavailable'];
/** Until an application that cost runners may be tried again (gateway.md §20). */
const RETRY_BROKEN_MS = 600_000;
const NONE = { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' } as const;

/**
 * What became of a run that another process performed, from its record; its numbers are as exact as the record's JSON.
 */
export async function openRecordedRun(record: RunRecord, store: ArtifactStore | null): Promise<RunResult> {
  const { runRef, tenant, epoch } = record;
  const storedEnvelope = await readStoredEnvelope(record.envelope, { tenant, runRef, epoch }, store);
  const refusal = REFUSALS.find((code) => code === memberOf(storedEnvelope, 'refused'));
  if (refusal !== undefined)
    return {
      kind: 'refused',
      runRef,
      code: refusal,
      retryAfterMs: refusal === 'unavailable' ? RETRY_BROKEN_MS : null,
      diagnostic: null,
    };
  const envelope = isEnvelope(storedEnvelope) ? storedEnvelope : cancelledUnstarted(runRef);
  const effects = effectsOf(record, envelope);
  const isValue = envelope.status === 'ok' && envelope.artifact_class === 'normal';
  const value = isValue ? memberOf(envelope.result, 'value') : undefined;
  return {
    kind: 'finished',
    runRef,
    envelope: withoutValue(envelope),
    envelopeText: textOf(envelope),
    ...(isValue ? { value } : {}),
    valueText: isValue ? textOf(value) : null,
    artifacts: store === null ? [] : await listArtifacts(record, store),
    effects,
    retry: retryOf(envelope, effects),
    cancelled: record.state === 'cancelled' && isInterrupted(envelope),
    attempt: epoch,
    exitStatus: exitStatusOf(
      envelope.status === 'ok' ? { outcome: 'succeeded' } : { outcome: 'failed', error: envelope.error, stop: null },
    ),
    unexpected: null,
  };
}

/** Cancelled before any attempt. */
function cancelledUnstarted(runReference: string): RunFailure {
  return runFailure({
    runReference,
    error: interruption(),
    secondaryErrors: [],
    warnings: [],
    artifactClass: 'normal',
    artifactState: NONE,
    execution: notStarted(),
  });
}

function effectsOf({ effect, state }: RunRecord, envelope: RunSuccess | RunFailure): RunEffects {
  if (state === 'lost') return 'indeterminate';
  if (effect === 'write_open') return envelope.status === 'ok' ? 'write_possible' : 'indeterminate';
  return effect === 'dispatched' ? 'read' : 'none';
}

async function listArtifacts(
  { tenant, runRef, epoch }: RunRecord,
  store: ArtifactStore,
): Promise<readonly RunArtifact[]> {
  const found: RunArtifact[] = [];
  for (const [kind, { name }] of Object.entries(ARTIFACT_FILES)) {
    const key = { tenant, runRef, epoch, name };
    const stream = await store.read(key);
    if (stream === null || (kind !== 'trace' && kind !== 'inspection' && kind !== 'result')) continue;
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const part of stream) {
      hash.update(part);
      bytes += part.length;
    }
    found.push({ kind, uri: store.uri(key), bytes, sha256: hash.digest('hex') });
  }
  return found;
}

function textOf(value: unknown): string {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new Error('what a record holds is JSON');
  return canonicalJson(json);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Runners of ours wrote it: what distinguishes it is enough. */
function isEnvelope(value: unknown): value is RunSuccess | RunFailure {
  return (
    memberOf(value, 'command') === 'run' &&
    (memberOf(value, 'status') === 'ok' || memberOf(value, 'status') === 'error')
  );
}
