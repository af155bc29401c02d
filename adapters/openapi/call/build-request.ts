import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ApiRequest } from '../../mcp/api/exchange.ts';
import {
  BODY,
  type Operation,
  type OperationBody,
  type OperationParameter,
  type WrittenMember,
} from '../document/operation.ts';

export type BuiltRequest =
  | { readonly ok: true; readonly request: ApiRequest }
  /** `words`: which argument cannot be sent, and why; nothing of its value. */
  | { readonly ok: false; readonly words: string };

const PATH_BYTES_MAX = 16_384;

/** The request that arguments make of an operation (OpenAPI, "Parameter Object"). */
export function buildRequest({ method, path, parameters, body }: Operation, input: JsonObject): BuiltRequest {
  const headers: Record<string, string> = {};
  const [query, cookies]: [string[], string[]] = [[], []];
  let filled = path;
  for (const parameter of parameters) {
    const value = input.get(parameter.property);
    const { name, place, isRequired, property } = parameter;
    if (value === undefined || (value === null && !isRequired)) {
      if (isRequired) return { ok: false, words: `${property} is missing` };
      continue;
    }
    switch (place) {
      case 'path': {
        const text = pathText(parameter, value);
        if (text === '') return { ok: false, words: `${property} is empty, but is part of the path` };
        filled = filled.replaceAll(`{${name}}`, () => text);
        break;
      }
      case 'query':
        query.push(...pairsOf(parameter, value, parameter.allowsReserved ? encodeReserved : encode));
        break;
      case 'header': {
        const text = simpleText(parameter, value, (one) => one);
        if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
          return { ok: false, words: `${property} cannot stand in a header` };
        headers[name.toLowerCase()] = text;
        break;
      }
      case 'cookie':
        cookies.push(...pairsOf(parameter, value, encode));
    }
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const content = body === null ? undefined : input.get(BODY);
  const isForm = (body?.form ?? null) !== null;
  if (isForm && content !== undefined && !isJsonObject(content))
    return { ok: false, words: `${BODY} is no object, and is sent as a form` };
  if (body !== null && content !== undefined) headers['content-type'] = body.mediaType;
  const whole = query.length === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query.join('&')}`;
  if (whole.length > PATH_BYTES_MAX) return { ok: false, words: `the URL is longer than ${PATH_BYTES_MAX} bytes` };
  if (!keepsPath(whole)) return { ok: false, words: 'the path would lead elsewhere' };
  return {
    ok: true,
    request: { method, path: whole, headers, body: content === undefined ? null : bodyText(body, content) },
  };
}

function bodyText(body: OperationBody | null, content: JsonValue): string {
  const form = body?.form ?? null;
  return form === null || !isJsonObject(content) ? canonicalJson(content) : formText(form, content);
}

/** Members that the document does not mention: values as they are, lists as repeated names, objects as JSON. */
function formText(written: readonly WrittenMember[], content: JsonObject): string {
  return [...content]
    .flatMap(([name, value]) => {
      const usual = { name, style: isJsonObject(value) ? 'json' : 'form', isExploded: true } as const;
      return pairsOf(written.find((one) => one.name === name) ?? usual, value, encode);
    })
    .join('&');
}

/** Whether it means what it says: a segment of dots leads up, however it is written. */
function keepsPath(path: string): boolean {
  const url = URL.parse(`http://h${path}`);
  return url !== null && url.host === 'h' && url.pathname + url.search === path;
}

type Encode = (text: string) => string;

/** What RFC 3986 reserves is escaped. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What RFC 3986 reserves stays, but for what would end a value. */
function encodeReserved(text: string): string {
  return encode(text).replace(/%(?:3A|2F|3F|40|21|24|28|29|2A|2C|3B|3D)/g, (one) => decodeURIComponent(one));
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : value === null ? '' : canonicalJson(value);
}

/** As they are written into one text. */
function simpleText({ style, isExploded }: OperationParameter, value: JsonValue, escape: Encode): string {
  if (style === 'json') return escape(canonicalJson(value));
  if (isJsonArray(value)) return value.map((item) => escape(textOf(item))).join(',');
  if (!isJsonObject(value)) return escape(textOf(value));
  return [...value].map(([key, one]) => `${escape(key)}${isExploded ? '=' : ','}${escape(textOf(one))}`).join(',');
}

function pathText(parameter: OperationParameter, value: JsonValue): string {
  const { style, isExploded, name } = parameter;
  if (style === 'label') {
    const separator = isExploded ? '.' : ',';
    if (isJsonArray(value)) return `.${value.map((item) => encode(textOf(item))).join(separator)}`;
    if (isJsonObject(value)) return `.${simpleText(parameter, value, encode).replaceAll(',', separator)}`;
    return `.${encode(textOf(value))}`;
  }
  if (style === 'matrix') {
    const key = encode(name);
    if (isJsonArray(value) && isExploded) return value.map((item) => `;${key}=${encode(textOf(item))}`).join('');
    if (isJsonObject(value) && isExploded)
      return [...value].map(([inner, one]) => `;${encode(inner)}=${encode(textOf(one))}`).join('');
    return `;${key}=${simpleText(parameter, value, encode)}`;
  }
  return simpleText(parameter, value, encode);
}

const SEPARATORS = { form: ',', spaceDelimited: '%20', pipeDelimited: '%7C' } as const;

/** As pairs of a query, of cookies or of a form. */
function pairsOf(parameter: WrittenMember, value: JsonValue, escape: Encode): readonly string[] {
  const { style, isExploded } = parameter;
  const name = encode(parameter.name);
  if (style === 'deepObject' && (isJsonObject(value) || isJsonArray(value))) return deepPairs(name, value, escape);
  const separator = style in SEPARATORS ? SEPARATORS[asSeparated(style)] : ',';
  if (style !== 'json' && isJsonArray(value)) {
    if (isExploded) return value.map((item) => `${name}=${escape(textOf(item))}`);
    return [`${name}=${value.map((item) => escape(textOf(item))).join(separator)}`];
  }
  if (style !== 'json' && isJsonObject(value)) {
    if (isExploded) return [...value].map(([key, one]) => `${encode(key)}=${escape(textOf(one))}`);
    return [`${name}=${[...value].flatMap(([key, one]) => [escape(key), escape(textOf(one))]).join(separator)}`];
  }
  return [`${name}=${escape(style === 'json' ? canonicalJson(value) : textOf(value))}`];
}

function asSeparated(style: string): keyof typeof SEPARATORS {
  return style === 'spaceDelimited' || style === 'pipeDelimited' ? style : 'form';
}

/** `filter[status]=open`: the common form, with lists as repeated names. */
function deepPairs(name: string, value: JsonValue, escape: Encode): readonly string[] {
  if (isJsonArray(value))
    return value.flatMap((item) =>
      isJsonObject(item) || isJsonArray(item)
        ? deepPairs(`${name}[]`, item, escape)
        : [`${name}[]=${escape(textOf(item))}`],
    );
  if (!isJsonObject(value)) return [`${name}=${escape(textOf(value))}`];
  return [...value].flatMap(([key, one]) =>
    isJsonObject(one) || isJsonArray(one)
      ? deepPairs(`${name}[${encode(key)}]`, one, escape)
      : [`${name}[${encode(key)}]=${escape(textOf(one))}`],
  );
}
