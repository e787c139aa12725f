import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server and the database that tests share. Each test creates a separate tenant. */
    shared: { origin: string; databaseUrl: string };
  }
}

/** Returns the origin and the database URL of the server that tests share. */
export function sharedServer(): { origin: string; databaseUrl: string } {
  return inject('shared');
}
