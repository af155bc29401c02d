import {
  findArtifactRootFault,
  holdArtifactRoot,
  type ArtifactRootFault,
} from '../../evidence/publication/artifact-root.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import type { SweepTools } from '../../evidence/publication/sweep.ts';
import type { StartCause } from './codes.ts';

const POINTER = '/artifacts/root';
/** Short, and without a path: a gateway's log is read by others, too. */
const WORDS: Readonly<Record<ArtifactRootFault['fault'], string>> = {
  not_a_directory: 'it is not a directory',
  foreign_owner: 'it belongs to another user',
  mode: 'others may use it; run chmod 700 on it',
  parent_unusable: 'the directory that it is in is not there, or others may change it',
  unavailable: 'it cannot be used',
};

/**
 * Stage 2 of gateway.md §1, by the rules of documents.md §6: a missing root is made, or could be; null: runs may leave
 * artifacts there.
 */
export async function findArtifactRootCause(path: string, terms: 'made' | 'judged'): Promise<StartCause | null> {
  const tools: SweepTools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
  const fault = await (terms === 'made'
    ? findMadeRootFault(tools, path)
    : findArtifactRootFault(tools.fileSystem, path));
  if (fault === null) return null;
  const { child } = fault;
  return {
    cause: fault.fault,
    pointer: POINTER,
    detail: child === null ? WORDS[fault.fault] : `directory ${child}: ${WORDS[fault.fault]}`,
  };
}

async function findMadeRootFault(tools: SweepTools, path: string): Promise<ArtifactRootFault | null> {
  const root = await holdArtifactRoot(tools, path);
  const prepared = await root.prepare();
  await root.close();
  return prepared.ok ? null : prepared;
}
