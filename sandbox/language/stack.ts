/** Stacks as the engine writes them, and the blocks of generated code among their frames. */

/**
 * How the code of a block is called in a stack. The name is in a comment of that code, so nothing may end it. No
 * regular expression, which each isolate would compile.
 */
export function sourceName(block: string): string {
  let name = 'svc:';
  for (let index = 0; index < block.length; index += 1)
    name += isHarmless(block.charCodeAt(index)) ? block.charAt(index) : '_';
  return name;
}

/** ASCII letters and digits, `_`, `-`, `.`, `@`. */
function isHarmless(code: number): boolean {
  const letter = code | 0x20;
  return (
    (letter >= 97 && letter <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code === 64
  );
}

export interface StackFrame {
  /** Name of the block: `id@digest` for a component, a digest alone for a program. */
  readonly block: string;
  /** Of the call that was running, in the text of the block, from 0. */
  readonly line: number;
  readonly column: number;
}

const FRAME = /\(?svc:([\w.@-]+):(\d+):(\d+)\)?$/;

/** Lines that the engine puts before the body of a function made of text, and that it counts from 1. */
const LINES_BEFORE = 3;

/** The frames of generated code, innermost first. */
export function framesOf(stack: string): StackFrame[] {
  return stack.split('\n').flatMap((text) => {
    const [, block, line, column] = FRAME.exec(text) ?? [];
    return block === undefined ? [] : [{ block, line: Number(line) - LINES_BEFORE, column: Number(column) - 1 }];
  });
}
