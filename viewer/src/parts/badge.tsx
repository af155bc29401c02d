import { visible } from '../text.ts';

const SHAPES: Readonly<Record<string, readonly [shape: string, look: string]>> = {
  ok: ['✓', 'good'],
  returned: ['✓', 'good'],
  accepted: ['✓', 'good'],
  complete: ['✓', 'good'],
  continued: ['→', 'good'],
  allowed: ['✓', 'good'],
  expired: ['–', 'open'],
  running: ['…', 'open'],
  open: ['…', 'open'],
  ambiguous: ['?', 'open'],
  incomplete: ['◐', 'open'],
  unavailable: ['–', 'open'],
};

/** A state, shown by shape and word as well as by colour. */
export function Badge({ state }: { readonly state: string }) {
  const [shape, look] = SHAPES[state] ?? ['✗', 'bad'];
  return (
    <span class={`badge ${look}`}>
      <span aria-hidden="true">{shape}</span> {visible(state.replaceAll('_', ' '))}
    </span>
  );
}
