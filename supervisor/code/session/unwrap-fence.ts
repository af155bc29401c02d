const OPENING = /^\s*(?:```|~~~)[^\n]*\n/;
const FENCES = ['```', '~~~'] as const;

/**
 * A program without the fence that models put around code; its lines keep their numbers, so that a place in it is one
 * in what was sent. Read from both ends: what stands between them is a model's, and may be long.
 */
export function unwrapFence(program: string): string {
  const [opening] = OPENING.exec(program) ?? [];
  const whole = program.trimEnd();
  const closing = FENCES.find((fence) => whole.endsWith(fence));
  if (opening === undefined || closing === undefined) return program;
  let end = whole.length - closing.length;
  if (end < opening.length) return program;
  while (end > opening.length && (whole[end - 1] === ' ' || whole[end - 1] === '\t')) end -= 1;
  if (end > opening.length && whole[end - 1] === '\n') end -= 1;
  return `${opening.replaceAll(/[^\n]/g, '')}${program.slice(opening.length, end)}`;
}
