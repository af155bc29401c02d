/**
 * Five hundred tools as servers of well-known services describe them, and two hundred questions with the tool that is
 * meant: the words of a question are those of a person, and not those of the description.
 */
import type { RoomTool } from '../supervisor/code/room/room-tools.ts';

/** What each service keeps: name of the object in its tools, how it is described, and how people call it. */
const SERVICES: Readonly<Record<string, readonly (readonly [object: string, described: string, asked: string])[]>> = {
  github: [
    ['issue', 'an issue of a repository', 'bug report issue on github'],
    ['pull-request', 'a pull request', 'pull request on github'],
    ['branch', 'a git branch', 'branch of a github repo'],
    ['release', 'a published release', 'github release'],
  ],
  gitlab: [
    ['merge-request', 'a merge request', 'gitlab merge request'],
    ['pipeline', 'a CI pipeline', 'gitlab ci pipeline'],
    ['snippet', 'a code snippet', 'gitlab snippet'],
    ['runner', 'a runner that executes jobs', 'gitlab runner'],
  ],
  jira: [
    ['ticket', 'a ticket of a project', 'jira ticket'],
    ['sprint', 'a sprint of a board', 'jira sprint'],
    ['epic', 'an epic', 'jira epic'],
    ['worklog', 'logged time', 'time logged in jira'],
  ],
  slack: [
    ['message', 'a message in a channel', 'slack message'],
    ['channel', 'a channel of the workspace', 'slack channel'],
    ['reaction', 'an emoji reaction', 'emoji reaction in slack'],
    ['reminder', 'a reminder', 'slack reminder'],
  ],
  gmail: [
    ['mail', 'an e-mail message', 'mail in gmail'],
    ['draft', 'a draft', 'gmail draft'],
    ['label', 'a label of messages', 'gmail label'],
    ['filter', 'a filter rule', 'gmail filter'],
  ],
  calendar: [
    ['event', 'an event of a calendar', 'calendar event'],
    ['attendee', 'an invited person', 'attendee of a calendar meeting'],
    ['room', 'a meeting room', 'meeting room in the calendar'],
    ['invitation', 'an invitation', 'calendar invitation'],
  ],
  drive: [
    ['file', 'a file in the drive', 'file in drive'],
    ['folder', 'a folder', 'drive folder'],
    ['permission', 'a share permission', 'sharing permission of a drive file'],
    ['comment', 'a comment on a document', 'comment on a drive document'],
  ],
  notion: [
    ['page', 'a page', 'notion page'],
    ['database', 'a database', 'notion database'],
    ['block', 'a content block', 'notion block'],
    ['template', 'a template', 'notion template'],
  ],
  linear: [
    ['task', 'a task of a team', 'linear task'],
    ['cycle', 'a cycle', 'linear cycle'],
    ['roadmap', 'a roadmap', 'linear roadmap'],
    ['view', 'a saved view', 'saved view in linear'],
  ],
  stripe: [
    ['customer', 'a customer', 'stripe customer'],
    ['invoice', 'an invoice', 'stripe invoice'],
    ['refund', 'a refund of a charge', 'stripe refund'],
    ['subscription', 'a subscription', 'stripe subscription'],
  ],
  shopify: [
    ['product', 'a product of the shop', 'shopify product'],
    ['order', 'an order', 'shopify order'],
    ['discount', 'a discount code', 'shopify discount code'],
    ['collection', 'a collection of products', 'shopify collection'],
  ],
  postgres: [
    ['table', 'a table', 'postgres table'],
    ['index', 'an index of a table', 'postgres index'],
    ['role', 'a role that logs in', 'postgres role'],
    ['schema', 'a schema', 'postgres schema'],
  ],
  redis: [
    ['key', 'a key and its value', 'redis key'],
    ['stream', 'a stream of entries', 'redis stream'],
    ['queue', 'a list used as a queue', 'redis queue'],
    ['lock', 'a lock', 'redis lock'],
  ],
  s3: [
    ['bucket', 'a bucket', 's3 bucket'],
    ['object', 'a stored object', 's3 object'],
    ['policy', 'an access policy', 's3 access policy'],
    ['lifecycle', 'a lifecycle rule', 's3 lifecycle rule'],
  ],
  kubernetes: [
    ['pod', 'a pod', 'kubernetes pod'],
    ['deployment', 'a deployment', 'kubernetes deployment'],
    ['secret', 'a secret', 'kubernetes secret'],
    ['namespace', 'a namespace', 'kubernetes namespace'],
  ],
  docker: [
    ['container', 'a container', 'docker container'],
    ['image', 'an image', 'docker image'],
    ['volume', 'a volume', 'docker volume'],
    ['network', 'a network', 'docker network'],
  ],
  sentry: [
    ['incident', 'a grouped error', 'sentry incident'],
    ['alert', 'an alert rule', 'sentry alert'],
    ['project', 'a project', 'sentry project'],
    ['dsn', 'a client key', 'sentry dsn'],
  ],
  datadog: [
    ['monitor', 'a monitor', 'datadog monitor'],
    ['dashboard', 'a dashboard', 'datadog dashboard'],
    ['metric', 'a time series', 'datadog metric'],
    ['downtime', 'a scheduled downtime', 'datadog downtime'],
  ],
  zendesk: [
    ['request', 'a support request', 'zendesk support request'],
    ['macro', 'a macro', 'zendesk macro'],
    ['agent', 'a support agent', 'zendesk agent'],
    ['article', 'a help article', 'zendesk help article'],
  ],
  hubspot: [
    ['contact', 'a contact', 'hubspot contact'],
    ['deal', 'a deal of a sales pipeline', 'hubspot deal'],
    ['company', 'a company', 'hubspot company'],
    ['campaign', 'a marketing campaign', 'hubspot campaign'],
  ],
  figma: [
    ['frame', 'a frame of a design', 'figma frame'],
    ['component', 'a component', 'figma component'],
    ['style', 'a shared style', 'figma style'],
    ['variable', 'a design variable', 'figma variable'],
  ],
  spotify: [
    ['playlist', 'a playlist', 'spotify playlist'],
    ['track', 'a track', 'spotify track'],
    ['album', 'an album', 'spotify album'],
    ['podcast', 'a podcast', 'spotify podcast'],
  ],
  maps: [
    ['place', 'a place', 'place on the map'],
    ['route', 'a route between places', 'route on the map'],
    ['marker', 'a marker', 'marker on the map'],
    ['geofence', 'a geofence', 'geofence on the map'],
  ],
  twilio: [
    ['sms', 'a text message to a telephone', 'twilio sms'],
    ['voice-call', 'a voice call', 'twilio voice call'],
    ['number', 'a telephone number', 'twilio number'],
    ['recording', 'a recording of a call', 'twilio recording'],
  ],
  airtable: [
    ['record', 'a record of a base', 'airtable record'],
    ['base', 'a base', 'airtable base'],
    ['field', 'a field', 'airtable field'],
    ['attachment', 'an attachment', 'airtable attachment'],
  ],
};
const VERBS = [
  [
    'list',
    (what: string) => `Lists every ${what.replace(/^an? /, '')} that the caller may see, in pages.`,
    { cursor: { type: 'string' }, limit: { type: 'integer' } },
  ],
  ['get', (what: string) => `Gives ${what} by its identifier.`, { id: { type: 'string' } }],
  ['create', (what: string) => `Creates ${what}.`, { name: { type: 'string' }, body: { type: 'string' } }],
  [
    'update',
    (what: string) => `Updates ${what}; members that are left out stay.`,
    { id: { type: 'string' }, changes: { type: 'object' } },
  ],
  ['delete', (what: string) => `Deletes ${what} for good.`, { id: { type: 'string' } }],
] as const;
/** Two objects of each service, four questions each. */
const QUESTIONS = [
  ['list', (what: string) => `show me all of the ${what}s, a list`],
  ['create', (what: string) => `create a new ${what}`],
  ['update', (what: string) => `change the ${what}, update it`],
  ['delete', (what: string) => `delete this ${what} please`],
] as const;

export const TOOLS: readonly RoomTool[] = Object.entries(SERVICES).flatMap(([server, objects]) =>
  objects.flatMap(([object, described]) =>
    VERBS.map(([verb, say, properties]) => ({
      name: `${server}.${verb}-${object}`,
      upstreamName: `${verb}_${object.replaceAll('-', '_')}`,
      server,
      description: say(described),
      effect: verb === 'list' || verb === 'get' ? ('read' as const) : ('write' as const),
      inputSchema: new Map(Object.entries({ type: 'object' })),
      outputSchema: null,
      asks: false,
      properties,
    })),
  ),
);

export const LABELLED: readonly { readonly query: string; readonly tool: string }[] = Object.entries(SERVICES).flatMap(
  ([server, objects]) =>
    objects
      .slice(0, 2)
      .flatMap(([object, , requested]) =>
        QUESTIONS.map(([verb, ask]) => ({ query: ask(requested), tool: `${server}.${verb}-${object}` })),
      ),
);
