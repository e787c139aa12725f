import { docsDeployment } from '@/app/_docs';
import { openApi } from '@/lib/contract/docs/reference';

/** Serves the OpenAPI 3.1 document with the deployment's address, and in TEST with the records of the sandbox as examples. */
export async function GET(): Promise<Response> {
  const deployment = await docsDeployment();
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': `public, max-age=${deployment.live ? 5 : 300}`,
  };
  return new Response(JSON.stringify(openApi(deployment)), { headers });
}

/** The route must not be prerendered, because the deployment's address is unknown at build time. */
export const dynamic = 'force-dynamic';
