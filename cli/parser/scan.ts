import type { CommandDeclaration, OptionDeclaration, OptionName } from '../declaration/types.ts';
import type { ArgumentFault } from './fault.ts';
import { missingValueHint, optionHint, optionValueHint } from './hints.ts';

export interface Scan {
  readonly positionals: readonly string[];
  readonly options: ReadonlyMap<OptionName, readonly string[]>;
}

export interface ScanFault {
  readonly fault: ArgumentFault;
  readonly hint: string | null;
}

/** Only `-` and a minus with a digit may be as a value of their own (cli.md §1 rule 3). */
const VALUE_WITH_MINUS = /^-(?:\d|$)/;

/**
 * Splits the tokens after the command into options and positionals. All tokens are looked at before a fault is
 * chosen: an unknown spelling anywhere comes before a missing value, and that before a repetition (cli.md §1).
 */
export function scanTokens(declaration: CommandDeclaration, tokens: readonly string[]): Scan | ScanFault {
  const spellings = spellingsOf(declaration);
  const positionals: string[] = [];
  const options = new Map<OptionName, string[]>();
  const faults: (ScanFault | undefined)[] = [undefined, undefined, undefined];
  const report = (stage: number, fault: ArgumentFault, hint: string): void => {
    faults[stage] ??= { fault, hint };
  };

  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    if (token === '--') {
      positionals.push(...tokens.slice(index + 1));
      break;
    }
    if (!token.startsWith('-') || token === '-') {
      positionals.push(token);
      continue;
    }
    const split = token.startsWith('--') ? token.indexOf('=') : -1;
    const spelling = split === -1 ? token : token.slice(0, split);
    const option = spellings.get(spelling);
    if (option === undefined) {
      report(0, { kind: 'unknown-option' }, optionHint(spelling, declaration));
      continue;
    }
    const { name } = option;
    let value = split === -1 ? undefined : token.slice(split + 1);
    if (option.value === undefined) {
      if (value !== undefined)
        report(1, { kind: 'option', option: name, rule: 'value_invalid' }, optionValueHint(option));
      value = '';
    } else if (value === undefined) {
      const next = tokens[index + 1];
      if (next === undefined || (next.startsWith('-') && !VALUE_WITH_MINUS.test(next))) {
        report(
          1,
          { kind: 'option', option: name, rule: 'value_missing' },
          missingValueHint(option, next !== undefined),
        );
        continue;
      }
      value = next;
      index += 1;
    }
    const values = options.get(name);
    if (values === undefined) options.set(name, [value]);
    else if (mayRepeat(option, [...values, value])) values.push(value);
    else report(2, { kind: 'option', option: name, rule: 'repeated' }, `give ${name} once`);
  }
  return faults.find((fault) => fault !== undefined) ?? { positionals, options };
}

function mayRepeat({ repeatable }: OptionDeclaration, values: readonly string[]): boolean {
  return repeatable !== undefined && (repeatable.among === undefined || values.every(repeatable.among));
}

function spellingsOf(declaration: CommandDeclaration): ReadonlyMap<string, OptionDeclaration> {
  return new Map(
    declaration.options.flatMap((option) => {
      const row: [string, OptionDeclaration][] = [[option.name, option]];
      if (option.short !== undefined) row.push([option.short, option]);
      return row;
    }),
  );
}
