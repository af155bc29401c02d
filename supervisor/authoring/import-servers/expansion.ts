import { variableName, type ConfiguredValue } from './bound-credentials.ts';

/** Folders that clients put in the place of a word. */
export interface ClientFolders {
  /** Of the project that the configuration belongs to; absolute. */
  readonly workspace: string;
  readonly home: string;
}

/** One that does not end goes on to the end of the text, which then is read no more. */
const REFERENCE = /\$\{([^}]*)(\}|$)/g;
/** One reference and nothing else: `${NAME}`, `${NAME:-other}`, `${env:NAME}`, `${input:ID}`. */
const WHOLE = /^\$\{(?:(env|input):)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-[^}]*)?\}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What gives the value of a variable or a header: a variable of the environment, where the text says which. */
export function configuredValue(text: string): ConfiguredValue {
  const [, kind, name = ''] = WHOLE.exec(text) ?? [];
  // As code mode reads it (code-mode.md §3).
  if (kind === 'input') return { kind: 'variable', variable: `SVC_INPUT_${variableName(name)}` };
  return VARIABLE.test(name) ? { kind: 'variable', variable: name } : { kind: 'text', text };
}

/**
 * A text with its folders in place; `keeps` names references that stay, as the server reads them itself. Null where it
 * refers to a value, which would have to be copied.
 */
export function expanded(
  text: string,
  { workspace, home }: ClientFolders,
  keeps: (name: string) => boolean,
): string | null {
  let isWhole = true;
  const whole = text.replaceAll(REFERENCE, (reference, name: string, end: string) => {
    if (end === '') return reference;
    switch (name) {
      case 'workspaceFolder':
      case 'workspaceRoot':
        return workspace;
      case 'userHome':
      case 'HOME':
      case 'env:HOME':
        return home;
      case 'pathSeparator':
      case '/':
        return '/';
      default:
        isWhole &&= keeps(name);
        return reference;
    }
  });
  return isWhole ? whole : null;
}
