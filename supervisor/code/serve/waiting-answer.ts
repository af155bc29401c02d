import { cutArguments } from '../../../contract/cut-arguments.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { exactJson, exactText } from '../../../contract/visible-text.ts';
import type { OpenQuestion } from '../asking/run-questions.ts';
import { placeWords } from '../asking/place-words.ts';

/** What `run` answers while a person is asked about calls of its program (code-mode.md §5). */
export function waitingAnswer(
  id: string,
  open: readonly OpenQuestion[],
  /** Arguments of `run` with which its end is fetched, JSON. */
  continueWith: string,
  { approveCommand }: { readonly approveCommand: ((approvalId: string) => string) | null },
): JsonObject {
  return new Map<string, JsonValue>([
    ['status', 'waiting'],
    ['continue', id],
    ['waiting', open.map(waitingFacts)],
    ['how', howText(open, continueWith, approveCommand)],
  ]);
}

function waitingFacts({ request }: OpenQuestion): JsonObject {
  const { approvalId, tool, isPrivate, argumentBytes } = request;
  return new Map<string, JsonValue>([
    ['approval', approvalId],
    ['tool', exactText(tool)],
    ['arguments', isPrivate ? `private, ${argumentBytes} bytes` : cutArguments(exactJson(request.arguments))],
    ['place', placeWords(request)],
  ]);
}

function howText(
  open: readonly OpenQuestion[],
  continueWith: string,
  approveCommand: ((approvalId: string) => string) | null,
): string {
  const tools = [...new Set(open.map(({ request }) => exactText(request.tool)))].join(', ');
  const [first] = open;
  const isWithClient = open.every(({ route }) => route === 'client');
  const how =
    isWithClient || first === undefined
      ? 'A person is asked in your client.'
      : approveCommand === null
        ? 'A person has to be asked: call run as below from a client that declares elicitation.'
        : `Tell the person to run this in a terminal: ${approveCommand(first.request.approvalId)}`;
  return (
    `The program waits for a person's yes to ${tools}. Nothing of these calls was done, and there is no result yet: ` +
    `do not invent one. ${how} Then call run with ${continueWith}`
  );
}
