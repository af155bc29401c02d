import convict from 'convict';
import { isAbsolute } from 'node:path';
import { SETTINGS, type Configuration, type Setting, type SettingRule } from './settings.ts';

type SettingName = keyof Configuration;

export type Overridden =
  { readonly ok: true; readonly configuration: Configuration } | { readonly ok: false; readonly invalid: SettingName };

const CANONICAL_DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/;

/** Checks are ours and see the text as it was given: convict's own formats would accept `12abc` as 12. */
function keeps(rule: SettingRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= rule.minimum && value <= rule.maximum;
    case 'directory':
      return value === null || (typeof value === 'string' && isAbsolute(value) && !value.includes('\0'));
    case 'choice':
      return typeof value === 'string' && rule.of.includes(value);
  }
}

function formatName(name: string): string {
  return `svc-${name}`;
}

function formatOf(name: string, { rule }: Setting<unknown>): convict.Format {
  return {
    name: formatName(name),
    validate: (value: unknown) => {
      if (!keeps(rule, value)) throw new Error(name);
    },
    coerce: (text: string) => (rule.kind === 'integer' && CANONICAL_DECIMAL.test(text) ? Number(text) : text),
  };
}

/** The configuration under these variables, or the first setting whose variable breaks its rule. */
export function overriddenConfiguration(overrides: Readonly<Record<string, string | undefined>>): Overridden {
  convict.addFormats(
    Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [formatName(name), formatOf(name, setting)])),
  );
  const settings = convict<Configuration>(
    {
      isolatesPerHost: row('isolatesPerHost'),
      runtimeDirectory: row('runtimeDirectory'),
      bundleCache: row('bundleCache'),
      cacheDirectory: row('cacheDirectory'),
      logLevel: row('logLevel'),
    },
    { env: { ...overrides }, args: [] },
  );
  const invalid = names().find((name) => !keeps(SETTINGS[name].rule, settings.get(name)));
  if (invalid !== undefined) return { ok: false, invalid };
  settings.validate({ allowed: 'strict' });
  return { ok: true, configuration: settings.getProperties() };
}

function names(): readonly SettingName[] {
  return ['isolatesPerHost', 'runtimeDirectory', 'bundleCache', 'cacheDirectory', 'logLevel'];
}

function row<Name extends SettingName>(name: Name): convict.SchemaObj<Configuration[Name]> {
  const { default: value, variable, meaning } = SETTINGS[name];
  return { doc: meaning, format: formatName(name), default: value, env: variable };
}
