/** Settings of the process itself; documents of applications are never among them. */
export interface Configuration {
  /** Isolates that one sandbox host holds at most; a further one gets a further process. */
  readonly isolatesPerHost: number;
  /** Absolute folder of the sandbox host's program and guest image; null: the folder of the running program. */
  readonly runtimeDirectory: string | null;
  /** Whether compiled bundles are kept for later commands. */
  readonly bundleCache: Switch;
  /** Absolute folder below which they are kept; null: that of this user's caches. */
  readonly cacheDirectory: string | null;
  readonly logLevel: LogLevel;
}

export const LOG_LEVELS = ['silent', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SWITCHES = ['on', 'off'] as const;
export type Switch = (typeof SWITCHES)[number];

/** What a value may be. The names of formats are those that convict is taught (convict-schema.ts). */
export type SettingRule =
  | { readonly format: 'whole-number'; readonly minimum: number; readonly maximum: number }
  | { readonly format: 'absolute-path' }
  | { readonly format: 'choice'; readonly of: readonly string[] }
  | { readonly format: 'text' };

export type SettingValue = string | number | null;

/** A row of convict's schema, with the bounds of its format. */
export type Setting<Value extends SettingValue> = SettingRule & {
  /** Environment variable that overrides the default. */
  readonly env: string;
  readonly default: Value;
  /** What it is for, in a sentence or two. */
  readonly doc: string;
  /** Whether the value is a secret, or may hold one: it is never printed. */
  readonly sensitive?: true;
};

/** Settings that are checked before anything evaluates: convict, the documentation and the defaults all read them. */
export const SETTINGS: { readonly [Key in keyof Configuration]: Setting<Configuration[Key]> } = {
  isolatesPerHost: {
    env: 'SVC_ISOLATES_PER_HOST',
    format: 'whole-number',
    minimum: 1,
    maximum: 256,
    // Room for the largest run in one process: a mission and its parallel workers, beside fifteen other missions.
    default: 32,
    doc: 'Isolates that one sandbox process holds at most; each adds 640 MiB of address space to the limit of its data segment.',
  },
  runtimeDirectory: {
    env: 'SVC_RUNTIME_DIR',
    format: 'absolute-path',
    default: null,
    doc: 'Absolute folder with the sandbox host and the guest image, when they are not next to the program.',
  },
  bundleCache: {
    env: 'SVC_BUNDLE_CACHE',
    format: 'choice',
    of: SWITCHES,
    default: 'on',
    doc: 'off compiles every application again; on keeps compiled bundles, so that an unchanged one is not compiled again.',
  },
  cacheDirectory: {
    env: 'SVC_CACHE_DIR',
    format: 'absolute-path',
    default: null,
    doc: 'Absolute folder below which compiled bundles are kept, in `svc/bundles`; else `$XDG_CACHE_HOME`, else `$HOME/.cache`. One that others may change is not used.',
  },
  logLevel: {
    env: 'SVC_LOG_LEVEL',
    format: 'choice',
    of: LOG_LEVELS,
    default: 'silent',
    doc: 'debug also prints the stack of an unexpected fault on stderr.',
  },
};

export const DEFAULTS: Configuration = {
  isolatesPerHost: SETTINGS.isolatesPerHost.default,
  runtimeDirectory: SETTINGS.runtimeDirectory.default,
  bundleCache: SETTINGS.bundleCache.default,
  cacheDirectory: SETTINGS.cacheDirectory.default,
  logLevel: SETTINGS.logLevel.default,
};

/** Read by the parts that need them, which pass over a value that they do not know. */
const READ_WHERE_USED: readonly Setting<SettingValue>[] = [
  {
    env: 'SVC_OUTPUT',
    format: 'choice',
    of: ['text', 'json'],
    default: 'text',
    doc: 'json prints the command envelope on stdout, as --json does.',
  },
  {
    env: 'SVC_PROGRESS',
    format: 'choice',
    of: ['jsonl'],
    default: null,
    doc: 'jsonl: run writes its progress to stderr as one JSON object a line.',
  },
  {
    env: 'SVC_SHOW_CODE',
    format: 'choice',
    of: ['1'],
    default: null,
    doc: '1: a session shows on stderr the JavaScript that each form was compiled to.',
  },
  {
    env: 'SVC_PAGER',
    format: 'text',
    default: null,
    doc: 'Program that shows pages of the documentation on a terminal; cat shows them without one.',
  },
  { env: 'PAGER', format: 'text', default: 'less', doc: 'The same, when SVC_PAGER is not set.' },
  {
    env: 'SVC_OTEL',
    format: 'choice',
    of: ['1'],
    default: null,
    doc: '1 sends what a run did to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, else to http://localhost:4318.',
  },
  {
    env: 'SVC_GRANTS_DIR',
    format: 'absolute-path',
    default: null,
    doc: 'Absolute folder in which `svc auth login` keeps what you granted; else `svc/grants` below `$XDG_STATE_HOME`, else below `$HOME/.local/state`. It must be yours alone.',
  },
  {
    env: 'SVC_GRANTS_KEY',
    format: 'text',
    default: null,
    sensitive: true,
    doc: 'Key that grants are sealed with, 64 hexadecimal digits; without it a key file beside them is made.',
  },
  {
    env: 'SVC_VIEWER_URL',
    format: 'text',
    default: null,
    // The address of a viewer that others can reach has its token.
    sensitive: true,
    doc: 'Address of a viewer that shows a run started elsewhere.',
  },
  {
    env: 'SVC_VIEWER_TOKEN',
    format: 'text',
    default: null,
    sensitive: true,
    doc: 'Token of a viewer that others can reach, at least 32 bytes.',
  },
  { env: 'NO_COLOR', format: 'text', default: null, doc: 'Any value: no colours.' },
  {
    env: 'FORCE_COLOR',
    format: 'text',
    default: null,
    doc: 'Any value but 0: colours also where stdout is no terminal, unless NO_COLOR is set.',
  },
];

/** Every variable that sets the program. */
export const EVERY_SETTING: readonly Setting<SettingValue>[] = [...Object.values(SETTINGS), ...READ_WHERE_USED];

/** What a value must be, for messages and documentation. */
export function ruleText(rule: SettingRule): string {
  switch (rule.format) {
    case 'whole-number':
      return `a whole number from ${rule.minimum} to ${rule.maximum}`;
    case 'absolute-path':
      return 'an absolute path';
    case 'choice':
      return rule.of.length === 1 ? rule.of.join('') : `one of ${rule.of.join(', ')}`;
    case 'text':
      return 'any text';
  }
}
