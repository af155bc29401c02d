declare const rooms: readonly {
  /** Folder, from the root of the project. */
  readonly room: string;
  readonly does: string;
  /** Rooms that it may import, besides itself and `contract`. */
  readonly imports: readonly string[];
  /** Where its tests are, in Markdown. */
  readonly tests: string;
}[];
export = rooms;
