import { Refusal } from '../source.ts';
import { visible } from '../text.ts';

/** A page that has nothing to show, with what to do. */
export function Problem({ fault }: { readonly fault: Error }) {
  const code = fault instanceof Refusal ? fault.code : 'fault';
  return (
    <div class="empty" role="alert">
      <h1>This cannot be shown</h1>
      <p>{visible(fault.message)}</p>
      <p class="quiet">{visible(code)}</p>
      <p>
        <a href="#/">All runs</a>
      </p>
    </div>
  );
}
