import type { Component } from '../../documents/components/read.ts';

/**
 * Where a source defines a name, for people: by its text alone, since an export reports no place and a private
 * definition is no export. A form that is not written at the beginning of a line is not found.
 */

type Source = Pick<Component, 'bytes'>;

/** Byte offset of the definition of a name; null where none is found. */
export function definitionStart(source: Source, name: string): number | null {
  return startOf(source, definition(String.raw`def[a-z]*-?\s+(?:\^\S+\s+)*`, name));
}

/** Byte offset of the form that declares a namespace. */
export function namespaceStart(source: Source, namespace: string): number | null {
  return startOf(source, definition(String.raw`ns\s+(?:\^\S+\s+)*`, namespace));
}

/** Whether a source declares this namespace and keeps the name to itself. */
export function definesPrivately(source: Source, namespace: string, name: string): boolean {
  const isPrivate = definition(String.raw`(?:defn-\s+(?:\^\S+\s+)*|def[a-z]*\s+\^:private\s+)`, name);
  return namespaceStart(source, namespace) !== null && startOf(source, isPrivate) !== null;
}

function definition(lead: string, name: string): RegExp {
  return new RegExp(String.raw`^[ \t]*\(${lead}${escaped(name)}(?=[\s()[\]{}"]|$)`, 'mu');
}

function startOf({ bytes }: Source, form: RegExp): number | null {
  const text = Buffer.from(bytes).toString();
  const found = form.exec(text);
  return found === null ? null : Buffer.byteLength(text.slice(0, found.index + found[0].indexOf('(')));
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
}
