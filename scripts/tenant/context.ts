/** What a command needs besides its arguments. `say` prints a line. */
export type Context = {
  dataDir: string;
  /** A URL with the role that owns the tables, if the command has one; otherwise with the role of the servers. */
  ownerUrl: string;
  now: Date;
  /** Milliseconds for which `suspend --moving` waits for running requests. */
  settle?: number;
  signal: AbortSignal;
  say: (line: string) => void;
};
