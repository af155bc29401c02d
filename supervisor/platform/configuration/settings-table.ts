import { ruleText, SETTINGS } from './settings.ts';

/** The settings as a Markdown table, for the documentation. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(
    ({ variable, rule, default: value, meaning }) =>
      `| \`${variable}\` | ${ruleText(rule)} | ${value === null ? '-' : `\`${String(value)}\``} | ${meaning} |`,
  );
  return ['| Variable | Value | Default | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}
