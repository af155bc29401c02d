import { ruleText, SETTINGS } from './settings.ts';

/** The settings of the process (config/settings.ts). */
export { loadConfiguration } from './configuration.ts';

/** Each variable that sets the process, with what it means, what it may be and what it is by default. */
export function describedSettings(): readonly (readonly [variable: string, meaning: string])[] {
  return Object.values(SETTINGS).map(({ variable, meaning, rule, default: value }) => [
    variable,
    `${meaning.replaceAll('`', '')} Value: ${ruleText(rule)}${value === null ? '' : `; by default ${String(value)}`}.`,
  ]);
}
