import { expect } from 'chai';
import { writePinsInto, type ToolPins } from './pinned-text.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const PINS: ToolPins = {
  expected_application_content_digest: digest('a'),
  installation_config_pins: { model: digest('b') },
  provider_snapshot_pins: { 'workflow/model': digest('c') },
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pinned = (text: string, pins: ReadonlyMap<string, ToolPins> = new Map([['t', PINS]])) =>
  writePinsInto(bytes(text), pins);

describe('pins in the text of a gateway document (first-day.md §5)', () => {
  it('replace what is there and leave every other byte', () => {
    const before = (content: string, model: string, opened: string): string =>
      `{ "version" : 1,\r\n  "tools": [ {\r\n    "name": "t",\r\n    "expected_application_content_digest":   "${content}",\r\n    "installation_config_pins": ${model},\r\n    "provider_snapshot_pins": ${opened},\r\n    "title": "\\u00e4 ü"\r\n  } ]\t}\n\n`;
    const map = (key: string, value: string): string => `{\r\n      "${key}": "${value}"\r\n    }`;
    expect(pinned(before(digest('0'), '{}', '{"workflow/old": "x"}'))).to.deep.equal({
      text: before(digest('a'), map('model', digest('b')), map('workflow/model', digest('c'))),
      changed: ['t'],
    });
  });

  it('are added behind the last member, on one line or on lines, as the others are', () => {
    expect(pinned('{"tools":[{"name":"t"}]}')?.text).to.equal(
      `{"tools":[{"name":"t", "expected_application_content_digest": "${digest('a')}", "installation_config_pins": {"model": "${digest('b')}"}, "provider_snapshot_pins": {"workflow/model": "${digest('c')}"}}]}`,
    );
    const text = pinned('{\n  "tools": [\n    {\n      "name": "t"\n    }\n  ]\n}\n')?.text ?? '';
    expect(text).to.equal(`${JSON.stringify({ tools: [{ name: 't', ...PINS }] }, null, 2)}\n`);
    expect(pinned(text)).to.deep.equal({ text, changed: [] });
  });

  it('that are right stay as they are written', () => {
    const text = `{"tools":[{"name":"t","provider_snapshot_pins":{ "workflow\\/model" : "${digest('c')}" },"installation_config_pins":{"model":"${digest('b')}"},"expected_application_content_digest":"${digest('a')}"}]}`;
    expect(pinned(text)).to.deep.equal({ text, changed: [] });
  });

  it('are not put into what is no document of these tools', () => {
    for (const text of ['', '[]', '{', '{}', '{"tools":{}}', '{"tools":[1]}', '{"tools":[{"name":"other"}]}'])
      expect(pinned(text), text).to.equal(null);
  });
});
