/** Text as roff shows it: none of it is a request or an escape, and a minus can be copied. */
export function roffText(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** An argument of a request. */
export function roffArgument(text: string): string {
  return `"${text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq')}"`;
}

export function section(title: string, ...lines: readonly string[]): readonly string[] {
  return [`.SH ${roffArgument(title)}`, ...lines];
}

/** A term and what it means, as one paragraph of a list. */
export function term(label: string, ...lines: readonly string[]): readonly string[] {
  return ['.TP', `.B ${roffArgument(label)}`, ...lines];
}
