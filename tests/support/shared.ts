import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The shared server and database. Each test creates its own tenant. */
    shared: { origin: string; databaseUrl: string };
  }
}

/** Returns the origin and the database URL of the server that tests share. */
export function sharedServer(): { origin: string; databaseUrl: string } {
  return inject('shared');
}
