import { listOf } from '../grammar.ts';
import { admitted } from './admitted.ts';

/** Texts of argument faults. Options and placeholders come from the declaration table, never from argv (cli.md §2). */

const OPTION = '-{1,2}[a-z][a-z-]{0,62}';
const PLACEHOLDER = '[A-Z][A-Za-z_.|-]{0,62}';

export const INVALID_ARGUMENTS = 'the arguments do not fit the command';
export const CONFLICTING_ARGUMENTS = 'the arguments exclude each other';

const OPTION_RULES = {
  value_missing: 'requires a value',
  repeated: 'may be given only once',
  value_invalid: 'has a value that is not accepted',
  required: 'is required',
  not_accepted_here: 'is not accepted with these arguments',
  not_a_file_name: 'does not name a usable file',
  stands_alone: 'takes no other arguments',
} as const;
/** A rule of the command line that is broken by one option, which the message names (cli.md §1). */
export type OptionRule = keyof typeof OPTION_RULES;

const POSITIONAL_RULES = {
  missing: 'is missing',
  invalid: 'is not accepted',
} as const;
/** A rule that is broken by positional arguments (cli.md §1). */
export type PositionalRule = keyof typeof POSITIONAL_RULES;

const PLAIN_RULES = {
  unknown_option: 'an option is not accepted by this command',
  too_many_arguments: 'the command takes fewer arguments',
  topic_unknown: 'the help topic is unknown',
  not_utf8: 'an argument is not valid UTF-8',
} as const;
/** A rule whose message names no argument (cli.md §1). */
export type ArgumentRule = keyof typeof PLAIN_RULES;

export const INVALID_ARGUMENTS_PATTERNS = [
  `option ${OPTION} (?:${Object.values(OPTION_RULES).join('|')})`,
  `argument ${PLACEHOLDER} (?:${Object.values(POSITIONAL_RULES).join('|')})`,
  `one of ${listOf(OPTION, 2, 8)} is required`,
  ...Object.values(PLAIN_RULES),
] as const;

export const CONFLICTING_ARGUMENTS_PATTERNS = [
  `options ${listOf(OPTION, 2, 8)} exclude each other`,
  `${OPTION} and (?:${OPTION}|${PLACEHOLDER}) name the same destination`,
  `${OPTION} lies inside the directory named by (?:${OPTION}|${PLACEHOLDER})`,
] as const;

function invalid(message: string): string {
  return admitted(INVALID_ARGUMENTS_PATTERNS.join('|'), message, INVALID_ARGUMENTS);
}

function conflicting(message: string): string {
  return admitted(CONFLICTING_ARGUMENTS_PATTERNS.join('|'), message, CONFLICTING_ARGUMENTS);
}

/**
 * `invalid_arguments` for one option (cli.md §2). `option`: its long spelling, from the declaration table; any other
 * text gives the generic message.
 */
export function optionMessage(option: string, rule: OptionRule): string {
  return invalid(`option ${option} ${OPTION_RULES[rule]}`);
}

/**
 * `invalid_arguments` for one positional argument (cli.md §2). `placeholder`: as the usage line writes it; any other
 * text gives the generic message.
 */
export function positionalMessage(placeholder: string, rule: PositionalRule): string {
  return invalid(`argument ${placeholder} ${POSITIONAL_RULES[rule]}`);
}

/**
 * `invalid_arguments` where one of 2 to 8 options must be given (cli.md §2); more, or texts that are no options, give
 * the generic message.
 */
export function oneOptionRequiredMessage(options: readonly string[]): string {
  return invalid(`one of ${options.join(', ')} is required`);
}

/** `invalid_arguments` for a rule that names nothing of the command line (cli.md §2). */
export function argumentRuleMessage(rule: ArgumentRule): string {
  return PLAIN_RULES[rule];
}

/**
 * `conflicting_arguments` for 2 to 8 options that exclude each other (cli.md §2); more, or texts that are no options,
 * give the generic message.
 */
export function exclusiveOptionsMessage(options: readonly string[]): string {
  return conflicting(`options ${options.join(', ')} exclude each other`);
}

/** `other` is an option or the placeholder of a positional argument. */
export function sameDestinationMessage(option: string, other: string): string {
  return conflicting(`${option} and ${other} name the same destination`);
}

/**
 * `conflicting_arguments` for a destination below another one (cli.md §2). `other` is an option or the placeholder of a
 * positional argument.
 */
export function insideDestinationMessage(option: string, other: string): string {
  return conflicting(`${option} lies inside the directory named by ${other}`);
}
