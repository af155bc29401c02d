import type { UpstreamTool } from '../../../contract/tool-mapping.ts';
import {
  BODY,
  HTTP_METHODS,
  isReading,
  type HttpMethod,
  type Operation,
  type OperationParameter,
  type ParameterPlace,
  type ParameterStyle,
  type WrittenMember,
} from './operation.ts';
import { isPlain, isTrueIn, listIn, member, objectIn, textMember, type Plain } from './plain.ts';
import { cutTo } from './cut-to.ts';
import type { References } from './references.ts';
import { placeOf, RefusedDocument } from './refused-document.ts';

/** A parameter with what the document says of its values. */
export interface DescribedParameter extends OperationParameter {
  readonly schema: unknown;
  readonly description: string | null;
}

/** One operation of a document, its schemas still as the document has them. */
export interface DescribedOperation extends UpstreamTool, Omit<Operation, 'parameters' | 'body'> {
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly body: (NonNullable<Operation['body']> & { readonly schema: unknown }) | null;
  /** Of JSON that a success answers with; undefined where the document promises none, or several. */
  readonly answer: unknown;
  /** Why no call of it can be made; null for every other one. */
  readonly unusable: string | null;
}

/** Operations of one document. */
const OPERATIONS_MAX = 4096;
const PARAMETERS_MAX = 256;
const ID_MAX = 128;
const DESCRIPTION_BYTES = 4096;

/**
 * All operations, in the order of the document. `authHeaders`: headers in lower case that the installation itself
 * sends. Throws RefusedDocument.
 */
export function readOperations(
  root: Plain,
  references: References,
  authHeaders: ReadonlySet<string>,
): readonly DescribedOperation[] {
  const found: DescribedOperation[] = [];
  const places = new Map<string, string>();
  for (const [path, input] of Object.entries(objectIn(root, 'paths'))) {
    if (!path.startsWith('/')) continue;
    const item = references.resolve(input);
    for (const method of HTTP_METHODS) {
      const operation = member(item, method.toLowerCase());
      if (!isPlain(operation)) continue;
      const place = `${method} ${path}`;
      const read = readOperation({ method, path, operation, item }, references, authHeaders);
      const before = places.get(read.upstream);
      if (before !== undefined)
        throw new RefusedDocument(`two operations have one operationId: ${before} and ${place}`);
      places.set(read.upstream, place);
      found.push(read);
      if (found.length > OPERATIONS_MAX) throw new RefusedDocument(`it has more than ${OPERATIONS_MAX} operations`);
    }
  }
  return found;
}

interface Found {
  readonly method: HttpMethod;
  readonly path: string;
  readonly operation: Plain;
  /** That holds it. */
  readonly item: Plain;
}

function readOperation(
  { method, path, operation, item }: Found,
  references: References,
  authHeaders: ReadonlySet<string>,
): DescribedOperation {
  const place = `${method} ${path}`;
  const id = textMember(operation, 'operationId');
  const isNamed = id !== null && id !== '' && id.length <= ID_MAX && !/[\s\u0000-\u001f\u007f-\u009f]/u.test(id);
  const described = readParameters(
    [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')],
    placeOf(['paths', path, method.toLowerCase(), 'parameters']),
    references,
    authHeaders,
  );
  const body = readBody(operation, references);
  return {
    upstream: isNamed ? id : place,
    isReadOnly: isReading(method),
    method,
    path,
    description: descriptionOf(operation, item, place),
    parameters: described,
    body: body !== null && 'unusable' in body ? null : body,
    answer: answerSchema(operation, references),
    unusable: body !== null && 'unusable' in body ? body.unusable : (unfilled(path, described) ?? null),
  };
}

function descriptionOf(operation: Plain, item: Plain, place: string): string {
  const words = [textMember(operation, 'summary') ?? textMember(item, 'summary'), textMember(operation, 'description')];
  const text = [...new Set(words.filter((part) => part !== null).map((part) => part.trim()))]
    .filter((part) => part !== '')
    .join('\n\n')
    .toWellFormed();
  if (text === '') return cutTo(place, DESCRIPTION_BYTES);
  return cutTo(text, DESCRIPTION_BYTES);
}

/** A part of the path that no parameter fills. */
function unfilled(path: string, parameters: readonly OperationParameter[]): string | null {
  const names = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name));
  const open = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name).find((name) => !names.has(name));
  return open === undefined ? null : `its path has {${open}}, which is no parameter`;
}

const PLACES: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie']);
/** Headers that a description of their own has (OpenAPI, "Parameter Object"), and those that frame a message. */
const NO_PARAMETER: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COOKIE = HEADER;

function readParameters(
  input: readonly unknown[],
  at: string,
  references: References,
  authHeaders: ReadonlySet<string>,
): readonly DescribedParameter[] {
  if (input.length > PARAMETERS_MAX)
    throw new RefusedDocument(`it has more than ${PARAMETERS_MAX} parameters at ${at}`);
  // A parameter of the operation replaces one of its path.
  const byPlace = new Map<string, Plain>();
  for (const one of input) {
    const parameter = references.resolve(one);
    const [name, place] = [textMember(parameter, 'name'), member(parameter, 'in')];
    if (name === null || name === '' || !isPlace(place))
      throw new RefusedDocument(`it has a parameter without name or place at ${at}`);
    byPlace.set(`${place} ${name}`, parameter);
  }
  const usedNames = new Set<string>([BODY]);
  return [...byPlace.values()].flatMap((parameter): readonly DescribedParameter[] => {
    const [name, place] = [textMember(parameter, 'name') ?? '', member(parameter, 'in')];
    if (!isPlace(place)) return [];
    const lower = name.toLowerCase();
    if (place === 'header' && (NO_PARAMETER.has(lower) || authHeaders.has(lower) || !HEADER.test(name))) return [];
    if (place === 'cookie' && !COOKIE.test(name)) return [];
    const property = usedNames.has(name) ? `${place}_${name}` : name;
    if (usedNames.has(property)) throw new RefusedDocument(`it has parameters that cannot be distinguished at ${at}`);
    usedNames.add(property);
    return [{ property, name, place, ...writtenAs(parameter, place), ...schemaOf(parameter, references) }];
  });
}

function isPlace(value: unknown): value is ParameterPlace {
  return PLACES.has(value);
}

const STANDARD: Readonly<Record<ParameterPlace, ParameterStyle>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
const STYLES: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

function writtenAs(
  parameter: Plain,
  place: ParameterPlace,
): Pick<OperationParameter, 'style' | 'isExploded' | 'allowsReserved' | 'isRequired'> {
  const named = member(parameter, 'style');
  const style = isPlain(member(parameter, 'content'))
    ? 'json'
    : (STYLES[place].find((one) => one === named) ?? STANDARD[place]);
  const explode = member(parameter, 'explode');
  return {
    style,
    isExploded: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
    allowsReserved: place === 'query' && isTrueIn(parameter, 'allowReserved'),
    isRequired: place === 'path' || isTrueIn(parameter, 'required'),
  };
}

function schemaOf(parameter: Plain, references: References): Pick<DescribedParameter, 'schema' | 'description'> {
  const [content] = Object.values(objectIn(parameter, 'content'));
  const schema = content === undefined ? member(parameter, 'schema') : member(references.resolve(content), 'schema');
  return { schema: schema ?? {}, description: textMember(parameter, 'description') };
}

const JSON_MEDIA = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json(?:\s*;.*)?$/i;

/** The first JSON among media types; null where there is none. */
function jsonAmong(
  content: Plain,
  references: References,
): { readonly mediaType: string; readonly schema: unknown } | null {
  const types = Object.keys(content);
  const plain = types.find((type) => /^application\/json$/i.test(type));
  const mediaType = plain ?? types.find((type) => JSON_MEDIA.test(type) || type === '*/*' || type === 'application/*');
  if (mediaType === undefined) return null;
  const schema = member(references.resolve(member(content, mediaType)), 'schema') ?? {};
  return { mediaType: mediaType.includes('*') ? 'application/json' : mediaType, schema };
}

function readBody(
  operation: Plain,
  references: References,
): DescribedOperation['body'] | { readonly unusable: string } {
  const input = member(operation, 'requestBody');
  if (input === undefined) return null;
  const body = references.resolve(input);
  const isRequired = isTrueIn(body, 'required');
  const content = objectIn(body, 'content');
  const json = jsonAmong(content, references);
  if (json !== null) return { ...json, isRequired, form: null };
  const form = Object.keys(content).find((type) => FORM_MEDIA.test(type));
  if (form !== undefined) {
    const media = references.resolve(member(content, form));
    return {
      mediaType: FORM,
      isRequired,
      form: writtenMembers(media, references),
      schema: member(media, 'schema') ?? {},
    };
  }
  const types = Object.keys(content).map((type) => cutTo(type.toWellFormed(), MEDIA_BYTES));
  return isRequired ? { unusable: `its body is neither JSON nor a form, but ${types[0] ?? 'nothing'}` } : null;
}

const FORM = 'application/x-www-form-urlencoded';
const FORM_MEDIA = /^application\/x-www-form-urlencoded(?:\s*;.*)?$/i;
const MEDIA_BYTES = 128;

/** Members of a form that the document says how to write (OpenAPI, "Encoding Object"). */
function writtenMembers(media: Plain, references: References): readonly WrittenMember[] {
  return Object.entries(objectIn(media, 'encoding')).flatMap(([name, input]): readonly WrittenMember[] => {
    const encoding = references.resolve(input);
    const [named, explode] = [member(encoding, 'style'), member(encoding, 'explode')];
    const style = STYLES.query.find((one) => one === named);
    if (style === undefined) {
      if (/json/i.test(textMember(encoding, 'contentType') ?? '')) return [{ name, style: 'json', isExploded: false }];
      return typeof explode === 'boolean' ? [{ name, style: 'form', isExploded: explode }] : [];
    }
    const isExploded = typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject';
    return [{ name, style, isExploded }];
  });
}

function answerSchema(operation: Plain, references: References): unknown {
  const responses = objectIn(operation, 'responses');
  const successes = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const schemas = successes.map((status) => {
    const content = objectIn(references.resolve(member(responses, status)), 'content');
    return jsonAmong(content, references)?.schema;
  });
  return schemas.length === 1 ? schemas[0] : undefined;
}
