import type { ChoiceCode, EnvelopeCommand } from '../declaration/types.ts';

/**
 * What is wrong with the arguments (cli.md §2). Holds declared names only: nothing the caller typed can be in it.
 */
export type ArgumentFault =
  | { readonly kind: 'unknown-command' }
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'unknown-option' }
  | { readonly kind: 'too-many-arguments' }
  | { readonly kind: 'topic-unknown' }
  | {
      readonly kind: 'option';
      readonly option: string;
      readonly rule:
        | 'value_missing'
        | 'repeated'
        | 'value_invalid'
        | 'required'
        | 'not_accepted_here'
        | 'not_a_file_name'
        | 'stands_alone';
    }
  | { readonly kind: 'positional'; readonly placeholder: string; readonly rule: 'missing' | 'invalid' }
  | { readonly kind: 'one-required'; readonly options: readonly string[] }
  | { readonly kind: 'unfit' }
  | { readonly kind: 'exclusive'; readonly options: readonly string[] }
  | { readonly kind: 'same-destination'; readonly option: string; readonly other: string }
  | { readonly kind: 'inside-destination'; readonly option: string; readonly other: string }
  | { readonly kind: 'closed-name'; readonly code: ChoiceCode }
  | { readonly kind: 'envelope-exists' };

export interface Rejection {
  /** The `command` of the envelope; `unknown` also for commands without envelope (cli.md §2). */
  readonly command: EnvelopeCommand;
  readonly fault: ArgumentFault;
  /** Remedy for people, from closed vocabulary; never part of the envelope. */
  readonly hint: string | null;
}
