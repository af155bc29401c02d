import type { CommandDeclaration, CommandRule, CommandArguments, Operand, OptionName } from '../declaration/types.ts';
import type { ArgumentFault } from './fault.ts';
import { usageHint } from './hints.ts';
import type { ScanFault } from './scan.ts';

/** Exclusive pairs come before the values are looked at; all other rules after (cli.md §1, check order). */
export function exclusionFault(
  declaration: CommandDeclaration,
  commandArguments: CommandArguments,
): ScanFault | undefined {
  for (const rule of declaration.rules) {
    const pair = excludedPair(rule, (operand) => isPresent(commandArguments, operand));
    if (pair !== undefined) {
      const names = pair.map((operand) => nameOf(declaration, operand));
      return { fault: { kind: 'exclusive', options: names }, hint: `give only one of ${names.join(', ')}` };
    }
  }
  return undefined;
}

function excludedPair(rule: CommandRule, input: (operand: Operand) => boolean): readonly Operand[] | undefined {
  if (rule.kind === 'exclusive') {
    const present = rule.operands.filter(input);
    return present.length > 1 ? rule.operands : undefined;
  }
  if (rule.kind !== 'excludes' || !input(rule.operand)) return undefined;
  const other = rule.others.find(input);
  return other === undefined ? undefined : [rule.operand, other];
}

/** The first rule of the command that the arguments do not keep. */
export function ruleFault(declaration: CommandDeclaration, commandArguments: CommandArguments): ScanFault | undefined {
  for (const rule of declaration.rules) {
    const broken = brokenRule(declaration, rule, commandArguments);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

function brokenRule(
  declaration: CommandDeclaration,
  rule: CommandRule,
  commandArguments: CommandArguments,
): ScanFault | undefined {
  const hint = usageHint(declaration);
  switch (rule.kind) {
    case 'exclusive':
    case 'excludes':
      return undefined;
    case 'required':
      return isPresent(commandArguments, rule.operand) || isSaidOtherwise(declaration, rule.unless, commandArguments)
        ? undefined
        : { fault: requirement(declaration, [rule.operand]), hint };
    case 'one-required':
      return rule.operands.some((operand) => isPresent(commandArguments, operand)) ||
        isSaidOtherwise(declaration, rule.unless, commandArguments)
        ? undefined
        : { fault: requirement(declaration, rule.operands), hint };
    case 'one-only':
      return rule.operands.filter((operand) => isPresent(commandArguments, operand)).length > 1
        ? { fault: { kind: 'unfit' }, hint }
        : undefined;
    case 'needs':
      return !isPresent(commandArguments, rule.operand) ||
        rule.anyOf.some((operand) => isPresent(commandArguments, operand))
        ? undefined
        : {
            fault: requirement(declaration, rule.anyOf),
            hint: `${nameOf(declaration, rule.operand)} needs ${rule.anyOf.map((operand) => nameOf(declaration, operand)).join(' or ')}`,
          };
    case 'second': {
      const fault = rule.fault(commandArguments);
      if (fault === null) return undefined;
      const placeholder = declaration.second?.placeholder ?? '';
      return {
        fault:
          fault === 'missing' ? { kind: 'positional', placeholder, rule: 'missing' } : { kind: 'too-many-arguments' },
        hint: rule.states,
      };
    }
    case 'condition':
      if (rule.holds(commandArguments)) return undefined;
      return {
        fault: {
          kind: 'option',
          option: rule.option,
          rule: commandArguments.options.has(rule.option) ? 'not_accepted_here' : 'required',
        },
        hint: rule.states,
      };
  }
}

function requirement(declaration: CommandDeclaration, operands: readonly Operand[]): ArgumentFault {
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) {
    return only === 'argument'
      ? { kind: 'positional', placeholder: declaration.positional.placeholder, rule: 'missing' }
      : { kind: 'option', option: only, rule: 'required' };
  }
  const options = operands.filter((operand) => operand !== 'argument');
  return options.length === operands.length ? { kind: 'one-required', options } : { kind: 'unfit' };
}

function isSaidOtherwise(
  { positional }: CommandDeclaration,
  unless: OptionName | 'second' | undefined,
  commandArguments: CommandArguments,
): boolean {
  if (unless === undefined) return false;
  return unless === 'second'
    ? commandArguments.positionals.length > positional.maximum
    : commandArguments.options.has(unless);
}

function isPresent(commandArguments: CommandArguments, operand: Operand): boolean {
  return operand === 'argument' ? commandArguments.positionals.length > 0 : commandArguments.options.has(operand);
}

function nameOf(declaration: CommandDeclaration, operand: Operand): string {
  return operand === 'argument' ? declaration.positional.placeholder : operand;
}
