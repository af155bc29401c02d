import { isWholeReference, projectByDefault } from '../default-document.ts';
import { ENVELOPE, HELP, OF_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE =
  'svc transcript RUN_ID --traces DIRECTORY (--inspection DIRECTORY | --inspection-file FILE.svcins) ' +
  '--private-unattended --private-output FILE';

export const TRANSCRIPT: CommandDeclaration = {
  name: 'transcript',
  envelope: 'transcript',
  task: 'inspect',
  summary: 'Rebuild the model conversation of one run as a private document.',
  example:
    'svc transcript RUN_ID --traces .svc/traces --inspection .svc/inspection --private-unattended ' +
    '--private-output private/transcript.json',
  positional: { placeholder: 'RUN_ID', minimum: 1, maximum: 1, grammar: { kind: 'run-selector' }, names: 'run' },
  defaultDocument: projectByDefault(
    ({ positionals, options }) =>
      !isWholeReference(positionals[0]) ||
      !options.has('--traces') ||
      !(options.has('--inspection') || options.has('--inspection-file')),
  ),
  options: [
    {
      name: '--traces',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory of traces, with RUN_ID.jsonl or RUN_ID.private.jsonl in it.',
    },
    {
      name: '--inspection',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'Directory of inspections, with RUN_ID.svcins in it.',
    },
    {
      name: '--inspection-file',
      value: { placeholder: 'FILE.svcins', grammar: { kind: 'path', use: 'source' } },
      description: 'Use exactly this inspection.',
    },
    { name: '--private-unattended', description: 'Allow one private result with nobody watching.' },
    {
      name: '--private-output',
      value: { placeholder: 'TRANSCRIPT.json', grammar: { kind: 'path', use: 'destination' } },
      description:
        'New file for its owner only. Its parent exists, no symlink leads to it, ' +
        'and it is apart from the traces and the inspection.',
    },
    { ...OF_PROJECT, isFurther: true },
    ENVELOPE,
    HELP,
  ],
  rules: [
    { kind: 'exclusive', operands: ['--inspection', '--inspection-file'] },
    { kind: 'required', operand: '--traces', unless: '--project' },
    { kind: 'one-required', operands: ['--inspection', '--inspection-file'], unless: '--project' },
    { kind: 'required', operand: '--private-unattended' },
    { kind: 'required', operand: '--private-output' },
  ],
  usage: [`${USAGE} [--envelope ENVELOPE.json]`],
  rootUsage: [USAGE],
  notices: [],
};
