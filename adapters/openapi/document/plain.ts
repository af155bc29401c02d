/** A part of a document as its parser made it; only own members count, whatever their names are. */
export type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for what the object itself does not have: documents name members as they like. */
export function member(object: Plain, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function textMember(object: Plain, name: string): string | null {
  const value = member(object, name);
  return typeof value === 'string' ? value : null;
}

export function isTrueIn(object: Plain, name: string): boolean {
  return member(object, name) === true;
}

export function listIn(object: Plain, name: string): readonly unknown[] {
  const value = member(object, name);
  return Array.isArray(value) ? value : [];
}

export function objectIn(object: Plain, name: string): Plain {
  const value = member(object, name);
  return isPlain(value) ? value : {};
}
