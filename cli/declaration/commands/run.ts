import { argumentByDefault } from '../default-document.ts';
import { COMPONENT_OVERRIDE, ENV_FILE, ENVELOPE, HELP, HOST_CONFIG, MANIFEST_OR_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

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
      value: { placeholder: 'INPUT.json', grammar: { kind: 'path', use: 'application' } },
      description:
        'Normal alternate input object: an application-relative document, an absolute or working-directory path, or - for standard input.',
    },
    {
      name: '--private-input',
      value: { placeholder: 'INPUT.json', grammar: { kind: 'path', use: 'application' } },
      description:
        'Private alternate input object: an application-relative document, an absolute or working-directory path, or - for standard input.',
    },
    {
      name: '--trace-dir',
      value: { placeholder: 'DIRECTORY', grammar: { kind: 'path', use: 'directory' } },
      description: 'Existing directory for the trace, which is named by the run reference.',
    },
    {
      name: '--output',
      value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the normal result artifact at this new path.',
    },
    {
      name: '--private-output',
      value: { placeholder: 'VALUE.json', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the owner-only private result artifact at this new path.',
    },
    {
      name: '--inspect',
      value: { placeholder: 'RUN.svcins', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the owner-only private inspection artifact at this new path.',
    },
    COMPONENT_OVERRIDE,
    ENV_FILE,
    {
      ...ENVELOPE,
      description:
        'Publish a copy of the V5 command envelope atomically; ' +
        'the project ledger is still written when artifacts.envelope is enabled.',
    },
    { name: '--progress', description: 'Best-effort live progress on stderr.' },
    {
      name: '--authorize-mcp',
      value: { placeholder: 'NAME', grammar: { kind: 'name' }, names: 'installation' },
      repeatable: { maximum: 128, distinct: 'whole' },
      description: 'Authorize one selected installation for this run; may be repeated.',
    },
    HELP,
  ],
  rules: [
    { kind: 'exclusive', operands: ['--input', '--private-input'] },
    { kind: 'exclusive', operands: ['--output', '--private-output'] },
  ],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: ['Setting SVC_VIEWER_URL reports an externally started run to the live tab of a viewer.'],
  evaluates: () => true,
};
