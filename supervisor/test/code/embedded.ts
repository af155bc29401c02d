import { join } from 'node:path';
import {
  createSupervisor,
  type CodeRoom,
  type CodeSession,
  type Evaluation,
  type SessionTool,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';

/** A supervisor over the built program. */
export function openSupervisor(options: SupervisorOptions = {}): Promise<Supervisor> {
  return createSupervisor({ programDirectory: join(import.meta.dirname, '../../../dist'), ...options });
}

/** A tool that takes any object. */
export function tool(execute: SessionTool['execute'], more: Partial<SessionTool> = {}): SessionTool {
  return { description: 'Does something.', inputSchema: { type: 'object' }, execute, ...more };
}

/** What a program came to. Throws for one that came to none. */
export async function valueOf(session: CodeSession, program: string): Promise<unknown> {
  const end = await session.evaluate(program);
  if (end.kind !== 'value') throw new Error(`${program}: ${JSON.stringify(end)}`);
  return end.value;
}

/** Why it came to none. */
export function errorOf(end: Evaluation): Extract<Evaluation, { readonly kind: 'error' }>['error'] {
  if (end.kind !== 'error') throw new Error(JSON.stringify(end));
  return end.error;
}

export const PLAIN_ROOM: CodeRoom = { data: { settings: { a: 1 } } };
