/** Requests that break two rows of gateway.md §3 are told the first; headers that come twice; bounds at their edges. */
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { META, TOKEN, modern, startTestGateway, type TestGateway } from './gateway.ts';

const HEADED = {
  type: 'object',
  additionalProperties: false,
  properties: { text: { type: 'string', 'x-mcp-header': 'Text' } },
};
const BODY_BYTES = 2_097_152;

interface Draft {
  readonly fields: Map<string, string[]>;
  /** A text: sent as it is. */
  body: Record<string, unknown> | string;
}

type Break = (draft: Draft) => void;

const callDraft = (host: string): Draft => ({
  fields: new Map(
    Object.entries({
      host: [host],
      authorization: [`Bearer ${TOKEN}`],
      'content-type': ['application/json'],
      accept: ['application/json, text/event-stream'],
      'mcp-protocol-version': ['2026-07-28'],
      'mcp-method': ['tools/call'],
      'mcp-name': ['headed'],
      'mcp-param-text': ['a'],
    }),
  ),
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'headed', arguments: { text: 'a' }, _meta: META },
  },
});

const member = (draft: Draft, change: object): void => {
  if (typeof draft.body === 'object') Object.assign(draft.body, change);
};
const parameter = (draft: Draft, change: object): void => {
  if (typeof draft.body === 'object') draft.body['params'] = { ...Object(draft.body['params']), ...change };
};

/** Rows 6 to 18, and the steps of a call behind them: what breaks each, and what is said then. */
const ROWS: readonly (readonly [row: string, breaks: Break, answer: readonly [status: number, code: unknown]])[] = [
  [
    '6',
    ({ fields }) => {
      fields.set('content-type', ['text/plain']);
    },
    [415, 'unsupported_media_type'],
  ],
  [
    '7',
    ({ fields }) => {
      fields.set('accept', ['text/html']);
    },
    [406, 'not_acceptable'],
  ],
  [
    '9',
    ({ fields }) => {
      fields.set('content-length', [String(BODY_BYTES + 1)]);
    },
    [413, 'request_too_large'],
  ],
  [
    '10',
    (draft) => {
      draft.body = JSON.stringify(draft.body).replace('{', '{"id":2,');
    },
    [400, -32_700],
  ],
  [
    '11',
    (draft) => {
      member(draft, { jsonrpc: '1.0' });
    },
    [400, -32_600],
  ],
  [
    '13',
    (draft) => {
      if (typeof draft.body === 'object') delete draft.body['id'];
    },
    [202, null],
  ],
  [
    '14',
    (draft) => {
      parameter(draft, { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': 1 } });
    },
    [400, -32_602],
  ],
  [
    '15',
    ({ fields }) => {
      fields.set('mcp-method', ['other']);
    },
    [400, -32_020],
  ],
  [
    '16',
    (draft) => {
      draft.fields.set('mcp-protocol-version', ['2099-01-01']);
      parameter(draft, {
        _meta: {
          ...Object(Object(Object(draft.body)['params'])['_meta']),
          'io.modelcontextprotocol/protocolVersion': '2099-01-01',
        },
      });
    },
    [400, -32_022],
  ],
  [
    '17',
    (draft) => {
      member(draft, { method: 'tools/none' });
      if (draft.fields.get('mcp-method')?.[0] === 'tools/call') draft.fields.set('mcp-method', ['tools/none']);
      draft.fields.delete('mcp-name');
    },
    [404, -32_601],
  ],
  [
    '18, step 1',
    (draft) => {
      parameter(draft, { requestState: {} });
    },
    [200, -32_602],
  ],
  [
    'step 3',
    ({ fields }) => {
      fields.set('mcp-param-text', ['b']);
    },
    [400, -32_020],
  ],
  [
    'step 5',
    (draft) => {
      parameter(draft, { arguments: { text: 'a', other: 1 } });
    },
    [200, 'isError'],
  ],
];

function written({ fields, body }: Draft): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = fields.get('content-length') ?? [String(Buffer.byteLength(text))];
  const lines = [...fields]
    .filter(([name]) => name !== 'content-length')
    .flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`));
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}${length.map((value) => `content-length: ${value}\r\n`).join('')}connection: close\r\n\r\n${text}`;
}

/** Status, and what the body says is wrong. */
async function answerTo(port: number, bytes: string): Promise<readonly [status: number, code: unknown]> {
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(bytes);
    });
    socket
      .setEncoding('utf8')
      .on('data', (more: string) => {
        text += more;
      })
      .on('error', () => undefined)
      .on('close', () => {
        resolve(text);
      });
  });
  const [head = '', ...rest] = said.split('\r\n\r\n');
  const json = /\{.*\}/s.exec(rest.join('\r\n\r\n'))?.[0];
  const answer = json === undefined ? {} : Object(JSON.parse(json));
  const code: unknown = answer.error?.code ?? answer.error ?? (answer.result?.isError === true ? 'isError' : null);
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), code];
}

describe('the order of the checks of a gateway (gateway.md §3, §5)', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(
      { tools: { headed: { program: '(ns main)\n(defn run [input] {:value (get input "text")})\n', input: HEADED } } },
      ['--max-waiting-calls', '0'],
    );
  });
  after(async () => {
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  const port = (): number => Number(gateway.url.port);
  const statusOf = async (...breaks: readonly Break[]): Promise<readonly [number, unknown]> => {
    const draft = callDraft(gateway.url.host);
    for (const one of breaks) one(draft);
    return answerTo(port(), written(draft));
  };

  it('lets a request pass that breaks nothing', async () => {
    expect(await statusOf()).to.deep.equal([200, null]);
  });

  for (const [at, [row, breaks, answer]] of ROWS.entries()) {
    it(`row ${row} refuses with ${answer.join(' ')}`, async () => {
      expect(await statusOf(breaks)).to.deep.equal(answer);
    });
    const next = ROWS[at + 1];
    // What damages the text itself comes last, or nothing else could be changed.
    if (next !== undefined) {
      it(`row ${row} comes before row ${next[0]}`, async () => {
        const both = row === '10' ? [next[1], breaks] : [breaks, next[1]];
        expect(await statusOf(...both)).to.deep.equal(answer);
      });
    }
  }

  for (const name of [
    'host',
    'authorization',
    'content-type',
    'accept',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-param-text',
  ] as const) {
    it(`refuses ${name} twice, alike as they are`, async () => {
      const status = { host: 400, authorization: 401, 'content-type': 415, accept: 406 }[name as string] ?? 400;
      const [input, code] = await statusOf(({ fields }) => {
        fields.set(name, [...(fields.get(name) ?? []), ...(fields.get(name) ?? [])]);
      });
      expect(input).to.equal(status);
      if (name.startsWith('mcp-')) expect(code).to.equal(-32_020);
    });
  }

  it('refuses two lengths, and a length beside chunks', async () => {
    expect(
      (
        await statusOf(({ fields }) => {
          fields.set('content-length', ['200', '201']);
        })
      )[0],
    ).to.equal(400);
    expect(
      (
        await statusOf(({ fields }) => {
          fields.set('transfer-encoding', ['chunked']);
        })
      )[0],
    ).to.equal(400);
  });

  it('bounds a body by what its length says, and by what comes in chunks', async () => {
    const sized =
      (bytes: number): Break =>
      (draft) => {
        draft.body = JSON.stringify(draft.body).padEnd(bytes, ' ');
      };
    for (const [bytes, answer] of [
      [BODY_BYTES - 1, [200, null]],
      [BODY_BYTES, [200, null]],
    ] as const)
      expect(await statusOf(sized(bytes)), String(bytes)).to.deep.equal(answer);
    expect(
      await statusOf(({ fields }) => {
        fields.set('content-length', [String(BODY_BYTES + 1)]);
      }),
    ).to.deep.equal([413, 'request_too_large']);
    const chunked = async (bytes: number): Promise<readonly [number, unknown]> => {
      const draft = callDraft(gateway.url.host);
      sized(bytes)(draft);
      const whole = written(draft).replace(/content-length: \d+/, 'transfer-encoding: chunked');
      const [head, body] = [whole.slice(0, whole.indexOf('\r\n\r\n')), whole.slice(whole.indexOf('\r\n\r\n') + 4)];
      return answerTo(port(), `${head}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    };
    for (const bytes of [BODY_BYTES - 1, BODY_BYTES])
      expect(await chunked(bytes), `${bytes} in chunks`).to.deep.equal([200, null]);
    expect((await chunked(BODY_BYTES + 1))[0], 'one more in chunks').to.be.oneOf([413, Number.NaN]);
  });

  it('bounds depth at 64', async () => {
    for (const [depth, code] of [
      [63, -32_600],
      [64, -32_600],
      [65, -32_700],
    ] as const) {
      expect(
        await statusOf((draft) => {
          draft.body = `${'['.repeat(depth)}${']'.repeat(depth)}`;
        }),
        String(depth),
      ).to.deep.equal([400, code]);
    }
  });

  describe('where every place of a request is taken', () => {
    const sockets = new Set<Socket>();
    const end = async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await until('there is a place', async () =>
        (await fetch(gateway.url, modern('tools/list'))).status === 200 ? true : undefined,
      );
    };
    afterEach(end);

    it('row 7 comes before row 8, and row 8 before row 9', async () => {
      const { fields } = callDraft(gateway.url.host);
      const head = `POST /mcp HTTP/1.1\r\n${[...fields].map(([name, [value]]) => `${name}: ${value}\r\n`).join('')}content-length: 900\r\n\r\n`;
      const fill = (): void => {
        while (sockets.size < 8) {
          const socket = connect(port(), '127.0.0.1', () => {
            socket.write(head);
          });
          sockets.add(
            socket
              .on('error', () => undefined)
              .on('close', () => {
                sockets.delete(socket);
              }),
          );
        }
      };
      // A body that does not come is given up after two seconds: places are taken anew until both were seen.
      const full = async (...breaks: readonly Break[]): Promise<unknown> => {
        fill();
        return statusOf(...breaks);
      };
      const [seven, nine] = [ROWS.find(([row]) => row === '7'), ROWS.find(([row]) => row === '9')];
      if (seven === undefined || nine === undefined) throw new Error('the rows are there');
      await until('the places are taken', async () => (Object(await full(nine[1]))[0] === 429 ? true : undefined));
      expect(await full(seven[1], nine[1])).to.deep.equal(seven[2]);
    });
  });
});
