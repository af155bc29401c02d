import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { countOf, hasExactly, isObjectOrAbsent } from './members.ts';

/** What a server asks back for, which is never given (providers.md §7.5). */
export type InputDemand = 'requests' | 'state_only' | 'malformed';

/** Classifies a result of type `input_required` against the protocol's own schema. */
export function inputDemand(result: JsonObject): InputDemand {
  const [requests, state] = [result.get('inputRequests'), result.get('requestState')];
  const isForm =
    hasExactly(result, ['resultType'], ['inputRequests', 'requestState', '_meta']) &&
    isObjectOrAbsent(result.get('_meta'));
  if (!isForm || !isObjectOrAbsent(requests) || !(state === undefined || typeof state === 'string')) return 'malformed';
  if (isJsonObject(requests) && requests.size > 0)
    return [...requests.values()].every(isInputRequest) ? 'requests' : 'malformed';
  return state === undefined ? 'malformed' : 'state_only';
}

const PARAMS: ReadonlyMap<JsonValue | undefined, (params: JsonObject | undefined) => boolean> = new Map([
  ['roots/list', (params) => params === undefined || isObjectOrAbsent(params.get('_meta'))],
  ['elicitation/create', isElicitation],
  [
    'sampling/createMessage',
    (params) =>
      params !== undefined &&
      isJsonArray(params.get('messages')) &&
      params.has('maxTokens') &&
      countOf(params.get('maxTokens'), Number.MIN_SAFE_INTEGER) !== null,
  ],
]);

function isInputRequest(request: JsonValue): boolean {
  if (!isJsonObject(request) || !hasExactly(request, ['method'], ['params'])) return false;
  const params = request.get('params');
  return (params === undefined || isJsonObject(params)) && PARAMS.get(request.get('method'))?.(params) === true;
}

function isElicitation(params: JsonObject | undefined): boolean {
  if (params === undefined || typeof params.get('message') !== 'string') return false;
  const [mode = 'form', schema] = [params.get('mode'), params.get('requestedSchema')];
  if (mode === 'url') return typeof params.get('url') === 'string';
  return (
    mode === 'form' && isJsonObject(schema) && schema.get('type') === 'object' && isJsonObject(schema.get('properties'))
  );
}
