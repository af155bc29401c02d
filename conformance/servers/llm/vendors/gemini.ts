/**
 * Gemini, generateContent. Pages, as read on 2026-11-24: ai.google.dev/gemini-api/docs/thought-signatures, /thinking,
 * /function-calling, /structured-output, /troubleshooting, and the errors that people report of signatures.
 */
import { isObject } from '../../is-object.ts';
import {
  memberOf,
  objectsIn,
  unknownMember,
  type Refusal,
  type VendorFake,
  type VendorRequest,
  shown,
} from './vendor.ts';

const MEMBERS = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings'] as const;
const SETTINGS = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'thinkingConfig',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'seed',
  'stopSequences',
] as const;
const LEVELS: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high']);
function refused(message: string, status = 'INVALID_ARGUMENT', details: readonly unknown[] = []): Refusal {
  return { status: 400, body: { error: { code: 400, message, status, details } } };
}

export const GEMINI: VendorFake = {
  name: 'Gemini',
  serves: (path) => path.endsWith(':generateContent'),
  refuse: (request) => brokenSetting(request) ?? brokenTurn(request),
  answer: ({ thought, text, calls = [], isCut = false }, { path }, id) => {
    const parts = [
      ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
      ...(text === undefined ? [] : [{ text }]),
      // The first call of a turn is signed, and none of the others; an id is not told by every model.
      ...calls.map((call, at) => ({
        functionCall: { name: call.name, args: call.args },
        ...(at === 0 && { thoughtSignature: `Cs4B-${id}/+==` }),
      })),
    ];
    return {
      carried: parts,
      body: {
        candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: isCut ? 'MAX_TOKENS' : 'STOP' }],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 20, thoughtsTokenCount: 10, totalTokenCount: 50 },
        modelVersion: /models\/([^:]+):/.exec(path)?.[1],
        responseId: `response-${id}`,
      },
    };
  },
};

function brokenSetting({ body, headers }: VendorRequest): Refusal | null {
  if (headers['x-goog-api-key'] === 'bad-key')
    return refused('API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ]);
  const config = body['generationConfig'];
  const unknown = unknownMember(body, MEMBERS) ?? (isObject(config) ? unknownMember(config, SETTINGS) : undefined);
  if (unknown !== undefined)
    return refused(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`);
  const thinking = memberOf(config, 'thinkingConfig');
  const level = memberOf(thinking, 'thinkingLevel');
  if (level !== undefined && memberOf(thinking, 'thinkingBudget') !== undefined)
    return refused('You can only set only one of thinking budget and thinking level.');
  if (level !== undefined && !LEVELS.has(shown(level)))
    return refused(`Thinking level ${shown(level)} is not supported for this model.`);
  return null;
}

function brokenTurn({ body, text, answered: input }: VendorRequest): Refusal | null {
  const contents = objectsIn(body['contents']).map((content) => objectsIn(content['parts']));
  for (const [at, parts] of contents.entries()) {
    const responses = parts.filter((part) => 'functionResponse' in part);
    if (responses.length === 0) continue;
    const calls = (contents[at - 1] ?? []).filter((part) => 'functionCall' in part);
    if (calls.length !== responses.length)
      return refused(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    const isForeign = calls.some(
      (call, nth) => memberOf(call, 'functionCall', 'id') !== memberOf(responses[nth], 'functionResponse', 'id'),
    );
    if (isForeign) return refused('Function response id does not match the id of its function call.');
    if (memberOf(calls[0], 'thoughtSignature') === undefined)
      return refused(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${shown(memberOf(calls[0], 'functionCall', 'name'))}\` , position ${at}.`,
      );
  }
  const answered = contents.flat().filter((part) => 'functionResponse' in part).length;
  const before = input.filter(({ calls }) => calls.length > 0).slice(0, answered);
  return before.some(({ pieces }) => !pieces.every((piece) => text.includes(piece)))
    ? refused('Corrupted thought signature.')
    : null;
}
