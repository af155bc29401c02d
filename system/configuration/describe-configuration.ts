import { isSet, type Variables } from './configuration.ts';
import { EVERY_SETTING, ruleText, type SettingValue } from './settings.ts';

/** One setting of the program, as a person or a program asks about it. */
export interface SettingDescription {
  readonly variable: string;
  readonly meaning: string;
  /** What a value must be. */
  readonly accepts: string;
  readonly default: SettingValue;
  /** Null also for a secret, and for a value that breaks its rule. */
  readonly value: SettingValue;
  readonly source: 'default' | 'environment';
  readonly secret: boolean;
  /** Whether the value that the environment gives keeps the rule. */
  readonly valid: boolean;
}

/** Every setting with its documentation, its default, and what it is under these variables; secrets stay out. */
export async function describeConfiguration(variables: Variables): Promise<readonly SettingDescription[]> {
  const { presentValue } = await import('./convict-schema.ts');
  return EVERY_SETTING.map((setting) => {
    const { env, doc, default: fallback, sensitive = false } = setting;
    const isProvided = isSet(variables[env]);
    const value = isProvided ? presentValue(setting, variables) : fallback;
    return {
      variable: env,
      meaning: doc,
      accepts: ruleText(setting),
      default: fallback,
      value: sensitive ? null : (value ?? null),
      source: isProvided ? 'environment' : 'default',
      secret: sensitive,
      valid: value !== undefined,
    };
  });
}
