import type {
  CommitLimits,
  ComponentSource,
  Continuation,
  IsolateRequest,
  LastError,
  RequiredNames,
  Resumption,
} from '../../contract/sandbox-protocol.ts';
import { HISTORY } from '../language/history.ts';
import { LEAST_PREVIEW_CHARACTERS, PREVIEW_CHARACTERS } from '../runtime/preview-bounds.ts';

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isEnvironment(value: unknown): value is 'workflow' | 'mission' {
  return value === 'workflow' || value === 'mission';
}

function isComponent(value: unknown): value is ComponentSource {
  return (
    isMembers(value) &&
    typeof value['id'] === 'string' &&
    typeof value['source'] === 'string' &&
    isTexts(value['dependencies']) &&
    (value['ready'] === undefined || typeof value['ready'] === 'string')
  );
}

function isTextMembers(value: unknown): value is Readonly<Record<string, string>> {
  return isMembers(value) && Object.values(value).every((member) => typeof member === 'string');
}

function isContinuation(value: unknown): value is Continuation {
  return (
    isMembers(value) &&
    typeof value['definitions'] === 'string' &&
    isTexts(value['history']) &&
    value['history'].length <= HISTORY
  );
}

function isResumption(value: unknown): value is Resumption {
  return value === null || value === 'living' || isContinuation(value);
}

function isLastError(value: unknown): value is LastError {
  return value === null || value === 'living' || (isMembers(value) && typeof value['message'] === 'string');
}

function isRequiredNames(value: unknown): value is RequiredNames {
  return isMembers(value) && isTextMembers(value['aliases']) && isTextMembers(value['refers']);
}

function isCommitLimits(value: unknown): value is CommitLimits {
  return isMembers(value) && typeof value['memory_bytes'] === 'number' && typeof value['history_bytes'] === 'number';
}

/** The request that a text holds, null if it holds none. */
export function guestRequest(text: string): IsolateRequest | null {
  const value = parsed(text);
  if (!isMembers(value)) return null;
  const { environment } = value;
  switch (value['operation']) {
    case 'compile': {
      const { components } = value;
      if (!isEnvironment(environment) || !Array.isArray(components) || !components.every(isComponent)) return null;
      return { operation: 'compile', environment, components };
    }
    case 'load': {
      const { code } = value;
      return typeof code === 'string' ? { operation: 'load', code } : null;
    }
    case 'evaluate': {
      const { source, data, tools, loop_iterations: loops, projection } = value;
      if (!isEnvironment(environment) || typeof source !== 'string' || !isTextMembers(data) || !isTexts(tools))
        return null;
      if (loops !== null && typeof loops !== 'number') return null;
      if (projection !== 'json' && projection !== 'printed' && projection !== 'preview') return null;
      const {
        preview_characters: characters = PREVIEW_CHARACTERS,
        observation_characters: observed,
        show_code: shown = false,
      } = value;
      if (observed !== undefined && typeof observed !== 'number') return null;
      if (typeof characters !== 'number' || !(characters >= LEAST_PREVIEW_CHARACTERS) || typeof shown !== 'boolean')
        return null;
      const { continuation = 'living', commit } = value;
      if (!isResumption(continuation)) return null;
      if (commit !== undefined && !isCommitLimits(commit)) return null;
      const { last_error: lastError, required } = value;
      if (lastError !== undefined && !isLastError(lastError)) return null;
      if (required !== undefined && !isRequiredNames(required)) return null;
      const showing = {
        preview_characters: characters,
        show_code: shown,
        ...(observed === undefined ? {} : { observation_characters: observed }),
      };
      const keeping = {
        continuation,
        branches: value['branches'] === true,
        omits_unchanged: value['omits_unchanged'] === true,
        keeps_isolate: value['keeps_isolate'] === true,
        ...(commit === undefined ? {} : { commit }),
        ...(lastError === undefined ? {} : { last_error: lastError }),
        ...(required === undefined ? {} : { required }),
      };
      return {
        operation: 'evaluate',
        environment,
        source,
        data,
        tools,
        loop_iterations: loops,
        projection,
        ...showing,
        ...keeping,
      };
    }
    case 'branch': {
      const { data, tools, loop_iterations: loops, shared, call } = value;
      if (
        !isEnvironment(environment) ||
        !isTextMembers(data) ||
        !isTexts(tools) ||
        typeof shared !== 'string' ||
        typeof call !== 'string'
      )
        return null;
      if (loops !== null && typeof loops !== 'number') return null;
      return {
        operation: 'branch',
        environment,
        data,
        tools,
        loop_iterations: loops,
        branches: value['branches'] === true,
        shared,
        call,
      };
    }
    case 'check': {
      const { source, tools, data, terminal, continuation = 'living' } = value;
      if (typeof source !== 'string' || !isTexts(tools) || !isTexts(data) || typeof terminal !== 'boolean') return null;
      return isResumption(continuation) ? { operation: 'check', source, tools, data, terminal, continuation } : null;
    }
    case 'read': {
      const { source } = value;
      return typeof source === 'string' ? { operation: 'read', source } : null;
    }
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
