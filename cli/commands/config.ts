import { jsonFromPlain } from '../../contract/json/plain.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { describeConfiguration, type SettingDescription } from '../../system/configuration/describe-configuration.ts';
import { styled, wrapped, type Styling } from '../streams/styling.ts';
import type { Command } from './command.ts';

const INDENT = 2;

/** cli.md §10, config. */
export const configCommand: Command = async (commandArguments, { variables }) => {
  const settings = await describeConfiguration(variables);
  const value = jsonFromPlain({ settings });
  if (value === undefined) throw new TypeError('settings are plain data');
  return { kind: 'result', value, text: null, terminalText: (styling) => configTable(settings, styling) };
};

/** The settings of the program for a terminal: what is set stands out, a secret stays out. */
export function configTable(settings: readonly SettingDescription[], styling: Styling): string {
  const blocks = settings.map((setting) => {
    const { variable, meaning, accepts, default: fallback } = setting;
    const facts = [
      meaning.replaceAll('`', ''),
      `value: ${accepts}${fallback === null ? '' : `; ${String(fallback)} by default`}`,
    ];
    const name = setting.source === 'environment' ? styled(variable, 'bold', styling) : variable;
    return [
      `${name}  ${stateOf(setting, styling)}`,
      ...facts.map((fact) => `${' '.repeat(INDENT)}${wrapped(fact, styling.width, INDENT)}`),
    ].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function stateOf({ accepts, value, source, secret, valid }: SettingDescription, styling: Styling): string {
  if (source === 'default') return value === null ? '(not set)' : `${String(value)}  (default)`;
  if (!valid) return styled(`(set to what it may not be: it must be ${accepts})`, 'red', styling);
  return secret ? '(set; its value is not shown)' : `${visibleText(String(value))}  (from the environment)`;
}
