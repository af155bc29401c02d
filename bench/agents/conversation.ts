/** What a model said in one turn, and what it was told of it; null: nothing, as the loop ended with it. */
export interface Turn {
  /** The program of a call or of a fenced block, as far as there is one; else the whole answer. */
  readonly said: string;
  readonly reply: string | null;
}

interface Message {
  readonly content: string | null;
  readonly tool_calls?: readonly unknown[];
}

/** Type and payload of each record of an inspection file. */
function recordsOf(
  inspection: string,
): readonly { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }[] {
  return inspection
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((line) => {
      const { record } = Object(JSON.parse(line));
      return {
        type: String(record.record_type),
        payload: { ...Object(record.payload), ...Object(record.correlation) },
      };
    });
}

/** Turns of the one loop of a run, from the private evidence that the run left. */
export function turnsOf(inspection: string): readonly Turn[] {
  const calls = recordsOf(inspection).filter(({ payload }) => payload['name'] === 'llm-request');
  const requests = calls.filter(({ type }) => type === 'capability-input');
  const answers = calls
    .filter(({ type }) => type === 'capability-output')
    .map(({ payload }) => Object(payload['result']))
    .filter(({ status }) => status === 'ok');
  // What came of an answer is the last message of the request behind it.
  return answers.map(({ value }, at) => ({
    said: saidIn(Object(value)),
    reply: lastMessage(requests[at + 1]?.payload['arguments']),
  }));
}

function lastMessage(request: unknown): string | null {
  const messages: readonly Message[] = Object(request).messages ?? [];
  return messages.at(-1)?.content ?? null;
}

function saidIn({ content, tool_calls: calls = [] }: Message): string {
  const call = Object(calls[0]);
  const input: unknown = call.args ?? call.arguments ?? Object(call.function).arguments;
  if (input === undefined) return content ?? '';
  const parsed = typeof input === 'string' ? parsedOr(input) : input;
  return typeof Object(parsed).program === 'string' ? Object(parsed).program : JSON.stringify(parsed);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * What a text of feedback is about, in few words: the reason that it names in parentheses, or the contract, check or
 * success that it tells of.
 */
export function feedbackKind(reported: string): string {
  const tool = /^The program failed with a tool's error \(([^,)]+), ([^)]+)\)/.exec(reported);
  if (tool !== null) return `tool: ${tool[2]}`;
  const run = /^The program failed \(([^)]+)\)/.exec(reported);
  if (run !== null) return `program: ${run[1]}`;
  const protocol = /^Nothing was run \(([^)]+)\)/.exec(reported);
  if (protocol !== null) return `answer: ${protocol[1]}`;
  if (reported.startsWith('The program was rejected and not run')) return 'answer: terminal form required';
  if (/^The returned value does not satisfy the (result|return) contract/.test(reported)) return 'value: contract';
  if (reported.startsWith('The returned value was checked and rejected')) return 'value: check';
  if (reported.startsWith('The program succeeded'))
    return reported.includes(';; cut') || reported.includes('was cut for display') ? 'observation, cut' : 'observation';
  if (reported.startsWith('The program returned')) return 'value: not yet the result';
  return 'other';
}

/** Whether a text of feedback says that something went wrong. */
export function isFault(kind: string): boolean {
  return !kind.startsWith('observation');
}
