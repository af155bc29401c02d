/** What is opened for a selected snapshot (providers.md §10). Plain data; paths are absolute. */
export interface SnapshotDeclaration {
  readonly source: 'svc_trace_snapshot' | 'svc_private_trace_snapshot' | 'svc_inspection_snapshot';
  readonly directory: string;
  /** Of an inspection; 1024 trace files are the bound of the others. */
  readonly maxFiles: number;
  readonly maxSourceBytes: number;
  readonly maxResultBytes: number;
  /** False: it only serves the inspection that is held to it. */
  readonly isExposed: boolean;
}
