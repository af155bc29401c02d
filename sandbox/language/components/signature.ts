/** Types of signatures (language.md §15). */
export type SignatureType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveName; readonly nullable: boolean }
  | { readonly kind: 'sequence'; readonly element: SignatureType; readonly nullable: boolean }
  | { readonly kind: 'map'; readonly fields: readonly SignatureField[]; readonly nullable: boolean };

export type PrimitiveName = 'string' | 'int' | 'float' | 'bool' | 'keyword' | 'map' | 'datetime' | 'any';

export interface SignatureField {
  readonly name: string;
  readonly type: SignatureType;
}

export interface Signature {
  readonly parameters: readonly SignatureField[];
  readonly result: SignatureType;
}

export type SignatureReading =
  | { readonly ok: true; readonly signature: Signature }
  | { readonly ok: false; readonly message: string };

const PRIMITIVES: ReadonlyMap<string, PrimitiveName> = new Map([
  ['string', 'string'],
  ['int', 'int'],
  ['float', 'float'],
  ['bool', 'bool'],
  ['boolean', 'bool'],
  ['keyword', 'keyword'],
  ['map', 'map'],
  ['datetime', 'datetime'],
  ['any', 'any'],
]);

/** Nesting of types that is read. */
const MAXIMUM_DEPTH = 64;

class Malformed extends Error {}

/** Reads a signature: `(a :int, b [:string]) -> {x :float?}`, `-> T` or a bare type. */
export function readSignature(text: string): SignatureReading {
  const reader = new SignatureReader(text);
  try {
    return { ok: true, signature: reader.signature() };
  } catch (fault) {
    if (fault instanceof Malformed) return { ok: false, message: fault.message };
    throw fault;
  }
}

class SignatureReader {
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  signature(): Signature {
    this.#blank();
    let parameters: readonly SignatureField[] = [];
    if (this.#text[this.#index] === '(') {
      parameters = this.#fields('(', ')');
      this.#expect('->');
    } else if (this.#text.startsWith('->', this.#index)) this.#expect('->');
    const result = this.#type();
    this.#blank();
    if (this.#index < this.#text.length) throw new Malformed(`unexpected text at ${this.#index}`);
    return { parameters, result };
  }

  #blank(): void {
    while (' \t\n\r'.includes(this.#text[this.#index] ?? 'x')) this.#index += 1;
  }

  #expect(token: string): void {
    this.#blank();
    if (!this.#text.startsWith(token, this.#index)) throw new Malformed(`expected ${token} at ${this.#index}`);
    this.#index += token.length;
  }

  #takes(token: string): boolean {
    this.#blank();
    if (!this.#text.startsWith(token, this.#index)) return false;
    this.#index += token.length;
    return true;
  }

  #fields(opener: string, closer: string): SignatureField[] {
    this.#expect(opener);
    const fields: SignatureField[] = [];
    if (this.#takes(closer)) return fields;
    const names = new Set<string>();
    do {
      const name = this.#identifier();
      const folded = name.replaceAll('-', '_');
      if (names.has(folded)) throw new Malformed(`${name} is named twice`);
      names.add(folded);
      fields.push({ name, type: this.#type() });
    } while (this.#takes(','));
    if (!this.#takes(closer)) throw new Malformed(`expected , or ${closer} at ${this.#index}`);
    return fields;
  }

  #identifier(): string {
    this.#blank();
    const match = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(this.#text.slice(this.#index, this.#index + 256));
    if (match === null) throw new Malformed(`expected a name at ${this.#index}`);
    this.#index += match[0].length;
    return match[0];
  }

  #type(): SignatureType {
    this.#blank();
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) throw new Malformed(`types are nested deeper than ${MAXIMUM_DEPTH}`);
    const type = this.#bareType();
    this.#depth -= 1;
    if (this.#text[this.#index] !== '?') return type;
    this.#index += 1;
    return { ...type, nullable: true };
  }

  #bareType(): SignatureType {
    const opener = this.#text[this.#index];
    if (opener === '[') {
      this.#index += 1;
      const element = this.#type();
      this.#expect(']');
      return { kind: 'sequence', element, nullable: false };
    }
    if (opener === '{') return { kind: 'map', fields: this.#fields('{', '}'), nullable: false };
    if (opener !== ':') throw new Malformed(`expected a type at ${this.#index}`);
    this.#index += 1;
    if (/\s/.test(this.#text[this.#index] ?? '')) throw new Malformed(`expected the name of a type at ${this.#index}`);
    const word = this.#identifier();
    const name = PRIMITIVES.get(word);
    if (name === undefined) throw new Malformed(`unknown type :${word.slice(0, 64)}`);
    return { kind: 'primitive', name, nullable: false };
  }
}

/** Canonical text of a type and of a signature. */
export function typeText(type: SignatureType): string {
  const mark = type.nullable ? '?' : '';
  switch (type.kind) {
    case 'primitive':
      return `:${type.name}${mark}`;
    case 'sequence':
      return `[${typeText(type.element)}]${mark}`;
    case 'map':
      return `{${fieldsText(type.fields)}}${mark}`;
  }
}

function fieldsText(fields: readonly SignatureField[]): string {
  return fields.map((field) => `${field.name} ${typeText(field.type)}`).join(', ');
}

export function signatureText(signature: Signature): string {
  return `(${fieldsText(signature.parameters)}) -> ${typeText(signature.result)}`;
}
