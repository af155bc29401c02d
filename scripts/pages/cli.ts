/** The command reference: commands and options from the parser's table, statuses and diagnostics from the catalogue. */
import { COMMANDS, COMMAND_NAMES } from '../../cli/declaration/table.ts';
import type { CommandDeclaration, CommandRule, OptionDeclaration } from '../../cli/declaration/types.ts';
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../contract/diagnostics/catalogue.ts';
import { remedyFor } from '../../contract/diagnostics/remedies/failures.ts';
import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { settingsTable } from '../../supervisor/platform/configuration/settings-table.ts';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

function spelling({ name, short, value }: OptionDeclaration): string {
  return [...(short === undefined ? [] : [short]), value === undefined ? name : `${name} ${value.placeholder}`]
    .map(code)
    .join(', ');
}

function optionRow(option: OptionDeclaration): readonly string[] {
  return [
    spelling(option),
    `${option.description}${option.repeatable === undefined ? '' : ` Up to ${option.repeatable.maximum} times.`}`,
  ];
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
    case 'second':
    case 'condition':
      return `${rule.states}.`;
  }
}

function command(declaration: CommandDeclaration): string {
  const { name, summary, usage, example, options, rules, notices, envelope } = declaration;
  const listed = [...rules.map(ruleText), ...notices].map((line) => `- ${line}`);
  return [
    `### svc ${name}`,
    '',
    `${summary}${envelope === null ? ' It has no envelope.' : ''}`,
    '',
    '```text',
    ...usage,
    '```',
    '',
    `For example \`${example}\`.`,
    '',
    ...(options.length === 0 ? [] : [table(['Option', 'Meaning'], options.map(optionRow)), '']),
    ...(listed.length === 0 ? [] : [...listed, '']),
  ].join('\n');
}

function diagnosticRow(name: DiagnosticCode): readonly string[] {
  const { phases, exit, retryable, message } = CATALOGUE[name];
  return [
    code(name),
    phases.join(', '),
    String(exit),
    retryable ? 'yes' : 'no',
    message.generic,
    remedyFor({ code: name, message: '', subject: null }) ?? '',
  ];
}

/** The whole page. */
export function cliPage(): string {
  return fromTemplate('cli', {
    parts: {
      commands: COMMAND_NAMES.map((name) => command(COMMANDS[name]))
        .join('\n')
        .trimEnd(),
      statuses: table(['Status', 'Meaning'], EXIT_STATUS_MEANINGS),
      diagnostics: table(
        ['Code', 'Phase', 'Exit status', 'Retryable', 'Message', 'What to do'],
        DIAGNOSTIC_CODES.map(diagnosticRow),
      ),
      settings: settingsTable().trimEnd(),
    },
  });
}
