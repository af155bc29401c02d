import type { Envelope } from '../../contract/envelope/types.ts';

/** Words that an envelope's `command` may hold (interface.md §1.1). */
export type EnvelopeCommand = Envelope['command'];

/** Refusals that one value of a closed list has for itself; every other bad value is `invalid_arguments`. */
export type ChoiceCode = 'docs_page_unknown' | 'example_unknown';

/**
 * What a value may be (cli.md §1). Paths: `source` is read, `destination` is a file to be created,
 * `directory` may end in a slash, `application` stays as given because the application's own directory is tried first.
 * Every path but `application` is anchored to the working directory by the parser.
 */
export type ValueGrammar =
  | { readonly kind: 'path'; readonly use: 'source' | 'destination' | 'directory' | 'application' }
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'name' }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly code?: ChoiceCode }
  | { readonly kind: 'text'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'logical' }
  | { readonly kind: 'run-reference' }
  /** A run reference or a word for one: its beginning, `latest`, `latest-failed`. */
  | { readonly kind: 'run-selector' }
  | { readonly kind: 'digest' }
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'pointer' }
  /** The path of an input document, as `application`, or KEY=VALUE. */
  | { readonly kind: 'input' }
  /** KEY=FILE of a member of the input. */
  | { readonly kind: 'input-file' }
  | { readonly kind: 'resource' };

/** What a value names in the documents and artifacts of a caller, so that a shell can offer the names there are. */
export type NameKind = 'mission' | 'component' | 'installation' | 'run' | 'command';

export type OptionName = `--${string}`;

export interface OptionDeclaration {
  readonly name: OptionName;
  /** One-letter spelling; only the repl has them. */
  readonly short?: `-${string}`;
  /** Absent: a switch without value. */
  readonly value?: { readonly placeholder: string; readonly grammar: ValueGrammar; readonly names?: NameKind };
  /** Present: may be given up to `maximum` times, order kept; `distinct` refuses an equal value. */
  readonly repeatable?: {
    readonly maximum: number;
    readonly distinct: 'whole' | 'key' | 'no';
    /** Whether a value may be given beside others; absent: all may. */
    readonly among?: (value: string) => boolean;
  };
  readonly description: string;
  /** Whether no help result lists it: an option that interface.md does not print (cli.md §6); absent: no. */
  readonly isFurther?: true;
}

export interface PositionalDeclaration {
  readonly placeholder: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly grammar: ValueGrammar;
  readonly names?: NameKind;
}

/** An option, or the command's positional argument. */
export type Operand = OptionName | 'argument';

/** What the caller gave, with every value checked against its grammar. */
export interface CommandArguments {
  readonly positionals: readonly string[];
  /** Values by long option name, in order; a switch that was given has one empty string. */
  readonly options: ReadonlyMap<OptionName, readonly string[]>;
}

/**
 * Rules over several operands. `exclusive` (any two of the group) and `excludes` (the first with any of the others)
 * are `conflicting_arguments`; the rest are `invalid_arguments`, checked later (cli.md §1, check order).
 */
export type CommandRule =
  | { readonly kind: 'exclusive'; readonly operands: readonly Operand[] }
  | { readonly kind: 'excludes'; readonly operand: Operand; readonly others: readonly Operand[] }
  /** `unless`: an option, or a second argument, that says the same another way. */
  | { readonly kind: 'required'; readonly operand: Operand; readonly unless?: OptionName | 'second' }
  | { readonly kind: 'one-required'; readonly operands: readonly Operand[]; readonly unless?: OptionName }
  | { readonly kind: 'one-only'; readonly operands: readonly Operand[] }
  | { readonly kind: 'needs'; readonly operand: Operand; readonly anyOf: readonly Operand[] }
  /** What the second argument has to be, by what else is given: `superfluous` where it belongs to nothing. */
  | {
      readonly kind: 'second';
      readonly states: string;
      readonly fault: (commandArguments: CommandArguments) => 'missing' | 'superfluous' | null;
    }
  | {
      readonly kind: 'condition';
      /** The option that is refused unless the condition holds. */
      readonly option: OptionName;
      readonly states: string;
      readonly holds: (commandArguments: CommandArguments) => boolean;
    };

export type Task = 'build' | 'run' | 'inspect' | 'serve' | 'learn';

/** All that the program, its help and its documentation have to know of a command, but for its work. */
export interface CommandDeclaration {
  /** As in the table of commands. */
  readonly name: string;
  /** `null`: the command has no envelope; its argument faults are those of `unknown` (cli.md §2). */
  readonly envelope: Exclude<EnvelopeCommand, 'unknown'> | null;
  readonly task: Task;
  readonly summary: string;
  readonly example: string;
  readonly positional: PositionalDeclaration;
  /** What may follow it; absent: nothing. */
  readonly second?: PositionalDeclaration;
  /** Where the document of the working directory goes when none is named; absent: nowhere. */
  readonly defaultDocument?: DefaultDocumentRule;
  readonly options: readonly OptionDeclaration[];
  readonly rules: readonly CommandRule[];
  /** Usage lines of the command's own help topic. */
  readonly usage: readonly string[];
  /** Its lines in root help; empty for a command that only the human "More" block names. */
  readonly rootUsage: readonly string[];
  readonly notices: readonly string[];
  /** Whether programs are evaluated, so that a sandbox starts while the command is still loading; absent: never. */
  readonly evaluates?: (commandArguments: CommandArguments) => boolean;
  /** Whether the work is bundled in a file of its own, for a command that loads what no other needs; absent: no. */
  readonly isBundledApart?: true;
}

/** A document of the working directory that takes the place of one that nobody named (first-day.md §1). */
export type DefaultDocumentName = 'svc-project.json' | 'svc.json';

/** What a command does with the document of the working directory; null: it needs none. */
export type DefaultDocumentRule = (
  commandArguments: CommandArguments,
  found: { readonly name: DefaultDocumentName; readonly isTerminal: boolean },
) => Operand | null;
