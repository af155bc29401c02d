import { COMMANDS, type CommandName, isCommandName } from '../declaration/table.ts';
import { findTopic } from '../declaration/help-results.ts';
import type { HelpTopic } from '../../contract/envelope/results.ts';
import type { CommandDeclaration, CommandArguments, OptionName } from '../declaration/types.ts';
import { fillDefaultDocument, type DefaultDocumentFacts } from './default-document.ts';
import type { ArgumentFault, Rejection } from './fault.ts';
import { commandHint, helpHint, helpOptionHint, topicHint } from './hints.ts';
import { exclusionFault, ruleFault } from './rules.ts';
import { scanTokens } from './scan.ts';
import { anchored, valueFault } from './values.ts';

/** What one command line asks for. */
export type Invocation =
  | {
      readonly kind: 'command';
      readonly name: Exclude<CommandName, 'help'>;
      readonly args: CommandArguments;
      /** The document of the working directory that was taken because none was named; absent: none was. */
      readonly assumed?: string;
    }
  | { readonly kind: 'version-switch' }
  | { readonly kind: 'help'; readonly topic: HelpTopic }
  /** Help of a command that has no help result: text only. */
  | { readonly kind: 'plain-help'; readonly name: CommandName }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export interface ParseContext {
  /** Absolute. */
  readonly workingDirectory: string;
  /** False when the operating system's bytes of argv are no UTF-8. */
  readonly isUtf8: boolean;
  /** Absent: no document is taken that is not named. */
  readonly documents?: DefaultDocumentFacts;
}

/**
 * Reads one command line (cli.md §1, §2) over the declaration table. Total: every list of strings gives an
 * invocation, and a rejection never holds text of the caller.
 */
export function parseArguments(argv: readonly string[], context: ParseContext): Invocation {
  if (!context.isUtf8 || argv.some((token) => token.includes('\0'))) {
    return rejected('unknown', { kind: 'not-utf8' }, null);
  }
  const [first, ...rest] = argv;
  if (first === undefined) return { kind: 'help', topic: 'root' };
  const ended = argv.indexOf('--');
  if ((ended === -1 ? argv : argv.slice(0, ended)).includes('--version')) {
    return argv.length === 1
      ? { kind: 'version-switch' }
      : rejected('version', standsAlone('--version'), 'usage: svc version [--envelope ENVELOPE.json] or svc --version');
  }
  if (first === '--help') {
    return rest.length === 0
      ? { kind: 'help', topic: 'root' }
      : rejected('help', standsAlone('--help'), 'usage: svc --help or svc help [COMMAND]');
  }
  if (!isCommandName(first)) return rejected('unknown', { kind: 'unknown-command' }, commandHint(first));
  return first === 'help' ? parseHelp(COMMANDS[first], rest) : parseCommand(first, COMMANDS[first], rest, context);
}

function parseHelp(declaration: CommandDeclaration, tokens: readonly string[]): Invocation {
  const scan = scanTokens(declaration, tokens);
  if ('fault' in scan)
    return rejected('help', scan.fault, helpOptionHint(tokens.find((token) => token.startsWith('-'))));
  const [topic, ...more] = scan.positionals;
  if (more.length > 0) return rejected('help', { kind: 'too-many-arguments' }, topicHint(undefined));
  if (topic === undefined) return { kind: 'help', topic: 'root' };
  const known = findTopic(topic);
  if (known !== undefined) return { kind: 'help', topic: known };
  if (isCommandName(topic) && topic !== 'help') return { kind: 'plain-help', name: topic };
  return rejected('help', { kind: 'topic-unknown' }, topicHint(topic));
}

function parseCommand(
  name: Exclude<CommandName, 'help'>,
  declaration: CommandDeclaration,
  tokens: readonly string[],
  context: ParseContext,
): Invocation {
  const command = declaration.envelope ?? 'unknown';
  const scanned = scanTokens(declaration, tokens);
  if ('fault' in scanned) return rejected(command, scanned.fault, scanned.hint);
  const { scan, assumed } = fillDefaultDocument(declaration, scanned, context.documents);
  if (scan.options.has('--help')) {
    if (tokens.length > 1) return rejected('help', standsAlone('--help'), helpHint(declaration));
    const topic = findTopic(name);
    return topic === undefined ? { kind: 'plain-help', name } : { kind: 'help', topic };
  }
  const broken = exclusionFault(declaration, scan) ?? valueFault(declaration, scan) ?? ruleFault(declaration, scan);
  if (broken !== undefined) return rejected(command, broken.fault, broken.hint);
  return {
    kind: 'command',
    name,
    args: anchored(declaration, scan, context.workingDirectory),
    ...(assumed === null ? {} : { assumed }),
  };
}

/** A rejection in the name of a command that parsed, for rules that only its own work can check. */
export function rejectionOf(name: CommandName, fault: ArgumentFault, hint: string | null): Rejection {
  return { command: COMMANDS[name].envelope ?? 'unknown', fault, hint };
}

function standsAlone(option: OptionName): ArgumentFault {
  return { kind: 'option', option, rule: 'stands_alone' };
}

function rejected(command: Rejection['command'], fault: ArgumentFault, hint: string | null): Invocation {
  return { kind: 'rejected', rejection: { command, fault, hint } };
}
