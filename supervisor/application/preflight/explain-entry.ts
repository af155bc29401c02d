import {
  explanationOf,
  type ExplainedPlace,
  type FailureExplanation,
} from '../../../contract/diagnostics/explanation.ts';
import { nearestNames } from '../../../contract/names/nearest.ts';
import { oneOfNames } from '../../../contract/names/suggestion.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import type { Component } from '../../documents/components/read.ts';
import type { NameSource } from '../../documents/components/source-name.ts';
import { placeInSource } from '../../documents/source-place.ts';
import type { Bundle } from './bundles.ts';
import { definitionStart, namespaceStart } from './definitions.ts';

/** Whether it can be the entry of a workflow: a function of one argument, the input (documents.md §12.8). */
export function acceptsOneArgument({ kind, arities, variadic_from: variadicFrom }: ExportFact): boolean {
  return kind === 'function' && (arities.includes(1) || (variadicFrom !== null && variadicFrom <= 1));
}

/**
 * Why an entry is none, at its definition, or else at the namespace that it might be in; of the manifest only names are
 * shown that sources have too.
 */
export function explainEntry(entry: string, bundle: Bundle | null, nameSource: NameSource): FailureExplanation {
  const [namespace = '', name = ''] = entry.split('/');
  if (bundle === null)
    return explanationOf({
      problem: 'the workflow has no component',
      remedy: 'list the component that defines the entry: a function of one argument, the input',
    });
  const own = bundle.components.filter(({ origin }) => origin !== 'library');
  const declared = bundle.namespaces.find((known) => known.name === namespace);
  if (declared === undefined) return explainNamespace({ namespace, own, bundle, nameSource });
  const component = bundle.components.find(({ id }) => id === declared.component);
  const known = bundle.exports.find(({ ref }) => ref === entry);
  const definition = component === undefined ? null : definitionStart(component, name);
  const at = component === undefined ? null : (definition ?? namespaceStart(component, namespace));
  const place = component === undefined || at === null ? null : placeAt(component, at, nameSource);
  const write = `write (defn ${name} [input] …)`;
  if (known?.kind === 'constant')
    return explanationOf({ place, problem: `${entry} is a value, not a function`, remedy: write });
  if (known !== undefined)
    return explanationOf({
      place,
      problem: `${entry} takes ${arityText(known)}; an entry takes one, the input`,
      remedy: write,
    });
  if (definition !== null)
    return explanationOf({ place, problem: `${entry} is private`, remedy: 'define it with defn, without ^:private' });
  return explanationOf({
    place,
    problem: `the namespace ${namespace} has no function with the name that the manifest gives`,
    remedy: withOther(instead(entry, namespace, bundle), 'define it with (defn NAME [input] …)'),
  });
}

interface UnknownNamespace {
  readonly namespace: string;
  readonly own: readonly Component[];
  readonly bundle: Bundle;
  readonly nameSource: NameSource;
}

function explainNamespace({ namespace, own, bundle, nameSource }: UnknownNamespace): FailureExplanation {
  const declaredBy = (component: Component): readonly string[] =>
    bundle.namespaces.filter((known) => known.component === component.id).map((known) => known.name);
  const namesake = own.find(({ id }) => id === namespace);
  const [component = null] = namesake === undefined ? own : [namesake];
  const [other = null] = component === null ? [] : declaredBy(component);
  const at = component === null || other === null ? null : namespaceStart(component, other);
  const place = component === null || at === null ? null : placeAt(component, at, nameSource);
  if (namesake !== undefined && other !== null) {
    return explanationOf({
      place,
      problem: `the component ${namesake.id} declares the namespace ${other}, not ${namespace}`,
      remedy: `write (ns ${namespace}), or set "entry" to a function of ${other}`,
    });
  }
  const names = own.flatMap(declaredBy);
  return explanationOf({
    place,
    problem: 'no component declares the namespace of the entry',
    remedy: `set "entry" to a function of ${oneOfNames(nearestNames(namespace, names).concat(names).slice(0, 1))}, or declare that namespace`,
  });
}

function withOther(target: string | null, write: string): string {
  return target === null ? write : `${target}; or ${write}`;
}

/** The function that may be meant: the nearest by name, else those that could be it. */
function instead(entry: string, namespace: string, { exports }: Bundle): string | null {
  const fit = exports
    .filter(({ ref }) => ref.startsWith(`${namespace}/`))
    .filter(acceptsOneArgument)
    .map(({ ref }) => ref);
  const [nearest] = nearestNames(entry, fit);
  if (nearest !== undefined) return `set "entry" to ${nearest}`;
  return fit.length === 0 ? null : `set "entry" to ${oneOfNames(fit)}`;
}

function arityText({ arities, variadic_from: least }: ExportFact): string {
  const counts = [...arities.map(String), ...(least === null ? [] : [`${String(least)} or more`])];
  return `${counts.join(' or ')} argument${counts.at(-1) === '1' ? '' : 's'}`;
}

function placeAt(component: Component, start: number, nameSource: NameSource): ExplainedPlace {
  const text = Buffer.from(component.bytes.subarray(start)).toString();
  const length = Buffer.byteLength(/^\([^\s()]*\s+[^\s()[\]]*/u.exec(text)?.[0] ?? '(');
  return placeInSource(
    { ...nameSource(component), bytes: component.bytes },
    { start_byte: start, end_byte: start + length },
    null,
  );
}
