/** A namespace as it stands in the names of its classes. */
export function classNamePart(namespace: string): string {
  return namespace.replaceAll('-', '_');
}
