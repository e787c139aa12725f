import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Each test creates its own tenant. */
    shared: { origin: string; databaseUrl: string };
  }
}

export function sharedServer(): { origin: string; databaseUrl: string } {
  return inject('shared');
}
