import { join } from 'node:path';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Collection } from '../analysis/collections/collection.ts';
import { generatedSources } from '../analysis/collections/sources.ts';
import { executionErrors, executionPrints, explicitFailureValues } from '../analysis/collections/workflow-ends.ts';
import { readPayload, type RunEvidence } from '../analysis/evidence/run-evidence.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import { findText } from '../analysis/members.ts';
import { captureRun } from '../analysis/single-run.ts';

/** A relationship of the failure, and what is known of it (evidence.md §7). */
export interface ExplainedLink {
  readonly name: string;
  readonly state: string;
}

/** What the inspection of a run says of its end: private, to be shown on one line each. */
export interface FailureDetails {
  /** `reason: message` of the last failure; null without. */
  readonly error: string | null;
  /** What the workflow gave to `fail`, as JSON; null without. */
  readonly failureValue: string | null;
  /** The last program of a mission that failed; null without. */
  readonly program: {
    readonly evaluationId: string;
    readonly lines: readonly string[];
    readonly omitted: number;
  } | null;
  /** The last line that the workflow printed; null without. */
  readonly print: string | null;
  /** What the provider of the last call that failed said of it; null without. */
  readonly provider: { readonly alias: string; readonly said: string } | null;
  readonly links: readonly ExplainedLink[];
}

/** Lines of a program beside the rest on one screen, and characters of one. */
const LINES_MAX = 5;
const CHARACTERS_MAX = 200;
const GOOD_ENDS = new Set(['returned', 'continued', 'ok']);

/** Null where there is no inspection that belongs to the trace. `root`: the artifact root, absolute. */
export async function findFailureDetails(
  files: EvidenceFiles,
  root: string,
  runRef: string,
): Promise<FailureDetails | null> {
  const captured = await captureRun({
    files,
    runId: runRef,
    traces: join(root, 'traces'),
    inspectionFile: join(root, 'inspection', `${runRef}.svcins`),
  });
  if (!captured.ok) return null;
  const single = captured.value;
  try {
    return await read(single.evidence);
  } finally {
    await single.close();
  }
}

async function read(evidence: RunEvidence): Promise<FailureDetails> {
  const error = await readLast(executionErrors, evidence);
  const failure = await readLast(explicitFailureValues, evidence);
  const prints = await readLast(executionPrints, evidence);
  return {
    error: error === null ? null : short(errorText(error)),
    failureValue: failure?.has('value') === true ? short(canonicalJson(failure.get('value') ?? null)) : null,
    program: await findFailedProgram(evidence),
    print: lastText(prints?.get('prints')),
    provider: await lastWords(evidence),
    links: linksOf(error),
  };
}

/** Of the last attempt of a call that was answered with an error. */
async function lastWords(evidence: RunEvidence): Promise<FailureDetails['provider']> {
  const { attempts, models, calls } = evidence.index;
  const failed = new Set(
    [...models, ...calls]
      .filter(({ output }) => (output?.refusal ?? null) !== null)
      .map(({ capabilityId }) => capabilityId),
  );
  const last = attempts.findLast(({ capabilityId }) => capabilityId !== null && failed.has(capabilityId));
  const payload = last === undefined ? null : await readPayload(evidence, last);
  const said = payload?.ok === true ? findText(payload.value, 'said') : undefined;
  const started = evidence.run.capabilities.get(last?.capabilityId ?? '');
  const alias = findText(started?.data, 'alias') ?? started?.name ?? undefined;
  return said === undefined || alias === undefined ? null : { alias, said };
}

function errorText(error: JsonObject): string {
  const details = error.get('details');
  const message = isJsonObject(details) ? findText(details, 'message') : undefined;
  return [findText(error, 'reason') ?? findText(error, 'kind'), message]
    .filter((word) => word !== undefined)
    .join(': ');
}

async function readLast(
  collection: Extract<Collection, { authority: 'private' }>,
  evidence: RunEvidence,
  filters: ReadonlyMap<string, JsonValue> = new Map(),
): Promise<JsonObject | null> {
  const selected = await collection.select(evidence, filters);
  if (!selected.ok || selected.value.matches.count === 0) return null;
  const item = await selected.value.matches.item(selected.value.matches.count - 1);
  return item.ok ? item.value : null;
}

async function findFailedProgram(evidence: RunEvidence): Promise<FailureDetails['program']> {
  const failed = evidence.run.events.findLast(
    ({ type, data }) =>
      type === 'evaluation-stopped' &&
      findText(data, 'environment') === 'mission' &&
      !GOOD_ENDS.has(findText(data, 'status') ?? ''),
  );
  const evaluationId = findText(failed?.data, 'evaluation_id');
  if (evaluationId === undefined) return null;
  const item = await readLast(generatedSources, evidence, new Map([['evaluation_id', evaluationId]]));
  const lines = (findText(item ?? undefined, 'source') ?? '').trimEnd().split('\n');
  return item === null
    ? null
    : { evaluationId, lines: lines.slice(0, LINES_MAX).map(short), omitted: Math.max(0, lines.length - LINES_MAX) };
}

function lastText(prints: JsonValue | undefined): string | null {
  const last = isJsonArray(prints) ? prints.at(-1) : undefined;
  return typeof last === 'string' ? short(last) : null;
}

function linksOf(error: JsonObject | null): readonly ExplainedLink[] {
  const links = error?.get('relationships');
  if (!isJsonArray(links)) return [];
  return links.flatMap((link) =>
    isJsonObject(link) ? [{ name: findText(link, 'rel') ?? '', state: findText(link, 'state') ?? '' }] : [],
  );
}

function short(text: string): string {
  const units = Array.from(text);
  return units.length <= CHARACTERS_MAX ? text : `${units.slice(0, CHARACTERS_MAX).join('')} ...`;
}
