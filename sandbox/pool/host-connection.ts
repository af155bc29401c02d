import type { Duplex } from 'node:stream';
import { decodeFromHost, encodeToHost } from '../wire/codec.ts';
import { createFrameReader, encodeFrame, type Frame, MAX_BODY_BYTES_FROM_HOST } from '../wire/frames.ts';
import type { Answer, CapabilityCall, Question, ToHost, Unreadable } from '../wire/messages.ts';

export interface ConnectionEvents {
  /** What the host says of an isolate that it was asked for; reported before what it says next is read. */
  readonly onOpened: (isolate: string, answer: Answer | Unreadable) => void;
  /** May this isolate make a capability call now? */
  readonly admitsCall: (isolate: string) => boolean;
  /** Carries out an admitted call; never rejects. */
  readonly answerCall: (call: CapabilityCall) => Promise<string>;
  /** The host said what no honest host says. Called once; nothing it says afterwards is read. */
  readonly onViolation: () => void;
}

/** What a host can be asked. */
export interface HostConnection {
  /** Settles with the answer, and never once the pipe has closed. */
  ask(question: Question): Promise<Answer | Unreadable>;
}

/**
 * The supervisor's end of a host's pipe. Every message is checked for form, size and expectation: an answer must
 * answer an open question, a capability call must be of an isolate that is running.
 */
export function connectHost(pipe: Duplex, events: ConnectionEvents): HostConnection {
  return new PipeConnection(pipe, events);
}

interface PendingQuestion {
  readonly question: Question;
  readonly settle: (answer: Answer | Unreadable) => void;
}

class PipeConnection implements HostConnection {
  readonly #pipe: Duplex;
  readonly #events: ConnectionEvents;
  readonly #reader = createFrameReader(MAX_BODY_BYTES_FROM_HOST);
  /** Questions without an answer, by id. */
  readonly #pending = new Map<number, PendingQuestion>();
  #count = 0;

  constructor(pipe: Duplex, events: ConnectionEvents) {
    this.#pipe = pipe;
    this.#events = events;
    pipe.on('data', this.#read);
  }

  ask(question: Question): Promise<Answer | Unreadable> {
    return new Promise((settle) => {
      this.#count += 1;
      this.#pending.set(this.#count, { question, settle });
      this.#send({ ...question, id: this.#count });
    });
  }

  #send(message: ToHost): void {
    if (this.#pipe.writable) this.#pipe.write(encodeFrame(encodeToHost(message)));
  }

  readonly #read = (chunk: Buffer): void => {
    const read = this.#reader.push(chunk);
    if (read.status === 'frames' && read.frames.every((frame) => this.#take(frame))) return;
    this.#pipe.off('data', this.#read);
    this.#pipe.destroy();
    this.#events.onViolation();
  };

  /** False: no honest host sends this now. */
  #take(frame: Frame): boolean {
    const message = decodeFromHost(frame);
    if (message === null) return false;
    if (message.type === 'call') return this.#takeCall(message);
    const pendingQuestion = this.#pending.get(message.id);
    if (pendingQuestion === undefined) return false;
    this.#pending.delete(message.id);
    if (pendingQuestion.question.type === 'open') this.#events.onOpened(pendingQuestion.question.isolate, message);
    pendingQuestion.settle(message);
    return true;
  }

  #takeCall(call: CapabilityCall): boolean {
    if (!this.#events.admitsCall(call.isolate)) return false;
    void this.#carry(call);
    return true;
  }

  async #carry(call: CapabilityCall): Promise<void> {
    const answer = await this.#events.answerCall(call);
    this.#send({ type: 'call_answer', isolate: call.isolate, answer });
  }
}
