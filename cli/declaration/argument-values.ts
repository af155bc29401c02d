import type { CommandArguments, OptionName } from './types.ts';

/** The value of an option that can be given once. */
export function optionValue({ options }: CommandArguments, name: OptionName): string | undefined {
  return options.get(name)?.[0];
}

/** The positional argument of a command whose declaration requires it. */
export function requiredArgument({ positionals }: CommandArguments): string {
  const [value] = positionals;
  if (value === undefined) throw new TypeError('the declaration of this command requires an argument');
  return value;
}
