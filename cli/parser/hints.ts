import { HELP_TOPICS } from '../../contract/envelope/results.ts';
import type { CommandDeclaration, OptionDeclaration, PositionalDeclaration, ValueGrammar } from '../declaration/types.ts';
import { COMMAND_NAMES } from '../declaration/types.ts';
import { nearestNames } from './nearest.ts';

/** Remedies printed behind a rejection. They are made of declared words alone (cli.md §2). */

export function commandHint(word: string | undefined): string {
  return `${meant(word, COMMAND_NAMES)}commands: ${COMMAND_NAMES.join(', ')}`;
}

export function topicHint(word: string | undefined): string {
  return `${meant(word, HELP_TOPICS)}topics: ${HELP_TOPICS.join(', ')}`;
}

export function optionHint(spelling: string, declaration: CommandDeclaration): string {
  const names = declaration.options.flatMap(({ name, short }) => (short === undefined ? [name] : [short, name]));
  if (names.length === 0) return usageHint(declaration);
  const nearest = nearestNames(spelling, names);
  const ordered = [...nearest, ...names.filter((name) => !nearest.includes(name))];
  return `${meant(spelling, names)}accepted options: ${ordered.join(', ')}`;
}

export function usageHint(declaration: CommandDeclaration): string {
  return `usage: ${declaration.usage.join(' or ')}`;
}

export function optionValueHint({ name, value }: OptionDeclaration, given?: string): string {
  if (value === undefined) return `${name} is a switch`;
  return `${name} ${value.placeholder}: ${expectation(value.grammar, given)}`;
}

export function positionalHint({ placeholder, grammar }: PositionalDeclaration, given: string): string {
  return `${placeholder}: ${expectation(grammar, given)}`;
}

function meant(word: string | undefined, names: readonly string[]): string {
  const [nearest] = word === undefined ? [] : nearestNames(word, names);
  return nearest === undefined ? '' : `did you mean ${nearest}? `;
}

function expectation(grammar: ValueGrammar, given: string | undefined): string {
  switch (grammar.kind) {
    case 'path':
      return grammar.use === 'destination' ? 'a file name of 1 to 4096 bytes that is not - and does not end in ., .. or /'
        : 'a path of 1 to 4096 bytes';
    case 'integer':
      return `a decimal number from ${grammar.minimum} to ${grammar.maximum}`;
    case 'name':
      return 'a lowercase letter, then up to 127 lowercase letters, digits, dots, underscores or hyphens';
    case 'choice':
      return `${meant(given, grammar.of)}one of ${grammar.of.join(', ')}`;
    case 'text':
      return `${grammar.minimum} to ${grammar.maximum} characters`;
    case 'logical':
      return 'a component id: up to 16 lowercase names joined by /';
    case 'run-reference':
      return 'a run reference: cmd- and 26 characters';
    case 'digest':
      return 'sha256: and 64 lowercase hexadecimal digits';
    case 'timestamp':
      return 'a time such as 2026-01-31T12:00:00Z';
    case 'pointer':
      return 'empty, or names that each start with /';
    case 'resource':
      return 'a resource name, =, and its directory; each name once';
  }
}
