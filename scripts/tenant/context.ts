/** What a command needs besides its arguments. `say` prints a line. */
export type Context = {
  dataDir: string;
  /** URLs with the roles that own the database of this cell and of another one, for a move. */
  ownerUrl: string;
  targetUrl: string | undefined;
  now: Date;
  signal: AbortSignal;
  say: (line: string) => void;
};
