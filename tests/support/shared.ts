import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server and database that tests share; each test creates its own tenant. */
    shared: { origin: string; databaseUrl: string };
  }
}

/** Returns the server that tests share. */
export function sharedServer(): { origin: string; databaseUrl: string } {
  return inject('shared');
}
