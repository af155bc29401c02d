/** What a face may tell a person of a fault beside its envelope (documents.md §14). */
export type { SoughtDocument } from '../documents/explain/sought.ts';
