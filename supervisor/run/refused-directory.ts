import type { ArtifactRootFault } from '../evidence/publication/artifact-root.ts';
import type { PublicationFileSystem } from '../evidence/publication/file-system.ts';
import { refusalWords } from '../evidence/publication/refusal-words.ts';
import type { ReservationFault } from '../evidence/publication/reservation.ts';

type Machine = Pick<PublicationFileSystem, 'userId' | 'accounts'>;

/** What is wrong with the directory of a destination, and what to run. */
export function destinationHint(machine: Machine, fault: ReservationFault): string | null {
  return 'refused' in fault && fault.refused !== null ? refusalWords(machine, fault.refused) : null;
}

const ROOT_HINTS: Readonly<Record<ArtifactRootFault['fault'], string>> = {
  parent_unusable: 'its parent directory cannot be used safely',
  not_a_directory: 'it is not a directory',
  foreign_owner: 'it belongs to another user',
  mode: 'others may use it',
  unavailable: 'it cannot be read or created',
};

/** Of the artifact root of a project. */
export function rootHint(machine: Machine, { fault, child, refused }: ArtifactRootFault): string {
  const reason = refused === null ? ROOT_HINTS[fault] : refusalWords(machine, refused);
  return `the artifact root of the project${child === null ? '' : `, directory ${child},`} is refused: ${reason}`;
}
