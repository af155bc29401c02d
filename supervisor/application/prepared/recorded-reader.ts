import type { DocumentReader } from '../../documents/document-reader.ts';
import type { ReadOutcome } from '../../documents/safe-file.ts';

/** Reads documents and keeps what it read: what is loaded from the record later is what was loaded first. */
export interface RecordedReader extends DocumentReader {
  /** The record alone; what was never read is not there. */
  record(): DocumentReader;
}

const MISSING: ReadOutcome = { ok: false, fault: 'missing' };

/** Records what another reader answers; a question that was answered is not asked again. */
export function recordedReader(reader: DocumentReader): RecordedReader {
  const answers = new Map<string, Promise<ReadOutcome>>();
  const readOnce = (key: string, ask: () => Promise<ReadOutcome>): Promise<ReadOutcome> => {
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer;
  };
  const named = (path: string): string => `named ${path}`;
  const below = (directory: string, reference: string): string => `below ${JSON.stringify([directory, reference])}`;
  return {
    readNamed: (path, limit) => readOnce(named(path), () => reader.readNamed(path, limit)),
    readReference: (directory, reference, limit) =>
      readOnce(below(directory, reference), () => reader.readReference(directory, reference, limit)),
    record: () => ({
      readNamed: async (path) => answers.get(named(path)) ?? MISSING,
      readReference: async (directory, reference) => answers.get(below(directory, reference)) ?? MISSING,
    }),
  };
}
