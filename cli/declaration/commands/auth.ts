import { ENV_FILE, HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration, CommandArguments, OptionName } from '../types.ts';

/** What the command is asked to do: its first argument. */
export const AUTH_TASKS = ['login', 'list', 'logout'] as const;
export type AuthTask = (typeof AUTH_TASKS)[number];

export function authTask({ positionals }: Pick<CommandArguments, 'positionals'>): AuthTask | undefined {
  return AUTH_TASKS.find((task) => task === positionals[0]);
}

/** Our own command (world.md §2.5): plain text help, never a help result (cli.md §6). */
export const AUTH: CommandDeclaration = {
  name: 'auth',
  envelope: null,
  task: 'run',
  summary: 'Sign in to servers that people authorise (OAuth), list what was granted, or end it.',
  example: 'svc auth login desk',
  positional: { placeholder: 'TASK', minimum: 1, maximum: 1, grammar: { kind: 'choice', of: AUTH_TASKS } },
  second: { placeholder: 'NAME', minimum: 0, maximum: 1, grammar: { kind: 'name' }, names: 'installation' },
  options: [HOST_CONFIG, ENV_FILE, HELP],
  rules: [
    { kind: 'required', operand: 'argument' },
    {
      kind: 'second',
      states: 'login and logout need the NAME of an installation, list takes none',
      fault: (commandArguments) => {
        const isNamed = commandArguments.positionals.length > 1;
        if (authTask(commandArguments) === 'list') return isNamed ? 'superfluous' : null;
        return isNamed ? null : 'missing';
      },
    },
    notOfList('--host-config'),
    notOfList('--env-file'),
  ],
  usage: [
    'svc auth login NAME [--host-config HOST.json] [--env-file FILE]',
    'svc auth list',
    'svc auth logout NAME [--host-config HOST.json] [--env-file FILE]',
  ],
  rootUsage: [],
  notices: [
    'NAME is an installation of the host document: that of --host-config, else of svc-project.json in the working directory, else svc-host.json there.',
    'run, repl, catalog, doctor --connect and gateway use what was granted, and renew it. It is kept sealed in a folder of yours; see SVC_GRANTS_DIR and SVC_GRANTS_KEY in svc config.',
  ],
};

function notOfList(option: OptionName): CommandDeclaration['rules'][number] {
  return {
    kind: 'condition',
    option,
    states: `${option} does not belong to svc auth list`,
    holds: (commandArguments) => !commandArguments.options.has(option) || authTask(commandArguments) !== 'list',
  };
}
