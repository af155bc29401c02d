import { HELP } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Our own command: plain text help, never a help result (cli.md §6). */
export const COMPLETION: CommandDeclaration = {
  name: 'completion',
  envelope: null,
  task: 'learn',
  summary: 'Print the script with which a shell completes commands and options.',
  example: 'source <(svc completion bash)',
  positional: { placeholder: SHELLS.join('|'), minimum: 1, maximum: 1, grammar: { kind: 'choice', of: SHELLS } },
  options: [
    {
      name: '--word',
      value: { placeholder: 'WORD', grammar: { kind: 'text', minimum: 0, maximum: 4096 } },
      repeatable: { maximum: 256, distinct: 'no' },
      description: 'For the printed script: each word after svc, the last of which is completed.',
    },
    HELP,
  ],
  rules: [{ kind: 'required', operand: 'argument' }],
  usage: [`svc completion ${SHELLS.join('|')}`],
  rootUsage: [],
  notices: [
    'bash: source <(svc completion bash), in ~/.bashrc.',
    'zsh: source <(svc completion zsh), in ~/.zshrc after compinit.',
    'fish: svc completion fish > ~/.config/fish/completions/svc.fish',
  ],
};
