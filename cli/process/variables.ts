/** The variables that a process was started with, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;
