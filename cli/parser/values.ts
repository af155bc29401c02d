import { isAbsolute } from 'node:path';
import type {
  CommandDeclaration,
  CommandArguments,
  OptionDeclaration,
  OptionName,
  PositionalDeclaration,
  ValueGrammar,
} from '../declaration/types.ts';
import type { ArgumentFault } from './fault.ts';
import { grammarFault } from './grammar.ts';
import { nearHint, optionValueHint, positionalHint, usageHint } from './hints.ts';
import type { Scan, ScanFault } from './scan.ts';

/** Checks each value against its grammar, in the order of the table, then the number of positionals. */
export function valueFault(declaration: CommandDeclaration, scan: Scan): ScanFault | undefined {
  for (const option of declaration.options) {
    const values = scan.options.get(option.name);
    const fault = values === undefined ? undefined : optionFault(option, values);
    if (fault !== undefined) return fault;
  }
  return positionalFault(declaration, scan.positionals);
}

function optionFault(option: OptionDeclaration, values: readonly string[]): ScanFault | undefined {
  const { name, value, repeatable } = option;
  if (value === undefined) return undefined;
  for (const text of values) {
    const fault = grammarFault(value.grammar, text);
    if (fault !== undefined) return valueRefusal(option, value.grammar, fault, text);
  }
  if (repeatable === undefined) return undefined;
  if (values.length > repeatable.maximum) {
    return {
      fault: { kind: 'option', option: name, rule: 'not_accepted_here' },
      hint: `give ${name} at most ${repeatable.maximum} times`,
    };
  }
  if (repeatable.distinct === 'no') return undefined;
  const keys = values.map((text) => (repeatable.distinct === 'key' ? text.slice(0, text.indexOf('=')) : text));
  return new Set(keys).size === keys.length
    ? undefined
    : { fault: { kind: 'option', option: name, rule: 'value_invalid' }, hint: `the values of ${name} must differ` };
}

/** The message of an unknown example names all of them. */
function valueRefusal(
  option: OptionDeclaration,
  grammar: ValueGrammar,
  fault: 'invalid' | 'unusable-file-name',
  text: string,
): ScanFault {
  const refused = faultOf(option, fault);
  const isListed = refused.kind === 'closed-name' && refused.code === 'example_unknown';
  return { fault: refused, hint: isListed ? nearHint(text, grammar) : optionValueHint(option, text) };
}

function faultOf(option: OptionDeclaration, fault: 'invalid' | 'unusable-file-name'): ArgumentFault {
  const grammar = option.value?.grammar;
  if (grammar?.kind === 'choice' && grammar.code !== undefined) return { kind: 'closed-name', code: grammar.code };
  return { kind: 'option', option: option.name, rule: fault === 'invalid' ? 'value_invalid' : 'not_a_file_name' };
}

function positionalFault(declaration: CommandDeclaration, input: readonly string[]): ScanFault | undefined {
  const { positional, second } = declaration;
  const hint = usageHint(declaration);
  for (const [at, value] of input.entries()) {
    const place = placeOf(declaration, at);
    if (place === undefined || grammarFault(place.grammar, value) === undefined) continue;
    const { grammar, placeholder } = place;
    const fault: ArgumentFault =
      grammar.kind === 'choice' && grammar.code !== undefined
        ? { kind: 'closed-name', code: grammar.code }
        : { kind: 'positional', placeholder, rule: 'invalid' };
    return { fault, hint: positionalHint(place, value) };
  }
  const most = positional.maximum + (second?.maximum ?? 0);
  if (input.length > most) return { fault: { kind: 'too-many-arguments' }, hint };
  const missing = ({ placeholder }: PositionalDeclaration): ScanFault => ({
    fault: { kind: 'positional', placeholder, rule: 'missing' },
    hint,
  });
  if (input.length < positional.minimum) return missing(positional);
  const isShort = second !== undefined && Math.max(0, input.length - positional.maximum) < second.minimum;
  return isShort ? missing(second) : undefined;
}

/** What is at a place among the arguments; undefined: nothing may. */
export function placeOf(
  { positional, second }: CommandDeclaration,
  at: number,
): CommandDeclaration['positional'] | undefined {
  if (at < positional.maximum) return positional;
  return second !== undefined && at < positional.maximum + second.maximum ? second : undefined;
}

/** The arguments with every path made absolute once (cli.md §1 rule 7). */
export function anchored(declaration: CommandDeclaration, scan: Scan, workingDirectory: string): CommandArguments {
  const anchor = (grammar: ValueGrammar | undefined, text: string): string => {
    if (grammar?.kind === 'resource' || grammar?.kind === 'input-file') {
      const split = text.indexOf('=') + 1;
      return text.slice(0, split) + absolute(workingDirectory, text.slice(split));
    }
    if (grammar?.kind !== 'path' || grammar.use === 'application') return text;
    const path = absolute(workingDirectory, text);
    return grammar.use === 'directory' ? withoutTrailingSlashes(path) : path;
  };
  const options = new Map<OptionName, readonly string[]>();
  for (const { name, value } of declaration.options) {
    const values = scan.options.get(name);
    if (values !== undefined)
      options.set(
        name,
        values.map((text) => anchor(value?.grammar, text)),
      );
  }
  return { positionals: scan.positionals.map((text, at) => anchor(placeOf(declaration, at)?.grammar, text)), options };
}

/** Nothing else of a path is rewritten: `..` behind a link means what the file system says. */
function absolute(workingDirectory: string, path: string): string {
  if (isAbsolute(path)) return path;
  return workingDirectory === '/' ? `/${path}` : `${workingDirectory}/${path}`;
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
