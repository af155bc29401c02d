import { expect } from 'chai';
import {
  CALL,
  LOOK_UP,
  TOOL_SECRET,
  call,
  discover,
  listing,
  runTools,
  textResult,
  type ToolApplication,
} from './room.ts';

const HOST = { credentials: { key: { env: 'DESK_KEY' } } };
const keyed = (key: string): Pick<ToolApplication, 'transport' | 'host' | 'environment'> => ({
  transport: { env: { TOKEN: { binding: 'key' } } },
  host: HOST,
  environment: { DESK_KEY: key },
});
const answering = (result: unknown): ToolApplication['script'] => ({
  steps: [discover(), listing(LOOK_UP), call({ stderr: `with ${TOOL_SECRET}\n`, result })],
});
const bytes = Buffer.from(TOOL_SECRET);
const FORMS: Readonly<Record<string, string>> = {
  plain: TOOL_SECRET,
  hex: bytes.toString('hex'),
  base64: bytes.toString('base64'),
  'within base64': Buffer.from(`user:${TOOL_SECRET}`).toString('base64'),
};

describe('a server of tools that repeats its credential (providers.md §4)', () => {
  for (const [form, text] of Object.entries(FORMS)) {
    it(`${form}: no program and no envelope has it`, async () => {
      await runTools(
        { script: answering(textResult(`your key is ${text}.`)), ...keyed(TOOL_SECRET) },
        ({ envelope, value, stdout, stderr }) => {
          expect(value)
            .to.have.nested.property('value.text[0]')
            .that.matches(/^your key is .*\[redacted\].*\.$/);
          expect(JSON.stringify(envelope) + stdout + stderr).not.to.include(text);
        },
      );
    });
  }

  it('in what it says of its failure, where that is told', async () => {
    const tools = { lookUp: { as: 'look-up', effect: 'read', error_feedback: 'bounded' } };
    await runTools(
      { script: answering({ ...textResult(`bad key ${TOOL_SECRET}`), isError: true }), tools, ...keyed(TOOL_SECRET) },
      ({ envelope, value }) => {
        expect(value).to.deep.include({ status: 'error', reason: 'domain_error', details: 'bad key [redacted]' });
        expect(JSON.stringify(envelope)).not.to.include(TOOL_SECRET);
      },
    );
  });

  it('in structured content: keys, texts and numbers at any depth', async () => {
    const tool = { ...LOOK_UP, outputSchema: { type: 'object' } };
    const result = {
      resultType: 'complete',
      content: [],
      structuredContent: { a: [{ [`k ${TOOL_SECRET}`]: [TOOL_SECRET] }], b: 'kept' },
    };
    await runTools(
      { script: { steps: [discover(), listing(tool), call({ result })] }, ...keyed(TOOL_SECRET) },
      ({ value }) => {
        expect(value).to.deep.include({ status: 'ok', value: { a: [{ 'k [redacted]': ['[redacted]'] }], b: 'kept' } });
      },
    );
  });

  for (const [key, left] of [
    ['7 bytes', true],
    ['8 bytes!', false],
    ['9 bytes!!', false],
  ] as const) {
    it(`of ${key.length} bytes: ${left ? 'left, since it may be an ordinary word' : 'redacted'}`, async () => {
      await runTools({ script: answering(textResult(`say ${key}`)), ...keyed(key) }, ({ value }) => {
        expect(value).to.have.nested.property('value.text[0]', left ? `say ${key}` : 'say [redacted]');
      });
    });
  }

  it('from every server of the run', async () => {
    const [twin] = [{ tools: { lookUp: { as: 'other', effect: 'read' } }, config: {} }];
    await runTools(
      {
        script: answering(textResult(`theirs is ${TOOL_SECRET}`)),
        twin,
        ...keyed(TOOL_SECRET),
        program: `[${CALL} (tool/other {:city "Oslo"})]`,
      },
      ({ envelope, value }) => {
        expect(JSON.stringify(value)).to.include('theirs is [redacted]');
        expect(JSON.stringify(envelope)).not.to.include(TOOL_SECRET);
      },
    );
  });
});
