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

export type SettingRule =
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'directory' }
  | { readonly kind: 'choice'; readonly of: readonly string[] };

export interface Setting<Value> {
  /** Environment variable that overrides the default. */
  readonly variable: `SVC_${string}`;
  readonly rule: SettingRule;
  readonly default: Value;
  readonly meaning: string;
}

/** The one table of settings: convict, the documentation and the defaults all read it. */
export const SETTINGS: { readonly [Key in keyof Configuration]: Setting<Configuration[Key]> } = {
  isolatesPerHost: {
    variable: 'SVC_ISOLATES_PER_HOST',
    rule: { kind: 'integer', minimum: 1, maximum: 256 },
    // Room for the largest run in one process: a mission and its parallel workers, beside fifteen other missions.
    default: 32,
    meaning:
      'Isolates that one sandbox process holds at most; each adds 640 MiB of address space to the limit of its data segment.',
  },
  runtimeDirectory: {
    variable: 'SVC_RUNTIME_DIR',
    rule: { kind: 'directory' },
    default: null,
    meaning: 'Absolute folder with the sandbox host and the guest image, when they do not lie beside the program.',
  },
  bundleCache: {
    variable: 'SVC_BUNDLE_CACHE',
    rule: { kind: 'choice', of: SWITCHES },
    default: 'on',
    meaning:
      'off compiles every application anew; on keeps compiled bundles, so that an unchanged one is not compiled again.',
  },
  cacheDirectory: {
    variable: 'SVC_CACHE_DIR',
    rule: { kind: 'directory' },
    default: null,
    meaning:
      'Absolute folder below which compiled bundles are kept, in `svc/bundles`; else `$XDG_CACHE_HOME`, else `$HOME/.cache`. One that others may change is not used.',
  },
  logLevel: {
    variable: 'SVC_LOG_LEVEL',
    rule: { kind: 'choice', of: LOG_LEVELS },
    default: 'silent',
    meaning: 'debug also prints the stack of an unexpected fault on stderr.',
  },
};

export const DEFAULTS: Configuration = {
  isolatesPerHost: SETTINGS.isolatesPerHost.default,
  runtimeDirectory: SETTINGS.runtimeDirectory.default,
  bundleCache: SETTINGS.bundleCache.default,
  cacheDirectory: SETTINGS.cacheDirectory.default,
  logLevel: SETTINGS.logLevel.default,
};

/** What a value must be, for messages and documentation. */
export function ruleText(rule: SettingRule): string {
  switch (rule.kind) {
    case 'integer':
      return `a whole number from ${rule.minimum} to ${rule.maximum}`;
    case 'directory':
      return 'an absolute path';
    case 'choice':
      return `one of ${rule.of.join(', ')}`;
  }
}
