import { openApiDocument } from '@/lib/contract/openapi/document';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** The public API as a machine reads it: OpenAPI 3.1, with this deployment's address. */
export function GET(): Response {
  const body = singleton('docs:openapi', () => JSON.stringify(openApiDocument(env().origin)));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' };
  return new Response(body, { headers });
}

/** Its address is known when the server runs, not when it is built. */
export const dynamic = 'force-dynamic';
