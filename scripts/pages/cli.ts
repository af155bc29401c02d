/** The command reference: commands and options from the parser's table, statuses and diagnostics from the catalogue. */
import { COMMANDS, COMMAND_NAMES } from '../../cli/declaration/table.ts';
import type { CommandDeclaration, CommandRule, OptionDeclaration } from '../../cli/declaration/types.ts';
import { CATALOGUE, DIAGNOSTIC_CODES, type DiagnosticCode } from '../../contract/diagnostics/catalogue.ts';
import { remedyFor } from '../../contract/diagnostics/remedies/failures.ts';
import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { settingsTable } from '../../system/configuration/settings-table.ts';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

/** An option that this many commands have with the same words is explained once. */
const SHARED_FROM = 2;
/** Of nearly every command: the page says it once, and names the commands that are without. */
const HELP = '--help';
/** The rule of a command with tasks whose option only some of them take. */
const BELONGS = /^(?<option>--[a-z-]+) (?<how>belongs|does not belong) to (?<tasks>svc .+)$/;
/** A remedy of more words is written once in a table. */
const SHORT_REMEDY = 6;

function spelling({ name, short, value }: OptionDeclaration): string {
  return [...(short === undefined ? [] : [short]), value === undefined ? name : `${name} ${value.placeholder}`]
    .map(code)
    .join(', ');
}

function optionRow(option: OptionDeclaration): readonly string[] {
  const { description, repeatable } = option;
  return [
    spelling(option),
    repeatable === undefined
      ? description
      : `${description.replace(/; may be repeated[^.]*\.$/, '.')} Up to ${repeatable.maximum} times.`,
  ];
}

const named = (operands: readonly string[], joint: string): string =>
  operands.map((operand) => (operand === 'argument' ? 'the argument' : `\`${operand}\``)).join(joint);

/** Rules that differ in one operand become one line, with all of these operands. */
function ruleTexts(rules: readonly CommandRule[]): readonly string[] {
  const required = rules.flatMap((rule) => (rule.kind === 'required' ? [rule.operand] : []));
  const needs = Map.groupBy(
    rules.flatMap((rule) =>
      rule.kind === 'needs' ? [{ operand: rule.operand, others: named(rule.anyOf, ' or ') }] : [],
    ),
    ({ others }) => others,
  );
  return [
    ...(required.length === 0 ? [] : [`Required: ${named(required, ', ')}.`]),
    ...rules.flatMap(ruleText),
    ...belongingTexts(rules),
    ...[...needs].map(
      ([others, all]) =>
        `${named(
          all.map(({ operand }) => operand),
          ', ',
        )} ${all.length === 1 ? 'needs' : 'need'} ${others}.`,
    ),
  ];
}

const statesOf = (rule: CommandRule): readonly string[] => ('states' in rule ? [rule.states] : []);

/** Which options only some tasks of a command take: a line for each of the tasks. */
function belongingTexts(rules: readonly CommandRule[]): readonly string[] {
  const found = rules.flatMap(statesOf).flatMap((states) => {
    const { option = '', how = '', tasks = '' } = BELONGS.exec(states)?.groups ?? {};
    const commands = code(tasks.replaceAll(' and ', '` and `'));
    return option === '' ? [] : [{ option, line: `${how === 'belongs' ? 'Only' : 'Not'} for ${commands}` }];
  });
  return [...Map.groupBy(found, ({ line }) => line)].map(
    ([line, all]) => `${line}: ${all.map(({ option }) => code(option)).join(', ')}.`,
  );
}

/** A sentence of the help with the names of options as code. */
const withCode = (text: string): string => text.replaceAll(/(?<![\w`-])--[a-z][a-z-]*/g, code);

/** A rule of the help as a sentence; commands keep their small letter. */
function sentence(states: string): string {
  const text = withCode(states);
  return text.startsWith('svc ') ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function ruleText(rule: CommandRule): readonly string[] {
  switch (rule.kind) {
    case 'exclusive':
      return [`At most one of ${named(rule.operands, ', ')}.`];
    case 'excludes':
      return [`${named([rule.operand], '')} excludes ${named(rule.others, ', ')}.`];
    case 'one-required':
      return [`Required: ${named(rule.operands, ' or ')}.`];
    case 'one-only':
      return [`At most one of ${named(rule.operands, ', ')}.`];
    case 'second':
    case 'condition':
      return BELONGS.test(rule.states) ? [] : [`${sentence(rule.states)}.`];
    case 'required':
    case 'needs':
      return [];
  }
}

const keyOf = (option: OptionDeclaration): string => optionRow(option).join(' ');

/** Options that many commands have with the same words; a section names them, and their words are in one place. */
const SHARED: ReadonlyMap<string, OptionDeclaration> = new Map(
  [
    ...Map.groupBy(
      COMMAND_NAMES.flatMap((name) => COMMANDS[name].options),
      keyOf,
    ),
  ].flatMap(([key, [first, ...others]]) =>
    first !== undefined && others.length + 1 >= SHARED_FROM ? [[key, first] as const] : [],
  ),
);

/** A line of usage in which the options that may be left out are one word: the table has them. */
function withoutOptions(usage: string): string {
  let [depth, from, stored]: [number, number, string] = [0, 0, ''];
  let isShortened = false;
  for (let at = 0; at < usage.length; at += 1) {
    if (usage[at] === '[') {
      if (depth === 0) {
        stored += usage.slice(from, at);
        from = at;
      }
      depth += 1;
    } else if (usage[at] === ']') {
      depth -= 1;
      if (depth > 0) continue;
      const group = usage.slice(from, at + 1);
      const isOption = group.startsWith('[--') || group === '[OPTIONS]';
      if (isOption) isShortened = true;
      else stored += group;
      from = at + 1;
      if (isOption && usage.startsWith('...', from)) from += 3;
    }
  }
  const line = `${stored}${usage.slice(from)}`.replaceAll(/ +/g, ' ').trim();
  return isShortened ? `${line} [OPTIONS]` : line;
}

function command({ name, summary, usage, example, options, rules, notices }: CommandDeclaration): string {
  const listed = [...new Set([...ruleTexts(rules), ...notices.map(withCode)])].map((line) => `- ${line}`);
  const own = options.filter((option) => !SHARED.has(keyOf(option)));
  const shared = options.filter((option) => option.name !== HELP && SHARED.has(keyOf(option)));
  return [
    `### svc ${name}`,
    '',
    `${summary} Example: \`${example}\``,
    '',
    usage.map((line) => code(withoutOptions(line))).join(' '),
    '',
    ...(own.length === 0 ? [] : [table(['Option', 'Meaning'], own.map(optionRow)), '']),
    ...(shared.length === 0
      ? []
      : [`${own.length === 0 ? 'Options' : 'Also'}: ${shared.map((option) => code(option.name)).join(', ')}.`, '']),
    ...(listed.length === 0 ? [] : [...listed, '']),
  ].join('\n');
}

/** A table for each phase and status: of what they share nothing is repeated in the rows. */
function diagnostics(): string {
  const groups = Map.groupBy(DIAGNOSTIC_CODES, (name) => {
    const { phases, exit } = CATALOGUE[name];
    return `### ${phases.join(', ')}: status ${exit}`;
  });
  return [...groups]
    .flatMap(([heading, names]) => {
      const retryable = names.filter((name) => CATALOGUE[name].retryable).map(code);
      return [
        heading,
        '',
        diagnosticsTable(names),
        '',
        ...(retryable.length === 0 ? [] : [`Retryable: ${retryable.join(', ')}.`, '']),
      ];
    })
    .join('\n')
    .trimEnd();
}

/** Where nothing is said of what to do, there is no column for it; a long remedy is written once. */
function diagnosticsTable(names: readonly DiagnosticCode[]): string {
  const remedies = names.map((name) => remedyFor({ code: name, message: '', subject: null }) ?? '');
  const hasRemedies = remedies.some((remedy) => remedy !== '');
  const rows = names.map((name, at) => {
    const remedy = remedies[at] ?? '';
    const first = names[remedies.indexOf(remedy)] ?? name;
    const isRepeated = first !== name && remedy.split(' ').length > SHORT_REMEDY;
    return [
      code(name),
      code(CATALOGUE[name].message.generic),
      ...(hasRemedies ? [isRepeated ? `as for ${code(first)}` : remedy] : []),
    ];
  });
  return table(['Code', 'Message', ...(hasRemedies ? ['What to do'] : [])], rows);
}

/** The whole page. */
export function cliPage(): string {
  return fromTemplate('cli', {
    parts: {
      commands: COMMAND_NAMES.map((name) => command(COMMANDS[name]))
        .join('\n')
        .trimEnd(),
      statuses: table(['Status', 'Meaning'], EXIT_STATUS_MEANINGS),
      diagnostics: diagnostics(),
      'shared-options': table(
        ['Option', 'Meaning'],
        [...SHARED.values()].filter(({ name }) => name !== HELP).map(optionRow),
      ),
      'without-help': `Every command but ${COMMAND_NAMES.filter(
        (name) => !COMMANDS[name].options.some((option) => option.name === HELP),
      )
        .map(code)
        .join(' and ')} also has \`${HELP}\`.`,
      'without-envelope': `No envelope: ${COMMAND_NAMES.filter((name) => COMMANDS[name].envelope === null)
        .map(code)
        .join(', ')}.`,
      settings: settingsTable().trimEnd(),
    },
  });
}
