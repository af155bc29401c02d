import { expect } from 'chai';
import { TRANSPORT_LIMITS, transportFault } from '../http/raw-headers.ts';
import { keepBearer } from './bearer.ts';
import { authoritiesOf, headFault, type ListenerGate, type RequestHead } from './checks.ts';
import { preflight } from './cors.ts';

const TOKEN = 't0k-._~+/'.padEnd(32, 'a');
const HERE = '127.0.0.1:8080';
const LISTED = 'https://a.example';
const GATE: ListenerGate = {
  authorities: authoritiesOf('127.0.0.1', 8080),
  origins: new Set([LISTED]),
  bearer: keepBearer(TOKEN),
};
const BOTH = 'application/json, text/event-stream';
const GOOD: Readonly<Record<string, string | readonly string[]>> = {
  host: HERE,
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: BOTH,
};

type Fields = Readonly<Record<string, string | readonly string[] | null>>;

function headOf(fields: Fields = {}, line: Partial<RequestHead> = {}): RequestHead {
  const merged = Object.entries({ ...GOOD, ...fields });
  const rawHeaders = merged.flatMap(([name, input]) =>
    input === null ? [] : [input].flat().flatMap((value) => [name, value]),
  );
  return { method: 'POST', target: '/mcp', rawHeaders, ...line };
}

const statusOf = (fields: Fields, line: Partial<RequestHead> = {}): number | 'passes' =>
  headFault(headOf(fields, line), GATE)?.status ?? 'passes';

/** One broken request for each row of gateway.md §3, from 2 to 7. */
const ROWS: readonly (readonly [status: number, fields: Fields, line?: Partial<RequestHead>])[] = [
  [405, {}, { method: 'GET' }],
  [400, { host: 'evil.example' }],
  [403, { origin: 'https://evil.example' }],
  [401, { authorization: null }],
  [415, { 'content-type': null }],
  [406, { accept: null }],
];

describe('what is looked at before a body (gateway.md §3, rows 2 to 7)', () => {
  it('lets a request pass that breaks nothing', () => {
    expect(statusOf({})).to.equal('passes');
  });

  for (const [at, [status, fields, line]] of ROWS.entries()) {
    it(`refuses with ${status}`, () => {
      expect(statusOf(fields, line)).to.equal(status);
    });
    for (const [later, laterFields, laterLine] of ROWS.slice(at + 1)) {
      it(`refuses with ${status} before ${later}`, () => {
        expect(statusOf({ ...laterFields, ...fields }, { ...laterLine, ...line })).to.equal(status);
      });
    }
  }

  for (const [name, status] of [
    ['host', 400],
    ['authorization', 401],
    ['content-type', 415],
    ['accept', 406],
  ] as const) {
    it(`refuses two fields ${name}, alike as they are`, () => {
      const value = String(GOOD[name]);
      expect(statusOf({ [name]: [value, value] })).to.equal(status);
    });
  }
  it('refuses two listed origins', () => {
    expect(statusOf({ origin: [LISTED, LISTED] })).to.equal(403);
  });

  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD', 'post']) {
    it(`admits no ${method}`, () => {
      expect(headFault(headOf({}, { method }), GATE)).to.deep.include({ status: 405, headers: { allow: 'POST' } });
    });
  }

  for (const [host, expected] of [
    [HERE, 'passes'],
    ['localhost:8080', 'passes'],
    ['localhost', 400],
    ['localhost:80', 400],
    ['LOCALHOST:8080', 400],
    ['localhost.:8080', 400],
    ['a.localhost:8080', 400],
    ['localhost:8080.evil.example', 400],
    ['127.0.0.1', 400],
    ['127.0.0.1:80', 400],
    ['127.0.0.1:08080', 400],
    ['[::1]:8080', 400],
    ['', 400],
    [`${HERE}.evil.example`, 400],
    ['127.1:8080', 400],
    [`user@${HERE}`, 400],
    ['2130706433:8080', 400],
  ] as const)
    it(`takes Host ${JSON.stringify(host)} as ${expected}`, () => {
      expect(statusOf({ host })).to.equal(expected);
    });

  it('knows an absolute target by the same authority', () => {
    for (const [target, expected] of [
      [`http://${HERE}/mcp`, 'passes'],
      ['http://localhost:8080/mcp', 'passes'],
      ['http://evil.example/mcp', 400],
      ['http:///mcp', 400],
    ] as const)
      expect(statusOf({}, { target }), target).to.equal(expected);
  });

  it('leaves the port out for 80 alone, and writes the other address in brackets', () => {
    expect([...authoritiesOf('127.0.0.1', 80)]).to.deep.equal([
      '127.0.0.1:80',
      '127.0.0.1',
      'localhost:80',
      'localhost',
    ]);
    expect([...authoritiesOf('::1', 8080)]).to.deep.equal(['[::1]:8080', 'localhost:8080']);
  });

  for (const [origin, expected] of [
    [null, 'passes'],
    [LISTED, 'passes'],
    ['null', 403],
    ['', 403],
    [`http://${HERE}`, 403],
    ['https://A.example', 403],
    [`${LISTED}/`, 403],
    [`${LISTED}:443`, 403],
  ] as const)
    it(`takes Origin ${JSON.stringify(origin)} as ${expected}`, () => {
      expect(statusOf({ origin })).to.equal(expected);
    });

  for (const [type, expected] of [
    ['application/json', 'passes'],
    ['Application/JSON; charset=UTF-8', 'passes'],
    ['application/json;charset="utf-8"', 'passes'],
    ['application/json; charset=latin1', 415],
    ['application/json-patch', 415],
    ['text/json', 415],
    ['application/json, application/json', 415],
    ['application/json; boundary=x', 415],
    ['', 415],
  ] as const)
    it(`takes Content-Type ${JSON.stringify(type)} as ${expected}`, () => {
      expect(statusOf({ 'content-type': type })).to.equal(expected);
    });

  for (const [accept, expected] of [
    [BOTH, 'passes'],
    ['*/*', 'passes'],
    ['application/*, text/*', 'passes'],
    ['APPLICATION/JSON;q=0.001,text/event-stream;q=1.000', 'passes'],
    ['text/event-stream;charset="a,b", application/json', 'passes'],
    ['application/json', 406],
    ['text/event-stream', 406],
    ['application/json;q=0, */*', 406],
    ['text/*;q=0, text/event-stream, application/json', 'passes'],
    ['*/*;q=0', 406],
    [`${BOTH}, nonsense`, 406],
    [`${BOTH};q=2`, 406],
    [`${BOTH};q=0.0001`, 406],
    [`${BOTH}, */json`, 406],
    [`${BOTH};q=1;q=1`, 406],
    ['', 406],
  ] as const)
    it(`takes Accept ${JSON.stringify(accept)} as ${expected}`, () => {
      expect(statusOf({ accept })).to.equal(expected);
    });

  // Of what is read again at each of its places, some of these would take longer than the test may.
  for (const [title, accept, expected] of [
    ['parameters without a name', `a/b${'; '.repeat(8000)}(`, 406],
    ['parameters without a name that end', `${BOTH}, a/b${'; '.repeat(8000)}`, 'passes'],
    ['empty elements', `${','.repeat(1_000_000)}${BOTH}`, 'passes'],
    ['a quote that does not end', `a/b;x="${'\\"'.repeat(500_000)}`, 406],
    ['space', `a/b${' '.repeat(1_000_000)}(`, 406],
  ] as const)
    it(`reads a long Accept once: ${title}`, () => {
      expect(statusOf({ accept })).to.equal(expected);
    });
});

describe('the bearer of a gateway (gateway.md §9)', () => {
  const challenge = (authorization: string | readonly string[] | null): string | undefined =>
    headFault(headOf({ authorization }), GATE)?.headers['www-authenticate'];

  for (const input of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER    ${TOKEN}`]) {
    it(`is taken as ${JSON.stringify(input.slice(0, 10))}`, () => {
      expect(statusOf({ authorization: input })).to.equal('passes');
    });
  }
  it('is asked for, and told to be wrong where one came', () => {
    for (const none of [null, '', 'Basic abc', 'Bearer', 'Bearer '])
      expect(challenge(none), String(none)).to.equal('Bearer');
    for (const wrong of [
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Bearer ${TOKEN.toUpperCase()}`,
      `Bearer ${TOKEN} x`,
      `Bearer ${'a'.repeat(4097)}`,
      [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
    ])
      expect(challenge(wrong), String(wrong)).to.equal('Bearer error="invalid_token"');
  });

  for (const [length, passes] of [
    [31, false],
    [32, true],
    [4095, true],
    [4096, true],
    [4097, false],
  ] as const) {
    it(`of ${length} bytes ${passes ? 'may be one' : 'is none'}, even where it is the one that is kept`, () => {
      const token = 'a'.repeat(length);
      expect(keepBearer(token).check(`Bearer ${token}`).matches).to.equal(passes);
    });
  }
});

describe('how large a request may be before anything else (gateway.md §2)', () => {
  const of = (line: { readonly target?: string; readonly rawHeaders?: readonly string[] }): number | null =>
    transportFault({ method: 'POST', target: '/mcp', rawHeaders: [], ...line });
  const around = (limit: number, faultOf: (size: number) => number | null, fault: number): void => {
    expect([limit - 1, limit, limit + 1].map(faultOf)).to.deep.equal([null, null, fault]);
  };
  const { requestLine, fields, fieldLine, namesAndValues } = TRANSPORT_LIMITS;

  it('bounds its line', () => {
    around(requestLine, (size) => of({ target: '/'.padEnd(size - 'POST  HTTP/1.1'.length, 'x') }), 414);
  });
  it('bounds the fields', () => {
    around(fields, (count) => of({ rawHeaders: Array.from({ length: count }, () => ['a', 'b']).flat() }), 431);
  });
  it('bounds the line of a field', () => {
    around(fieldLine, (size) => of({ rawHeaders: ['a', 'x'.repeat(size - 'a: '.length)] }), 431);
  });
  it('bounds names and values together', () => {
    around(
      namesAndValues,
      (size) =>
        of({
          rawHeaders: [
            ...Array.from({ length: 7 }, () => ['a', 'x'.repeat(4095)]).flat(),
            'a',
            'x'.repeat(size - 7 * 4096 - 1),
          ],
        }),
      431,
    );
  });
});

describe('what a browser is told before it asks (gateway.md §9)', () => {
  const ask = (fields: Fields) =>
    preflight(
      headOf({ origin: LISTED, 'access-control-request-method': 'POST', ...fields }, { method: 'OPTIONS' }),
      GATE,
      ['mcp-param-name'],
    );

  it('names everything that a call of the catalogue sends', () => {
    const { status, headers } = ask({ authorization: null });
    expect(status).to.equal(204);
    expect(headers).to.deep.equal({
      'access-control-allow-origin': LISTED,
      vary: 'Origin',
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '600',
      'access-control-allow-headers':
        'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-name',
    });
  });
  it('lets a page reach a private network where it asks', () => {
    expect(ask({ 'access-control-request-private-network': 'true' }).headers).to.have.property(
      'access-control-allow-private-network',
      'true',
    );
  });
  it('says no to others', () => {
    expect(ask({ origin: 'https://evil.example' }).status).to.equal(403);
    expect(ask({ origin: null }).status).to.equal(403);
    expect(ask({ host: 'evil.example' }).status).to.equal(400);
    expect(ask({ 'access-control-request-method': 'GET' }).status).to.equal(405);
  });
});
