import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Messages } from '@/app/_components/messages';
import { signInPath } from '@/app/_components/sign-in/sign-in-path';
import { tenantIn } from '@/app/_components/tenant-path';
import { currentAccess, currentPerson } from '@/app/_session';
import { offersTo } from '@/lib/access/owners/address-proof';
import { tenantsOf } from '@/lib/access/owners/memberships';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { env } from '@/lib/platform/env';
import { inTenant } from '@/lib/platform/tenant-scope';
import { disabledEndpoints } from '@/lib/webhooks/view';
import { mayViewPartners, viewerOf } from './_components/roles';
import { RequiredPasswordPage, RequiredSetupPage } from './_components/shell/late-pages';
import { Providers } from './_components/shell/providers';
import { Shell } from './_components/shell/shell';

/**
 * The frame of a tenant's pages. A person who is not a member of a tenant gets the same response as for a tenant that
 * does not exist, so the response does not reveal which tenants exist.
 */
export default async function TenantLayout({ children }: { children: ReactNode }) {
  const [member, given] = await Promise.all([currentAccess(), headers()]);
  if (member === null) redirect(signInPath(given.get(EDGE_HEADERS.target) ?? '/'));
  if (member === 'outsider') return toOffer(tenantIn(given.get(EDGE_HEADERS.target) ?? ''));
  const { userId, name, email, role, tenantName, tenantId, suspended, lacksSecondFactor } = member;
  const who = { name, email, role, viewer: viewerOf(member), tenantName };
  const { ENVIRONMENT: environment, OTHER_ENVIRONMENT_URL: otherUrl = null } = env();
  const tenant = { id: tenantId, name: tenantName, environment };
  const onPhone = /Mobi/.test(given.get('user-agent') ?? '');
  if (member.mustChangePassword)
    return (
      <Messages of={['shell', 'account']}>
        <Providers tenant={tenant} who={who} onPhone={onPhone}>
          <RequiredPasswordPage />
        </Providers>
      </Messages>
    );
  const viewsPartners = mayViewPartners(role) && !lacksSecondFactor;
  const [tenants, disabled] = await Promise.all([tenantsOf(userId), viewsPartners ? disabledOf(tenantId) : null]);
  return (
    <Messages of={lacksSecondFactor ? ['shell', 'account'] : ['shell', 'affected']}>
      <Providers tenant={tenant} who={who} onPhone={onPhone}>
        {lacksSecondFactor ? (
          <RequiredSetupPage tenantName={tenantName} others={tenants.filter(({ id }) => id !== tenantId)} />
        ) : (
          <Shell who={{ ...who, tenantId, tenants, suspended, environment, otherUrl }} disabled={disabled}>
            {children}
          </Shell>
        )}
      </Providers>
    </Messages>
  );
}

/** Shows a tenant in which the person can take over an account as the page where they do this, and any other as unknown. */
async function toOffer(tenantId: string | null): Promise<never> {
  const person = await currentPerson();
  const offers = person ? await offersTo(person) : [];
  if (offers.some((offer) => offer.tenant_id === tenantId)) redirect('/join');
  notFound();
}

/** The server loads them so that the banner is part of the first paint and does not shift the layout later. */
async function disabledOf(tenantId: string) {
  const disabled = await inTenant(tenantId, () => disabledEndpoints(tenantId));
  return disabled.map(({ disabled_at, ...rest }) => ({ ...rest, disabled_at: disabled_at.toISOString() }));
}
