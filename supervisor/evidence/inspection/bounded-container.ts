import { createHash, type Hash } from 'node:crypto';
import { doPaced } from '../../../contract/json/paced.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import {
  appendRecord,
  APPROVALS_VERSION,
  INSPECTION_VERSION,
  sealContainer,
  type ContainerIdentity,
  type ContainerState,
  type ContainerStep,
  type InspectionVersion,
} from './container.ts';
import { slicedRecord, slicedUpdate } from './long-record.ts';
import { raiseVersion, type WrittenFile } from './raise-version.ts';

interface ContainerBounds {
  readonly evidenceBytes: number;
  readonly records: number;
  readonly recordBytes: number;
}

/** A container as it grows within its bounds: the chain, the digest and the version of what it has so far. */
export class BoundedContainer {
  readonly identity: ContainerIdentity;
  readonly #bounds: ContainerBounds;
  readonly #headerBytes: number;
  #state: ContainerState;
  #digest: Hash;
  #version: InspectionVersion = INSPECTION_VERSION;

  constructor(identity: ContainerIdentity, header: ContainerStep, bounds: ContainerBounds) {
    this.identity = identity;
    this.#bounds = bounds;
    this.#headerBytes = header.line.length;
    this.#state = header.state;
    this.#digest = createHash('sha256').update(header.line);
  }

  version(): InspectionVersion {
    return this.#version;
  }

  records(): number {
    return this.#state.records;
  }

  /** Gives a record its place; null where it is beyond a bound. */
  take(text: string): Uint8Array | null {
    const step = appendRecord(this.#state, text);
    if (!this.#admits(step)) return null;
    this.#digest.update(step.line);
    this.#state = step.state;
    return step.line;
  }

  /** The same in several turns of the event loop; no other record may come meanwhile. */
  async takeLong(text: string): Promise<Uint8Array | null> {
    const step = await doPaced(slicedRecord(this.#state, text), EVENT_LOOP_PACE);
    if (!this.#admits(step)) return null;
    await doPaced(slicedUpdate(this.#digest, step.line), EVENT_LOOP_PACE);
    this.#state = step.state;
    return step.line;
  }

  /** Writes all that is in the file again, in the version that has records of approvals; false where that fails. */
  async raise(file: WrittenFile): Promise<boolean> {
    const raised = await raiseVersion(file, this.identity, this.#headerBytes + this.#state.evidenceBytes);
    if (raised === null) return false;
    this.#state = raised.state;
    this.#digest = raised.digest;
    this.#version = APPROVALS_VERSION;
    return true;
  }

  /** The last line. Once. */
  seal(): Uint8Array {
    return sealContainer(this.#state, this.#digest.digest('hex'));
  }

  #admits({ line, state }: ContainerStep): boolean {
    return (
      line.length <= this.#bounds.recordBytes &&
      state.evidenceBytes <= this.#bounds.evidenceBytes &&
      state.records <= this.#bounds.records
    );
  }
}
