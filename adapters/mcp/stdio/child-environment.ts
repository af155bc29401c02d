/** What a child may have of its parent's environment (providers.md §7.8). */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'] as const;
const VARIABLES_MAX = 256;
const VALUE_BYTES = 65_536;
/** How shells export functions: a value of this form is code that another shell runs. */
const FUNCTION = '() {';

export type ChildEnvironment = Readonly<Record<string, string>>;

/** The variables that a child inherits; null where one of them cannot be handed on. */
export function inheritedEnvironment(
  isInherited: boolean,
  variable: (name: string) => string | undefined,
): ChildEnvironment | null {
  const environment: Record<string, string> = {};
  for (const name of isInherited ? INHERITED : []) {
    const value = variable(name);
    if (value === undefined) continue;
    if (value.startsWith(FUNCTION) || value.includes('\0') || Buffer.byteLength(value) > VALUE_BYTES) return null;
    environment[name] = value;
  }
  return environment;
}

/** All that a child finds in its environment: `bindings` are variables whose values are credentials. */
export function childEnvironment(inherited: ChildEnvironment, bindings: ChildEnvironment): ChildEnvironment {
  const environment = { ...inherited, ...bindings, LC_ALL: 'C.UTF-8' };
  if (Object.keys(environment).length > VARIABLES_MAX)
    throw new RangeError('host documents bind fewer variables than that');
  return environment;
}
