import { EVERY_SETTING, ruleText } from './settings.ts';

/** Each variable that sets the program, with what it means, what it may be and what it is by default. */
export function describedSettings(): readonly (readonly [variable: string, meaning: string])[] {
  return EVERY_SETTING.map((setting) => [
    setting.env,
    `${setting.doc.replaceAll('`', '')} Value: ${ruleText(setting)}${setting.default === null ? '' : `; by default ${String(setting.default)}`}.`,
  ]);
}
