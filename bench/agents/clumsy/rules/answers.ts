import type { Answer } from '../../../../conformance/servers/llm/script.ts';
import type { Rule } from './rule.ts';

/** The fenced blocks of a text that hold something. */
export function blocksOf(text: string): readonly string[] {
  return [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].map(([, block]) => (block ?? '').trim()).filter(isFilled);
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}

function programIn(args: unknown): string {
  if (typeof args === 'string') return args;
  if (Array.isArray(args)) return args.map(String).join('\n');
  const values = Object.values(Object(args));
  return programIn(
    values.find((value) => Array.isArray(value) || (typeof value === 'string' && isFilled(value))) ?? '',
  );
}

/** The program that an answer holds, in whatever form: of calls one after the other, else of blocks, else the text. */
export function programOf({ text = '', toolCalls = [] }: Answer): string {
  const called = toolCalls.map(({ args }) => programIn(args)).filter(isFilled);
  if (called.length > 0) return called.join('\n');
  return blocksOf(text ?? '')[0] ?? text ?? '';
}

/** Hands the same program over in the form that was told. */
export const resubmit: Rule = ({ program, reply }) => {
  if (!reply.startsWith('Nothing was run')) return null;
  const size = /(\d+) characters, and at most (\d+) are allowed/.exec(reply);
  const short = size === null ? program : program.replace(/^;.*\n/gm, '');
  if (size !== null && short.length > Number(size[2])) return null;
  const call = /call of (\S+) whose only argument, "(\w+)", is one string/.exec(reply);
  if (call !== null) return { toolCalls: [{ name: call[1] ?? '', args: { [call[2] ?? '']: short } }] };
  if (/one fenced block that holds one program/.test(reply)) return { text: `\`\`\`clojure\n${short}\n\`\`\`` };
  return null;
};

/** Sends the block that was not run, where an answer held several and only the first was. */
export const nextBlock: Rule = ({ said, reply }) => {
  const next = blocksOf(said.text ?? '')[1];
  return reply.startsWith('The program succeeded') && next !== undefined
    ? { text: `\`\`\`clojure\n${next}\n\`\`\`` }
    : null;
};

/** Takes the line away that the place told points into, where it is prose. */
export const dropProse: Rule = ({ program, reply, place }) => {
  if (place === null || !reply.startsWith('The program failed')) return null;
  const start = program.lastIndexOf('\n', place - 1) + 1;
  const end = program.indexOf('\n', place);
  const line = program.slice(start, end < 0 ? program.length : end);
  return /^[A-Za-z]+( [A-Za-z]+)+[.:]?$/.test(line) ? program.slice(0, start) + program.slice(end + 1) : null;
};
