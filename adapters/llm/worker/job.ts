import type { LocalFinding } from '../../../contract/provider-protocol/checks.ts';
import type { JsonText } from '../../../contract/json/canonical.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { measureProcessor, type Measured } from '../../threads/measured.ts';
import type { ModelJob } from '../generate.ts';
import { readModelAnswer } from '../read-answer.ts';
import { writeRequest, type WrittenRequest } from '../write-request.ts';
import { rehearse } from '../rehearse.ts';
import type { ModelDeclaration } from '../declaration.ts';

/**
 * What a worker of the provider pool does for models: it writes requests and reads answers, in memory that is bounded,
 * and knows neither a socket nor a secret. A body that is too much for it ends it, and one call with it.
 */
export type ModelTask =
  | { readonly kind: 'write'; readonly job: ModelJob }
  | { readonly kind: 'read'; readonly job: ModelJob; readonly bytes: Uint8Array }
  | { readonly kind: 'rehearse'; readonly declaration: ModelDeclaration };

/** The result of a task, of its own kind. */
export type ModelTaskAnswer =
  | { readonly kind: 'write'; readonly written: WrittenRequest }
  | { readonly kind: 'read'; readonly outcome: ProviderOutcome<JsonText> }
  | { readonly kind: 'rehearse'; readonly finding: Measured<LocalFinding | null> };

export default async function work(task: ModelTask): Promise<ModelTaskAnswer> {
  switch (task.kind) {
    case 'write':
      return { kind: 'write', written: await writeRequest(task.job) };
    case 'read':
      return { kind: 'read', outcome: await readModelAnswer(task.job, task.bytes) };
    case 'rehearse':
      return { kind: 'rehearse', finding: await measureProcessor(async () => rehearse(task.declaration)) };
  }
}
