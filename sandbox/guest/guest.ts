import type {
  BranchReply,
  CheckReply,
  CompileReply,
  EvaluateReply,
  IsolateRequest,
  LoadReply,
  ReadReply,
} from '../../contract/sandbox-protocol.ts';
import { writeReplyText } from '../../contract/reply-text.ts';
import { checkSource } from '../language/check-source.ts';
import { begin } from '../language/begin.ts';
import { evaluate } from '../language/evaluate.ts';
import { runBranch } from '../language/link/branches.ts';
import { readiness } from '../language/readiness.ts';
import { becomeFresh } from '../runtime/fresh.ts';
import { newSession } from '../language/link/new-session.ts';
import type { Session } from '../language/link/session.ts';
import { compileBundle } from '../language/components/compile-bundle.ts';
import { loadBundle } from '../language/components/load-bundle.ts';
import { plainReply } from './plain-reply.ts';
import { isCarried, tooLarge } from './reply-size.ts';
import { guestRequest } from './request.ts';

/** What a guest answers to a text that is no request, or when it fails itself. */
interface FaultReply {
  readonly status: 'internal_fault';
  readonly message: string;
}

export interface Guest {
  /** Answers one request text with one reply text. Never throws. */
  handle(requestText: string): string;
}

/**
 * A session made while the bundle is evaluated, so that it is part of the snapshot and an isolate, which has one
 * guest, need not make its own (design.md §1.5).
 */
let prepared: Session | null = newSession();

function takeSession(): Session {
  const session = prepared ?? newSession();
  prepared = null;
  return session;
}

/** A guest that makes its capability calls through the function it is given. */
export function createGuest(callCapability: (text: string) => string): Guest {
  let session = takeSession();
  session.callCapability = callCapability;
  /** Whether a branch ran in the session. None of it is there for the next one, whose first request this may be. */
  let branched = false;
  /** False after a bundle was refused: what it left behind is nothing to run a program in. */
  let usable = true;
  function renew(): void {
    if (!branched) return;
    becomeFresh();
    session = newSession();
    session.callCapability = callCapability;
    branched = false;
  }
  function load(code: string): LoadReply {
    usable = false;
    const reply = loadBundle(session, code);
    usable = reply.status === 'loaded';
    return reply;
  }
  const answer = (
    request: IsolateRequest,
  ): BranchReply | CheckReply | CompileReply | LoadReply | EvaluateReply | ReadReply => {
    switch (request.operation) {
      case 'compile':
        return compileBundle(request);
      case 'load':
        renew();
        return load(request.code);
      case 'evaluate':
        return evaluate(session, request);
      case 'branch':
        renew();
        branched = true;
        begin(session, request);
        return runBranch(session, request);
      case 'check':
        return checkSource(session, request);
      case 'read':
        return { status: readiness(request.source) };
    }
  };
  return {
    handle(requestText) {
      let request: IsolateRequest | null = null;
      try {
        request = guestRequest(requestText);
        if (request === null) return JSON.stringify(fault('not a request'));
        const text = writeReplyText(usable ? answer(request) : fault('its bundle was refused'));
        return isCarried(text) ? text : JSON.stringify(plainReply(request, tooLarge()));
      } catch (thrown) {
        const reply = request === null ? null : plainReply(request, thrown);
        return JSON.stringify(reply ?? fault(thrown instanceof Error ? thrown.message : 'unknown fault'));
      }
    },
  };
}

function fault(message: string): FaultReply {
  return { status: 'internal_fault', message };
}
