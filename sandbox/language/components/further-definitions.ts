import type { Analyser } from '../analyser/analyser.ts';
import { isStringLiteral, type ListNode, type SymbolNode } from '../syntax.ts';
import type { ComponentDefinition, Marks } from './component-definition.ts';
import { exportMetadata } from './metadata.ts';
import type { Section } from './sections.ts';

/**
 * What a form defines in addition to the name it begins with: the factories of a record, the methods of a protocol. An
 * extension defines nothing, but adds to what the protocols it names reach.
 */
export function furtherDefinitions(
  analyser: Analyser,
  section: Section,
  form: ListNode,
  marks: Marks,
): readonly ComponentDefinition[] {
  const [head, name] = form.items;
  if (head?.kind !== 'symbol') return [];
  if (head.name === 'extend-type' || head.name === 'extend-protocol')
    return extensionsOf(analyser, section, form, marks);
  if (name?.kind !== 'symbol') return [];
  if (head.name === 'defrecord') {
    const className = `${section.name.replaceAll('-', '_')}.${name.name}`;
    return [
      [`->${name.name}`, `Positional factory function for class ${className}.`],
      [`map->${name.name}`, `Factory function for class ${className}, taking a map of keywords to field values.`],
    ].flatMap(([factory = '', doc = '']) =>
      partOf(analyser, section, { form, owner: name, part: { ...name, name: factory }, doc }),
    );
  }
  if (head.name !== 'defprotocol') return [];
  return form.items.slice(2).flatMap((part) => {
    if (part.kind !== 'list' || part.items[0]?.kind !== 'symbol') return [];
    const doc = part.items.find((item) => isStringLiteral(item));
    return partOf(analyser, section, {
      form,
      owner: name,
      part: part.items[0],
      doc: isStringLiteral(doc) ? doc.value : null,
    });
  });
}

interface Part {
  readonly form: ListNode;
  /** The record or protocol that it belongs to, through which it reaches what that reaches. */
  readonly owner: SymbolNode;
  readonly part: SymbolNode;
  readonly doc: string | null;
}

function partOf(
  analyser: Analyser,
  section: Section,
  { form, owner, part, doc }: Part,
): readonly ComponentDefinition[] {
  const definition = analyser.names.ownDefinition(part.name);
  if (definition === null) return [];
  const metadata = exportMetadata(part.metadata);
  return [
    {
      namespace: section.name,
      name: part.name,
      node: form,
      definition,
      metadata,
      visibility: metadata.visibility ?? section.visibility,
      doc,
      tools: [],
      references: [`${section.name}/${owner.name}`],
    },
  ];
}

function extensionsOf(
  analyser: Analyser,
  section: Section,
  form: ListNode,
  marks: Marks,
): readonly ComponentDefinition[] {
  const { names } = analyser;
  const tools = names.tools.slice(marks.tools).map((use) => use.name);
  const references = names.references
    .slice(marks.references)
    .map(({ variable }) => `${variable.namespace}/${variable.name}`);
  const metadata = exportMetadata([]);
  return form.items.slice(1).flatMap((part): ComponentDefinition[] => {
    const definition = part.kind === 'symbol' && part.namespace === null ? names.ownDefinition(part.name) : null;
    if (definition?.kind !== 'protocol') return [];
    const declared = { ...definition, kind: 'declared' } as const;
    return [
      {
        namespace: section.name,
        name: definition.name,
        node: form,
        definition: declared,
        metadata,
        visibility: section.visibility,
        doc: null,
        tools,
        references,
      },
    ];
  });
}
