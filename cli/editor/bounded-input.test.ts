import { expect } from 'chai';
import { BoundedInput, MESSAGE_BYTES_MAX } from './bounded-input.ts';

/** What comes out of chunks, and how it ends. */
async function passed(chunks: readonly string[]): Promise<{ readonly text: string; readonly fault: string | null }> {
  const input = new BoundedInput();
  let text = '';
  input.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => {
    input.on('error', ({ message }) => {
      resolve({ text, fault: message });
    });
    input.on('end', () => {
      resolve({ text, fault: null });
    });
    for (const chunk of chunks) input.write(chunk);
    input.end();
  });
}

describe('bounded input', () => {
  const message = 'Content-Length: 4\r\nContent-Type: x\r\n\r\néé';

  it('passes messages on, wherever they are cut', async () => {
    const whole = `${message}${message}`;
    expect(await passed([whole])).to.deep.equal({ text: whole, fault: null });
    const cut = Array.from(whole);
    expect(await passed(cut)).to.deep.equal({ text: whole, fault: null });
  });

  const FAULTS: readonly (readonly [title: string, text: string, fault: string])[] = [
    ['too large', `Content-Length: ${String(MESSAGE_BYTES_MAX + 1)}\r\n\r\n`, 'a message has no length, or more than'],
    ['without a length', 'X: 1\r\n\r\n', 'a message has no length'],
    ['with a length that is none', 'Content-Length: -1\r\n\r\n', 'a message has no length'],
    ['with an endless header', 'x'.repeat(5000), 'a header has more than'],
  ];
  for (const [title, text, fault] of FAULTS)
    it(`refuses a message ${title}`, async () => {
      expect((await passed([text])).fault).to.include(fault);
    });
});
