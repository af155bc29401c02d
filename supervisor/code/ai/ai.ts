/** Sessions of programs as tools of the AI SDK, and its tools as tools of a session (code-mode.md §6). */
export { codeTool } from './code-tool.ts';
export type { CodeTool, CodeToolOptions, ModelOutput, ProgramInput } from './code-tool.ts';
export { toolsFromAi } from './tools-from-ai.ts';
export type { AiTool } from './tools-from-ai.ts';
export type { CodeSession, Evaluation, SessionTool } from '../embedded/types.ts';
