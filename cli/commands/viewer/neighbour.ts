import { get } from 'node:http';
import { visibleText } from '../../../contract/visible-text.ts';

const ANSWER_MS = 500;
const ANSWER_BYTES = 8192;
const NAME_LENGTH = 128;

/**
 * Who holds a port: another viewer says of which project it is; anything else is just something (cli.md §10, viewer).
 */
export async function describeNeighbour(port: number): Promise<string> {
  const project = projectIn(await ask(port));
  if (project === null) return `port ${port} is occupied; choose another with --port`;
  return `port ${port} is occupied by the viewer of ${visibleText(project).slice(0, NAME_LENGTH)}; look there, or choose another with --port`;
}

async function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const request = get(
      { host: '127.0.0.1', port, path: '/api/live/project', signal: AbortSignal.timeout(ANSWER_MS) },
      (response) => {
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > ANSWER_BYTES) request.destroy();
        });
        response.on('end', () => {
          resolve(text);
        });
        response.on('error', () => {
          resolve('');
        });
      },
    );
    request.on('error', () => {
      resolve('');
    });
    request.on('close', () => {
      resolve(text.length > ANSWER_BYTES ? '' : text);
    });
  });
}

function projectIn(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'project' in answer && typeof answer.project === 'string'
      ? answer.project
      : null;
  } catch {
    return null;
  }
}
