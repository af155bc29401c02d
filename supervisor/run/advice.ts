import type { FailureExplanation } from '../../contract/diagnostics/explanation.ts';
import type { Failed, TargetDocument } from '../../contract/outcome.ts';
import type { ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import type { ArtifactRootFault } from '../publication/artifact-root.ts';
import type { PublicationFileSystem } from '../publication/file-system.ts';
import { refusalWords } from '../publication/refusal-words.ts';
import type { ReservationFault } from '../publication/reservation.ts';

/** What a person is told of a failure besides its envelope, and never in it. */
export interface Advice {
  /** A remedy; null without one. It names no path but that of a directory that was refused (first-day.md §4). */
  readonly hint: string | null;
  /** Which document could not be read; null where none was sought in vain. */
  readonly sought: TargetDocument | null;
  /** What is known of faults in documents and programs (documents.md §14, cli.md §4); null without. */
  readonly faults: FailureExplanation | null;
  /** What the provider said whose failure it is (world.md §1.5); null where none did, and of a private run. */
  readonly provider: ProviderWords | null;
}

export const NO_ADVICE: Advice = { hint: null, sought: null, faults: null, provider: null };

/** What is told of documents that are refused. */
export function adviceOf({ faults, unread }: Failed): Advice {
  return { ...NO_ADVICE, faults: faults ?? null, sought: unread ?? null };
}

export function hintAdvice(hint: string | null): Advice {
  return hint === null ? NO_ADVICE : { ...NO_ADVICE, hint };
}

type Machine = Pick<PublicationFileSystem, 'userId' | 'accounts'>;

/** What is wrong with the directory of a destination, and what to run. */
export function destinationAdvice(machine: Machine, fault: ReservationFault): Advice {
  return 'refused' in fault && fault.refused !== null ? hintAdvice(refusalWords(machine, fault.refused)) : NO_ADVICE;
}

const ROOT_HINTS: Readonly<Record<ArtifactRootFault['fault'], string>> = {
  parent_unusable: 'its parent directory cannot be used safely',
  not_a_directory: 'it is not a directory',
  foreign_owner: 'it belongs to another user',
  mode: 'others may use it',
  unavailable: 'it cannot be read or created',
};

export function rootAdvice(machine: Machine, { fault, child, refused }: ArtifactRootFault): Advice {
  const reason = refused === null ? ROOT_HINTS[fault] : refusalWords(machine, refused);
  return hintAdvice(
    `the artifact root of the project${child === null ? '' : `, directory ${child},`} is refused: ${reason}`,
  );
}
