import { join } from 'node:path';
import { PROGRAM_FILES } from '../../../system/program-files.ts';
import { optionValue } from '../../declaration/argument-values.ts';
import type { CommandArguments } from '../../declaration/types.ts';
import { siteFiles, serveSite } from '../../documentation/serve-site.ts';
import type { CommandEnd } from '../../ending/command-end.ts';
import { awaitStop } from '../../process/await-stop.ts';
import { lostOutput, writeStream } from '../../process/output.ts';
import { ownResultLine } from '../../streams/own-result.ts';
import type { CommandContext } from '../command.ts';

const WORDS = {
  port_in_use: 'the port is taken; choose another one with --port, or leave it out',
  port_forbidden: 'this user may not listen on the port; choose another one with --port, or leave it out',
  address_unusable: '127.0.0.1 cannot be listened on',
} as const;

/** Serves the pages to browsers of this machine until it is asked to stop (first-day.md §5). */
export async function serveDocumentation(
  commandArguments: CommandArguments,
  { programDirectory, signal, json, runRef }: CommandContext,
): Promise<CommandEnd> {
  const files = await siteFiles(join(programDirectory, PROGRAM_FILES.documentationSite));
  const site = await serveSite(files, Number(optionValue(commandArguments, '--port') ?? 0));
  if (typeof site === 'string') {
    await writeStream(2, `error: docs/${site}: ${WORDS[site]} (run_ref: ${runRef})\n`);
    return { kind: 'conversed', outcome: { outcome: 'conversation_failed' } };
  }
  const url = `http://127.0.0.1:${site.port}/`;
  const written = await writeStream(
    1,
    json ? ownResultLine('docs', runRef, new Map([['url', url]])) : `${url}\nserving the documentation; Ctrl-C stops\n`,
  );
  if (written === 'written') await awaitStop(signal);
  await site.close();
  return { kind: 'conversed', outcome: written === 'written' ? { outcome: 'succeeded' } : lostOutput(written) };
}
