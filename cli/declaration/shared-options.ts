import type { OptionDeclaration, PositionalDeclaration } from './types.ts';

export const HOST_CONFIG: OptionDeclaration = {
  name: '--host-config',
  value: { placeholder: 'HOST.json', grammar: { kind: 'path', use: 'source' } },
  description: 'Host document: which models and tools are installed.',
};

/** Of a command that finds what a run left by the project whose run it was (first-day.md §1). */
export const OF_PROJECT: OptionDeclaration = {
  name: '--project',
  value: { placeholder: 'PROJECT.json', grammar: { kind: 'path', use: 'source' } },
  description: 'The project whose run it was; svc-project.json in the working directory when left out.',
};

export const ENV_FILE: OptionDeclaration = {
  name: '--env-file',
  value: { placeholder: 'FILE', grammar: { kind: 'path', use: 'source' } },
  description: 'Load environment variables from exactly this file.',
};

export const ENVELOPE: OptionDeclaration = {
  name: '--envelope',
  value: { placeholder: 'ENVELOPE.json', grammar: { kind: 'path', use: 'destination' } },
  description: 'Write the command envelope (version 5) to this new file, whole or not at all.',
};

export const HELP: OptionDeclaration = { name: '--help', description: 'Show this help.' };

export const COMPONENT_OVERRIDE: OptionDeclaration = {
  name: '--component-override-descriptor',
  value: { placeholder: 'DESCRIPTOR.json', grammar: { kind: 'path', use: 'source' } },
  description: 'Descriptor of a checked replacement for one component.',
};

export const MANIFEST_OR_PROJECT: PositionalDeclaration = {
  placeholder: 'MANIFEST.json|PROJECT.json',
  minimum: 1,
  maximum: 1,
  grammar: { kind: 'path', use: 'source' },
};

export const PROJECT: PositionalDeclaration = {
  placeholder: 'PROJECT.json',
  minimum: 1,
  maximum: 1,
  grammar: { kind: 'path', use: 'source' },
};

export const NO_POSITIONAL: PositionalDeclaration = {
  placeholder: '',
  minimum: 0,
  maximum: 0,
  grammar: { kind: 'text', minimum: 1, maximum: 1 },
};
