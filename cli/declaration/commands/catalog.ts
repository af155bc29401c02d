import { ENV_FILE, ENVELOPE, HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** What standard output may be. */
export const CATALOG_FORMATS = ['text', 'json'] as const;

const USAGE = 'svc catalog PROVIDER --host-config HOST.json';

export const CATALOG: CommandDeclaration = {
  name: 'catalog',
  envelope: 'catalog',
  task: 'inspect',
  summary: 'List the tools of one installed provider.',
  example: 'svc catalog files --host-config svc-host.json',
  positional: { placeholder: 'PROVIDER', minimum: 1, maximum: 1, grammar: { kind: 'name' }, names: 'installation' },
  options: [
    HOST_CONFIG,
    ENV_FILE,
    {
      name: '--format',
      value: { placeholder: 'text|json', grammar: { kind: 'choice', of: CATALOG_FORMATS } },
      description:
        'text prints a table and a mapping to paste, json the result; left out, it is text at a terminal alone.',
      isFurther: true,
    },
    ENVELOPE,
    HELP,
  ],
  rules: [{ kind: 'required', operand: '--host-config' }],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
};
