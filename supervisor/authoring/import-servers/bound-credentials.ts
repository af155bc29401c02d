import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { kebabName } from '../../../contract/tool-mapping.ts';

/** A credential that an imported server takes, and the variable of the environment that holds it. */
export interface BoundCredential {
  readonly credential: string;
  readonly variable: string;
}

/** What a client's configuration gives a variable or a header. */
export type ConfiguredValue =
  /** A text that is nowhere repeated; it is only compared with others. */
  | { readonly kind: 'text'; readonly text: string }
  /** A reference to a variable of the environment. */
  | { readonly kind: 'variable'; readonly variable: string };

/**
 * Credentials for the values of clients' configurations, none of which is copied: each is a variable of the
 * environment. Servers that give one variable different values have a variable each.
 */
export class BoundCredentials {
  readonly #declared: Map<string, JsonValue>;
  readonly #texts = new Map<string, string>();
  readonly #added = new Map<string, JsonObject>();

  /** `declared`: `credentials` of the host document that servers are added to. */
  constructor(declared: JsonObject) {
    this.#declared = new Map(declared);
  }

  /** Those that the host document lacks. */
  get added(): JsonObject {
    return this.#added;
  }

  bind(alias: string, name: string, configuredValue: ConfiguredValue): BoundCredential {
    const variable =
      configuredValue.kind === 'variable'
        ? configuredValue.variable
        : this.#variableFor(alias, name, configuredValue.text);
    const credential = this.#credentialFor(alias, variable);
    if (!this.#declared.has(credential)) {
      const source = new Map([['env', variable]]);
      this.#declared.set(credential, source);
      this.#added.set(credential, source);
    }
    return { credential, variable };
  }

  #variableFor(alias: string, name: string, text: string): string {
    for (const variable of [name, `${variableName(alias)}_${name}`]) {
      const known = this.#texts.get(variable);
      if (known !== undefined && known !== text) continue;
      this.#texts.set(variable, text);
      return variable;
    }
    throw new Error('a server gives each of its variables one value');
  }

  #credentialFor(alias: string, variable: string): string {
    const holds = (source: JsonValue | undefined): boolean => isJsonObject(source) && source.get('env') === variable;
    const [known] = [...this.#declared].find(([, source]) => holds(source)) ?? [];
    if (known !== undefined) return known;
    const plain = kebabName(variable) ?? 'variable';
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? plain : count === 2 ? `${alias}-${plain}` : `${alias}-${plain}-${count - 1}`;
      if (!this.#declared.has(name)) return name;
    }
  }
}

/** A text as the name of a variable: `api-key` is `API_KEY`. */
export function variableName(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}
