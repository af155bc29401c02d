import type { SourceOf } from '../../calls/evaluation/explain-fault.ts';
import type { NamedSource } from '../../documents/source-place.ts';
import type { RunComponent, RunnableApplication } from '../application.ts';

const encoder = new TextEncoder();

/** The sources of the workflow; the call of the entry is nobody's text. */
export function sourcesOf({ workflow: { components } }: RunnableApplication): SourceOf {
  return (id) => {
    const component = components.find((known) => known.id === id);
    return component === undefined ? null : namedSource(component);
  };
}

export function namedSource({ file, opens, source }: RunComponent): NamedSource {
  return { file, opens, bytes: encoder.encode(source) };
}
