import { join } from 'node:path';
import { INTERRUPTED } from '../../../contract/diagnostics/messages/execution.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { probeTrace } from '../analysis/catalogue/probe.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import { findNumber, findText, objectOf } from '../analysis/members.ts';
import { ENVELOPE_LIMITS, readRunEnvelope, type ReportedRun } from '../explain/read-envelope.ts';
import type { TimedRun } from './run-times.ts';

/** What a list says of one run. What is null is not recorded, or not in what may be read. */
export interface RunRow {
  readonly run_ref: string;
  /** Of its start; of its first file where the start is not known. */
  readonly at: string;
  readonly status: 'ok' | 'error' | null;
  /** Of a run that failed. */
  readonly code: string | null;
  /** Whether a signal ended it, as its envelope says: its code is that of a fault of svc. */
  readonly interrupted: boolean;
  readonly artifact_class: string | null;
  readonly duration_ms: number | null;
  readonly model_calls: number | null;
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly cost_microusd: number | null;
  /** Name of the file that was given as input. */
  readonly input: string | null;
}

/**
 * Reads what a list says of a run: both ends of its normal trace, and its envelope. No private trace and no inspection
 * is opened.
 */
export async function readRunRow(files: EvidenceFiles, root: string, { runRef, at }: TimedRun): Promise<RunRow> {
  const trace = await traceEnds(files, join(root, 'traces', `${runRef}.jsonl`));
  const envelope = await envelopeOf(files, join(root, 'envelopes', `${runRef}.json`));
  const stopped = trace?.stopped ?? null;
  const usage = objectOf(stopped?.data, 'usage') ?? envelope?.usage ?? undefined;
  const outcome = findText(stopped?.data, 'outcome');
  const status = envelope?.status ?? (outcome === 'ok' || outcome === 'error' ? outcome : null);
  return {
    run_ref: runRef,
    at: trace?.start ?? new Date(at).toISOString(),
    status,
    code: status === 'error' ? (envelope?.error?.code ?? findText(stopped?.data, 'reason') ?? null) : null,
    interrupted: envelope?.error?.code === 'internal_error' && envelope.error.message === INTERRUPTED,
    artifact_class: envelope?.artifactClass ?? (trace === null ? null : 'normal'),
    duration_ms:
      trace === null || stopped === null ? null : Math.max(0, Date.parse(stopped.timestamp) - Date.parse(trace.start)),
    ...spent(usage),
    input: findText(trace?.started, 'input_name') ?? null,
  };
}

async function traceEnds(files: EvidenceFiles, path: string) {
  const facts = await files.facts(path);
  if (facts === null) return null;
  const probed = await probeTrace(files, { name: path, path, facts });
  return probed.ok ? probed.value : null;
}

async function envelopeOf(files: EvidenceFiles, path: string): Promise<ReportedRun | null> {
  const file = await files.open(path);
  if (file === null) return null;
  try {
    const size = Number((await file.facts())?.size ?? 0);
    const bytes = size > ENVELOPE_LIMITS.bytes ? null : await file.read(0, size);
    const read = bytes === null ? null : readRunEnvelope(bytes);
    return read?.ok === true ? read.run : null;
  } finally {
    await file.close();
  }
}

function spent(usage: JsonObject | undefined): Pick<RunRow, 'model_calls' | 'tokens' | 'cost_microusd'> {
  const spend = objectOf(usage, 'llm_spend');
  const [input, output] = [findNumber(spend, 'input'), findNumber(spend, 'output')];
  return {
    model_calls: modelCalls(usage),
    tokens: input === undefined || output === undefined ? null : { input, output },
    cost_microusd: findNumber(objectOf(spend, 'total_cost'), 'microunits') ?? null,
  };
}

function modelCalls(usage: JsonObject | undefined): number | null {
  const aliases = usage?.get('llm_usage');
  if (!isJsonArray(aliases)) return null;
  return aliases.reduce<number>((sum, alias) => sum + (isJsonObject(alias) ? (findNumber(alias, 'calls') ?? 0) : 0), 0);
}
