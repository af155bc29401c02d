/** Bytes of a selector (providers.md §5.1). */
const SELECTOR_BYTES_MAX = 256;
const SELECTOR = /^([a-z][a-z0-9_-]*):(\S[\s\S]*)$/;
const COMPATIBLE = 'openai-compat';
const DEFAULT_MODEL = 'default';

/** What a model selector names (providers.md §5.1). */
export type Selector =
  | { readonly kind: 'vendor'; readonly prefix: string; readonly model: string }
  /** A server of the operator's own; its selector is shown nowhere. */
  | { readonly kind: 'compatible'; readonly baseUrl: string; readonly model: string };

/** Null for a text that is no selector, or that names no server which may be asked. */
export function parseSelector(text: string): Selector | null {
  if (Buffer.byteLength(text) > SELECTOR_BYTES_MAX || !text.isWellFormed()) return null;
  const [, prefix, rest] = SELECTOR.exec(text) ?? [];
  if (prefix === undefined || rest === undefined) return null;
  return prefix === COMPATIBLE ? compatible(rest) : { kind: 'vendor', prefix, model: rest };
}

/** `BASE_URL|MODEL`, the model `default` where none is named. */
function compatible(rest: string): Selector | null {
  const at = rest.lastIndexOf('|');
  const base = at < 0 ? rest : rest.slice(0, at);
  const model = at < 0 ? DEFAULT_MODEL : rest.slice(at + 1);
  const baseUrl = baseUrlOf(base);
  return baseUrl === null || model.trim() === '' ? null : { kind: 'compatible', baseUrl, model };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);
const ADDRESS = /^(?:\[.*\]|\d+(?:\.\d+){3})$/;

/** HTTPS to a named host, or HTTP to a literal loopback address; without userinfo, query and fragment. */
function baseUrlOf(text: string): string | null {
  if (!/^https?:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (
    url.username !== '' ||
    url.password !== '' ||
    text.includes('?') ||
    text.includes('#') ||
    text.slice(8).split('/')[0]?.includes('@') === true
  )
    return null;
  const isFit = url.protocol === 'https:' ? !ADDRESS.test(url.hostname) : LOOPBACK.has(url.hostname);
  return isFit ? url.href.replace(/(?<!\/)\/+$/, '') : null;
}
