import { isObject } from '../../is-object.ts';
import { brokenStrictRule, memberOf, objectsIn, unknownMember, type VendorRequest, type VendorTurn } from './vendor.ts';

/** Rules that every vendor of chat completions has, in words that each puts in a shape of its own. */
export interface ChatRules {
  readonly members: readonly string[];
  /** Members of an assistant message. */
  readonly assistant: readonly string[];
}

export const CHAT_MEMBERS = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'response_format',
  'temperature',
  'top_p',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'stop',
] as const;

/** The switch that holds a model to one call in an answer, which not every vendor has. */
export const ONE_CALL_MEMBER = 'parallel_tool_calls';

/** What a request breaks of them; null: nothing. */
export function brokenChatRule({ body }: VendorRequest, { members, assistant }: ChatRules): string | null {
  const unknown = unknownMember(body, members);
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  const messages = objectsIn(body['messages']);
  for (const [at, message] of messages.entries()) {
    const foreign = message['role'] === 'assistant' ? unknownMember(message, assistant) : undefined;
    if (foreign !== undefined)
      return `'messages.${at}' : for 'role:assistant' the following must be satisfied[('messages.${at}' : property '${foreign}' is unsupported)]`;
  }
  return brokenSwitch(body) ?? brokenToolRule(messages) ?? brokenFormat(body, messages);
}

function brokenSwitch(body: Record<string, unknown>): string | null {
  if (!('parallel_tool_calls' in body)) return null;
  if (typeof body['parallel_tool_calls'] !== 'boolean')
    return "Invalid type for 'parallel_tool_calls': expected a boolean.";
  return objectsIn(body['tools']).length === 0
    ? "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified."
    : null;
}

/** Ids of the calls whose results a request holds. */
export function answeredCalls({ body }: VendorRequest): readonly unknown[] {
  return objectsIn(body['messages']).flatMap((message) =>
    message['role'] === 'tool' ? [message['tool_call_id']] : [],
  );
}

function brokenToolRule(messages: readonly Record<string, unknown>[]): string | null {
  let open: readonly unknown[] = [];
  for (const message of messages) {
    if (message['role'] === 'tool') {
      if (!open.includes(message['tool_call_id']))
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      open = open.filter((id) => id !== message['tool_call_id']);
      continue;
    }
    if (open.length > 0)
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    open = objectsIn(message['tool_calls']).map((call) => call['id']);
    const broken = objectsIn(message['tool_calls']).find(
      (call) => typeof memberOf(call, 'function', 'arguments') !== 'string',
    );
    if (broken !== undefined) return "Invalid type for 'tool_calls[0].function.arguments': expected a string.";
  }
  return open.length > 0 ? 'No tool output found for the last function calls.' : null;
}

function brokenFormat(body: Record<string, unknown>, messages: readonly Record<string, unknown>[]): string | null {
  const format = body['response_format'];
  if (!isObject(format)) return null;
  if (format['type'] === 'json_object')
    return messages.some((message) => /json/i.test(JSON.stringify(message['content'])))
      ? null
      : "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  const input = format['json_schema'];
  const rule = memberOf(input, 'strict') === true ? brokenStrictRule(memberOf(input, 'schema')) : null;
  return rule === null ? null : `Invalid schema for response_format 'response': ${rule}`;
}

/** An answer of chat completions; `thought`: the members that carry what the model thought. */
export function chatAnswer(
  turn: VendorTurn,
  { body }: VendorRequest,
  id: number,
  thought: Readonly<Record<string, unknown>>,
): unknown {
  const { text, calls = [], isCut = false } = turn;
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_780_000_000,
    model: body['model'],
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? (calls.length > 0 ? null : ''),
          ...thought,
          ...(calls.length > 0 && { tool_calls: chatCalls(turn) }),
        },
        finish_reason: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 },
  };
}

export function chatCalls({ calls = [] }: VendorTurn): readonly unknown[] {
  return calls.map(({ id, name, args }) => ({
    id,
    type: 'function',
    // A space that no writer of ours would put there.
    function: { name, arguments: JSON.stringify(args).replace(':', ': ') },
  }));
}
