import { ENVELOPE, HELP, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration, OptionName } from '../types.ts';

const SELECTION = 'svc materialize MANIFEST.json|PROJECT.json (--workflow | --target-mission NAME) --component ID';

/** Options that only make sense with `--out` (cli.md §1). */
const CANDIDATE_OPTIONS: readonly OptionName[] = [
  '--source',
  '--from-result',
  '--result-pointer',
  '--origin-run-id',
  '--origin-prompt-hash',
  '--origin-authored-at',
  '--accept-widened-effect',
];

export const MATERIALIZE: CommandDeclaration = {
  name: 'materialize',
  envelope: 'materialize',
  task: 'build',
  summary: 'Export the source of a component, or publish a checked replacement for it.',
  example: 'svc materialize svc.json --workflow --component main --source-out main.clj',
  positional: MANIFEST_OR_PROJECT,
  options: [
    { name: '--workflow', description: 'Take the component from the workflow.' },
    {
      name: '--target-mission',
      value: { placeholder: 'NAME', grammar: { kind: 'name' }, names: 'mission' },
      description: 'Take the component from this mission.',
    },
    {
      name: '--component',
      value: { placeholder: 'ID', grammar: { kind: 'logical' }, names: 'component' },
      description: 'Component to export or replace.',
    },
    {
      name: '--source-out',
      value: { placeholder: 'PATH', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the installed effective source as one owner-only file.',
    },
    {
      name: '--out',
      value: { placeholder: 'DIR', grammar: { kind: 'path', use: 'directory' } },
      description: 'Publish a gated directory that holds candidate.clj and descriptor.json.',
    },
    {
      name: '--source',
      value: { placeholder: 'PATH', grammar: { kind: 'path', use: 'source' } },
      description: 'File with the candidate source.',
    },
    {
      name: '--from-result',
      value: { placeholder: 'PATH', grammar: { kind: 'path', use: 'source' } },
      description: 'Result artifact that holds the candidate source.',
    },
    {
      name: '--result-pointer',
      value: { placeholder: 'POINTER', grammar: { kind: 'pointer' } },
      description: 'RFC 6901 pointer to one string in the result artifact.',
    },
    {
      name: '--origin-run-id',
      value: { placeholder: 'ID', grammar: { kind: 'text', minimum: 1, maximum: 256 } },
      description: 'Unverified origin: the run that produced the candidate.',
    },
    {
      name: '--origin-prompt-hash',
      value: { placeholder: 'sha256:...', grammar: { kind: 'digest' } },
      description: 'Unverified origin: hash of the prompt that produced the candidate.',
    },
    {
      name: '--origin-authored-at',
      value: { placeholder: 'RFC3339', grammar: { kind: 'timestamp' } },
      description: 'Unverified origin: the time at which the candidate was written.',
    },
    { name: '--accept-widened-effect', description: 'Record a widened effect or requirement as accepted.' },
    ENVELOPE,
    HELP,
  ],
  rules: [
    { kind: 'exclusive', operands: ['--workflow', '--target-mission'] },
    { kind: 'excludes', operand: '--source-out', others: ['--out', ...CANDIDATE_OPTIONS] },
    { kind: 'exclusive', operands: ['--source', '--from-result'] },
    { kind: 'one-required', operands: ['--workflow', '--target-mission'] },
    { kind: 'required', operand: '--component' },
    { kind: 'one-required', operands: ['--source-out', '--out'] },
    { kind: 'needs', operand: '--out', anyOf: ['--source', '--from-result'] },
    { kind: 'needs', operand: '--from-result', anyOf: ['--result-pointer'] },
    { kind: 'needs', operand: '--result-pointer', anyOf: ['--from-result'] },
  ],
  usage: [
    `${SELECTION} --source-out PATH`,
    `${SELECTION} --out DIR --source PATH`,
    `${SELECTION} --out DIR --from-result PATH --result-pointer POINTER`,
  ],
  rootUsage: [
    `${SELECTION} (--source-out PATH | --out DIR (--source PATH | --from-result PATH --result-pointer POINTER))`,
  ],
  notices: [],
  evaluates: () => true,
};
