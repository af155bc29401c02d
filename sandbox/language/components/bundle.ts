import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import type { Definition } from '../analyser/surroundings.ts';

/** What a compiled bundle says of one definition, beside its code. */
export interface BundleDefinition extends Definition {
  /** Text of the defining form, for `source`. */
  readonly source: string;
  readonly doc: string | null;
  /** Parameter vectors as text, for `doc` and `export-meta`. */
  readonly parameters: readonly string[];
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
  readonly code: string;
  readonly namespaces: readonly BundleNamespace[];
}

/** The `code` of a compile reply is the JSON text of this. */
export interface Bundle {
  readonly version: 1;
  readonly components: readonly BundleComponent[];
  readonly exports: readonly ExportFact[];
}
