import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { sha256Hex } from './sha256.ts';

/** Source captured by `(program …)`: opaque to programs, evaluated only by the kernel (language.md §14). */
export class Program {
  declare readonly source: string;
  declare readonly byteSize: number;
  declare readonly digest: string;

  constructor(source: string) {
    const { hex, length } = sha256Hex(source);
    this.source = source;
    this.byteSize = length;
    this.digest = hex;
  }

  get javaName(): string {
    return 'Program';
  }

  get printed(): string {
    return `#object[program ${this.byteSize} sha256:${this.digest}]`;
  }

  /** The public projection: what leaves the language in place of the source. */
  get projection(): unknown {
    return mapFromEntries(['program?', true, 'byte_size', this.byteSize, 'digest', this.digest]);
  }
}

export function program(source: string): Program {
  return new Program(source);
}
