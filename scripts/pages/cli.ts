/** The command reference: commands and options from the parser's table, statuses and diagnostics from the catalogue. */
import { COMMANDS } from '../../cli/declaration/table.ts';
import type { CommandDeclaration, CommandRule, OptionDeclaration } from '../../cli/declaration/types.ts';
import { CATALOGUE } from '../../contract/diagnostics/catalogue.ts';
import type { CatalogueEntry } from '../../contract/diagnostics/catalogue.ts';
import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { settingsTable } from '../../supervisor/config/settings-table.ts';
import { cell, fromTemplate } from './template.ts';

function spelling({ name, short, value }: OptionDeclaration): string {
  const long = value === undefined ? name : `${name} ${value.placeholder}`;
  return short === undefined ? `\`${cell(long)}\`` : `\`${short}\`, \`${cell(long)}\``;
}

function optionRow(option: OptionDeclaration): string {
  const times = option.repeatable === undefined ? '' : ` Up to ${option.repeatable.maximum} times.`;
  return `| ${spelling(option)} | ${cell(option.description)}${times} |`;
}

function either(operands: readonly string[]): string {
  return operands.map((operand) => (operand === 'argument' ? 'the argument' : `\`${operand}\``)).join(' or ');
}

function ruleText(rule: CommandRule): string {
  switch (rule.kind) {
    case 'exclusive':
      return `At most one of ${either(rule.operands)} (\`conflicting_arguments\`).`;
    case 'excludes':
      return `${either([rule.operand])} goes without ${either(rule.others)} (\`conflicting_arguments\`).`;
    case 'required':
      return `${either([rule.operand])} is required.`;
    case 'one-required':
      return `At least one of ${either(rule.operands)} is required.`;
    case 'one-only':
      return `Not more than one of ${either(rule.operands)}.`;
    case 'needs':
      return `${either([rule.operand])} needs ${either(rule.anyOf)}.`;
    case 'condition':
      return `${rule.states}.`;
  }
}

function command(declaration: CommandDeclaration): string {
  const { name, summary, usage, example, options, rules, notices, envelope } = declaration;
  const listed = [...rules.map(ruleText), ...notices].map((line) => `- ${line}`);
  return [
    `### svc ${name}`, '', `${summary}${envelope === null ? ' It has no envelope.' : ''}`, '',
    '```text', ...usage, '```', '', `For example \`${example}\`.`, '',
    ...(options.length === 0 ? [] : ['| Option | Meaning |', '|---|---|', ...options.map(optionRow), '']),
    ...(listed.length === 0 ? [] : [...listed, '']),
  ].join('\n');
}

function diagnostics(): string {
  const rows = Object.entries<CatalogueEntry>(CATALOGUE).map(([code, { phases, exit, retryable, message }]) =>
    `| \`${code}\` | ${phases.join(', ')} | ${exit} | ${retryable ? 'yes' : 'no'} | ${cell(message.generic)} |`);
  return ['| Code | Phase | Exit status | Retryable | Message |', '|---|---|---|---|---|', ...rows].join('\n');
}

function statuses(): string {
  return ['| Status | Meaning |', '|---|---|', ...EXIT_STATUS_MEANINGS.map(([status, meaning]) => `| ${status} | ${meaning} |`)].join('\n');
}

/** The whole page. */
export function cliPage(): string {
  return fromTemplate('cli', {
    parts: { commands: Object.values(COMMANDS).map(command).join('\n').trimEnd(), statuses: statuses(), diagnostics: diagnostics(), settings: settingsTable().trimEnd() },
  });
}
