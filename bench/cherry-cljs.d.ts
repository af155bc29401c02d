/**
 * The package has no types. Its core exports hundreds of functions, which are taken by name and checked when they are.
 */
declare module 'cherry-cljs/cljs.core.js' {
  export const assoc: unknown;
}
