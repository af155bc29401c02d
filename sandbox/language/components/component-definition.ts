import type { Definition } from '../analyser/surroundings.ts';
import type { ListNode } from '../syntax.ts';
import type { ExportMetadata } from './metadata.ts';

/** One definition of a component with all that its form says and reaches. */
export interface ComponentDefinition {
  readonly namespace: string;
  readonly name: string;
  readonly node: ListNode;
  readonly definition: Definition;
  readonly metadata: ExportMetadata;
  readonly visibility: 'prompt' | 'discoverable';
  readonly doc: string | null;
  readonly tools: readonly string[];
  /** Qualified names of the variables the form refers to. */
  readonly references: readonly string[];
}

/** How many uses of tools and variables there were before a form. */
export interface Marks {
  readonly tools: number;
  readonly references: number;
}
