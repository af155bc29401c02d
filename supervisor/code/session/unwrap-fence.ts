const FENCED = /^\s*(?:```|~~~)[^\n]*\n([\s\S]*?)\n?[ \t]*(?:```|~~~)\s*$/;

/**
 * A program without the fence that models put around code; its lines keep their numbers, so that a place in it is one
 * in what was sent.
 */
export function unwrapFence(program: string): string {
  const [whole, inner] = FENCED.exec(program) ?? [];
  if (whole === undefined || inner === undefined) return program;
  const before = program.slice(0, program.indexOf(inner, program.search(/```|~~~/)));
  return `${before.replaceAll(/[^\n]/g, '')}${inner}`;
}
