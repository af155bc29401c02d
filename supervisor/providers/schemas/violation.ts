/** A place in the schema and its numeric bound: nothing of what was submitted, no member of an enum. */
export interface SchemaViolation {
  readonly rule: string;
  readonly schema_path: string;
  readonly limit?: number;
  readonly missing?: string;
}
