import { MODEL_CAPABILITY } from '../../../../contract/provider-protocol/model.ts';
import { answer, type Answer } from '../answer.ts';
import type { ProvenInspection } from '../capture/inspection-file.ts';
import type { CapturedRun } from '../capture/run.ts';
import { readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import type { CallRecords } from '../evidence/evidence-index.ts';
import { objectOf, findText } from '../members.ts';
import { associate, type Association, type EvaluatedProgram, type OfferedProgram } from './associate.ts';
import { assistantOf, chainOf, extended, messagesOf, programsIn } from './messages.ts';

/** One exchange in its place in a conversation. */
export interface Turn {
  readonly streamId: string;
  /** From 1. */
  readonly turn: number;
  readonly call: CallRecords;
  /** How many of its messages the stream has had before, the answer among them. */
  readonly known: number;
  /** Whether the stream has had the same system text before. */
  readonly isSystemKnown: boolean;
  /** Programs that may have come from its answer. */
  readonly generated: readonly { readonly evaluationId: string; readonly isExact: boolean }[];
}

/** How far the conversations are known. */
export interface TurnEvidence {
  readonly isComplete: boolean;
  /** As `isComplete`, ambiguity left aside. */
  readonly isCanonicalComplete: boolean;
  readonly missing: number;
  readonly ambiguous: number;
}

/** The conversations of a run, made from what its models were asked and answered (evidence.md §7, "Turns"). */
export interface TurnProjection {
  /** By stream, in the order of their first request, then by turn. */
  readonly turns: readonly Turn[];
  readonly evidence: TurnEvidence;
  /** By evaluation. */
  readonly associations: ReadonlyMap<string, Association>;
}

const known = new WeakMap<ProvenInspection, Promise<Answer<TurnProjection>>>();

/** Made once for each captured file. */
export async function readTurns(evidence: RunEvidence): Promise<Answer<TurnProjection>> {
  const made = known.get(evidence.inspection) ?? project(evidence);
  known.set(evidence.inspection, made);
  return made;
}

/** An exchange by the hashes of its messages; the messages themselves are released. */
interface Exchange {
  readonly call: CallRecords;
  readonly chain: readonly string[];
  /** With the answer; null where there is none that a conversation could go on from. */
  readonly answered: string | null;
  readonly answerSequence: number;
  readonly system: string;
  readonly programs: readonly string[];
}

async function project(evidence: RunEvidence): Promise<Answer<TurnProjection>> {
  const { run, index } = evidence;
  const exchanges: Exchange[] = [];
  for (const call of index.models) {
    const exchange = await exchangeOf(evidence, call);
    if (exchange === null) continue;
    if (!exchange.ok) return exchange;
    exchanges.push(exchange.value);
  }
  const evaluated = await readEvaluatedPrograms(evidence, new Set(exchanges.flatMap(({ programs }) => programs)));
  if (!evaluated.ok) return evaluated;
  const offered: readonly OfferedProgram[] = exchanges.flatMap(({ programs, answerSequence }, exchange) =>
    programs.map((text) => ({ exchange, sequence: answerSequence, text })),
  );
  const associations = associate(offered, evaluated.value);
  const placed = place(exchanges);
  const turns = placed.flatMap((where, exchange): readonly (Turn & { readonly stream: number })[] => {
    const { call } = exchanges[exchange] ?? {};
    if (where === null || call === undefined) return [];
    const generated = [...associations]
      .filter(([, { exchanges: from }]) => from.includes(exchange))
      .map(([evaluationId, { isExact }]) => ({ evaluationId, isExact }));
    return [{ ...where, streamId: `stream-${where.stream}`, call, generated }];
  });
  const ambiguous = placed.filter((where) => where === null).length;
  return answer({
    turns: turns.toSorted((left, right) => left.stream - right.stream || left.turn - right.turn),
    evidence: evidenceOf(run, exchanges, ambiguous),
    associations,
  });
}

/** Null for one that is not complete. */
async function exchangeOf(evidence: RunEvidence, call: CallRecords): Promise<Answer<Exchange> | null> {
  if (call.output === null) return null;
  const payload = await readPayload(evidence, call.input);
  if (!payload.ok) return payload;
  const answered = await readPayload(evidence, call.output);
  if (!answered.ok) return answered;
  const request = objectOf(payload.value, 'arguments');
  const chain = chainOf(messagesOf(request));
  const assistant = assistantOf(objectOf(answered.value, 'result'));
  return answer({
    call,
    chain,
    answered: assistant === null ? null : extended(chain.at(-1) ?? '', assistant),
    answerSequence: call.output.sequence,
    system: extended('', request?.get('system') ?? null),
    programs: programsIn(assistant),
  });
}

/** Programs whose text an answer offered; the others need no reading twice. */
async function readEvaluatedPrograms(
  evidence: RunEvidence,
  texts: ReadonlySet<string>,
): Promise<Answer<readonly EvaluatedProgram[]>> {
  if (texts.size === 0) return answer([]);
  const programs: EvaluatedProgram[] = [];
  for (const { evaluationId, source } of evidence.index.sources) {
    const payload = await readPayload(evidence, source);
    if (!payload.ok) return payload;
    const text = findText(payload.value, 'source') ?? '';
    if (texts.has(text)) programs.push({ evaluationId, sequence: source.sequence, text });
  }
  return answer(programs);
}

interface Place {
  readonly stream: number;
  readonly turn: number;
  readonly known: number;
  readonly isSystemKnown: boolean;
}

interface Stream {
  turns: number;
  system: string;
}

/** Where each exchange is; null for one that goes on from two equally long ones (evidence.md §7). */
function place(exchanges: readonly Exchange[]): readonly (Place | null)[] {
  const streams: Stream[] = [];
  /** By conversation hash, those that a later one may go on from. */
  const ends = new Map<string, { readonly stream: number; readonly sequence: number }[]>();
  return exchanges.map(({ chain, answered, answerSequence, call, system }) => {
    const before = longest(chain, (hash) =>
      (ends.get(hash) ?? []).filter(({ sequence }) => sequence < call.input.sequence),
    );
    if (before !== null && before.candidates.length > 1) return null;
    const stream = before?.candidates[0]?.stream ?? streams.push({ turns: 0, system: '' });
    const state = streams[stream - 1] ?? { turns: 0, system: '' };
    const isSystemKnown = state.turns > 0 && state.system === system;
    state.turns += 1;
    state.system = system;
    if (answered !== null) ends.set(answered, [...(ends.get(answered) ?? []), { stream, sequence: answerSequence }]);
    return { stream, turn: state.turns, known: before?.length ?? 0, isSystemKnown };
  });
}

/** The longest proper beginning of the messages that others ended with. */
function longest<C>(
  chain: readonly string[],
  candidatesOf: (hash: string) => readonly C[],
): { readonly length: number; readonly candidates: readonly C[] } | null {
  for (let length = chain.length - 2; length >= 1; length -= 1) {
    const candidates = candidatesOf(chain[length] ?? '');
    if (candidates.length > 0) return { length, candidates };
  }
  return null;
}

function evidenceOf(run: CapturedRun, exchanges: readonly Exchange[], ambiguous: number): TurnEvidence {
  const captured = new Set(exchanges.map(({ call }) => call.capabilityId));
  const traced = [...run.capabilities]
    .filter(([, { name, environment }]) => name === MODEL_CAPABILITY && environment === 'workflow')
    .map(([id]) => id);
  const missing = traced.filter((id) => !captured.has(id)).length;
  const isCanonicalComplete = run.isComplete && missing === 0;
  return { isComplete: isCanonicalComplete && ambiguous === 0, isCanonicalComplete, missing, ambiguous };
}
