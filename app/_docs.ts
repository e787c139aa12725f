import type { Deployment } from '@/lib/contract/docs/deployment';
import { sandboxExample } from '@/lib/operations/sandbox/example';
import { env } from '@/lib/platform/env';

/** Returns the deployment that the documentation describes, in TEST with records of the sandbox for its examples. */
export async function docsDeployment(): Promise<Deployment> {
  const live = (await sandboxExample(new Date())) ?? undefined;
  return { ...plainDeployment(), live };
}

/** Returns the deployment with recorded examples, which never change. */
export function plainDeployment(): Deployment {
  const { origin, ENVIRONMENT, keyPrefix, OTHER_ENVIRONMENT_URL: otherUrl, SUPPORT_CONTACT: support } = env();
  return { origin, environment: ENVIRONMENT, keyPrefix, otherUrl, support };
}
