import type { JsonObject } from '../../../../contract/json/value.ts';
import type { Answer } from '../answer.ts';
import type { ProvenInspection } from '../capture/inspection-file.ts';
import type { RecordEntry } from '../capture/record-entry.ts';
import type { CapturedRun } from '../capture/run.ts';
import { members, objectOf } from '../members.ts';
import type { EvidenceIndex } from './evidence-index.ts';

/** A run with its private evidence, as the collections of it are read. */
export interface RunEvidence {
  readonly run: CapturedRun;
  readonly inspection: ProvenInspection;
  readonly index: EvidenceIndex;
}

export function identity({ run }: Pick<RunEvidence, 'run'>): Readonly<Record<string, string>> {
  return { run_id: run.runId, trace_id: run.traceId };
}

/** The payload of a record, read again from its file. */
export async function readPayload({ inspection }: RunEvidence, entry: RecordEntry): Promise<Answer<JsonObject>> {
  const record = await inspection.record(entry);
  return record.ok ? { ok: true, value: objectOf(record.value, 'payload') ?? members({}) } : record;
}
