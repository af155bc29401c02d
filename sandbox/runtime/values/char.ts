/** One UTF-16 unit; interned, so equal chars are the same object. */
export class Char {
  declare readonly code: number;
  constructor(code: number) {
    this.code = code;
  }

  get javaName(): string {
    return 'java.lang.Character';
  }

  get text(): string {
    return String.fromCharCode(this.code);
  }
}

const interned = new Map<number, Char>();

/** The char of a unit 0..65535. */
export function char(code: number): Char {
  const known = interned.get(code);
  if (known !== undefined) return known;
  const made = new Char(code);
  interned.set(code, made);
  return made;
}
