/** Words of options, headers, parameters and variables whose value is a secret more often than not. */
const SECRET_WORD =
  /(?:key|token|secret|passw|pwd|credential|auth|bearer|cookie|session|signature|(?:^|[-_])pat(?:$|[-_]))/i;
/** Beginnings that vendors give their keys, so that these are known anywhere. */
const KNOWN_KEY =
  /(?:^|[^A-Za-z0-9])(?:sk-|pk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abps]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ[A-Za-z0-9_-]{8}|ntn_|secret_|hf_|npm_|dop_v1_|lin_api_|pat[A-Z0-9]|shpat_|SG\.)[A-Za-z0-9._-]{8,}/;
/** What nobody types: long, of letters and digits mixed. */
const RANDOM = /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+=-]{32,}$/;

/** Whether a name says that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name);
}

/**
 * Whether a text that would be copied may hold a secret. Rather one too many: anyone who meets it moves the value into
 * a variable, and nothing is written that should not be.
 */
export function mayHoldSecret(text: string): boolean {
  return KNOWN_KEY.test(text) || RANDOM.test(text) || /:\/\/[^/\s@:]*:[^/\s@]+@/.test(text) || hasSecretParameter(text);
}

function hasSecretParameter(text: string): boolean {
  // What is no parameter is matched as well, so that it is read once.
  return [...text.matchAll(/[?&]([^=&#\s]+)(=[^&#\s])?/g)].some(
    ([, name = '', value]) => value !== undefined && isSecretName(name),
  );
}

/** The first of these arguments that may hold a secret: its place, from 0; -1 for none. */
export function secretArgument(args: readonly string[]): number {
  return args.findIndex((arg, at) => {
    const [before = ''] = at === 0 ? [] : [args[at - 1] ?? ''];
    const [, option, value] = /^--?([^=\s]+)=(.+)$/s.exec(arg) ?? [];
    if (option !== undefined && value !== undefined && isSecretName(option)) return true;
    if (/^--?/.test(before) && !arg.startsWith('-')) {
      if (isSecretName(before)) return true;
      // `-e NAME=value` of containers, `-H 'Name: value'` of bridges.
      const [, name, input = ''] = /^([A-Za-z0-9_-]+)\s*[=:]\s*(.+)$/s.exec(arg) ?? [];
      if (name !== undefined && input !== '' && isSecretName(name)) return true;
    }
    return mayHoldSecret(arg) || mayHoldSecret(value ?? '');
  });
}
