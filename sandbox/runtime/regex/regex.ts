import type { RegexProgram } from './program.ts';

/** A compiled regular expression; two are equal only if they are the same object. */
export class Regex {
  /** The pattern text as written. */
  declare readonly source: string;
  /** The compiled program; its shape belongs to the matcher. */
  declare readonly program: RegexProgram;

  constructor(source: string, program: RegexProgram) {
    this.source = source;
    this.program = program;
  }

  get javaName(): string {
    return 'java.util.regex.Pattern';
  }
}
