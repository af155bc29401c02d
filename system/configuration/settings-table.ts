import { EVERY_SETTING, ruleText } from './settings.ts';

/** The settings as a Markdown table, for the documentation. */
export function settingsTable(): string {
  const rows = EVERY_SETTING.map((setting) => {
    const { env, default: value, doc } = setting;
    return `| \`${env}\` | ${ruleText(setting)} | ${value === null ? '-' : `\`${String(value)}\``} | ${doc} |`;
  });
  return ['| Variable | Value | Default | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}
