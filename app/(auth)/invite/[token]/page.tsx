import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { pageTitle, translator } from '@/app/_components/messages';
import { currentPerson } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { ProviderButton } from '@/app/(auth)/sign-in/_components/provider-button';
import { type OpenInvitation, readInvitation } from '@/lib/access/owners/accept';
import type { SignedIn } from '@/lib/access/owners/session';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { oidcSettings } from '@/lib/platform/env';
import { AcceptForm, Choice } from './_components/accept-form';
import { JoinForm } from './_components/join-form';

export const generateMetadata = pageTitle('signIn', 'invitation.title');

type Props = { params: Promise<{ token: string }> };

/** The page that an invitation link opens. */
export default async function InvitePage({ params }: Props) {
  const { token } = await params;
  const [invitation, t] = await Promise.all([read(token), translator('signIn')]);
  return (
    <Frame title={t('invitation.title')}>
      {invitation === 'too many' && <Text size="sm">{t('frame.tooMany')}</Text>}
      {invitation === null && <Ended />}
      {invitation !== null && invitation !== 'too many' && (
        <Invitation token={token} invitation={invitation} person={await currentPerson()} />
      )}
    </Frame>
  );
}

async function read(token: string): Promise<OpenInvitation | null | 'too many'> {
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  try {
    return await readInvitation(token, address, new Date());
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'too many';
    throw error;
  }
}

async function Ended() {
  const t = await translator('signIn');
  return (
    <Stack gap="sm">
      <Text size="sm">{t('invitation.ended')}</Text>
      <Anchor href="/sign-in" size="sm">
        {t('frame.signIn')}
      </Anchor>
    </Stack>
  );
}

type InvitationProps = { token: string; invitation: OpenInvitation; person: SignedIn | null };

async function Invitation({ token, invitation, person }: InvitationProps) {
  const t = await translator('signIn.invitation');
  const b = (chunks: ReactNode) => <b>{chunks}</b>;
  const { tenantName, invitedBy, email, role } = invitation;
  const provider = oidcSettings();
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('invited', { by: invitedBy, email, tenant: tenantName, b })}
      </Text>
      <Text size="sm">{t.rich(role, { b })}</Text>
      {person && person.email !== email ? (
        <Alert color="yellow" title={t('otherTitle', { email: person.email })}>
          {t('otherText')}
        </Alert>
      ) : person?.addressProven ? (
        <JoinForm token={token} />
      ) : person ? (
        <>
          <Text size="sm">{t('otherAccount', { tenant: tenantName })}</Text>
          <AcceptForm token={token} email={email} />
        </>
      ) : (
        <Choice
          token={token}
          email={email}
          provider={provider && <ProviderButton name={provider.name} next={`/invite/${token}`} error={null} />}
        />
      )}
    </Stack>
  );
}
