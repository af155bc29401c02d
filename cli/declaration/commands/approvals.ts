import { APPROVAL_SCOPES } from '../../../contract/approval.ts';
import { projectByDefault } from '../default-document.ts';
import { HELP, OF_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration, CommandArguments, OptionName } from '../types.ts';

/** What the command is asked to do: its first argument. */
export const APPROVAL_TASKS = ['list', 'show', 'approve', 'deny'] as const;
export type ApprovalTask = (typeof APPROVAL_TASKS)[number];

export function approvalTask({ positionals }: Pick<CommandArguments, 'positionals'>): ApprovalTask {
  return APPROVAL_TASKS.find((task) => task === positionals[0]) ?? 'list';
}

const REASON = { minimum: 1, maximum: 4096 } as const;

/** Our own command (approvals.md §5): plain text help, never a help result (cli.md §6). */
export const APPROVALS: CommandDeclaration = {
  name: 'approvals',
  envelope: null,
  task: 'run',
  summary: 'List the calls that wait for a person, show one, and allow or deny it.',
  example: 'svc approvals approve latest',
  positional: { placeholder: 'TASK', minimum: 0, maximum: 1, grammar: { kind: 'choice', of: APPROVAL_TASKS } },
  second: { placeholder: 'ID', minimum: 0, maximum: 1, grammar: { kind: 'text', minimum: 1, maximum: 64 } },
  defaultDocument: projectByDefault(() => true),
  options: [
    OF_PROJECT,
    {
      name: '--reason',
      value: { placeholder: 'TEXT', grammar: { kind: 'text', ...REASON } },
      description: 'Why it is denied: the program, and its model, read it.',
    },
    {
      name: '--scope',
      value: { placeholder: 'SCOPE', grammar: { kind: 'choice', of: APPROVAL_SCOPES } },
      description:
        'Decide this call (once), its tool in this run (tool) or session of svc code (session), or all in the run (run).',
    },
    { name: '--unattended', description: 'Allow without a terminal, where the host document lets programs do so.' },
    { name: '--watch', description: 'Keep listing: print each new question, until Ctrl-C.' },
    { name: '--json', description: 'Print JSON at a terminal too.' },
    HELP,
  ],
  rules: [
    {
      kind: 'second',
      states: 'show, approve and deny need the ID of a question, list takes none',
      fault: (commandArguments) => {
        const isNamed = commandArguments.positionals.length > 1;
        if (approvalTask(commandArguments) === 'list') return isNamed ? 'superfluous' : null;
        return isNamed ? null : 'missing';
      },
    },
    onlyOf('--reason', 'deny'),
    onlyOf('--scope', 'approve', 'deny'),
    onlyOf('--unattended', 'approve'),
    onlyOf('--watch', 'list'),
  ],
  usage: [
    'svc approvals [list] [--project PROJECT.json] [--watch] [--json]',
    'svc approvals show ID [--project PROJECT.json] [--json]',
    'svc approvals approve ID [--scope SCOPE] [--unattended] [--project PROJECT.json]',
    'svc approvals deny ID [--reason TEXT] [--scope SCOPE] [--project PROJECT.json]',
  ],
  rootUsage: [],
  notices: [
    'ID is the id of a question, latest, or the beginning of one. Runs that were started with --wait-for-approval ask here, and svc code does where its client cannot be asked.',
    'approve shows the call and asks for y at the terminal. That guards against accidents, and not against a program that runs as the same user: use another account, the API, or a viewer with a token for that.',
  ],
};

function onlyOf(option: OptionName, ...tasks: readonly ApprovalTask[]): CommandDeclaration['rules'][number] {
  return {
    kind: 'condition',
    option,
    states: `${option} belongs to svc approvals ${tasks.join(' and ')}`,
    holds: (commandArguments) =>
      !commandArguments.options.has(option) || tasks.includes(approvalTask(commandArguments)),
  };
}
