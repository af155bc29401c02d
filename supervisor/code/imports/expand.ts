/** What is in the place of references in a client's configuration. */
export interface ExpansionPlaces {
  readonly workspace: string;
  readonly home: string;
  /** A variable of the environment; undefined where it is not set. */
  readonly variable: (name: string) => string | undefined;
}

export type Expanded =
  /** `values`: those of variables, which may be secrets. */
  | { readonly ok: true; readonly text: string; readonly values: readonly string[] }
  /** `reason`: what is missing; no value is in it. */
  | { readonly ok: false; readonly reason: string };

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A text of a client's configuration with its references in place, in one pass (code-mode.md §3): `${VAR}`,
 * `${VAR:-x}`, `${env:VAR}`, `${input:ID}`, `${workspaceFolder}`, `${userHome}`. What is not set is never passed on as
 * it is written: no server can use that.
 */
export function expandReferences(text: string, places: ExpansionPlaces): Expanded {
  const values: string[] = [];
  let expanded = '';
  let at = 0;
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', at)) {
    const close = closingBrace(text, open);
    if (close === -1) break;
    const inner = text.slice(open + 2, close);
    const found = valueOf(inner, places);
    if (found === null) return { ok: false, reason: missingText(inner) };
    expanded += text.slice(at, open) + found.text;
    if (found.isValue) values.push(found.text);
    at = close + 1;
  }
  return { ok: true, text: expanded + text.slice(at), values };
}

/** Of the brace that opens before `open + 2`; -1 for none. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function valueOf(
  inner: string,
  { workspace, home, variable }: ExpansionPlaces,
): { readonly text: string; readonly isValue: boolean } | null {
  switch (inner) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return { text: workspace, isValue: false };
    case 'userHome':
      return { text: home, isValue: false };
    case 'pathSeparator':
    case '/':
      return { text: '/', isValue: false };
  }
  const [, kind = '', name = '', other] = /^(?:(env|input):)?([^:}]+?)(?::-([\s\S]*))?$/.exec(inner) ?? [];
  const requested = kind === 'input' ? inputVariable(name) : name;
  const value = NAME.test(requested) ? variable(requested) : undefined;
  if (value !== undefined && value !== '') return { text: value, isValue: true };
  // One pass: a reference in a default would be passed on as it is written.
  return other === undefined || other.includes('${') ? null : { text: other, isValue: false };
}

/** The variable that means an input of VS Code: `api-key` is `SVC_INPUT_API_KEY`. */
export function inputVariable(id: string): string {
  return `SVC_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function missingText(inner: string): string {
  const [, kind, name = inner] = /^(?:(env|input):)?([^:}]+)/.exec(inner) ?? [];
  if (kind === 'input') return `set ${inputVariable(name)}, which is its input ${name}`;
  return NAME.test(name) ? `the variable ${name} is not set` : `it refers to ${JSON.stringify(name)}, which is nothing`;
}
