import {
  CompletionItemKind,
  SymbolKind,
  type CompletionList,
  type DocumentSymbol,
  type Hover,
  type SignatureHelp,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { Assistant, CompletionKind } from '../../sandbox/language/editor/assistant.ts';
import { formatSource } from '../../sandbox/language/editor/format/format.ts';
import type { DefinitionKind } from '../../sandbox/language/editor/outline.ts';
import { textTree } from '../../sandbox/language/editor/text-tree.ts';
import type { TextLines } from './positions.ts';

/** What the language says of a text, in the words of the protocol. */

const COMPLETION_KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  local: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  form: CompletionItemKind.Keyword,
  constant: CompletionItemKind.Constant,
  namespace: CompletionItemKind.Module,
  tool: CompletionItemKind.Method,
  data: CompletionItemKind.Field,
  keyword: CompletionItemKind.Value,
  record: CompletionItemKind.Class,
  protocol: CompletionItemKind.Interface,
};

const SYMBOL_KINDS: Readonly<Record<DefinitionKind, SymbolKind>> = {
  namespace: SymbolKind.Namespace,
  function: SymbolKind.Function,
  constant: SymbolKind.Constant,
  multimethod: SymbolKind.Function,
  record: SymbolKind.Class,
  protocol: SymbolKind.Interface,
  method: SymbolKind.Method,
  declared: SymbolKind.Variable,
};

export function completionList(assistant: Assistant, lines: TextLines, offset: number): CompletionList {
  const { place, items } = assistant.completions(offset);
  const range = lines.rangeOf(place);
  return {
    isIncomplete: true,
    items: items.map(({ label, kind, detail, doc }, index) => ({
      label,
      kind: COMPLETION_KINDS[kind],
      sortText: String(index).padStart(4, '0'),
      filterText: label,
      textEdit: { range, newText: label },
      ...(detail === null ? {} : { detail }),
      ...(doc === null ? {} : { documentation: { kind: 'markdown' as const, value: escaped(doc) } }),
    })),
  };
}

export function hoverOf(assistant: Assistant, lines: TextLines, offset: number): Hover | null {
  const found = assistant.describe(offset);
  if (found === null) return null;
  const { place, title, shapes, doc, signature } = found;
  const code = [...(shapes.length === 0 ? [title] : shapes), ...(signature === null ? [] : [`; ${signature}`])];
  const parts = [`\`\`\`clojure\n${code.join('\n').replaceAll('```', '')}\n\`\`\``, `**${escaped(title)}**`];
  if (doc !== null) parts.push(escaped(doc));
  return { contents: { kind: 'markdown', value: parts.join('\n\n') }, range: lines.rangeOf(place) };
}

/** Text as Markdown that shows it as it is. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, String.raw`\$&`);
}

export function signatureHelp(assistant: Assistant, offset: number): SignatureHelp | null {
  const help = assistant.callHelp(offset);
  if (help === null) return null;
  const { shapes, doc, argument } = help;
  const fitting = shapes.findIndex(({ parameters }) => parameters.length > argument);
  return {
    signatures: shapes.map(({ text, parameters }) => ({
      label: text,
      parameters: parameters.map((label) => ({ label })),
      activeParameter: Math.min(argument, Math.max(0, parameters.length - 1)),
      ...(doc === null ? {} : { documentation: { kind: 'markdown' as const, value: escaped(doc) } }),
    })),
    activeSignature: Math.max(0, fitting),
    activeParameter: argument,
  };
}

export function documentSymbols({ outline }: Assistant, lines: TextLines): DocumentSymbol[] {
  return outline
    .filter(({ kind }) => kind !== 'declared')
    .map(({ name, kind, form, place, parameters }) => ({
      name,
      kind: SYMBOL_KINDS[kind],
      detail: parameters.join(' '),
      range: lines.rangeOf(form),
      selectionRange: lines.rangeOf(place),
    }));
}

/** The edit that lays a text out; null where it cannot be read. */
export function formatEdits(lines: TextLines): TextEdit[] | null {
  const formatted = formatSource(lines.text);
  return formatted.ok ? edited(lines, 0, lines.text.length, formatted.text) : null;
}

/** The same of the forms at the top of the text that a range touches. */
export function formatRangeEdits(lines: TextLines, start: number, end: number): TextEdit[] | null {
  const touched = textTree(lines.text).filter((node) => node.start <= end && start <= node.end);
  const [first, last] = [touched[0], touched.at(-1)];
  if (first === undefined || last === undefined) return [];
  const formatted = formatSource(lines.text.slice(first.start, last.end));
  return formatted.ok ? edited(lines, first.start, last.end, formatted.text.replace(/\r?\n$/, '')) : null;
}

/** One edit, of no more than what differs, so that a cursor stays where it is. */
function edited(lines: TextLines, start: number, end: number, text: string): TextEdit[] {
  const before = lines.text.slice(start, end);
  if (before === text) return [];
  let head = 0;
  while (head < before.length && before[head] === text[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, text.length) - head;
  while (tail < most && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  // No edit parts the two units of a character, or the two of a line end.
  while (head > 0 && /[\uD800-\uDBFF\r]/.test(before[head - 1] ?? '')) head -= 1;
  while (tail > 0 && /[\uDC00-\uDFFF\n]/.test(before[before.length - tail] ?? '')) tail -= 1;
  const range = lines.rangeOf({ start: start + head, end: end - tail });
  return [{ range, newText: text.slice(head, text.length - tail) }];
}
