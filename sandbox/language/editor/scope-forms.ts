import { formsOf, isBranch, type TextNode } from './text-tree.ts';
import { unwrapped, type NodePlace } from './nodes.ts';
import type { ScopeWalker, Visible } from './scopes.ts';

/** A form that is no call: its node, and the forms behind its head. */
interface WalkedForm {
  readonly node: NodePlace;
  readonly forms: readonly TextNode[];
  readonly visible: Visible | null;
  readonly word: string;
}

type FormWalker = (walker: ScopeWalker, form: WalkedForm) => void;

function itemsOf(node: TextNode | undefined): readonly TextNode[] {
  return isBranch(node) ? formsOf(node.children) : [];
}

function skip(): void {
  // Its parts are data.
}

/** `[pattern value …]` one after the other, then a body. */
function sequential(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [bindings, ...body] = forms;
  let seen = visible;
  const items = itemsOf(bindings);
  for (let index = 0; index < items.length; index += 2) {
    const [pattern, value] = [items[index], items[index + 1]];
    if (value !== undefined) walker.walk(value, seen);
    if (pattern !== undefined) seen = walker.bindPattern(pattern, node, seen);
  }
  walker.walkAll(body, seen);
}

/** `[pattern test] then else`: the second form does not see the names. */
function conditional(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [bindings, then, ...others] = forms;
  const [pattern, test] = itemsOf(bindings);
  if (test !== undefined) walker.walk(test, visible);
  const reach = { start: node.start, end: then?.end ?? node.end };
  const seen = pattern === undefined ? visible : walker.bindPattern(pattern, reach, visible);
  if (then !== undefined) walker.walk(then, seen);
  walker.walkAll(others, visible);
}

/** `for` and `doseq`: `:let`, `:when` and `:while` are among the bindings. */
function comprehension(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [bindings, ...body] = forms;
  const items = itemsOf(bindings);
  let seen = visible;
  for (let index = 0; index < items.length; index += 2) {
    const [pattern, value] = [items[index], items[index + 1]];
    if (pattern === undefined || value === undefined) continue;
    if (pattern.kind !== 'keyword') {
      walker.walk(value, seen);
      seen = walker.bindPattern(pattern, node, seen);
    } else if (walker.text(pattern) === ':let') {
      const inner = itemsOf(value);
      for (let at = 0; at + 1 < inner.length; at += 2) {
        const [name, part] = [inner[at], inner[at + 1]];
        if (part !== undefined) walker.walk(part, seen);
        if (name !== undefined) seen = walker.bindPattern(name, node, seen);
      }
    } else walker.walk(value, seen);
  }
  walker.walkAll(body, seen);
}

/** `[params] body…`, or lists that each begin with a vector. */
function clauses(walker: ScopeWalker, node: NodePlace, parts: readonly TextNode[], visible: Visible | null): void {
  const [first, ...body] = parts;
  if (first === undefined) return;
  const vector = unwrapped(first);
  if (vector.kind !== 'vector') {
    for (const part of parts) {
      const inner = part.kind === 'list' ? formsOf(part.children) : [];
      const [head] = inner;
      if (head !== undefined && unwrapped(head).kind === 'vector') clauses(walker, part, inner, visible);
      else walker.walk(part, visible);
    }
    return;
  }
  const items = itemsOf(vector).map(unwrapped);
  // Plain parameters are bound before patterns, whose expressions may use them.
  let seen = visible;
  for (const item of items) if (item.kind === 'symbol') seen = walker.bind(item, node, seen);
  for (const item of items) if (item.kind !== 'symbol') seen = walker.bindPattern(item, node, seen);
  walker.walkAll(body, seen);
}

function functionForm(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [first, ...rest] = forms;
  const name = first === undefined ? undefined : unwrapped(first);
  if (name?.kind === 'symbol') clauses(walker, node, rest, walker.bind(name, node, visible));
  else clauses(walker, node, name?.kind === 'stray' ? rest : forms, visible);
}

function metadataOf(walker: ScopeWalker, node: TextNode | undefined, visible: Visible | null): void {
  if (node?.kind !== 'prefixed') return;
  const [metadata, target] = formsOf(node.children);
  if (metadata?.kind === 'map') walker.walk(metadata, visible);
  metadataOf(walker, target, visible);
}

/** The name of a definition; what it defines is no longer a form. */
function definedName(walker: ScopeWalker, node: TextNode | undefined, visible: Visible | null): void {
  if (node === undefined) return;
  metadataOf(walker, node, visible);
  const name = unwrapped(node);
  if (name.kind !== 'symbol') return;
  walker.use(name, null);
  walker.define(walker.text(name));
}

function definedFunction(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [name, ...parts] = forms;
  definedName(walker, name, visible);
  const start = parts.findIndex((part) => {
    const { kind } = unwrapped(part);
    return kind === 'vector' || kind === 'list';
  });
  walker.walkAll(parts.slice(0, Math.max(0, start)), visible);
  if (start >= 0) clauses(walker, node, parts.slice(start), visible);
}

function definedValue(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  const [name, ...parts] = forms;
  definedName(walker, name, visible);
  walker.walkAll(parts, visible);
}

function declaredNames(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  for (const name of forms) definedName(walker, name, visible);
}

function method(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [name, dispatch, ...parts] = forms;
  if (name !== undefined) walker.walk(name, visible);
  if (dispatch !== undefined) walker.walk(dispatch, visible);
  functionForm(walker, { node, forms: parts, visible, word: 'fn' });
}

function localFunctions(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [bindings, ...body] = forms;
  const functions = itemsOf(bindings).map((item) => ({ item, parts: itemsOf(item) }));
  const seen = functions.reduce<Visible | null>((before, { parts: [name] }) => {
    return name === undefined ? before : walker.bind(unwrapped(name), node, before);
  }, visible);
  for (const { item, parts } of functions) clauses(walker, item, parts.slice(1), seen);
  walker.walkAll(body, seen);
}

/** Names of protocols and types, and methods as lists. */
function implementations(walker: ScopeWalker, parts: readonly TextNode[], visible: Visible | null): void {
  for (const part of parts) {
    const [name, ...rest] = part.kind === 'list' ? formsOf(part.children) : [];
    if (part.kind !== 'list') walker.walk(part, visible);
    else if (name !== undefined) {
      if (name.kind === 'symbol') walker.use(name, null);
      clauses(walker, part, rest, visible);
    }
  }
}

function record(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [name, fields, ...parts] = forms;
  definedName(walker, name, visible);
  const seen = itemsOf(fields).reduce<Visible | null>(
    (before, field) => walker.bind(unwrapped(field), node, before, true),
    visible,
  );
  implementations(walker, parts, seen);
}

function protocol(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  const [name, ...parts] = forms;
  definedName(walker, name, visible);
  for (const part of parts) definedName(walker, itemsOf(part)[0], visible);
}

function caught(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [type, name, ...body] = forms;
  if (type !== undefined) walker.walk(type, visible);
  walker.walkAll(body, name === undefined ? visible : walker.bind(unwrapped(name), node, visible));
}

function caseForm(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  const [subject, ...parts] = forms;
  if (subject !== undefined) walker.walk(subject, visible);
  parts.forEach((part, index) => {
    if (index % 2 === 1 || index === parts.length - 1) walker.walk(part, visible);
  });
}

/** Where a threading form puts the value of the step before. */
const VALUE: TextNode = { kind: 'stray', start: 0, end: 0 };

function step(walker: ScopeWalker, node: TextNode, isFirst: boolean, visible: Visible | null): void {
  const [head, ...rest] = node.kind === 'list' ? formsOf(node.children) : [];
  if (head === undefined) walker.walk(node, visible);
  else walker.walkList(node, isFirst ? [head, VALUE, ...rest] : [head, ...rest, VALUE], visible);
}

function threading(isFirst: boolean): FormWalker {
  return (walker, { forms, visible }) => {
    const [value, ...steps] = forms;
    if (value !== undefined) walker.walk(value, visible);
    for (const node of steps) step(walker, node, isFirst, visible);
  };
}

function conditionalThreading(isFirst: boolean): FormWalker {
  return (walker, { forms, visible }) => {
    const [value, ...steps] = forms;
    if (value !== undefined) walker.walk(value, visible);
    steps.forEach((node, index) => {
      if (index % 2 === 0) walker.walk(node, visible);
      else step(walker, node, isFirst, visible);
    });
  };
}

function namedThreading(walker: ScopeWalker, { node, forms, visible }: WalkedForm): void {
  const [value, name, ...steps] = forms;
  if (value !== undefined) walker.walk(value, visible);
  walker.walkAll(steps, name === undefined ? visible : walker.bind(unwrapped(name), node, visible));
}

/** `(. x member args…)`, `(.. x member (member args…)…)`: names of members are no symbols of the program. */
function members(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  const [subject, ...rest] = forms;
  if (subject !== undefined) walker.walk(subject, visible);
  rest.forEach((part, index) => {
    if (part.kind === 'list') walker.walkAll(formsOf(part.children).slice(1), visible);
    else if (index > 0) walker.walk(part, visible);
  });
}

function chainedMembers(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  const [subject, ...rest] = forms;
  if (subject !== undefined) walker.walk(subject, visible);
  for (const part of rest) walker.walkAll(itemsOf(part).slice(1), visible);
}

function construction(walker: ScopeWalker, { forms, visible }: WalkedForm): void {
  walker.walkAll(forms.slice(1), visible);
}

function variable(walker: ScopeWalker, { forms: [name] }: WalkedForm): void {
  if (name?.kind === 'symbol') walker.use(name, null);
}

function namespace(walker: ScopeWalker): void {
  walker.enterNamespace();
}

/** Forms that are no calls, by name; of any other all parts are evaluated at its place. */
export const formWalkers: ReadonlyMap<string, FormWalker> = new Map<string, FormWalker>([
  ...['let', 'loop', 'when-let', 'when-some', 'when-first', 'dotimes'].map((name) => [name, sequential] as const),
  ...['if-let', 'if-some'].map((name) => [name, conditional] as const),
  ...['for', 'doseq'].map((name) => [name, comprehension] as const),
  ...['quote', 'comment', 'program', 'doc', 'source', 'dir', 'export-meta', 'component', 'require', 'import'].map(
    (name) => [name, skip] as const,
  ),
  ...['defn', 'defn-'].map((name) => [name, definedFunction] as const),
  ...['def', 'defonce', 'defmulti'].map((name) => [name, definedValue] as const),
  ...['->', 'some->', 'doto'].map((name) => [name, threading(true)] as const),
  ...['->>', 'some->>'].map((name) => [name, threading(false)] as const),
  ['cond->', conditionalThreading(true)],
  ['cond->>', conditionalThreading(false)],
  ['as->', namedThreading],
  ['fn', functionForm],
  ['letfn', localFunctions],
  ['declare', declaredNames],
  ['defmethod', method],
  ['defrecord', record],
  ['defprotocol', protocol],
  ...['reify', 'extend-type', 'extend-protocol'].map(
    (name) =>
      [
        name,
        (walker: ScopeWalker, { forms, visible }: WalkedForm): void => {
          implementations(walker, forms, visible);
        },
      ] as const,
  ),
  ['catch', caught],
  ['case', caseForm],
  ['.', members],
  ['..', chainedMembers],
  ['new', construction],
  ['var', variable],
  ['ns', namespace],
]);
