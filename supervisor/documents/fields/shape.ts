import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';

/**
 * The vocabulary in which every document's table of fields is written (documents.md §14.1). A table is plain data:
 * the checker, the defaults, the digests' normal form and the published JSON Schema are all read from it.
 */
export type Shape =
  | TextShape
  | IntegerShape
  | NumberShape
  | BooleanShape
  | EnumShape
  | ListShape
  | MapShape
  | ObjectShape
  | ChoiceShape
  | EitherShape
  | ListedShape
  | FreeObjectShape
  | AnyShape;

/** A regular expression for a whole string, written without anchors. */
export interface TextPattern {
  readonly source: string;
  /** What it demands, for people: completes "write …". */
  readonly words: string;
}

export interface TextShape {
  readonly kind: 'text';
  /** UTF-8 bytes when a document is loaded, characters in a published schema. */
  readonly minimum: number;
  readonly maximum: number;
  readonly pattern: TextPattern | null;
  readonly words: string | null;
}

export interface IntegerShape {
  readonly kind: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}

export interface NumberShape {
  readonly kind: 'number';
  readonly minimum: number;
  readonly maximum: number;
  /** True: the minimum itself is refused. */
  readonly above: boolean;
}

export interface BooleanShape {
  readonly kind: 'boolean';
}

export interface EnumShape<V extends string | number | boolean | null = string | number | boolean | null> {
  readonly kind: 'enum';
  readonly values: readonly V[];
}

export interface ListShape<I extends Shape = Shape> {
  readonly kind: 'list';
  readonly items: I;
  readonly minimum: number;
  readonly maximum: number;
  /** `declared`: published, but refused later with a code of its own. */
  readonly unique: 'no' | 'checked' | 'declared';
  /** The order says nothing: digests see the list sorted. */
  readonly set: boolean;
}

export interface MapShape<V extends Shape = Shape> {
  readonly kind: 'map';
  readonly keys: TextPattern;
  readonly values: V;
  readonly minimum: number;
  readonly maximum: number;
}

export type FieldPresence =
  | { readonly kind: 'required' }
  | { readonly kind: 'optional' }
  | { readonly kind: 'default'; readonly value: JsonValue };

export interface Field<S extends Shape = Shape, P extends FieldPresence = FieldPresence> {
  readonly shape: S;
  readonly presence: P;
  /** False: no digest sees the field. */
  readonly identity: boolean;
}

export interface Fields {
  readonly [name: string]: Field;
}

export interface ObjectShape<F extends Fields = Fields> {
  readonly kind: 'object';
  readonly fields: F;
}

/** Exactly one of several objects, distinguished by a constant field where there is one. */
export interface ChoiceShape<B extends readonly ObjectShape[] = readonly ObjectShape[]> {
  readonly kind: 'choice';
  readonly discriminator: string | null;
  readonly branches: B;
}

/** A value that is mostly a plain text, or an object where a text does not say enough. */
export interface EitherShape<T extends TextShape = TextShape, O extends ObjectShape = ObjectShape> {
  readonly kind: 'either';
  readonly text: T;
  readonly object: O;
}

/** One value, or a list of such. */
export interface ListedShape<I extends TextShape | ObjectShape = TextShape | ObjectShape> {
  readonly kind: 'listed';
  readonly item: I;
  readonly list: ListShape<I>;
}

export interface FreeObjectShape {
  readonly kind: 'free';
}

export interface AnyShape {
  readonly kind: 'any';
}

/** The TypeScript type of a decoded value. */
export type Decoded<S> = S extends { kind: 'text' }
  ? string
  : S extends { kind: 'integer' | 'number' }
    ? number
    : S extends { kind: 'boolean' }
      ? boolean
      : S extends { kind: 'enum'; values: readonly (infer V)[] }
        ? V
        : S extends { kind: 'list'; items: infer I }
          ? readonly Decoded<I>[]
          : S extends { kind: 'map'; values: infer V }
            ? ReadonlyMap<string, Decoded<V>>
            : S extends { kind: 'object'; fields: infer F }
              ? DecodedFields<F>
              : S extends { kind: 'choice'; branches: readonly (infer B)[] }
                ? Decoded<B>
                : S extends { kind: 'either'; object: infer O }
                  ? string | Decoded<O>
                  : S extends { kind: 'listed'; item: infer I }
                    ? Decoded<I> | readonly Decoded<I>[]
                    : S extends { kind: 'free' }
                      ? JsonObject
                      : JsonValue;

type OptionalNames<F> = { [K in keyof F]: F[K] extends { presence: { kind: 'optional' } } ? K : never }[keyof F];

type DecodedFields<F> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: F[K] extends { shape: infer S } ? Decoded<S> : never;
} & {
  readonly [K in OptionalNames<F>]?: F[K] extends { shape: infer S } ? Decoded<S> : never;
};

/** `words` say what to write, where no pattern does. */
export function text(maximum: number, pattern?: TextPattern, words: string | null = null): TextShape {
  return { kind: 'text', minimum: 1, maximum, pattern: pattern ?? null, words };
}

export function integer(minimum: number, maximum: number): IntegerShape {
  return { kind: 'integer', minimum, maximum };
}

export function number(minimum: number, maximum: number): NumberShape {
  return { kind: 'number', minimum, maximum, above: false };
}

export function numberAbove(minimum: number, maximum: number): NumberShape {
  return { kind: 'number', minimum, maximum, above: true };
}

export const boolean: BooleanShape = { kind: 'boolean' };

export function oneOfValues<const V extends readonly (string | number | boolean | null)[]>(
  ...values: V
): EnumShape<V[number]> {
  return { kind: 'enum', values };
}

export interface ListOptions {
  readonly minimum?: number;
  readonly unique?: 'checked' | 'declared';
  readonly set?: true;
}

export function list<I extends Shape>(items: I, maximum: number, options: ListOptions = {}): ListShape<I> {
  return {
    kind: 'list',
    items,
    minimum: options.minimum ?? 0,
    maximum,
    unique: options.unique ?? 'no',
    set: options.set ?? false,
  };
}

export function map<V extends Shape>(keys: TextPattern, values: V, maximum: number, minimum = 0): MapShape<V> {
  return { kind: 'map', keys, values, minimum, maximum };
}

export function object<const F extends Fields>(fields: F): ObjectShape<F> {
  return { kind: 'object', fields };
}

export function choice<const B extends readonly ObjectShape[]>(
  discriminator: string | null,
  ...branches: B
): ChoiceShape<B> {
  return { kind: 'choice', discriminator, branches };
}

export function either<T extends TextShape, O extends ObjectShape>(plain: T, otherwise: O): EitherShape<T, O> {
  return { kind: 'either', text: plain, object: otherwise };
}

/** `items` as many as a list may have. */
export function listed<I extends TextShape | ObjectShape>(
  item: I,
  items: number,
  options: ListOptions = {},
): ListedShape<I> {
  return { kind: 'listed', item, list: list(item, items, options) };
}

export const freeObject: FreeObjectShape = { kind: 'free' };

export const anyJson: AnyShape = { kind: 'any' };

export function required<S extends Shape>(shape: S): Field<S, { readonly kind: 'required' }> {
  return { shape, presence: { kind: 'required' }, identity: true };
}

export function optional<S extends Shape>(shape: S): Field<S, { readonly kind: 'optional' }> {
  return { shape, presence: { kind: 'optional' }, identity: true };
}

export function defaulted<S extends Shape>(
  shape: S,
  value: JsonValue,
): Field<S, { readonly kind: 'default'; readonly value: JsonValue }> {
  return { shape, presence: { kind: 'default', value }, identity: true };
}

/** The default of an object or map field: its own fields' defaults. */
export const EMPTY_OBJECT: JsonObject = new Map();

/** The same field, unseen by every digest. */
export function unidentified<F extends Field>(field: F): F {
  return { ...field, identity: false };
}
