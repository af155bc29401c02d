import { COMMANDS, COMMAND_NAMES, isCommandName } from '../declaration/table.ts';
import { placeOf } from '../parser/values.ts';
import type {
  CommandDeclaration,
  NameKind,
  OptionDeclaration,
  PositionalDeclaration,
  ValueGrammar,
} from '../declaration/types.ts';

/** What a shell may offer for one word. */
export interface Candidate {
  readonly text: string;
  /** One line for people; empty for a name that says all. */
  readonly description: string;
}

/** What may take the place of the last word of a line. */
export interface WordCompletion {
  readonly candidates: readonly Candidate[];
  /** What the shell itself adds: it knows files, and how to quote them. */
  readonly paths: 'files' | 'directories' | 'none';
}

/** A line without the program's name, taken apart as far as its last word, which may be empty or incomplete. */
export interface Line {
  readonly command: CommandDeclaration;
  readonly positionals: readonly string[];
  /** Values by option name, in the order given; a switch has none. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** The names of one kind that the documents and artifacts which the line names hold; none where they cannot be read. */
export type NamesOf = (kind: Exclude<NameKind, 'command'>, line: Line) => readonly string[];

const NOTHING: WordCompletion = { candidates: [], paths: 'none' };
const ROOT_OPTIONS: readonly Candidate[] = [
  { text: '--help', description: 'Show the help of the program.' },
  { text: '--version', description: 'Print the version.' },
  { text: '--json', description: 'Print the command envelope on stdout; stands before the command.' },
];

/** What completes the last of `words`, which follow the program's name. Total; an unknown command has no completion. */
export function completionOf(words: readonly string[], namesOf: NamesOf): WordCompletion {
  const input = words[0] === '--json' && words.length > 1 ? words.slice(1) : words;
  const current = input.at(-1) ?? '';
  const [name, ...rest] = input;
  if (name === undefined || input.length === 1)
    return startingWith(current, current.startsWith('-') ? ROOT_OPTIONS : commands());
  return isCommandName(name) ? inCommand(COMMANDS[name], rest, namesOf) : NOTHING;
}

function commands(): readonly Candidate[] {
  return COMMAND_NAMES.map((name) => ({ text: name, description: COMMANDS[name].summary }));
}

/** The candidates that begin as the word does. */
function startingWith(
  current: string,
  candidates: readonly Candidate[],
  paths: WordCompletion['paths'] = 'none',
): WordCompletion {
  return { candidates: candidates.filter(({ text }) => text.startsWith(current)), paths };
}

function inCommand(command: CommandDeclaration, words: readonly string[], namesOf: NamesOf): WordCompletion {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const { line, awaiting, hasEnded } = readPrecedingWords(command, before);
  if (awaiting !== null) return ofValue(awaiting.value, current, line, namesOf);
  if (!hasEnded && current.startsWith('--') && current.includes('='))
    return ofAssignment(command, current, line, namesOf);
  if (!hasEnded && current.startsWith('-')) return startingWith(current, optionsLeft(line));
  const place = placeOf(command, line.positionals.length);
  if (place === undefined) return current === '' && !hasEnded ? startingWith(current, optionsLeft(line)) : NOTHING;
  return ofValue(place, current, line, namesOf);
}

interface PrecedingWords {
  readonly line: Line;
  /** The option whose value the current word is. */
  readonly awaiting: OptionDeclaration | null;
  /** After `--` all is positional. */
  readonly hasEnded: boolean;
}

/** What comes before the current word, as the parser would read it, faults passed over. */
function readPrecedingWords(command: CommandDeclaration, words: readonly string[]): PrecedingWords {
  const positionals: string[] = [];
  const options = new Map<string, string[]>();
  let awaiting: OptionDeclaration | null = null;
  const end = words.indexOf('--');
  for (const word of end === -1 ? words : words.slice(0, end)) {
    if (awaiting !== null) {
      options.get(awaiting.name)?.push(word);
      awaiting = null;
    } else if (word.startsWith('-') && word !== '-') {
      const [spelling = '', value] = splitOnce(word);
      const option = findOption(command, spelling);
      if (option === undefined) continue;
      const values = options.get(option.name) ?? [];
      options.set(option.name, values);
      if (value !== undefined) values.push(value);
      else if (option.value !== undefined) awaiting = option;
    } else positionals.push(word);
  }
  if (end !== -1) positionals.push(...words.slice(end + 1));
  return { line: { command, positionals, options }, awaiting: end === -1 ? awaiting : null, hasEnded: end !== -1 };
}

function splitOnce(word: string): readonly string[] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function findOption({ options }: CommandDeclaration, spelling: string): OptionDeclaration | undefined {
  return options.find(({ name, short }) => spelling === name || spelling === short);
}

/** `--name=` and the beginning of its value in one word: the shell replaces all of it. */
function ofAssignment(command: CommandDeclaration, current: string, line: Line, namesOf: NamesOf): WordCompletion {
  const [spelling = '', value = ''] = splitOnce(current);
  const option = findOption(command, spelling);
  if (option?.value === undefined) return NOTHING;
  const { candidates, paths } = ofValue(option.value, value, line, namesOf);
  return {
    candidates: candidates.map(({ text, description }) => ({ text: `${spelling}=${text}`, description })),
    paths,
  };
}

function ofValue(
  wanted: OptionDeclaration['value'] | PositionalDeclaration,
  current: string,
  line: Line,
  namesOf: NamesOf,
): WordCompletion {
  if (wanted === undefined) return NOTHING;
  const { grammar, names } = wanted;
  if (names === 'command') return startingWith(current, commands());
  if (names !== undefined)
    return startingWith(
      current,
      namesOf(names, line).map((text) => ({ text, description: '' })),
    );
  if (grammar.kind === 'choice')
    return startingWith(
      current,
      grammar.of.map((text) => ({ text, description: '' })),
    );
  return { candidates: [], paths: pathsOf(grammar) };
}

function pathsOf(grammar: ValueGrammar): WordCompletion['paths'] {
  if (grammar.kind !== 'path') return 'none';
  return grammar.use === 'directory' ? 'directories' : 'files';
}

/** The options that may still be given: not one that was, and none that excludes one that was. */
function optionsLeft({ command, positionals, options }: Line): readonly Candidate[] {
  const isPresent = (operand: string): boolean =>
    operand === 'argument' ? positionals.length > 0 : options.has(operand);
  const isExcluded = (name: string): boolean =>
    command.rules.some((rule) => {
      if (rule.kind === 'exclusive')
        return (
          rule.operands.some((operand) => operand === name) &&
          rule.operands.some((operand) => operand !== name && isPresent(operand))
        );
      if (rule.kind !== 'excludes') return false;
      return (
        (rule.operand === name && rule.others.some(isPresent)) ||
        (rule.others.some((other) => other === name) && isPresent(rule.operand))
      );
    });
  const isAlone = positionals.length === 0 && options.size === 0;
  return command.options
    .filter(
      ({ name, repeatable }) =>
        (!options.has(name) || mayRepeat(repeatable, options.get(name) ?? [])) &&
        !isExcluded(name) &&
        (name !== '--help' || isAlone),
    )
    .map(({ name, description }) => ({ text: name, description }));
}

function mayRepeat(repeatable: OptionDeclaration['repeatable'], input: readonly string[]): boolean {
  return repeatable !== undefined && (repeatable.among === undefined || input.every(repeatable.among));
}
