/** A namespace as it is in the names of its classes. */
export function classNamePart(namespace: string): string {
  return namespace.replaceAll('-', '_');
}
