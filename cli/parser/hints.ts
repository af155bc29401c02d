import { HELP_TOPICS } from '../../contract/envelope/results.ts';
import type {
  CommandDeclaration,
  OptionDeclaration,
  PositionalDeclaration,
  ValueGrammar,
} from '../declaration/types.ts';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import { nearestNames } from '../../contract/names/nearest.ts';
import { didYouMean } from '../../contract/names/suggestion.ts';

/** The name that a mistyped word of a closed list may mean; null for no guess. */
export function nearHint(input: string, grammar: ValueGrammar): string | null {
  return grammar.kind === 'choice' ? didYouMean(input, grammar.of) : null;
}

/**
 * Remedies printed behind a rejection. They are made of declared words, and of names that can hold no value (cli.md §2,
 * first-day.md §3).
 */

/** What is in the place of a name and looks like one; anything else may be a value that went astray. */
const COMMAND_WORD = /^[a-z][a-z-]{0,31}$/;
const OPTION_WORD = /^--?[a-z][a-z-]{0,31}$/;

/** What there is no such word of, for example "svc run has no option --nope". */
function withoutWord(word: string | undefined, name: RegExp, owner: string): string {
  return word !== undefined && name.test(word) ? `${owner} ${word}; ` : '';
}

/** Words of other programs, each with what says the same here. */
const GLOBAL_LEADS: Readonly<Partial<Record<string, string>>> = {
  '-h': 'svc --help',
  '-?': 'svc --help',
  '-v': 'svc --version',
  '-V': 'svc --version',
};

function lead(instead: string | undefined): string {
  return instead === undefined ? '' : `write ${instead}; `;
}

/** The same behind a command. */
function leadOf(spelling: string, name: string): string {
  if (spelling === '--json') return `svc --json ${name}`;
  return spelling === '-h' || spelling === '-?' ? `svc ${name} --help` : (GLOBAL_LEADS[spelling] ?? '');
}

export function commandHint(word: string | undefined): string {
  const known = lead(GLOBAL_LEADS[word ?? '']);
  return `${known}${withoutWord(word, COMMAND_WORD, 'svc has no command')}${nearestHint(word, COMMAND_NAMES)}commands: ${COMMAND_NAMES.join(', ')}`;
}

/** Every word that `svc help` takes: the topics of the envelope and the commands whose help is plain text alone. */
const HELP_WORDS = [...new Set<string>([...HELP_TOPICS, ...COMMAND_NAMES])]
  .filter((word) => word !== 'help')
  .toSorted();

export function topicHint(word: string | undefined): string {
  return `${withoutWord(word, COMMAND_WORD, 'svc help has no topic')}${nearestHint(word, HELP_WORDS)}topics: ${HELP_WORDS.join(', ')}`;
}

/** Help has no help of its own: what it takes is a topic. */
export function helpOptionHint(spelling: string | undefined): string {
  return `${spelling === '--help' ? lead('svc help, or svc help COMMAND') : ''}${topicHint(undefined)}`;
}

export function optionHint(spelling: string, declaration: CommandDeclaration): string {
  const names = declaration.options.flatMap(({ name, short }) => (short === undefined ? [name] : [short, name]));
  if (names.length === 0)
    return `${withoutWord(spelling, OPTION_WORD, `svc ${declaration.name} has no option`)}${usageHint(declaration)}`;
  const instead = leadOf(spelling, declaration.name);
  if (instead !== '')
    return `${lead(instead)}${withoutWord(spelling, OPTION_WORD, `svc ${declaration.name} has no option`)}accepted options: ${names.join(', ')}`;
  const nearest = nearestNames(spelling, names);
  const ordered = [...nearest, ...names.filter((name) => !nearest.includes(name))];
  return `${withoutWord(spelling, OPTION_WORD, `svc ${declaration.name} has no option`)}${othersOption(spelling)}${nearestHint(spelling, names)}accepted options: ${ordered.join(', ')}`;
}

/** An option that is one of other commands is a declared word. */
function othersOption(spelling: string): string {
  const owners = Object.values(COMMANDS)
    .filter(({ options }) => options.some(({ name }) => name === spelling))
    .map(({ name }) => name);
  return owners.length === 0 ? '' : `${spelling} is an option of ${owners.join(', ')}; `;
}

/** How to ask for help of a command: alone (cli.md §1 rule 8). */
export function helpHint({ name }: CommandDeclaration): string {
  return `write svc ${name} --help`;
}

/** A value that could be taken for an option needs the other form (cli.md §1 rule 3). */
export function missingValueHint(option: OptionDeclaration, isFollowed: boolean): string {
  const { name, value } = option;
  const otherForm =
    isFollowed && value !== undefined ? `; a value that begins with - is written ${name}=${value.placeholder}` : '';
  return `${optionValueHint(option)}${otherForm}`;
}

export function usageHint(declaration: CommandDeclaration): string {
  return `usage: ${declaration.usage.join(' or ')}`;
}

export function optionValueHint({ name, value }: OptionDeclaration, input?: string): string {
  if (value === undefined) return `${name} takes no value; write it alone`;
  return `${name} ${value.placeholder}: ${expectation(value.grammar, input)}`;
}

export function positionalHint({ placeholder, grammar }: PositionalDeclaration, input: string): string {
  return `${placeholder}: ${expectation(grammar, input)}`;
}

function nearestHint(word: string | undefined, names: readonly string[]): string {
  const [nearest] = word === undefined ? [] : nearestNames(word, names);
  return nearest === undefined ? '' : `did you mean ${nearest}? `;
}

function expectation(grammar: ValueGrammar, input: string | undefined): string {
  switch (grammar.kind) {
    case 'path':
      return grammar.use === 'destination'
        ? 'a file name of 1 to 4096 bytes that is not - and does not end in ., .. or /'
        : 'a path of 1 to 4096 bytes';
    case 'integer':
      return `a decimal number from ${grammar.minimum} to ${grammar.maximum}`;
    case 'name':
      return 'a lowercase letter, then up to 127 lowercase letters, digits, dots, underscores or hyphens';
    case 'choice':
      return `${nearestHint(input, grammar.of)}one of ${grammar.of.join(', ')}`;
    case 'text':
      return `${grammar.minimum} to ${grammar.maximum} characters`;
    case 'logical':
      return 'a component id: up to 16 lowercase names joined by /';
    case 'run-reference':
      return 'a run reference: cmd- and 26 characters';
    case 'run-selector':
      return 'a run reference (cmd- and 26 characters, or its first 8 or more), latest or latest-failed';
    case 'digest':
      return 'sha256: and 64 lowercase hexadecimal digits';
    case 'timestamp':
      return 'a time such as 2026-01-31T12:00:00Z';
    case 'pointer':
      return 'empty, or names that each start with /';
    case 'input':
      return 'a path of 1 to 4096 bytes, or KEY=VALUE';
    case 'input-file':
      return 'a key of letters, digits, _ and -, then =, and the path of a file; each key once';
    case 'resource':
      return 'a resource name, =, and its directory; each name once';
  }
}
