/** What a command needs besides its arguments. `say` prints a line. */
export type Context = {
  dataDir: string;
  now: Date;
  /** Milliseconds for which `suspend --moving` waits for running requests. */
  settle?: number;
  signal: AbortSignal;
  say: (line: string) => void;
};
