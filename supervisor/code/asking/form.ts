import {
  APPROVAL_REASON_MAX,
  type ApprovalDecision,
  type ApprovalRequest,
  type ApprovalScope,
} from '../../../contract/approval.ts';
import { cutArguments } from '../../../contract/cut-arguments.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { exactJson, exactText } from '../../../contract/visible-text.ts';
import { placeWords } from './place-words.ts';

/** What a client shows a person who is asked about a call (approvals.md §6). */

/** The choices of the form, each in the words that a person reads. */
export const APPROVAL_CHOICES = ['allow once', 'allow this tool', 'deny'] as const;

export interface FormTerms {
  /** How far `allow this tool` goes. */
  readonly toolScope: Extract<ApprovalScope, 'tool' | 'session'>;
  /** The answer before was none of the choices. */
  readonly isAskedAgain: boolean;
}

/** Parameters of `elicitation/create`, of every revision that has it: a flat form that is never empty. */
export function approvalForm(request: ApprovalRequest, terms: FormTerms): JsonObject {
  const decision = new Map<string, JsonValue>([
    ['type', 'string'],
    ['title', 'Decision'],
    ['enum', APPROVAL_CHOICES],
  ]);
  const reason = new Map<string, JsonValue>([
    ['type', 'string'],
    ['title', 'Reason'],
    ['description', 'The program, and its model, read it.'],
    ['maxLength', APPROVAL_REASON_MAX],
  ]);
  return new Map<string, JsonValue>([
    ['message', messageOf(request, terms)],
    [
      'requestedSchema',
      new Map<string, JsonValue>([
        ['type', 'object'],
        [
          'properties',
          new Map([
            ['decision', decision],
            ['reason', reason],
          ]),
        ],
        ['required', ['decision']],
      ]),
    ],
  ]);
}

function messageOf(request: ApprovalRequest, { toolScope, isAskedAgain }: FormTerms): string {
  const { tool, effect, description, argumentBytes, runRef, isPrivate } = request;
  const input = isPrivate
    ? `Arguments: private, ${argumentBytes} bytes`
    : `Arguments (${argumentBytes} bytes): ${cutArguments(exactJson(request.arguments))}`;
  return [
    ...(isAskedAgain ? [`The answer was none of ${APPROVAL_CHOICES.join(', ')}. Please choose one.`] : []),
    `Allow the call of ${exactText(tool)}? Its effect: ${effect}.`,
    input,
    ...(description === '' ? [] : [`The server says: ${exactText(description)}`]),
    `Run ${runRef}, ${placeWords(request)}.`,
    `"allow this tool" holds for all its calls in this ${toolScope === 'session' ? 'session' : 'run'}.`,
  ].join('\n');
}

/** What a person answered; `unreadable`: what comes from no such form. */
export function readFormAnswer(
  result: JsonValue | undefined,
  toolScope: FormTerms['toolScope'],
): ApprovalDecision | 'unreadable' {
  if (!isJsonObject(result)) return 'unreadable';
  switch (result.get('action')) {
    case 'decline':
      return { decision: 'deny', scope: 'once', by: 'elicitation' };
    case 'cancel':
      return { decision: 'deny', scope: 'once', by: 'elicitation', isRemembered: false };
    case 'accept':
      return acceptedChoice(result.get('content'), toolScope);
    default:
      return 'unreadable';
  }
}

function acceptedChoice(
  content: JsonValue | undefined,
  toolScope: FormTerms['toolScope'],
): ApprovalDecision | 'unreadable' {
  if (!isJsonObject(content)) return 'unreadable';
  const choice = APPROVAL_CHOICES.find((one) => one === content.get('decision'));
  const reason = content.get('reason');
  const said = typeof reason === 'string' && reason !== '' ? { reason } : {};
  switch (choice) {
    case 'allow once':
      return { decision: 'allow', scope: 'once', by: 'elicitation', ...said };
    case 'allow this tool':
      return { decision: 'allow', scope: toolScope, by: 'elicitation', ...said };
    case 'deny':
      return { decision: 'deny', scope: 'once', by: 'elicitation', ...said };
    case undefined:
      return 'unreadable';
  }
}

/** A form that was answered twice with what is no choice. */
export const UNREADABLE_DENIED: ApprovalDecision = { decision: 'deny', scope: 'once', by: 'elicitation' };
