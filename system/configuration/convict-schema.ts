import convict from 'convict';
import { isAbsolute } from 'node:path';
import { SETTINGS, type Configuration, type Setting, type SettingRule, type SettingValue } from './settings.ts';

/** The variables that are set, by name. */
type SetVariables = Readonly<Record<string, string | undefined>>;

/** `rule`: the row, with the bounds of its format. */
type Check = (value: unknown, rule: Readonly<Record<string, unknown>>) => boolean;

const CANONICAL_DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;

/** Checks are ours and see the text as it was given: convict's own formats would accept `12abc` as 12. */
const CHECKS: Readonly<Record<SettingRule['format'], Check>> = {
  'whole-number': (value, { minimum, maximum }) =>
    Number.isSafeInteger(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum),
  'absolute-path': (value) => typeof value === 'string' && isAbsolute(value) && !value.includes('\0'),
  choice: (value, { of }) => Array.isArray(of) && of.includes(value),
  text: (value) => typeof value === 'string',
};

for (const [name, isStored] of Object.entries(CHECKS))
  convict.addFormat({
    name,
    validate: (value: unknown, row) => {
      if (value !== row.default && !isStored(value, row)) throw new Error(name);
    },
    coerce: (text: string) => (name === 'whole-number' && CANONICAL_DECIMAL.test(text) ? Number(text) : text),
  });

/** The value of one setting under these variables; undefined for one that breaks its rule. */
export function presentValue(setting: Setting<SettingValue>, variables: SetVariables): SettingValue | undefined {
  const config = convict<{ readonly value: SettingValue }>({ value: setting }, { env: { ...variables }, args: [] });
  try {
    config.validate({ allowed: 'strict' });
  } catch {
    // The message has the value, which is nobody's to read.
    return undefined;
  }
  return config.get('value');
}

/** The configuration under these variables, each of which keeps its rule. */
export function overriddenConfiguration(variables: SetVariables): Configuration {
  const config = convict<Configuration>(SETTINGS, { env: { ...variables }, args: [] });
  config.validate({ allowed: 'strict' });
  return config.getProperties();
}
