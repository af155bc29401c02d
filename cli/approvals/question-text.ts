import type { ApprovalRequest } from '../../contract/approval.ts';
import { cutArguments } from '../../contract/cut-arguments.ts';
import type { CallPlace } from '../../contract/call-place.ts';
import { exactJson, exactLines, exactText } from '../../contract/visible-text.ts';

/** What a person reads of a call before it leaves (approvals.md §3, §5). Nothing in it acts on a terminal. */

const PLACES_SHOWN = 12;

export interface QuestionPlace {
  /** From 1. */
  readonly index: number;
  readonly of: number;
  /** Milliseconds until nobody may answer any more. */
  readonly leftMs: number;
  readonly columns: number;
}

export const KEYS_LINE = '[y]es [n]o [r]eason… [a]lways this tool, this run [p]rogram [s]how all [?]';

/** The question, without its prompt; each line ends with a line feed. */
export function questionText(request: ApprovalRequest, { index, of, leftMs, columns }: QuestionPlace): string {
  const { effect, tool, runRef, argumentBytes, isPrivate } = request;
  const head = [
    `approval ${index} of ${of}`,
    effect,
    exactText(tool),
    `run ${runRef.slice(0, PLACES_SHOWN)}…`,
    `answer within ${clockOf(leftMs)}`,
  ].join('   ');
  const input = isPrivate
    ? `  arguments are private: ${argumentBytes} bytes`
    : `  ${cutArguments(exactJson(request.arguments))}   ${argumentBytes} bytes`;
  const said = request.description === '' ? [] : [`  the server says: ${exactText(request.description)}`];
  const lines = [head, input, ...placeLines(request), ...said, ...earlierQuestionLines(request)];
  return `${lines.flatMap((line) => wrapped(line, columns)).join('\n')}\n`;
}

/** Where the call is; nothing of the program of a private run but the number of the line. */
function placeLines({ place, branch, isPrivate }: ApprovalRequest): readonly string[] {
  const at = place === undefined ? '' : placeText(place, isPrivate);
  const inBranch = branch === null ? '' : `branch ${branch.index} of ${branch.of}`;
  const parts = [at, inBranch].filter((part) => part !== '');
  return parts.length === 0 ? [] : [`  ${parts.join('   ')}`];
}

function placeText({ component, line, text }: CallPlace, isPrivate: boolean): string {
  const where = component === null ? `line ${line}` : `${exactText(component)} line ${line}`;
  return isPrivate ? where : `${where}: ${exactText(text)}`;
}

/** How often this run has asked: the first question does not mention it. */
function earlierQuestionLines({ askedBefore, rememberedDenials }: ApprovalRequest): readonly string[] {
  const parts = [
    ...(askedBefore === 0 ? [] : [`asked before in this run: ${askedBefore}`]),
    ...(rememberedDenials === 0 ? [] : [`refused by an earlier no: ${rememberedDenials}`]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join('   ')}`];
}

/** All arguments of a call, as far as people may see them. */
export function allArguments(request: ApprovalRequest): string {
  return request.isPrivate
    ? '  they are private: the inspection of the run has them\n'
    : `${exactJson(request.arguments)}\n`;
}

/** The program that calls, and the calls that led to this one. */
export function programText(request: ApprovalRequest): string {
  if (request.isPrivate) return '  it is private: the inspection of the run has it\n';
  const program = request.program === null ? '  no program is known\n' : `${exactLines(request.program)}\n`;
  const { place, stack = [] } = request;
  const places = place === undefined ? [] : [place, ...stack];
  return program + places.map((one, index) => `  ${index === 0 ? 'at' : 'by'} ${placeText(one, false)}\n`).join('');
}

export const ANSWERS_TEXT = `  y  let this call leave
  n  answer no; the program goes on, and sees that the call was denied
  r  answer no and say why: the program, and its model, read it
  a  let this call and all others of this tool in this run leave
  p  show the program that calls
  s  show the arguments whole
`;

function clockOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Lines of at most so many columns, so that what is shown is not moved by a terminal that wraps by itself. */
function wrapped(line: string, columns: number): readonly string[] {
  const width = Math.max(20, columns - 1);
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const character of line) {
    const own = widthOf(character);
    if (used + own > width) {
      lines.push(current);
      current = '    ';
      used = 4;
    }
    current += character;
    used += own;
  }
  return [...lines, current];
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Columns of a character on a terminal. */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return WIDE.test(character) || (code >= 0x1f300 && code <= 0x3fffd) ? 2 : 1;
}
