import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import type { Me } from '@/lib/contract/me';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { WINDOW } from '@/lib/platform/rate-limit/rate-limit';
import { inTenant } from '@/lib/platform/tenant-scope';
import { snapshotOf } from '../catalog/snapshot';

/**
 * Returns whose key it is, and what it may do now (contract B16). The names are read, so they are always current.
 * @throws AppError service_unavailable if the key was deleted just now.
 */
export async function readMe(policy: Policy): Promise<Me> {
  const { keyId, tenantId, applicationId, endsAt } = policy;
  const key = await inTenant(tenantId, () =>
    db().apiKey.findFirst({
      where: { id: keyId, applicationId },
      select: {
        name: true,
        lastFour: true,
        application: {
          select: {
            name: true,
            agentsAsk: true,
            tenant: { select: { name: true, locales: true, defaultLocale: true } },
          },
        },
      },
    }),
  );
  if (!key) throw new AppError('service_unavailable');
  const { name, agentsAsk, tenant } = key.application;
  const { locations } = await snapshotOf(tenantId);
  const allowed = [...locations.values()].filter(({ id, published }) => published && mayUseLocation(policy, id));
  return {
    application: { id: applicationId, name },
    business: { name: tenant.name, languages: tenant.locales, default_language: tenant.defaultLocale },
    environment: env().ENVIRONMENT,
    api_version: 'v1',
    scopes: [...policy.scopes].sort(),
    all_locations: policy.allLocations,
    location_ids: allowed.map(({ id }) => id),
    quota: { requests: policy.quota, seconds: WINDOW },
    agents: { confirmation: agentsAsk ? 'required' : 'not_required' },
    key: {
      name: key.name,
      last_four: key.lastFour,
      expires_at: endsAt === null ? null : new Date(endsAt).toISOString(),
    },
  };
}
