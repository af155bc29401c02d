import { PRIVATE_PROFILES, PRIVATE_RUN_ANALYSIS_PROFILES, PROFILES, PUBLIC_PROFILES } from '../profiles.ts';
import { ENV_FILE, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration, CommandRule, CommandArguments, OptionDeclaration, OptionName } from '../types.ts';

const USAGE = 'svc repl [OPTIONS] [SCRIPT|-]';

/** cli.md §11, option table; its row order is the order of the help result. */
const OPTIONS: readonly OptionDeclaration[] = [
  {
    name: '--project',
    value: { placeholder: 'PROJECT.json', grammar: { kind: 'path', use: 'source' } },
    description: 'Take application, host and environment file from this project as defaults.',
  },
  {
    name: '--eval',
    short: '-e',
    value: { placeholder: 'EXPR', grammar: { kind: 'text', minimum: 0, maximum: 65_536 } },
    repeatable: { maximum: 1024, distinct: 'no' },
    description: 'Evaluate this expression; may be repeated, in order.',
  },
  {
    name: '--load',
    short: '-l',
    value: { placeholder: 'SETUP.clj', grammar: { kind: 'path', use: 'source' } },
    description: 'Evaluate this file first.',
  },
  {
    name: '--manifest',
    short: '-m',
    value: { placeholder: 'MANIFEST', grammar: { kind: 'path', use: 'source' } },
    description: 'Open a session on the workflow of this manifest.',
  },
  {
    name: '--mission',
    value: { placeholder: 'MISSION', grammar: { kind: 'name' }, names: 'mission' },
    description: 'Open the session in this mission instead of the workflow.',
  },
  { name: '--inspect-only', description: 'Compile and look at it, with no provider, input or credential.' },
  {
    ...HOST_CONFIG,
    description: 'Host document for a manifest or project session: which models and tools are installed.',
  },
  ENV_FILE,
  {
    name: '--trace',
    short: '-t',
    value: { placeholder: 'TRACE.jsonl', grammar: { kind: 'path', use: 'destination' } },
    description: 'Add the events of the session to this file.',
  },
  {
    name: '--profile',
    value: { placeholder: 'PROFILE', grammar: { kind: 'choice', of: PROFILES } },
    description: `Open an analysis session: ${PROFILES.join(', ')}.`,
  },
  {
    name: '--resource',
    value: { placeholder: 'NAME=DIRECTORY', grammar: { kind: 'resource' } },
    repeatable: { maximum: 16, distinct: 'key' },
    description: 'Existing directory for one resource of the profile; may be repeated, in order.',
  },
  {
    name: '--run',
    value: { placeholder: 'RUN_ID', grammar: { kind: 'run-selector' }, names: 'run' },
    repeatable: { maximum: 16, distinct: 'whole' },
    description: 'Capture exactly this run; may be repeated up to 16 times.',
  },
  {
    name: '--session-trace-dir',
    value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
    description: 'Existing directory for the trace of an analysis session.',
  },
  {
    name: '--output',
    value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
    description: 'Write the value of the one expression of a public profile to this new file.',
  },
  {
    name: '--private-output',
    value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
    description:
      'Write the value of the one expression of an unattended private profile to this new file, for its owner only.',
  },
  {
    name: '--format',
    value: { placeholder: 'clojure|jsonl', grammar: { kind: 'choice', of: ['clojure', 'jsonl'] } },
    description: 'How results are printed.',
  },
  {
    name: '--preview-chars',
    value: { placeholder: 'COUNT', grammar: { kind: 'integer', minimum: 64, maximum: 65_536 } },
    description: 'Characters shown of a value, 64 to 65536; not with --describe-profile.',
  },
  { name: '--continue-on-error', description: 'Go on with the next expression after a failed one.' },
  { name: '--private-terminal', description: 'Let the attached terminal show private values.' },
  { name: '--private-unattended', description: 'Let the streams of this command carry private values.' },
  {
    name: '--describe-profile',
    value: { placeholder: 'PROFILE', grammar: { kind: 'choice', of: PROFILES } },
    description: 'Print what a profile reads and allows; not with --preview-chars.',
  },
  {
    name: '--approve-writes',
    description: 'Allow every call that a person would be asked about, without asking; stderr and the trace record it.',
    isFurther: true,
  },
  {
    name: '--ask',
    description: 'Ask on the controlling terminal even if stderr is not a terminal.',
    isFurther: true,
  },
  {
    name: '--nrepl',
    value: { placeholder: 'PORT', grammar: { kind: 'integer', minimum: 0, maximum: 65_535 } },
    description: 'Serve editors over nREPL at this port of 127.0.0.1; 0 takes a free one.',
    isFurther: true,
  },
  { name: '--help', short: '-h', description: 'Show this help.' },
];

/** Options that say what the session is about. */
const ELSEWHERE: readonly OptionName[] = ['--project', '--manifest', '--profile', '--describe-profile'];

/** Options that mean nothing without an application. What a script evaluates alone stays alone. */
const OF_AN_APPLICATION: readonly OptionName[] = ['--mission', '--inspect-only', '--host-config', '--env-file'];

const ALL_BUT_FORMAT: readonly OptionName[] = OPTIONS.map(({ name }) => name).filter(
  (name) => name !== '--describe-profile' && name !== '--format' && name !== '--help',
);

function hasProfileOf(commandArguments: CommandArguments, profiles: readonly string[]): boolean {
  const [profile] = commandArguments.options.get('--profile') ?? [];
  return profile !== undefined && profiles.includes(profile);
}

function evaluations({ options }: CommandArguments): number {
  return options.get('--eval')?.length ?? 0;
}

function hasInput(commandArguments: CommandArguments): boolean {
  return evaluations(commandArguments) > 0 || commandArguments.positionals.length > 0;
}

function hasPrivateData(commandArguments: CommandArguments): boolean {
  if (commandArguments.options.has('--profile')) return hasProfileOf(commandArguments, PRIVATE_PROFILES);
  return commandArguments.options.has('--manifest') || commandArguments.options.has('--project');
}

function keepsOneValue(commandArguments: CommandArguments): boolean {
  return (
    evaluations(commandArguments) === 1 &&
    !commandArguments.options.has('--load') &&
    !commandArguments.options.has('--continue-on-error')
  );
}

export const REPL: CommandDeclaration = {
  name: 'repl',
  envelope: null,
  task: 'inspect',
  summary: 'Evaluate expressions, alone or inside an application.',
  example: "svc repl -e '(doc map)'",
  positional: { placeholder: 'SCRIPT|-', minimum: 0, maximum: 1, grammar: { kind: 'path', use: 'application' } },
  defaultDocument: (commandArguments, { name, isTerminal }) => {
    const { options } = commandArguments;
    // What earlier runs left is found by their project.
    if (options.has('--profile') && !options.has('--project') && !options.has('--resource'))
      return name === 'svc-project.json' ? '--project' : null;
    if (ELSEWHERE.some((option) => options.has(option))) return null;
    const isConversation =
      (isTerminal || options.has('--nrepl')) && !hasInput(commandArguments) && !options.has('--load');
    if (!isConversation && !OF_AN_APPLICATION.some((option) => options.has(option))) return null;
    return name === 'svc.json' ? '--manifest' : '--project';
  },
  options: OPTIONS,
  rules: [
    { kind: 'exclusive', operands: ['--project', '--manifest'] },
    { kind: 'exclusive', operands: ['--eval', 'argument'] },
    {
      kind: 'excludes',
      operand: '--profile',
      others: ['--manifest', '--mission', '--trace', '--approve-writes', '--ask'],
    },
    {
      kind: 'excludes',
      operand: '--inspect-only',
      others: [
        '--host-config',
        '--env-file',
        '--trace',
        '--profile',
        '--resource',
        '--run',
        '--session-trace-dir',
        '--output',
        '--private-output',
        '--format',
        '--private-terminal',
        '--private-unattended',
        '--approve-writes',
        '--ask',
      ],
    },
    { kind: 'exclusive', operands: ['--private-terminal', '--private-unattended'] },
    { kind: 'exclusive', operands: ['--approve-writes', '--ask'] },
    {
      kind: 'excludes',
      operand: '--nrepl',
      others: ['argument', '--eval', '--trace', '--profile', '--private-terminal', '--private-unattended'],
    },
    { kind: 'excludes', operand: '--describe-profile', others: ['argument', ...ALL_BUT_FORMAT] },
    { kind: 'needs', operand: '--mission', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--inspect-only', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--host-config', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--env-file', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--approve-writes', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--ask', anyOf: ['--project', '--manifest'] },
    { kind: 'needs', operand: '--resource', anyOf: ['--profile'] },
    { kind: 'needs', operand: '--run', anyOf: ['--profile'] },
    { kind: 'needs', operand: '--session-trace-dir', anyOf: ['--profile'] },
    { kind: 'needs', operand: '--output', anyOf: ['--profile'] },
    { kind: 'needs', operand: '--private-output', anyOf: ['--profile'] },
    { kind: 'needs', operand: '--continue-on-error', anyOf: ['--profile'] },
    {
      kind: 'condition',
      option: '--run',
      states: `--run works with ${PRIVATE_RUN_ANALYSIS_PROFILES.join(' or ')} only`,
      holds: (commandArguments) =>
        !commandArguments.options.has('--run') || hasProfileOf(commandArguments, PRIVATE_RUN_ANALYSIS_PROFILES),
    },
    {
      kind: 'condition',
      option: '--output',
      states:
        '--output takes the value of exactly one --eval of a public profile, without --load or --continue-on-error',
      holds: (commandArguments) =>
        !commandArguments.options.has('--output') ||
        (hasProfileOf(commandArguments, PUBLIC_PROFILES) && keepsOneValue(commandArguments)),
    },
    {
      kind: 'condition',
      option: '--private-output',
      states:
        '--private-output takes the value of exactly one --eval of a private profile with --private-unattended, ' +
        'without --load or --continue-on-error',
      holds: (commandArguments) =>
        !commandArguments.options.has('--private-output') ||
        (hasProfileOf(commandArguments, PRIVATE_PROFILES) &&
          commandArguments.options.has('--private-unattended') &&
          keepsOneValue(commandArguments)),
    },
    {
      kind: 'condition',
      option: '--format',
      states: '--format jsonl needs a profile with input, or --describe-profile',
      holds: (commandArguments) =>
        commandArguments.options.get('--format')?.[0] !== 'jsonl' ||
        commandArguments.options.has('--describe-profile') ||
        (commandArguments.options.has('--profile') && hasInput(commandArguments)),
    },
    {
      kind: 'condition',
      option: '--continue-on-error',
      states: '--continue-on-error needs at least two --eval',
      holds: (commandArguments) =>
        !commandArguments.options.has('--continue-on-error') || evaluations(commandArguments) >= 2,
    },
    ...(['--private-terminal', '--private-unattended'] as const).map((option): CommandRule => ({
      kind: 'condition',
      option,
      states: `${option} needs private data: a manifest, a project or a private profile`,
      holds: (commandArguments) => !commandArguments.options.has(option) || hasPrivateData(commandArguments),
    })),
    {
      kind: 'condition',
      option: '--private-terminal',
      states: '--private-terminal with a profile is for the line loop: no expression, script or --format jsonl',
      holds: (commandArguments) =>
        !commandArguments.options.has('--private-terminal') ||
        !commandArguments.options.has('--profile') ||
        (!hasInput(commandArguments) && commandArguments.options.get('--format')?.[0] !== 'jsonl'),
    },
    {
      kind: 'condition',
      option: '--profile',
      states: 'a private profile needs --private-terminal, or --private-unattended with input',
      holds: (commandArguments) =>
        !hasProfileOf(commandArguments, PRIVATE_PROFILES) ||
        commandArguments.options.has('--private-terminal') ||
        (commandArguments.options.has('--private-unattended') && hasInput(commandArguments)),
    },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
  evaluates: () => true,
};
