import { createHash } from 'node:crypto';
import type { OAuthCode } from './declaration.ts';

/** How an authorisation ended, for the person whose browser came back from it. */
export type CallbackEnd =
  | { readonly kind: 'authorised' }
  | {
      readonly kind: 'refused';
      readonly code: OAuthCode;
      /** Words of the authority, or of anyone who sent the browser here; null without. */
      readonly error: string | null;
      readonly description: string | null;
    }
  /** Nobody is awaited here, or not like this. */
  | { readonly kind: 'misdirected' };

const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}' +
  'h1{font-size:1.5rem}code{overflow-wrap:anywhere}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The address of the page holds the code: none of it is sent on, kept, or run. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** What happened, and what to do about it. */
const REFUSALS: Readonly<Record<OAuthCode, readonly [happened: string, next: string]>> = {
  authorization_required: ['Nothing was granted.', 'Go back to the terminal and start again.'],
  authorization_rejected: [
    'The sign-in was refused, or it did not grant what svc needs.',
    'Go back to the terminal and start again. If you did not refuse it yourself, ask the person who runs the server which scopes svc may have.',
  ],
  authentication_rejected: [
    'The sign-in service does not accept svc as its client.',
    'Check the client and its secret in the host document, then start again.',
  ],
  authorization_unavailable: ['The sign-in took too long, or was cancelled.', 'Start again from the terminal.'],
  connectivity_unavailable: ['The sign-in service cannot be reached now.', 'Try again in a while.'],
  connectivity_rejected: [
    'The sign-in service sent svc to an address that the host document does not allow.',
    'Check network in the host document, then start again.',
  ],
  connectivity_protocol_error: [
    'The sign-in service gave an answer that svc cannot use.',
    'Ask the person who runs the server.',
  ],
};

/** Characters of an authority's words that are shown. */
const WORDS_MAX = 500;

/** The page that a browser is left with (world.md §2.5): plain HTML without scripts. */
export function callbackPage(end: CallbackEnd): string {
  switch (end.kind) {
    case 'authorised':
      return page('svc is authorised', [
        'You have signed in, and svc may now use this server for you.',
        'You can close this page and go back to the terminal.',
      ]);
    case 'misdirected':
      return page('Nothing is waiting here', [
        'svc is not waiting for a sign-in at this address, or it has ended already.',
        'You can close this page. To sign in, open the address that the terminal shows.',
      ]);
    case 'refused': {
      const [happened, next] = REFUSALS[end.code];
      return page('svc is not authorised', [happened, ...wordsOf(end), `${next} You can close this page.`]);
    }
  }
}

function wordsOf({ error, description }: Extract<CallbackEnd, { readonly kind: 'refused' }>): readonly string[] {
  const said = [error, description].filter((words) => words !== null && words !== '').join(': ');
  return said === '' ? [] : [`The sign-in service says: ${said.slice(0, WORDS_MAX)}`];
}

function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
