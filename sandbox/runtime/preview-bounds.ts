/** Characters of a structural preview unless the caller asks for others (language.md §18). */
export const PREVIEW_CHARACTERS = 2048;
/** Fewer leave no room for brackets and a notice (cli.md §11, option 17). */
export const LEAST_PREVIEW_CHARACTERS = 64;
