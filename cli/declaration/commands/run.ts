import { argumentByDefault } from '../default-document.ts';
import { COMPONENT_OVERRIDE, ENV_FILE, ENVELOPE, HELP, HOST_CONFIG, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import { isInputPair, splitPair } from '../input-pair.ts';
import type { CommandDeclaration, CommandRule, OptionName } from '../types.ts';

/** Members of an input that one command line gives. */
const MEMBERS = 128;
const MEMBER_FILES: readonly OptionName[] = ['--input-text', '--input-json'];

const USAGE = 'svc run MANIFEST.json|PROJECT.json [OPTIONS]';

export const RUN: CommandDeclaration = {
  name: 'run',
  envelope: 'run',
  task: 'run',
  summary: 'Run the workflow of an application.',
  example: 'svc run svc-project.json --envelope envelope.json',
  positional: MANIFEST_OR_PROJECT,
  defaultDocument: argumentByDefault(),
  options: [
    HOST_CONFIG,
    {
      name: '--input',
      value: { placeholder: 'INPUT.json', grammar: { kind: 'input' } },
      repeatable: { maximum: MEMBERS, distinct: 'key', among: isInputPair },
      description:
        'Another input object: a document relative to the application, a path that is absolute or relative to the working directory, or - for standard input.',
    },
    {
      name: '--private-input',
      value: { placeholder: 'INPUT.json', grammar: { kind: 'path', use: 'application' } },
      description: 'Another input object of private class, named in the same ways; it makes the run private.',
    },
    {
      name: '--trace-dir',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'Existing directory for the trace; the run reference names the file.',
    },
    {
      name: '--output',
      value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the value of a normal run to this new file.',
    },
    {
      name: '--private-output',
      value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the value of a private run to this new file, for its owner only.',
    },
    {
      name: '--inspect',
      value: { placeholder: 'RUN.svcins', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the private inspection to this new file, for its owner only.',
    },
    COMPONENT_OVERRIDE,
    ENV_FILE,
    {
      ...ENVELOPE,
      description:
        'Write a copy of the command envelope (version 5) to this new file, whole or not at all; ' +
        'a project with artifacts.envelope keeps its own, too.',
    },
    { name: '--progress', description: 'Show live progress on stderr, as far as possible.' },
    {
      name: '--quiet',
      description: 'Do not show the live progress line.',
      isFurther: true,
    },
    {
      name: '--authorize-mcp',
      value: { placeholder: 'NAME', grammar: { kind: 'name' }, names: 'installation' },
      repeatable: { maximum: 128, distinct: 'whole' },
      description: 'Authorise one selected installation for this run; may be repeated.',
    },
    {
      name: '--input-text',
      value: { placeholder: 'KEY=FILE', grammar: { kind: 'input-file' } },
      repeatable: { maximum: MEMBERS, distinct: 'key' },
      description: 'Make the text of this file a member of the input; --input KEY=VALUE makes one of a value.',
      isFurther: true,
    },
    {
      name: '--input-json',
      value: { placeholder: 'KEY=FILE', grammar: { kind: 'input-file' } },
      repeatable: { maximum: MEMBERS, distinct: 'key' },
      description: 'Make the JSON of this file a member of the input.',
      isFurther: true,
    },
    {
      name: '--approve-writes',
      description:
        'Allow every call that a person would be asked about, without asking; stderr and the trace record it.',
      isFurther: true,
    },
    {
      name: '--approval',
      value: { placeholder: 'WORD', grammar: { kind: 'choice', of: ['writes', 'always'] } },
      description: 'Ask about calls that write, or about all, in addition to those that the documents name.',
      isFurther: true,
    },
    {
      name: '--wait-for-approval',
      description: 'Keep each question with the project, and wait until svc approvals has decided it.',
      isFurther: true,
    },
    {
      name: '--ask',
      description: 'Ask on the controlling terminal even if stderr is not a terminal.',
      isFurther: true,
    },
    {
      name: '--private-terminal',
      description: 'Show arguments and program when a private run asks about a call.',
      isFurther: true,
    },
    HELP,
  ],
  rules: [
    {
      kind: 'excludes',
      operand: '--approve-writes',
      others: ['--approval', '--ask', '--wait-for-approval', '--private-terminal'],
    },
    { kind: 'excludes', operand: '--wait-for-approval', others: ['--ask', '--private-terminal'] },
    { kind: 'exclusive', operands: ['--input', '--private-input'] },
    { kind: 'exclusive', operands: ['--progress', '--quiet'] },
    { kind: 'excludes', operand: '--private-input', others: MEMBER_FILES },
    {
      kind: 'condition',
      option: '--input',
      states: '--input names one document, or with KEY=VALUE one member of the input; not both',
      holds: ({ options }) =>
        !MEMBER_FILES.some((name) => options.has(name)) || (options.get('--input') ?? []).every(isInputPair),
    },
    ...MEMBER_FILES.map((option): CommandRule => ({
      kind: 'condition',
      option,
      states: 'each member of the input is given once',
      holds: ({ options }) => {
        const keys = ['--input' as const, ...MEMBER_FILES].flatMap((name) =>
          (options.get(name) ?? []).map((pair) => splitPair(pair)[0]),
        );
        return !options.has(option) || new Set(keys).size === keys.length;
      },
    })),
    { kind: 'exclusive', operands: ['--output', '--private-output'] },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: ['With SVC_VIEWER_URL set, a run that you start elsewhere reports to the live tab of that viewer.'],
  evaluates: () => true,
};
