import { visibleText } from '../../contract/visible-text.ts';
import type { MissedRequest } from '../../supervisor/api/run.ts';

/** What changed in a request that no fixture answers, on one line. */
export function missedLine({ requestHash, nearestHash, place, asked, recorded }: MissedRequest): string {
  const where = place === '' ? 'as a whole' : `at ${visibleText(place)}`;
  return `note: no fixture answers request ${requestHash}; the nearest recorded one, ${visibleText(nearestHash)}, differs ${where}: asked ${side(asked)}, recorded ${side(recorded)}`;
}

function side(text: string | null): string {
  return text === null ? 'nothing' : `"${visibleText(text)}"`;
}
