import { resolve } from 'node:path';
import type { Writable } from 'node:stream';

import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { Result } from '../../contract/outcome.ts';
import type { CommandOutcome } from '../../contract/exit-status.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import {
  createApplication,
  isToolName,
  MODEL_PREFIXES,
  modelChoice,
  TOOL_NAMES,
  type NewApplication,
} from '../../supervisor/api/initialize.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments, OptionName } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import { openQuestions, type Questions } from '../process/ask-person.ts';
import type { Command, CommandContext } from './command.ts';

const MODELS = `VENDOR:NAME, such as openai:gpt-5.6-luna; vendors: ${MODEL_PREFIXES.join(', ')}`;
const TOOLS = TOOL_NAMES.join(', ');

/** A person at a terminal; null: nobody can be asked. */
export type OpenPerson = (context: CommandContext) => Questions | null;

/** The person at the terminal of this process. */
function personHere({ standardInput, signal }: CommandContext): Questions | null {
  const output: Writable & { readonly isTTY?: boolean } = process.stderr;
  return process.stdin.isTTY && output.isTTY === true ? openQuestions(standardInput(), output, signal) : null;
}

/** first-day.md §1, new. `openPerson`: tests hand in another one. */
export const newCommand =
  (openPerson: OpenPerson = personHere): Command =>
  async (commandArguments, context) => {
    const person = commandArguments.options.has('--yes') ? null : openPerson(context);
    try {
      const answered = await answers(commandArguments, context, person);
      if (!answered.ok) return answered.fault;
      const { application, directory } = answered.value;
      const { workingDirectory, programDirectory } = context;
      const end = await createApplication(application, { directory, workingDirectory, programDirectory });
      if (!end.ok) return { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint };
      const value = jsonFromPlain({ directory, created: end.created, next: end.next });
      if (value === undefined) throw new TypeError('names are JSON values');
      const lines = [`created ${end.created.join(', ')}`, 'next:', ...end.next.map((command) => `  ${command}`)];
      return { kind: 'result', value, text: () => `${lines.join('\n')}\n` };
    } finally {
      person?.close();
    }
  };

interface Answered {
  readonly application: NewApplication;
  /** Absolute. */
  readonly directory: string;
}

/** What an option or a person says; questions are asked until the answer is one. */
interface Question<T> {
  readonly option: OptionName;
  readonly value: string | undefined;
  readonly text: string;
  /** The answer where none is typed, and with `--yes`; null: one is required. */
  readonly usual: string | null;
  /** Null for what is no answer; `allowed` then says what is. */
  readonly read: (answer: string) => T | null;
  readonly allowed: string;
}

async function answers(
  commandArguments: CommandArguments,
  context: CommandContext,
  person: Questions | null,
): Promise<Result<Answered, CommandEnd>> {
  const askPerson = async <T>(question: Question<T>): Promise<Result<T, CommandEnd>> =>
    answerOf(question, context, { person, isUsual: commandArguments.options.has('--yes') });
  const kind = await askPerson({
    option: '--kind',
    value: optionValue(commandArguments, '--kind'),
    text: 'Workflow or agent? [workflow] ',
    usual: 'workflow',
    read: (word) => (word === 'workflow' || word === 'agent' ? word : null),
    allowed: 'workflow or agent',
  });
  if (!kind.ok) return kind;
  const isAgent = kind.value === 'agent';
  const model = await askPerson({
    option: '--model',
    // A workflow has none unless it is asked for.
    value: optionValue(commandArguments, '--model') ?? (isAgent || person !== null ? undefined : ''),
    text: isAgent ? `Model? (${MODELS}) ` : `Model? (${MODELS}) [none] `,
    usual: isAgent ? null : '',
    read: (selector) => (selector === '' && !isAgent ? 'none' : modelChoice(selector)),
    allowed: MODELS,
  });
  if (!model.ok) return model;
  const tools = await askPerson({
    option: '--tools',
    value: commandArguments.options.get('--tools')?.join(' ') ?? (person === null ? '' : undefined),
    text: `Tools? (${TOOLS}) [none] `,
    usual: '',
    read: (words) => {
      const names = words.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none');
      return names.every(isToolName) ? names : null;
    },
    allowed: `none, or some of ${TOOLS}`,
  });
  if (!tools.ok) return tools;
  const directory = await askPerson({
    option: '--directory',
    value: optionValue(commandArguments, '--directory'),
    text: `Where? [my-${kind.value}] `,
    usual: `my-${kind.value}`,
    read: (path) => (path === '' || path.includes('\0') ? null : resolve(context.workingDirectory, path)),
    allowed: 'the path of a directory',
  });
  if (!directory.ok) return directory;
  const isWanted = await askPerson({
    option: '--yes',
    value: person === null ? 'yes' : undefined,
    text: `Write it to ${directory.value}? [yes] `,
    usual: 'yes',
    read: (word) => (/^y(?:es)?$/i.test(word) ? true : /^no?$/i.test(word) ? false : null),
    allowed: 'yes or no',
  });
  if (!isWanted.ok) return isWanted;
  if (!isWanted.value) return { ok: false, fault: { kind: 'text', text: 'nothing was written\n' } };
  return {
    ok: true,
    value: {
      application: { kind: kind.value, model: model.value === 'none' ? null : model.value, tools: tools.value },
      directory: directory.value,
    },
  };
}

async function answerOf<T>(
  { option, value: input, text, usual, read, allowed }: Question<T>,
  { signal }: CommandContext,
  { person, isUsual }: { readonly person: Questions | null; readonly isUsual: boolean },
): Promise<Result<T, CommandEnd>> {
  const preset = input ?? (isUsual ? usual : null);
  if (preset !== null && preset !== undefined) {
    const value = read(preset);
    return value === null ? refused(option, 'value_invalid', `${option} is ${allowed}`) : { ok: true, value };
  }
  if (person === null) return refused(option, 'required', `${option} is ${allowed}; at a terminal it is asked`);
  let question = text;
  for (;;) {
    const answered = await person.ask(question);
    if (!answered.ok) {
      const words = answered.why === 'interrupted' ? 'interrupted' : 'the input ended';
      process.stderr.write(`\n${words}: nothing was written\n`);
      const stop = stopOf(signal);
      const error = argumentDiagnostic({ kind: 'option', option, rule: 'required' });
      const commandOutcome: CommandOutcome =
        stop === null ? { outcome: 'failed', error, stop } : { outcome: 'stopped', stop };
      return { ok: false, fault: { kind: 'conversed', outcome: commandOutcome } };
    }
    const value = read(answered.answer === '' ? (usual ?? '') : answered.answer);
    if (value !== null) return { ok: true, value };
    question = `It is ${allowed}. ${text}`;
  }
}

function refused(
  option: OptionName,
  rule: 'required' | 'value_invalid',
  hint: string,
): { readonly ok: false; readonly fault: CommandEnd } {
  return {
    ok: false,
    fault: { kind: 'failed', diagnostic: argumentDiagnostic({ kind: 'option', option, rule }), hint },
  };
}
