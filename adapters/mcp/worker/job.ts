import type { JsonText } from '../../../contract/json/canonical.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { mayBeMapped } from '../../../contract/tool-mapping.ts';
import type { WantedTools } from '../declaration.ts';
import { measureProcessor, type Measured } from '../../threads/measured.ts';
import { readServerAnswer } from '../protocol/answer.ts';
import { readCallResult, type ResultTerms } from '../protocol/call-result.ts';
import { readPage, type CataloguePage } from '../protocol/catalogue.ts';
import { readDiscovery, type Discovery, type Refused } from '../protocol/discovery.ts';
import { readInitialization, type Initialization } from '../protocol/initialization.ts';
import type { Revision } from '../protocol/revision.ts';
import { findExecutable, type ExecutableLookup } from '../stdio/executable.ts';

/** A message of a server that answers the request of that id. */
interface ReceivedAnswer {
  readonly bytes: Uint8Array;
  readonly id: number;
}

/**
 * What a worker of the provider pool does for servers of tools: it reads what they say, in memory that is bounded, and
 * knows neither a socket nor a secret. A message that is too much for it ends it, and one call with it.
 */
export type ServerTask =
  | { readonly kind: 'discovery'; readonly answer: ReceivedAnswer; readonly status: number | null }
  | { readonly kind: 'initialization'; readonly answer: ReceivedAnswer; readonly status: number | null }
  /** `wanted`: null for every one. */
  | {
      readonly kind: 'page';
      readonly answer: ReceivedAnswer;
      readonly wanted: WantedTools | null;
      readonly revision: Revision;
    }
  | { readonly kind: 'result'; readonly answer: ReceivedAnswer; readonly terms: ResultTerms }
  | {
      readonly kind: 'executable';
      readonly command: string;
      readonly path: string | null;
      readonly maxBytes: number;
      /** Where the programs are that come with this one. */
      readonly programFolder: string;
    };

/** The result of a task, of its own kind. */
export type ServerTaskAnswer =
  | { readonly kind: 'discovery'; readonly found: Discovery }
  | { readonly kind: 'initialization'; readonly found: Initialization }
  | { readonly kind: 'page'; readonly found: CataloguePage | Refused }
  | { readonly kind: 'result'; readonly found: ProviderOutcome<JsonText> }
  | { readonly kind: 'executable'; readonly found: Measured<ExecutableLookup> };

export default async function work(task: ServerTask): Promise<ServerTaskAnswer> {
  switch (task.kind) {
    case 'discovery':
      return {
        kind: 'discovery',
        found: readDiscovery(readServerAnswer(task.answer.bytes, task.answer.id), task.status),
      };
    case 'initialization':
      return {
        kind: 'initialization',
        found: readInitialization(task.answer.bytes, task.answer.id, task.status),
      };
    case 'page': {
      const { wanted } = task;
      return {
        kind: 'page',
        found: readPage(
          readServerAnswer(task.answer.bytes, task.answer.id),
          {
            isWanted: (upstream) =>
              wanted === null || upstream === wanted.identity || mayBeMapped(wanted.mapping, upstream),
            leavesOut: wanted?.leavesOut === true,
          },
          task.revision,
        ),
      };
    }
    case 'result':
      return { kind: 'result', found: readCallResult(readServerAnswer(task.answer.bytes, task.answer.id), task.terms) };
    case 'executable':
      return {
        kind: 'executable',
        found: await measureProcessor(async () =>
          findExecutable(task.command, task.path ?? undefined, task.maxBytes, task.programFolder),
        ),
      };
  }
}
