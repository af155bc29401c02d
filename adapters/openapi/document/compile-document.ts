import { createHash } from 'node:crypto';
import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { mappingFaultWords, mapTools, type MappedTool, type ToolMapping } from '../../../contract/tool-mapping.ts';
import { BODY, type Operation, type OperationParameter } from './operation.ts';
import { readOperations, type DescribedOperation } from './operations.ts';
import { readDocument, type ReadDocument } from './read-document.ts';
import { referencesOf, type References } from './references.ts';
import { RefusedDocument } from './refused-document.ts';
import { schemaSet, TooLarge, type Direction, type Thrift } from './schemas.ts';

/** What is wanted of a document. */
export interface DocumentTerms {
  readonly mapping: ToolMapping;
  /** Operations that may be mapped. */
  readonly maxOperations: number;
  /** `sha256:` and 64 hex digits that the document has to have; null for any. */
  readonly digest: string | null;
  /** Headers in lower case that the installation itself sends. */
  readonly authHeaders: readonly string[];
  /** Every operation, whatever the rows say, as long as there are not too many of them (`svc catalog`). */
  readonly listsAll: boolean;
}

/** An operation that is mapped, with its schemas. */
export interface MappedOperation extends Omit<MappedTool, 'description'> {
  readonly operation: Operation;
  readonly description: string;
  readonly inputSchema: JsonText;
  readonly outputSchema: JsonText | null;
  /** Why no call of it can be made, of one that is shown alone; null for every other one. */
  readonly unusable: string | null;
}

export type CompiledDocument =
  | {
      readonly ok: true;
      /** `sha256:` and 64 hex digits. */
      readonly digest: string;
      readonly operations: readonly MappedOperation[];
    }
  | {
      readonly ok: false;
      readonly fault: 'refused' | 'changed' | 'missing';
      /** For people: the rule and the place that it is broken at. */
      readonly words: string;
      /** Of `missing`: what the document does not have. */
      readonly tool: string | null;
    };

/** Reads a document and takes from it what is wanted. */
export async function compileDocument(bytes: Uint8Array, terms: DocumentTerms): Promise<CompiledDocument> {
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (terms.digest !== null && terms.digest !== digest)
    return { ok: false, fault: 'changed', words: `the digest of the document is ${digest}`, tool: null };
  try {
    const { root, version } = readDocument(bytes);
    const references = await referencesOf(root);
    const operations = readOperations(root, references, new Set(terms.authHeaders));
    const mapped = wantedOf(operations, terms);
    if (!mapped.ok) return mapped;
    return {
      ok: true,
      digest,
      operations: mapped.tools.map((tool) => compileTool(tool, references, version)),
    };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return refused(`the OpenAPI document cannot be used: ${error.message}`);
  }
}

/** An operation that is wanted, and what its document says of it. */
interface WantedOperation {
  readonly tool: MappedTool;
  readonly offered: DescribedOperation;
}
type Wanted = { readonly ok: true; readonly tools: readonly WantedOperation[] };
type Unwanted = Extract<CompiledDocument, { readonly ok: false }>;

function wantedOf(
  operations: readonly DescribedOperation[],
  { mapping, maxOperations, listsAll }: DocumentTerms,
): Wanted | Unwanted {
  if (listsAll && operations.length <= maxOperations) return { ok: true, tools: operations.map(listed) };
  const own = new Set([...mapping.rows.map(({ upstream }) => upstream), ...(mapping.rest?.rows.keys() ?? [])]);
  // What no call can be made of is left out, unless a row of its own asks for it.
  const usable = operations.filter(({ unusable, upstream }) => unusable === null || own.has(upstream));
  const mapped = mapTools(mapping, usable);
  if (!mapped.ok) {
    const { fault } = mapped;
    return fault.kind === 'missing' ? missing(fault.name) : refused(mappingFaultWords(fault));
  }
  const { tools } = mapped;
  if (tools.length > maxOperations)
    return refused(
      `${tools.length} operations are mapped, and max_operations is ${maxOperations}; map those that are needed`,
    );
  const byUpstream = new Map(usable.map((one) => [one.upstream, one]));
  const wanted = tools.flatMap((tool): WantedOperation[] => {
    const offered = byUpstream.get(tool.upstream);
    return offered === undefined ? [] : [{ tool, offered }];
  });
  const broken = wanted.find(({ offered }) => offered.unusable !== null)?.offered;
  return broken === undefined
    ? { ok: true, tools: wanted }
    : refused(`operation ${broken.upstream} cannot be called: ${broken.unusable ?? ''}`);
}

/** An operation that is shown and not called. */
function listed(offered: DescribedOperation): WantedOperation {
  const { upstream, isReadOnly } = offered;
  return {
    tool: {
      upstream,
      as: upstream,
      effect: isReadOnly ? 'read' : 'write',
      description: null,
      errorFeedback: 'closed',
      isModelVisible: false,
      inspectionCapture: 'full',
      isInline: false,
    },
    offered,
  };
}

/** Names in messages hold no white space (interface.md §2.5). */
function missing(name: string): Unwanted {
  return {
    ok: false,
    fault: 'missing',
    words: `the OpenAPI document has no operation ${name}`,
    tool: name.replace(/\s/g, ':').slice(0, 128),
  };
}

function refused(words: string): Unwanted {
  return { ok: false, fault: 'refused', words, tool: null };
}

const SCHEMA_BYTES = 65_536;
const SCALES: readonly Thrift[] = [{ isBare: false }, { isBare: true }];

function compileTool(
  { offered, tool: { description, ...tool } }: WantedOperation,
  references: References,
  version: ReadDocument['version'],
): MappedOperation {
  const { method, path, parameters, body } = offered;
  return {
    ...tool,
    // What a write did is never reduced to a digest.
    inspectionCapture: tool.effect === 'write' ? 'full' : tool.inspectionCapture,
    operation: {
      method,
      path,
      parameters: parameters.map(
        ({ property, name, place, style, isExploded, allowsReserved, isRequired }): OperationParameter => ({
          property,
          name,
          place,
          style,
          isExploded,
          allowsReserved,
          isRequired,
        }),
      ),
      body: body === null ? null : { mediaType: body.mediaType, isRequired: body.isRequired, form: body.form },
    },
    description: description ?? offered.description,
    unusable: offered.unusable,
    inputSchema: inputSchema(offered, references, version),
    outputSchema:
      offered.answer === undefined
        ? null
        : smallest(references, version, 'answer', (convert) => rooted(convert(offered.answer))),
  };
}

/** The arguments of an operation: its parameters by name, and its body. */
function inputSchema(
  { parameters, body }: DescribedOperation,
  references: References,
  version: ReadDocument['version'],
): JsonText {
  const required = [
    ...parameters.filter(({ isRequired }) => isRequired).map(({ property }) => property),
    ...(body?.isRequired === true ? [BODY] : []),
  ];
  const argumentsOf = (convert: (schema: unknown) => unknown, isShown: boolean): Record<string, unknown> => ({
    type: 'object',
    properties: Object.fromEntries([
      ...parameters.map(({ property, schema, description }) => [
        property,
        isShown ? described(convert(schema), description) : {},
      ]),
      ...(body === null ? [] : [[BODY, isShown ? convert(body.schema) : {}]]),
    ]),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  });
  return (
    smallest(references, version, 'request', (convert) => argumentsOf(convert, true)) ??
    textOf(argumentsOf(() => ({}), false)) ??
    '{"type":"object"}'
  );
}

function described(schema: unknown, description: string | null): unknown {
  if (description === null || typeof schema !== 'object' || schema === null) return schema;
  return { description: Array.from(description).slice(0, 1024).join('').toWellFormed(), ...schema };
}

function rooted(schema: unknown): Record<string, unknown> {
  return typeof schema === 'object' && schema !== null ? { ...schema } : {};
}

/** The text of a schema, without words for people where it would be too long; null where it still is. */
function smallest(
  references: References,
  version: ReadDocument['version'],
  direction: Direction,
  build: (convert: (schema: unknown) => unknown) => Record<string, unknown>,
): JsonText | null {
  for (const thrift of SCALES) {
    try {
      const set = schemaSet(references, version, direction, thrift);
      const schema = build((one) => set.convert(one));
      const definitions = set.definitions();
      const text = textOf(Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions });
      if (text !== null && utf8Length(text) <= SCHEMA_BYTES) return text;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  return null;
}

/** Null for what JSON cannot say. */
function textOf(schema: unknown): JsonText | null {
  const json = jsonFromPlain(schema);
  return json === undefined ? null : canonicalJson(json);
}
