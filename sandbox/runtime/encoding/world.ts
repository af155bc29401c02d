import type { LispFunction } from '../invoke.ts';
import type { Var } from '../values/var.ts';

/**
 * What an encoding names instead of containing it, because every isolate of the same mission has it: built-ins,
 * component functions and their exports, Java members, tools; and how the code of the program's own functions is found.
 */
export interface EncodingWorld {
  /** Qualified name of the component variable that holds this very object; null when none does. */
  exportedAs(value: object): string | null;
  /** The value of a component variable; undefined when there is none of this name. */
  exported(reference: string): unknown;
  /** Whether a variable is the program's own: its value belongs to the encoding. */
  isOwn(variable: Var): boolean;
  /** The variable of this name, made where there is none. */
  variable(namespace: string, name: string): Var;
  /** The value of a built-in; undefined when there is none of this name. */
  builtin(name: string): unknown;
  /** What makes the functions of a code unit from their captures; null when its code is not there. */
  factory(unit: string): LispFunction | null;
  /** Name of a value that is the same in every isolate (a Java member, a tool, a constant); null for all others. */
  nameOf(value: object): string | null;
  /** The value of such a name; undefined when there is none. */
  named(name: string): unknown;
  /** The source of a captured program; null for everything else. */
  programSource(value: object): string | null;
  program(source: string): unknown;
}

/** Why a value is not encoded. */
export type EncodingRefusal =
  /** The text would be longer than allowed; encoding stopped there. */
  | { readonly kind: 'too_large' }
  /** A value that belongs to its evaluation: a transient, a reducing function under way. */
  | { readonly kind: 'not_retainable'; readonly what: string };

/** Thrown inside the encoder and decoder, and answered as data by their entrances. */
export class EncodingStop {
  readonly refusal: EncodingRefusal;
  constructor(refusal: EncodingRefusal) {
    this.refusal = refusal;
  }
}

/** A text that no encoder wrote. */
export class DamagedEncoding {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
