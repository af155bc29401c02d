import type { ExportFact } from '../../contract/sandbox-protocol.ts';
import type { Definition } from './analyser/surroundings.ts';

/** What a compiled bundle says of one definition, beside its code. */
export interface BundleDefinition extends Definition {
  /** Text of the defining form, for `source`. */
  readonly source: string;
  /** Where that begins in the component, in UTF-16 units. */
  readonly start: number;
  readonly signature: string | null;
  readonly type: string | null;
}

export interface BundleNamespace {
  readonly name: string;
  readonly doc: string | null;
  readonly definitions: readonly BundleDefinition[];
}

export interface BundleComponent {
  readonly id: string;
  readonly source: string;
  readonly code: string;
  /** Where the calls of the code are in the source (`emitter/places.ts`). */
  readonly places: string;
  readonly namespaces: readonly BundleNamespace[];
}

/** The texts of definitions are in their metadata, which the code makes; contracts are facts of the definitions. */
export type BundleExport = Omit<ExportFact, 'doc' | 'contract'>;

export interface Bundle {
  readonly components: readonly BundleComponent[];
  /** Sorted by `ref`. */
  readonly exports: readonly BundleExport[];
}
