import { Ajv2020 } from 'ajv/dist/2020.js';
import type { IncomingHttpHeaders } from 'node:http';
import { deliver, fail, type AnswerHeaders, type Fault } from '../http/deliver.ts';
import { listen, type ListenOptions, type Listening } from '../http/listen.ts';
import { loggedRequest, type LoggedRequest } from '../http/log.ts';

/**
 * An API that holds every request to its own document: what the document does not describe is refused with 400, as a
 * strict server would. It shares nothing with the product. Collections are kept in memory.
 */

type Members = Readonly<Record<string, unknown>>;

export interface ApiServer extends Listening {
  readonly requests: readonly LoggedRequest[];
  /** What a collection holds now. */
  items(collection: string): readonly Members[];
}

/** What an operation does instead, by its `operationId`. */
export type Behaviour =
  | { readonly status: number; readonly headers?: AnswerHeaders; readonly body?: string }
  | { readonly fault: Fault };

export interface ApiOptions extends ListenOptions {
  readonly document: Members;
  /** What stands before the paths of the document. */
  readonly basePath?: string;
  /** The text of `authorization`, or which are admitted; any other is refused with 401. Absent: nobody is asked. */
  readonly authorization?: string | ((input: string | undefined) => boolean);
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
}

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly operation: Members;
  readonly parameters: readonly Members[];
}

interface Problem {
  readonly status: number;
  readonly detail: string;
}

export async function startApi(options: ApiOptions): Promise<ApiServer> {
  const { document, basePath = '', authorization, behaviours = {} } = options;
  const requests: LoggedRequest[] = [];
  const store = new Map<string, Map<number, Members>>();
  const routes = routesOf(document);
  let ids = 0;
  const listening = await listen(options, async ({ request, response, body, connection }) => {
    requests.push(loggedRequest({ request, body, connection, number: requests.length + 1 }));
    const refuse = ({ status, detail }: Problem): Promise<void> =>
      deliver(
        response,
        status,
        { 'content-type': 'application/problem+json' },
        JSON.stringify({ title: 'Refused', detail }),
      );
    const { authorization: credential } = request.headers;
    const admits = typeof authorization === 'function' ? authorization(credential) : credential === authorization;
    if (authorization !== undefined && !admits) return refuse({ status: 401, detail: 'who are you?' });
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    if (!path.startsWith(basePath)) return refuse({ status: 404, detail: 'no such path' });
    const segments = path.slice(basePath.length).split('/').slice(1);
    const route = routes.find((one) => one.method === request.method && fits(one.segments, segments));
    if (route === undefined) return refuse({ status: 404, detail: `no operation ${request.method ?? ''} ${path}` });
    const problem = problemOf(document, route, { segments, query, headers: request.headers, body });
    if (problem !== null) return refuse({ status: 400, detail: problem });
    const behaviour = behaviours[String(route.operation['operationId'])];
    if (behaviour !== undefined)
      return 'fault' in behaviour
        ? fail(response, behaviour.fault, '{}')
        : deliver(response, behaviour.status, behaviour.headers ?? {}, behaviour.body ?? '');
    const [collection = '', id, part] = segments;
    if (part === 'readme') return deliver(response, 200, { 'content-type': 'text/markdown' }, '# Read me\n');
    if (part === 'avatar') {
      if (request.method !== 'HEAD') return deliver(response, 200, { 'content-type': 'image/png' }, '\u0001PNG');
      response.writeHead(200, { 'content-type': 'image/png' }).end();
      return;
    }
    const items = store.get(collection) ?? new Map<number, Members>();
    store.set(collection, items);
    const input: Members = body === '' ? {} : JSON.parse(body);
    const answer = (status: number, value: unknown): Promise<void> =>
      deliver(response, status, {}, JSON.stringify(value));
    if (id === undefined && request.method === 'POST') {
      ids += 1;
      const item = { ...input, id: ids, created_at: '2026-01-01T00:00:00Z' };
      items.set(ids, item);
      return answer(201, item);
    }
    if (id === undefined) {
      const all = [
        ...(collection === 'search' ? [...store.values()].flatMap((one) => [...one.values()]) : items.values()),
      ];
      return answer(200, { items: all, total: all.length });
    }
    const item = items.get(Number(id));
    if (item === undefined) return refuse({ status: 404, detail: `no ${collection} ${id}` });
    if (request.method === 'DELETE') {
      items.delete(Number(id));
      response.writeHead(204).end();
      return;
    }
    const changed =
      request.method === 'PUT' ? { ...input, id: item['id'], created_at: item['created_at'] } : { ...item, ...input };
    if (request.method !== 'GET') items.set(Number(id), changed);
    return answer(200, changed);
  });
  return { ...listening, requests, items: (collection) => [...(store.get(collection)?.values() ?? [])] };
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

function routesOf(document: Members): readonly Route[] {
  return Object.entries(Object(document['paths'])).flatMap(([path, input]) => {
    const item = followed(document, input);
    return METHODS.flatMap((method) => {
      const operation: unknown = item[method];
      if (typeof operation !== 'object' || operation === null) return [];
      const own: Members = { ...operation };
      const parameters = [...listOf(item['parameters']), ...listOf(own['parameters'])].map((one) =>
        followed(document, one),
      );
      return [{ method: method.toUpperCase(), segments: path.split('/').slice(1), operation: own, parameters }];
    });
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What stands at a reference of the document. */
function followed(document: Members, value: unknown): Members {
  const members: Members = Object(value);
  const reference = members['$ref'];
  if (typeof reference !== 'string') return members;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => Object(at)[name.replace(/~1/g, '/').replace(/~0/g, '~')], document);
  return followed(document, target);
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((one, index) => (one.startsWith('{') ? segments[index] !== '' : one === segments[index]))
  );
}

interface RequestParts {
  readonly segments: readonly string[];
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What of a request its operation does not describe; null where it is as described. */
function problemOf(document: Members, route: Route, requestParts: RequestParts): string | null {
  const query = new URLSearchParams(requestParts.query);
  const known = new Set<string>();
  for (const parameter of route.parameters) {
    const name = String(parameter['name']);
    const value = valueOf(parameter, route, requestParts, query, known);
    if (value === undefined) {
      if (parameter['required'] === true) return `${name} is missing`;
      continue;
    }
    const content: unknown = Object.values(Object(parameter['content']))[0];
    const schema = content === undefined ? parameter['schema'] : Object(content).schema;
    if (!isValid(document, schema, value)) return `${name} is wrong: ${JSON.stringify(value)}`;
  }
  const foreign = [...query.keys()].find((name) => !known.has(name));
  if (foreign !== undefined) return `${foreign} is no parameter`;
  return bodyProblem(document, route.operation, requestParts);
}

function valueOf(
  parameter: Members,
  { segments }: Route,
  requestParts: RequestParts,
  query: URLSearchParams,
  known: Set<string>,
): unknown {
  const name = String(parameter['name']);
  const schema: Members = Object(parameter['schema']);
  switch (parameter['in']) {
    case 'path':
      return typed(schema, decodeURIComponent(requestParts.segments[segments.indexOf(`{${name}}`)] ?? ''));
    case 'header': {
      const value = requestParts.headers[name.toLowerCase()];
      return value === undefined ? undefined : typed(schema, String(value));
    }
    case 'cookie': {
      const pairs = (requestParts.headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
      const value = pairs.find(([key]) => key === name)?.[1];
      return value === undefined ? undefined : typed(schema, decodeURIComponent(value));
    }
    default:
      return queryValue(parameter, schema, query, known);
  }
}

function queryValue(parameter: Members, schema: Members, query: URLSearchParams, known: Set<string>): unknown {
  const name = String(parameter['name']);
  if (parameter['style'] === 'deepObject') {
    const members = [...query.entries()].flatMap(([key, value]) => {
      const inner = new RegExp(`^${name}\\[([^\\]]*)\\]$`).exec(key)?.[1];
      if (inner === undefined) return [];
      known.add(key);
      return [[inner, value] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  known.add(name);
  const all = query.getAll(name);
  if (all.length === 0) return undefined;
  if (parameter['content'] !== undefined) return JSON.parse(all[0] ?? '');
  if (schema['type'] === 'array') return parameter['explode'] === false ? all.join(',').split(',') : all;
  return typed(schema, all.join(','));
}

function typed(schema: Members, text: string): unknown {
  const { type } = schema;
  return (type === 'integer' || type === 'number') && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function bodyProblem(document: Members, operation: Members, { headers, body }: RequestParts): string | null {
  const described = operation['requestBody'];
  if (described === undefined) return body === '' ? null : 'nobody asked for a body';
  const { content, required }: Members = followed(document, described);
  if (body === '') return required === true ? 'the body is missing' : null;
  const media: unknown = Object(content)[headers['content-type'] ?? ''];
  if (media === undefined) return `a body of ${headers['content-type'] ?? 'no type'} is not taken`;
  return isValid(document, Object(media).schema, JSON.parse(body)) ? null : 'the body is wrong';
}

/** By the rules of 2020-12; what 3.0 writes otherwise is written over, and what only answers have is not asked for. */
function isValid(document: Members, schema: unknown, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  return ajv.validate({ ...Object(rewritten(schema)), components: rewritten(document['components']) }, value);
}

function rewritten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rewritten);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, rewritten(value)]),
  );
  if (members['nullable'] === true) members['type'] = [members['type'], 'null'];
  if (members['exclusiveMinimum'] === true) {
    members['exclusiveMinimum'] = members['minimum'];
    delete members['minimum'];
  }
  const properties: Members = Object(members['properties']);
  if (Array.isArray(members['required']))
    members['required'] = members['required'].filter((name) => Object(properties[name]).readOnly !== true);
  return members;
}
