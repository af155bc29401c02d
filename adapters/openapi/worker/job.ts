import { measureProcessor, type Measured } from '../../threads/measured.ts';
import { readApiAnswer, type AnswerTerms, type ApiAnswer, type ReadApiAnswer } from '../call/read-answer.ts';
import { compileDocument, type CompiledDocument, type DocumentTerms } from '../document/compile-document.ts';

/**
 * What a worker of the provider pool does for APIs: it reads their documents and what they answer, in memory that is
 * bounded, and knows neither a socket nor a secret. A document or an answer that is too much for it ends it.
 */
export type ApiTask =
  | { readonly kind: 'document'; readonly bytes: Uint8Array; readonly terms: DocumentTerms }
  | { readonly kind: 'answer'; readonly answer: ApiAnswer; readonly terms: AnswerTerms };

/** The result of a task, of its own kind. */
export type ApiTaskAnswer =
  | { readonly kind: 'document'; readonly found: Measured<CompiledDocument> }
  | { readonly kind: 'answer'; readonly found: ReadApiAnswer };

export default async function work(task: ApiTask): Promise<ApiTaskAnswer> {
  switch (task.kind) {
    case 'document':
      return { kind: 'document', found: await measureProcessor(() => compileDocument(task.bytes, task.terms)) };
    case 'answer':
      return { kind: 'answer', found: readApiAnswer(task.answer, task.terms) };
  }
}
