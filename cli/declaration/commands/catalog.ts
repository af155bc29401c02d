import { ENV_FILE, ENVELOPE, HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

const USAGE = 'svc catalog PROVIDER --host-config HOST.json';

export const CATALOG: CommandDeclaration = {
  name: 'catalog',
  envelope: 'catalog',
  task: 'inspect',
  summary: 'List the tools of one installed provider.',
  example: 'svc catalog files --host-config svc-host.json',
  positional: { placeholder: 'PROVIDER', minimum: 1, maximum: 1, grammar: { kind: 'name' }, names: 'installation' },
  options: [HOST_CONFIG, ENV_FILE, ENVELOPE, HELP],
  rules: [{ kind: 'required', operand: '--host-config' }],
  usage: [USAGE],
  rootUsage: [USAGE],
  notices: [],
};
