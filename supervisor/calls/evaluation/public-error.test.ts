import { expect } from 'chai';
import { EVALUATION_ERROR_KINDS } from '../../../contract/envelope/execution.ts';
import { publicError } from './public-error.ts';

const shown = (kind: string, message = 'text') => publicError({ public_error: { kind, message } });

describe('what a run may show of an error (language.md §17)', () => {
  it('is of a public kind, and of no other', () => {
    for (const kind of EVALUATION_ERROR_KINDS) expect(shown(kind)).to.deep.equal({ kind, message: 'text' });
    for (const kind of ['runtime_error', 'user_exception', '']) expect(shown(kind)).to.equal(null);
    expect(publicError({ public_error: null })).to.equal(null);
  });

  it('is one printable line within its bounds, whatever the guest says', () => {
    const message = 'x'.repeat(1024);
    expect(shown('type_error', message)).to.deep.equal({ kind: 'type_error', message });
    for (const text of ['', 'x'.repeat(1025), '\ud800', 'a\nb', '\u001b[2J'])
      expect(shown('type_error', text)).to.equal(null);
  });
});
