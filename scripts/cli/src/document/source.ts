export interface Source {
  /** As it was named: a path, or `<stdin>`. */
  name: string;
  text: string;
}

/** A position in a file; lines and columns count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** Positions by the key of the path of the node. */
export type Places = ReadonlyMap<string, Place>;
