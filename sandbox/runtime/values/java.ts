/** A Java class as a value; one object per name, so `=` is identity. */
export class ClassValue {
  declare readonly name: string;
  constructor(name: string) {
    this.name = name;
  }

  get javaName(): string {
    return 'java.lang.Class';
  }

  /** `getSimpleName`: the part after the last dot, and after `$` in nested names. */
  get simpleName(): string {
    const name = this.name.slice(this.name.lastIndexOf('.') + 1);
    return name.slice(name.lastIndexOf('$') + 1);
  }
}

const interned = new Map<string, ClassValue>();

/** The class value of a full Java name. */
export function classNamed(name: string): ClassValue {
  const known = interned.get(name);
  if (known !== undefined) return known;
  const made = new ClassValue(name);
  interned.set(name, made);
  return made;
}
