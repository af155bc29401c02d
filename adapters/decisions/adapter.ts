import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { CallAnswer, CallRequest } from '../../contract/provider-protocol/call.ts';
import { readDecision } from '../../contract/provider-protocol/decision.ts';
import type { ProviderFailure, ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import type { ProviderAdapter, ProviderSession, SnapshotFacts } from '../../contract/provider-protocol/session.ts';
import type { ModelDeclaration } from '../llm/declaration.ts';
import { failed } from '../llm/failure.ts';
import { parseJsonText } from '../llm/json-text.ts';
import { decisionCapability, decisionTerms, type DecisionBounds } from './decision-capability.ts';
import { modelRequest } from './model-request.ts';

/** An installed and selected decision model: the language model that decides, and what one call may use. */
export interface DecisionDeclaration extends ModelDeclaration {
  readonly bounds: DecisionBounds;
}

/** Decisions of language models that answer by a schema (providers.md §11): each call is one request to one model. */
export function decisionAdapter(models: ProviderAdapter<ModelDeclaration>): ProviderAdapter<DecisionDeclaration> {
  return {
    checkLocally: models.checkLocally,
    probe: models.probe,
    acquire: async (request, context) => {
      const answer = await models.acquire(request, context);
      return answer.ok ? { ok: true, session: decisionSession(answer.session, request.declaration) } : answer;
    },
  };
}

function decisionSession(model: ProviderSession, declaration: DecisionDeclaration): ProviderSession {
  return {
    ...model,
    capabilities: [decisionCapability(declaration)],
    model: model.model === null ? null : { ...model.model, terms: decisionTerms(declaration.bounds) },
    snapshot: snapshotOf(model.snapshot),
    serve: (request, side) => {
      const callRequest = readCheckedRequest(request);
      if (callRequest === null)
        return {
          answer: Promise.resolve({ outcome: unsent(), exchanges: [] }),
          cancel: () => undefined,
          kill: async () => undefined,
        };
      const served = model.serve(callRequest, side);
      return { ...served, answer: served.answer.then(decided) };
    },
  };
}

function snapshotOf(snapshot: SnapshotFacts<JsonText>): SnapshotFacts<JsonText> {
  const facts = parseJsonText(snapshot.acquisition);
  return {
    ...snapshot,
    acquisition: canonicalJson(
      new Map<string, JsonValue>([...(isJsonObject(facts) ? facts : []), ['source', 'decision']]),
    ),
  };
}

/** Null for a request that was not checked. */
function readCheckedRequest(request: CallRequest): CallRequest | null {
  const input = parseJsonText(request.arguments);
  const read = isJsonObject(input) ? readDecision(input) : null;
  return read?.ok === true ? { ...request, arguments: modelRequest(read.state, read.questions) } : null;
}

function unsent(): ProviderFailure {
  return { ...failed('invalid_request', false, null), proof: 'not_dispatched' };
}

type Answered = Extract<CallAnswer['outcome'], { kind: 'value' }>;

function decided({ outcome, ...facts }: CallAnswer): CallAnswer {
  return { ...facts, outcome: outcome.kind === 'value' ? decisionOf(outcome) : outcome };
}

function decisionOf(outcome: Answered): ProviderOutcome<JsonText> {
  const value = typeof outcome.value === 'string' ? parseJsonText(outcome.value) : outcome.value.value;
  const answers = isJsonObject(value) ? value.get('structured_output') : undefined;
  const usage = isJsonObject(value) ? value.get('tokens') : undefined;
  if (answers !== undefined)
    return {
      ...outcome,
      value: canonicalJson(
        new Map<string, JsonValue>([
          ['answers', answers],
          ['usage', usage ?? jsonFromPlain({}) ?? null],
        ]),
      ),
    };
  const details = outcome.finish?.reason === 'length' ? 'the answer was cut at the output limit' : null;
  return { ...failed('invalid_result', false, details), proof: 'complete_answer', usage: outcome.usage };
}
