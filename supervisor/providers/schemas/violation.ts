/**
 * A place in the schema with what it asks for: no value of what was submitted. Of what was submitted there are types,
 * and the name of a property that the schema does not have.
 */
export interface SchemaViolation {
  readonly rule: string;
  readonly schema_path: string;
  readonly limit?: number;
  readonly missing?: string;
  /** Of the rule `type`, in the words of the schema. */
  readonly expected?: string;
  readonly given?: string;
  /** A property that is none, and those that are, where they are few. */
  readonly unknown?: string;
  readonly allowed?: readonly string[];
  /** Of the rules `enum` and `const`: what may be given, where that is few and short. For whom the schema is shown. */
  readonly members?: readonly (string | number | boolean | null)[];
}
