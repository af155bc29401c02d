import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  JSONSchema7,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { plainFromJson } from '../../contract/json/plain.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { VerbatimTurns } from './continuation/put-back.ts';
import type { NeutralMessage, NeutralRequest, NeutralTool } from './request.ts';

/** Marks what a vendor is to keep for five minutes: the system's text, and the conversation so far. */
export type CacheMark = SharedV4ProviderOptions | null;

/**
 * The request as the vendors' libraries take it. `mark` is on the last system message at the start, and on the last
 * message. Messages that go back as their vendor wrote them (`verbatimTurns`) hold the place alone where that is put.
 */
export function promptOf(
  { system, messages }: NeutralRequest,
  mark: CacheMark,
  verbatimTurns: VerbatimTurns,
): LanguageModelV4Prompt {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id, name }) => [id, name] as const) : [],
    ),
  );
  const all: readonly NeutralMessage[] =
    system === null ? messages : [{ role: 'system', content: system }, ...messages];
  const lastOfStart = all.findIndex(({ role }) => role !== 'system') - 1;
  const marked = new Set(mark === null ? [] : [lastOfStart, all.length - 1]);
  const written = all.map((message, at): LanguageModelV4Message => {
    const turn = verbatimTurns.get(message);
    if (turn !== undefined) return { role: 'assistant', content: [{ type: 'text', text: turn.mark }] };
    return {
      ...messageOf(message, names),
      ...(marked.has(at) && mark !== null && { providerOptions: mark }),
    };
  });
  return withResultsTogether(written);
}

/** The results of calls that a model made at once are one message: Gemini takes them in no other way. */
function withResultsTogether(messages: readonly LanguageModelV4Message[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role !== 'tool' || last?.role !== 'tool') prompt.push(message);
    else prompt[prompt.length - 1] = { ...last, ...message, content: [...last.content, ...message.content] };
  }
  return prompt;
}

function messageOf(message: NeutralMessage, names: ReadonlyMap<string, string>): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content: message.content.map((part) =>
          part.type === 'text'
            ? part
            : { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } },
        ),
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.content === null ? [] : [{ type: 'text' as const, text: message.content }]),
          ...message.toolCalls.map(({ id, name, args }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: plainFromJson(args),
          })),
        ],
      };
    case 'tool': {
      // Some vendors name the tool beside its result; the call that asked for it says which it was.
      const toolName = names.get(message.toolCallId) ?? message.toolCallId;
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.toolCallId,
            toolName,
            output: { type: 'text', value: message.content },
          },
        ],
      };
    }
  }
}

export function toolsOf(tools: readonly NeutralTool[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    ...(description !== null && { description }),
    inputSchema: schemaOf(parameters),
  }));
}

/** A schema that was checked to be a JSON object is one to the libraries too. */
export function schemaOf(schema: JsonObject): JSONSchema7 {
  const plain = plainFromJson(schema);
  return typeof plain === 'object' && plain !== null ? { ...plain } : {};
}
