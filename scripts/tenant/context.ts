/** What a command needs besides its arguments. `say` prints a line. */
export type Context = {
  dataDir: string;
  /** The URL of this cell's database, with the role that owns it. */
  ownerUrl: string;
  /** The URL of the target cell's database, for a move. It connects with the role that owns that database. */
  targetUrl: string | undefined;
  now: Date;
  signal: AbortSignal;
  say: (line: string) => void;
};
