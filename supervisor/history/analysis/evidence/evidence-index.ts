import { MODEL_CAPABILITY } from '../../../../contract/provider-protocol/model.ts';
import type { ProvenInspection } from '../capture/inspection-file.ts';
import type { PreludeCall, RecordEntry } from '../capture/record-entry.ts';

/** Records of one call. */
export interface CallRecords {
  readonly capabilityId: string;
  readonly input: RecordEntry;
  readonly exception: RecordEntry | null;
  readonly output: RecordEntry | null;
  /** Where it was tried again, or failed on its way. */
  readonly attempts: readonly RecordEntry[];
  readonly exchanges: readonly ExchangeRecords[];
}

/** One message to a server and what came back. */
export interface ExchangeRecords {
  readonly capabilityId: string;
  readonly requestId: number;
  readonly request: RecordEntry;
  readonly response: RecordEntry | null;
  readonly stderr: RecordEntry | null;
}

/** A program that a mission evaluated, and what static analysis found in it; null where there is no analysis. */
export interface SourceRecords {
  readonly evaluationId: string;
  readonly source: RecordEntry;
  readonly calls: readonly PreludeCall[] | null;
}

/** The records of a file by what they belong to, each list in the order of its records. */
export interface EvidenceIndex {
  /** Requests to models that the workflow made. */
  readonly models: readonly CallRecords[];
  readonly calls: readonly CallRecords[];
  readonly exchanges: readonly ExchangeRecords[];
  /** Of calls that were tried again, or that failed on their way. */
  readonly attempts: readonly RecordEntry[];
  readonly sources: readonly SourceRecords[];
  readonly preludes: readonly RecordEntry[];
  readonly prints: readonly RecordEntry[];
  readonly errors: readonly RecordEntry[];
  readonly failureValues: readonly RecordEntry[];
  readonly result: RecordEntry | null;
  readonly analyses: number;
}

const known = new WeakMap<ProvenInspection, EvidenceIndex>();

/** Made once for each captured file. */
export function evidenceIndex(inspection: ProvenInspection): EvidenceIndex {
  const made = known.get(inspection) ?? makeIndex(inspection.entries);
  known.set(inspection, made);
  return made;
}

function makeIndex(entries: readonly RecordEntry[]): EvidenceIndex {
  const ofType = (type: string): readonly RecordEntry[] => entries.filter((entry) => entry.type === type);
  const byCapability = (type: string): ReadonlyMap<string | null, RecordEntry> =>
    new Map(ofType(type).map((entry) => [entry.capabilityId, entry]));
  const exchanges = exchangesIn(ofType);
  const exceptions = byCapability('capability-exception');
  const outputs = byCapability('capability-output');
  const attempts = ofType('capability-attempt');
  const attemptsOf = Map.groupBy(attempts, ({ capabilityId }) => capabilityId);
  const exchangesOf = Map.groupBy(exchanges, ({ capabilityId }) => capabilityId);
  const all = ofType('capability-input').map((input): CallRecords => {
    const capabilityId = input.capabilityId ?? '';
    return {
      capabilityId,
      input,
      exception: exceptions.get(capabilityId) ?? null,
      output: outputs.get(capabilityId) ?? null,
      attempts: attemptsOf.get(capabilityId) ?? [],
      exchanges: exchangesOf.get(capabilityId) ?? [],
    };
  });
  const isModel = ({ input }: CallRecords): boolean =>
    input.name === MODEL_CAPABILITY && input.environment === 'workflow';
  const analyses = new Map(ofType('evaluation-analysis').map((entry) => [entry.evaluationId, entry.preludeCalls]));
  return {
    models: all.filter(isModel),
    calls: all.filter((call) => !isModel(call)),
    exchanges,
    attempts,
    sources: ofType('evaluation-source').map((source) => ({
      evaluationId: source.evaluationId ?? '',
      source,
      calls: analyses.get(source.evaluationId) ?? null,
    })),
    preludes: ofType('prelude-source'),
    prints: ofType('execution-prints'),
    errors: ofType('execution-error'),
    failureValues: ofType('explicit-failure-value'),
    result: ofType('run-result')[0] ?? null,
    analyses: analyses.size,
  };
}

function exchangesIn(ofType: (type: string) => readonly RecordEntry[]): readonly ExchangeRecords[] {
  const key = ({ capabilityId, requestId }: RecordEntry): string => JSON.stringify([capabilityId, requestId]);
  const responses = new Map(ofType('mcp-response').map((entry) => [key(entry), entry]));
  const stderr = new Map(ofType('mcp-stderr').map((entry) => [key(entry), entry]));
  return ofType('mcp-request').map((request) => ({
    capabilityId: request.capabilityId ?? '',
    requestId: request.requestId ?? 0,
    request,
    response: responses.get(key(request)) ?? null,
    stderr: stderr.get(key(request)) ?? null,
  }));
}
