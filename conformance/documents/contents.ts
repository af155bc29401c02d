/**
 * Values too large or too odd to write down, as data: `{"$repeat": ["text", 9]}` a text repeated; `{"$list": [item,
 * 9]}` and `{"$members": ["k%", item, 9]}` that many, `%` in texts standing for the number from 0; `{"$nested": [9,
 * item]}` objects within each other; `{"$join": [...]}` texts put together. Everything else stands for itself.
 */
export function expanded(value: unknown, index: number | null = null): unknown {
  if (typeof value === 'string') return index === null ? value : value.replaceAll('%', String(index));
  if (Array.isArray(value)) return value.map((item) => expanded(item, index));
  if (typeof value !== 'object' || value === null) return value;
  const [[kind, input] = ['', null]] = Object.entries(value);
  if (!kind.startsWith('$') || !Array.isArray(input)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item, index)]));
  }
  const list: readonly unknown[] = input;
  const [first, second, third] = list;
  switch (kind) {
    case '$repeat':
      return String(first).repeat(Number(second));
    case '$list':
      return Array.from({ length: Number(second) }, (_, at) => expanded(first, at));
    case '$members':
      return Object.fromEntries(
        Array.from({ length: Number(third) }, (_, at) => [
          String(first).replaceAll('%', String(at)),
          expanded(second, at),
        ]),
      );
    case '$nested':
      return Array.from({ length: Number(first) }).reduce<unknown>((inner) => ({ a: inner }), expanded(second, index));
    case '$join':
      return list.map((item) => String(expanded(item, index))).join('');
    default:
      throw new TypeError(`no generator ${kind}`);
  }
}
