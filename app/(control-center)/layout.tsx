import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Document } from '@/app/_components/document';
import { currentMember } from '@/app/_session';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { env } from '@/lib/platform/env';
import { disabledEndpoints } from '@/lib/webhooks/view';
import { Providers } from './_components/providers';
import { RequiredSetupPage } from './_components/required-setup-page';
import { mayViewPartners } from './_components/roles';
import { Shell } from './_components/shell';

export const metadata: Metadata = {
  title: { default: 'Control Center', template: '%s · Control Center' },
  robots: { index: false },
};

export default async function ControlCenterLayout({ children }: { children: ReactNode }) {
  const [member, given] = await Promise.all([currentMember(), headers()]);
  if (!member) {
    const target = given.get(EDGE_HEADERS.target) ?? '/';
    redirect(target === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(target)}`);
  }
  const { name, email, role, tenantName, tenantId, suspended, lacksSecondFactor } = member;
  const { ENVIRONMENT: environment, OTHER_ENVIRONMENT_URL: otherUrl = null } = env();
  const onPhone = /Mobi/.test(given.get('user-agent') ?? '');
  return (
    <Document>
      <Providers who={{ name, email, role, tenantName }} onPhone={onPhone}>
        {lacksSecondFactor ? (
          <RequiredSetupPage tenantName={tenantName} />
        ) : (
          <Shell
            who={{ name, email, role, tenantName, suspended, environment, otherUrl }}
            disabled={mayViewPartners(role) ? await disabledOf(tenantId) : null}
          >
            {children}
          </Shell>
        )}
      </Providers>
    </Document>
  );
}

/**
 * Returns the disabled endpoints for the banner. The server loads them so that the banner is part of the first paint
 * and does not shift the layout later.
 */
async function disabledOf(tenantId: string) {
  const disabled = await disabledEndpoints(tenantId);
  return disabled.map(({ disabled_at, ...rest }) => ({ ...rest, disabled_at: disabled_at.toISOString() }));
}

/** Must not be prerendered: the page depends on the session and contains a nonce that differs for each request. */
export const dynamic = 'force-dynamic';
