import { serverTimers } from '../../code/room/servers.ts';
import type { GatewayOptions } from '../start/options.ts';
import type { Opened } from '../start/stages.ts';
import type { Tool } from '../tools/call-services.ts';
import type { ClientSession, CodeServices, OpenedCodeTool } from './code-call.ts';
import { CodeSessions } from './code-sessions.ts';
import { CODE_TOOLS, type OfferedCode } from './offered.ts';

/** The rooms of all tools that are offered for programs, and the sessions in them. */
export interface OpenedCode {
  readonly services: CodeServices;
  /** Runs that wait for a person, and no request for them. */
  waitingRuns(): number;
  /** Ends those. */
  abandonWaiting(): void;
  close(): Promise<void>;
}

/** Opens a room for each; its sessions come and go. */
export async function openOfferedCode(
  { answerWithinMs }: Pick<GatewayOptions, 'answerWithinMs'>,
  { supervisor, documents: { document } }: Opened,
  { offered }: { readonly offered: readonly OfferedCode[] },
  tools: ReadonlyMap<string, Tool>,
): Promise<OpenedCode> {
  const timers = serverTimers(0);
  const sessions = new CodeSessions<ClientSession>(timers);
  const { artifacts } = document;
  const opened = new Map<string, OpenedCodeTool>();
  for (const { tool: passed, mission } of offered) {
    const tool = tools.get(passed.declared.name);
    if (tool === undefined) throw new Error('a tool that is offered is one of the configuration');
    const room = await supervisor.openRoom(tool.application, {
      tenant: tool.tenant,
      mission,
      providers: () => tool.providers.current(),
      artifacts: artifacts === undefined ? null : { trace: artifacts.trace, inspection: artifacts.inspection },
    });
    opened.set(passed.declared.name, { tool, room });
  }
  return {
    services: {
      sessions,
      timers,
      answerWithinMs,
      bearer: document.authentication.bearer.binding,
      find: (name) => {
        const own = CODE_TOOLS.find((each) => name.endsWith(`.${each}`));
        const code = own === undefined ? undefined : opened.get(name.slice(0, -own.length - 1));
        return own === undefined || code === undefined ? null : { code, own };
      },
    },
    waitingRuns: () => sessions.all().reduce((sum, { runs }) => sum + runs.askingCount, 0),
    abandonWaiting: () => {
      for (const { runs } of sessions.all()) runs.abandonWaiting();
    },
    close: async () => {
      await sessions.close();
      await Promise.all([...opened.values()].map(async ({ room }) => room.close()));
    },
  };
}
