import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { membersOf, workingIn } from '../cli/descendants.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { describeWhere, type Need } from '../left-out.ts';
import { listen } from '../servers/http/listen.ts';
import { until } from '../until.ts';
import { runTools, ToolRoom, type ToolApplication } from './room.ts';
import { overHttp } from './todays-servers-over-http.ts';

type Members = Readonly<Record<string, unknown>>;

/** Programs that are killed with each browser open: SVC_KILLS says how many. */
const KILLS = Math.ceil(Number(process.env['SVC_KILLS'] ?? '2') / 2);
/** Where the Debian package puts it; another one where that is named. */
const BROWSER = process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium';
const CHROMIUM: Need = { isMet: existsSync(BROWSER), what: 'Chromium (Debian package chromium)' };
const PACKAGES = join(import.meta.dirname, '../../node_modules');
const PLAYWRIGHT = [
  join(PACKAGES, '@playwright/mcp/cli.js'),
  '--headless',
  '--no-sandbox',
  '--isolated',
  '--executable-path',
  BROWSER,
];
const DEVTOOLS = [
  join(PACKAGES, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
  '--headless',
  '--isolated',
  '--executablePath',
  BROWSER,
  '--chromeArg=--no-sandbox',
  // Nothing is sent to anybody, and what a trace of a page names is not looked up.
  '--usageStatistics=false',
  '--performanceCrux=false',
];

/** A server that opens a browser: its arguments, and its calls as programs write them. */
interface BrowserServer {
  readonly args: readonly string[];
  /** The tool whose answer is a picture. */
  readonly screenshotTool: string;
  readonly navigate: (url: string) => string;
  readonly snapshot: string;
  readonly screenshot: string;
  /** Of something that is not there. */
  readonly click: string;
}
const SERVERS: Readonly<Record<string, BrowserServer>> = {
  '@playwright/mcp': {
    args: PLAYWRIGHT,
    screenshotTool: 'browser_take_screenshot',
    navigate: (url) => `(tool/browser-navigate {:url "${url}"})`,
    snapshot: '(tool/browser-snapshot {})',
    screenshot: '(tool/browser-take-screenshot {})',
    click: '(tool/browser-click {:target "e99"})',
  },
  'chrome-devtools-mcp': {
    args: DEVTOOLS,
    screenshotTool: 'take_screenshot',
    navigate: (url) => `(tool/navigate-page {:type "url" :url "${url}" :pageId 1})`,
    snapshot: '(tool/take-snapshot {:pageId 1})',
    screenshot: '(tool/take-screenshot {:pageId 1})',
    click: '(tool/click {:uid "e99" :pageId 1})',
  },
};

/** A site with one page, and another one that never comes. */
interface Site {
  readonly page: string;
  readonly silence: string;
  readonly isAwaited: () => boolean;
}

async function withSite(work: (site: Site) => Promise<void>): Promise<void> {
  let isAwaited = false;
  const { url, close } = await listen({}, async ({ request, response }) => {
    if (request.url === '/silence') {
      isAwaited = true;
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Harbour</title><h1>Ships of today</h1><button>Depart</button>');
  });
  try {
    await work({ page: `${url}/`, silence: `${url}/silence`, isAwaited: () => isAwaited });
  } finally {
    await close();
  }
}

/** Every tool, the one of pictures with its bytes or without. */
const toolsOf = ({ screenshotTool }: BrowserServer, content: 'inline' | 'described'): Members => ({
  '*': { effect: 'read', error_feedback: 'bounded' },
  ...(content === 'inline' ? { [screenshotTool]: { effect: 'read', error_feedback: 'bounded', content } } : {}),
});
const programOf = ({ navigate, snapshot, screenshot, click }: BrowserServer, { page }: Site): string =>
  `[${navigate(page)} ${snapshot} ${screenshot} ${click}]`;

/** Over standard streams; the browser leaves its profile in the home that it is given. */
const overStreams = ({ args }: BrowserServer, home: string): Partial<ToolApplication> => ({
  transport: { args, env: { TMPDIR: { binding: 'home' } } },
  host: { credentials: { home: { literal: home } } },
  environment: { HOME: home },
});

async function withHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = makeWorkDirectory({});
  try {
    await work(home);
  } finally {
    removeWorkDirectory(home);
  }
}

function expectAnswers(answers: unknown, content: 'inline' | 'described'): void {
  const [navigated, snapshot, screenshot, clicked]: readonly Members[] = Object(answers);
  expect(navigated).to.have.nested.property('value.text[0]').that.includes('Harbour');
  expect(snapshot)
    .to.have.nested.property('value.text[0]')
    .that.matches(/heading "Ships of today"/);
  const picture: Members = Object(screenshot)['value']?.content?.[0];
  expect(picture).to.include({ type: 'image', mimeType: 'image/png' });
  expect(picture['bytes']).to.be.above(1000);
  expect(clicked).to.include({ reason: 'domain_error' });
  expect(clicked).to.have.property('details').that.includes('e99');
  if (content === 'described') {
    expect(picture).to.have.keys('type', 'mimeType', 'bytes', 'sha256');
    return;
  }
  const bytes = Buffer.from(String(picture['data']), 'base64');
  expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
  expect(bytes.length).to.equal(picture['bytes']);
  expect(createHash('sha256').update(bytes).digest('hex')).to.equal(picture['sha256']);
}

describeWhere(CHROMIUM, "today's servers that open a browser (world.md §2.1, §2.2, §2.4)", () => {
  for (const [name, server] of Object.entries(SERVERS)) {
    // What one of them shows over HTTP, or whatever the server, is not shown twice: a browser costs seconds.
    const isOverHttp = server === SERVERS['@playwright/mcp'];
    const contents = isOverHttp ? (['described'] as const) : (['described', 'inline'] as const);
    const signals = isOverHttp ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const);
    for (const content of contents) {
      it(`${name}: a page, its snapshot, its screenshot ${content}, and what failed; nothing lives afterwards`, async () => {
        await withSite(async (site) =>
          withHome(async (home) =>
            runTools(
              {
                script: { steps: [] },
                ...overStreams(server, home),
                tools: toolsOf(server, content),
                program: programOf(server, site),
              },
              ({ status, stderr, value, envelope }, { directory }) => {
                expect(status, stderr).to.equal(0);
                expectAnswers(value, content);
                expect(envelope['secondary_errors']).to.deep.equal([]);
                expect(workingIn(directory), 'once the program has ended').to.deep.equal([]);
              },
            ),
          ),
        );
      });
    }

    for (const signal of signals) {
      it(`${name}: nothing lives after ${signal} while a page is awaited: ${KILLS} times`, async () => {
        for (let time = 0; time < KILLS; time += 1) await stopWhilePageIsAwaited(server, signal);
      });
    }
  }

  it('@playwright/mcp over HTTP: the same', async () => {
    const server = SERVERS['@playwright/mcp'];
    if (server === undefined) throw new Error('it is one of them');
    // It answers to the name of the host alone, unless it is told another.
    const args = (port: number): readonly string[] => [
      ...server.args,
      '--port',
      String(port),
      '--allowed-hosts',
      `127.0.0.1:${port}`,
    ];
    await withSite(async (site) =>
      overHttp({ args, isReady: /Listening on/ }, async (endpoint) =>
        runTools(
          {
            script: { steps: [] },
            installation: { transport: { type: 'streamable_http', endpoint, allow_insecure_loopback: true } },
            tools: toolsOf(server, 'inline'),
            program: programOf(server, site),
          },
          ({ status, stderr, value }) => {
            expect(status, stderr).to.equal(0);
            expectAnswers(value, 'inline');
          },
        ),
      ),
    );
  });
});

/** Stops the program while its call waits for a page; the browser has left the server's group and session by then. */
async function stopWhilePageIsAwaited(server: BrowserServer, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await withSite(async (site) =>
    withHome(async (home) => {
      const streams = overStreams(server, home);
      const room = new ToolRoom({
        script: { steps: [] },
        ...streams,
        tools: toolsOf(server, 'described'),
        program: `[${server.navigate(site.page)} ${server.navigate(site.silence)}]`,
      });
      try {
        const { child, ended } = room.start(undefined, streams.environment);
        let isOver = false;
        void ended.finally(() => {
          isOver = true;
        });
        await until('the page is awaited', () => (site.isAwaited() || isOver ? true : undefined));
        expect(isOver, isOver ? (await ended).stderr : '').to.equal(false);
        const living = workingIn(room.directory);
        // The server and the browser lead one each; the browser's helpers are in others, whose leaders have ended.
        expect(living.filter((pid) => membersOf(pid).includes(pid) && membersOf(pid).length > 1).length).to.equal(2);
        expect(living.length).to.be.at.least(8);
        child.kill(signal);
        const { status } = await ended;
        if (signal === 'SIGTERM') {
          expect(status).to.equal(143);
          expect(workingIn(room.directory), 'once the program has ended').to.deep.equal([]);
        }
        await until('the end of all that the program started', () =>
          workingIn(room.directory).length > 0 ? undefined : true,
        );
      } finally {
        room.close();
      }
    }),
  );
}
