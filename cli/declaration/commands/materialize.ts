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
      description: 'Write the source that is in effect to this new file, for its owner only.',
    },
    {
      name: '--out',
      value: { placeholder: 'DIR', grammar: { kind: 'path', use: 'directory' } },
      description: 'Write a directory with candidate.clj and descriptor.json, once the candidate has passed the gate.',
    },
    {
      name: '--source',
      value: { placeholder: 'PATH', grammar: { kind: 'path', use: 'source' } },
      description: 'File with the candidate source.',
    },
    {
      name: '--from-result',
      value: { placeholder: 'PATH', grammar: { kind: 'path', use: 'source' } },
      description: 'Result file that holds the candidate source.',
    },
    {
      name: '--result-pointer',
      value: { placeholder: 'POINTER', grammar: { kind: 'pointer' } },
      description: 'JSON Pointer (RFC 6901) to one string in the result file.',
    },
    {
      name: '--origin-run-id',
      value: { placeholder: 'ID', grammar: { kind: 'text', minimum: 1, maximum: 256 } },
      description: 'Run that produced the candidate; kept, and not verified.',
    },
    {
      name: '--origin-prompt-hash',
      value: { placeholder: 'sha256:...', grammar: { kind: 'digest' } },
      description: 'Hash of the prompt that produced the candidate; kept, and not verified.',
    },
    {
      name: '--origin-authored-at',
      value: { placeholder: 'RFC3339', grammar: { kind: 'timestamp' } },
      description: 'Time at which the candidate was written; kept, and not verified.',
    },
    { name: '--accept-widened-effect', description: 'Accept a wider effect or requirement, and record that.' },
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
