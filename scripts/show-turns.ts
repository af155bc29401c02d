/**
 * Tells what an agent did, turn by turn, from the inspection of its run: what it was told, and the program that it
 * sent.
 *
 *     node scripts/show-turns.ts RUN.svcins
 */
import { readFileSync } from 'node:fs';

interface Message {
  readonly role: string;
  readonly content: string | null;
}

interface Turn {
  readonly request: Message | undefined;
  readonly said: string;
  readonly program: string | null;
}

/** What is shown of a text, in lines and in characters of a line; the rest is in the inspection. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;

/** The model calls of a run, in the order in which they were made. */
function turnsOf(path: string): readonly Turn[] {
  const calls = new Map<string, { request?: Message; answer?: Readonly<Record<string, unknown>> }>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const record = Object(JSON.parse(line)).record ?? {};
    if (record.payload?.name !== 'llm-request') continue;
    const id = String(record.correlation.capability_id);
    const call = calls.get(id) ?? {};
    if (record.record_type === 'capability-input') call.request = record.payload.arguments.messages.at(-1);
    if (record.record_type === 'capability-output') call.answer = Object(record.payload.result.value);
    calls.set(id, call);
  }
  return [...calls.values()].map(({ request, answer = {} }) => {
    const [call] = Array.isArray(answer['tool_calls']) ? answer['tool_calls'] : [];
    const program: unknown = call?.args?.program;
    const said = answer['content'];
    return {
      request,
      said: typeof said === 'string' ? said : '',
      program: typeof program === 'string' ? program : null,
    };
  });
}

function block(heading: string, text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const more = lines.length > SHOWN_LINES ? [`... (${lines.length - SHOWN_LINES} more lines)`] : [];
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((line) => (line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)} ...` : line));
  return `  ${heading}\n${[...shown, ...more].map((line) => `    ${line}\n`).join('')}`;
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: show-turns.ts RUN.svcins');
for (const [index, { request, said, program }] of turnsOf(path).entries()) {
  process.stdout.write(`turn ${index + 1}\n`);
  if (request !== undefined)
    process.stdout.write(
      block(
        request.role === 'user' ? 'the model is asked:' : 'the model is told what came of its program:',
        request.content ?? '',
      ),
    );
  if (said !== '') process.stdout.write(block('it says:', said));
  if (program !== null) process.stdout.write(block('and sends the program:', program));
}
