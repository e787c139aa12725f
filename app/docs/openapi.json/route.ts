import { openApiDocument } from '@/lib/contract/openapi/document';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** Serves the OpenAPI 3.1 document with the deployment's address. */
export function GET(): Response {
  const body = singleton('docs:openapi', () => JSON.stringify(openApiDocument(env().origin, env().ENVIRONMENT)));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=300' };
  return new Response(body, { headers });
}

/** The route must not be prerendered, because the deployment's address is unknown at build time. */
export const dynamic = 'force-dynamic';
