import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import { CompileFailure } from '../compile-failure.ts';
import { isStringLiteral, type ListNode, type Syntax, type SymbolNode } from '../syntax.ts';
import { readSource } from '../compile.ts';
import { isReservedNamespace } from '../analyser/libraries.ts';
import { resolveClassName } from '../../runtime/java/class-relations.ts';
import { exportMetadata, type ExportMetadata, type Visibility } from './metadata.ts';

/** The top-level forms a component may hold (language.md §13). */
const ALLOWED: ReadonlySet<string> = new Set([
  'ns',
  'def',
  'defonce',
  'defn',
  'defn-',
  'declare',
  'defmulti',
  'defmethod',
  'defprotocol',
  'defrecord',
  'extend-type',
  'extend-protocol',
  'comment',
  'require',
  'import',
]);

/** One `(ns …)` of a component with the forms up to the next one. */
export interface Section {
  readonly name: string;
  readonly node: ListNode;
  readonly doc: string | null;
  readonly visibility: Visibility;
  /** Clauses such as `(:require …)`. */
  readonly clauses: readonly Syntax[];
  readonly forms: readonly ListNode[];
}

export interface ParsedComponent {
  readonly source: ComponentSource;
  readonly sections: readonly Section[];
}

/** Reads a component and cuts it into its sections. Throws `CompileFailure`. */
export function parseComponent(source: ComponentSource): ParsedComponent {
  const forms = readSource(source.source);
  const sections: (Section & { readonly forms: ListNode[] })[] = [];
  for (const form of forms) {
    const { node, name } = definingForm(form);
    if (name === 'ns') {
      sections.push(openSection(node));
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined)
      throw new CompileFailure('missing_namespace', 'A definition stands before any (ns …)', form);
    section.forms.push(node);
  }
  if (sections.length === 0) throw new CompileFailure('compile_error', 'The component is empty', null);
  return { source, sections };
}

/** A form that may be at the top level, and what it is. Throws `CompileFailure` for any other. */
export function definingForm(form: Syntax): { node: ListNode; name: string } {
  const [head] = form.kind === 'list' ? form.items : [];
  if (form.kind !== 'list' || head === undefined || head.kind !== 'symbol' || !ALLOWED.has(head.name)) {
    throw new CompileFailure(
      'compile_error',
      'A component holds only ns, def, defonce, defn, defn-, declare, defmulti, defmethod, defprotocol, defrecord, extend-type, extend-protocol and comment at its top level',
      form,
    );
  }
  return { node: form, name: head.name };
}

/** The section that an `(ns …)` begins. Throws `CompileFailure`. */
export function openSection(node: ListNode): Section & { readonly forms: ListNode[] } {
  const [, name, ...rest] = node.items;
  if (
    name === undefined ||
    name.kind !== 'symbol' ||
    name.namespace !== null ||
    name.metadata.some((item) => item.kind === 'literal')
  ) {
    throw new CompileFailure('invalid_namespace', 'The name of a namespace must be a plain symbol', name ?? node);
  }
  refuseReserved(name);
  const [first] = rest;
  const doc = isStringLiteral(first) ? first.value : null;
  const afterDoc = doc === null ? rest : rest.slice(1);
  const attributes = afterDoc[0]?.kind === 'map' ? afterDoc[0] : null;
  const clauses = attributes === null ? afterDoc : afterDoc.slice(1);
  const metadata: ExportMetadata = exportMetadata(attributes === null ? [] : [attributes]);
  return { name: name.name, node, doc, visibility: metadata.visibility ?? 'prompt', clauses, forms: [] };
}

function refuseReserved(name: SymbolNode): void {
  if (isReservedNamespace(name.name) || resolveClassName(name.name) !== null) {
    throw new CompileFailure('reserved_namespace', `The namespace ${name.name} is reserved`, name);
  }
}
