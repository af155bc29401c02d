import type { ApprovalRequest } from '../../contract/approval.ts';
import { cutArguments } from '../../contract/cut-arguments.ts';
import { visibleJson, visibleLines, visibleText } from '../../contract/visible-text.ts';

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
  const { effect, tool, runRef, argumentBytes, branch, isPrivate } = request;
  const head = [
    `approval ${index} of ${of}`,
    effect,
    visibleText(tool),
    `run ${runRef.slice(0, PLACES_SHOWN)}…`,
    `answer within ${clockOf(leftMs)}`,
  ].join('   ');
  const given = isPrivate
    ? `  arguments are private: ${argumentBytes} bytes`
    : `  ${cutArguments(visibleJson(request.arguments))}   ${argumentBytes} bytes`;
  const said = request.description === '' ? [] : [`  the server says: ${visibleText(request.description)}`];
  const behind = branch === null ? [] : [`  branch ${branch}`];
  return `${[head, given, ...said, ...behind].flatMap((line) => wrapped(line, columns)).join('\n')}\n`;
}

/** All arguments of a call, as far as people may see them. */
export function allArguments(request: ApprovalRequest): string {
  return request.isPrivate
    ? '  they are private: the inspection of the run has them\n'
    : `${visibleJson(request.arguments)}\n`;
}

/** The program that calls. */
export function programText(request: ApprovalRequest): string {
  if (request.isPrivate) return '  it is private: the inspection of the run has it\n';
  return request.program === null ? '  no program is known\n' : `${visibleLines(request.program)}\n`;
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
  let taken = 0;
  for (const character of line) {
    const own = widthOf(character);
    if (taken + own > width) {
      lines.push(current);
      current = '    ';
      taken = 4;
    }
    current += character;
    taken += own;
  }
  return [...lines, current];
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Columns of a character on a terminal. */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return WIDE.test(character) || (code >= 0x1f300 && code <= 0x3fffd) ? 2 : 1;
}
