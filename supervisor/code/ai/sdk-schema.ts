/** The mark by which every major of the AI SDK knows a schema that it need not convert. */
export const SDK_SCHEMA = Symbol.for('vercel.ai.schema');
/** The same of what the oldest supported major validates with. */
const SDK_VALIDATOR = Symbol.for('vercel.ai.validator');

/** JSON Schema as plain data. */
type PlainSchema = Readonly<Record<string, unknown>>;

/** What a value has to be, in one sentence; null: it is. */
type Fault = (value: unknown) => string | null;

/**
 * A schema as each major of the AI SDK takes it, and as whatever follows Standard Schema does. No type of it fits them
 * all: each names a symbol of a package of its own. `never` fits every place for a schema.
 */
export function sdkSchema(json: PlainSchema, faultOf: Fault): never {
  const toJson = (): PlainSchema => json;
  const schema = {
    [SDK_SCHEMA]: true,
    [SDK_VALIDATOR]: true,
    _type: undefined,
    jsonSchema: json,
    validate: (value: unknown) => {
      const fault = faultOf(value);
      return fault === null ? { success: true, value } : { success: false, error: new TypeError(fault) };
    },
    '~standard': {
      version: 1,
      vendor: 'svc',
      validate: (value: unknown) => {
        const fault = faultOf(value);
        return fault === null ? { value } : { issues: [{ message: fault }] };
      },
      jsonSchema: { input: toJson, output: toJson },
    },
  };
  if (!fitsEverywhere(schema)) throw new Error('the schema lost its mark');
  return schema;
}

/** No type says so: see above. */
function fitsEverywhere(schema: object): schema is never {
  return Reflect.get(schema, SDK_SCHEMA) === true;
}
