import { DEFAULTS, ruleText, SETTINGS, type Configuration } from './settings.ts';

/** The variables that a process was started with, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

export type ConfigurationResult =
  | { readonly ok: true; readonly configuration: Configuration }
  /** Names the variable and its rule, never the value. */
  | { readonly ok: false; readonly message: string };

/**
 * The configuration of this process: the defaults, overridden by environment variables (settings.ts). An empty
 * variable counts as absent. Convict is brought in only when a variable is set: loading it costs 12 ms (measured,
 * Node 24, two cores), a quarter of a whole help command.
 */
export async function loadConfiguration(variables: Variables): Promise<ConfigurationResult> {
  const input = Object.values(SETTINGS).filter(({ env }) => isSet(variables[env]));
  if (input.length === 0) return { ok: true, configuration: DEFAULTS };
  const { overriddenConfiguration, presentValue } = await import('./convict-schema.ts');
  const invalid = input.find((setting) => presentValue(setting, variables) === undefined);
  if (invalid !== undefined)
    return { ok: false, message: `the environment variable ${invalid.env} must be ${ruleText(invalid)}` };
  const overrides = Object.fromEntries(input.map(({ env }) => [env, variables[env]]));
  return { ok: true, configuration: overriddenConfiguration(overrides) };
}

export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
