import type { NamedLocal, VariableReference } from './ir.ts';

/** What a symbol means. */
export type Meaning =
  | { readonly kind: 'local'; readonly local: NamedLocal }
  | { readonly kind: 'variable'; readonly variable: VariableReference }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'macro'; readonly name: string }
  /** `return` and `fail`: called like functions, but also values. */
  | { readonly kind: 'control'; readonly name: string }
  | { readonly kind: 'tool'; readonly name: string; readonly raises: boolean }
  /** A route whose one argument is by position. */
  | { readonly kind: 'discovery'; readonly name: string }
  | { readonly kind: 'data'; readonly name: string }
  | { readonly kind: 'history'; readonly index: number }
  | { readonly kind: 'last-error' }
  | { readonly kind: 'class'; readonly className: string }
  | { readonly kind: 'java-member'; readonly className: string; readonly member: string }
  | { readonly kind: 'unresolved' };
