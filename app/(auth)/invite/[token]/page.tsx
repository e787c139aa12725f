import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { currentPerson } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { ProviderButton } from '@/app/(auth)/sign-in/_components/provider-button';
import { type OpenInvitation, readInvitation } from '@/lib/access/owners/accept';
import type { SignedIn } from '@/lib/access/owners/session';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { oidcSettings } from '@/lib/platform/env';
import { AcceptForm, Choice } from './_components/accept-form';
import { JoinForm } from './_components/join-form';

export const metadata: Metadata = { title: 'Invitation' };

type Props = { params: Promise<{ token: string }> };

/** The page that an invitation link opens. */
export default async function InvitePage({ params }: Props) {
  const { token } = await params;
  const invitation = await read(token);
  return (
    <Frame title="Invitation">
      {invitation === 'too many' && <Text size="sm">Too many attempts. Reload this page in a minute.</Text>}
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
    return await readInvitation(token, address, systemClock());
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return 'too many';
    throw error;
  }
}

function Ended() {
  return (
    <Stack gap="sm">
      <Text size="sm">
        This link does not work. It may have expired, or it may have been used or revoked. Ask an owner for a new link.
      </Text>
      <Anchor href="/sign-in" size="sm">
        Sign in
      </Anchor>
    </Stack>
  );
}

const ROLES: Record<OpenInvitation['role'], { name: string; text: string }> = {
  OWNER: { name: 'Owner', text: 'Owners can view and change everything.' },
  SUPPORT: {
    name: 'Support',
    text: 'Support members can view applications, bookings, and requests, but not secrets or contact details.',
  },
  FRONT_DESK: {
    name: 'Front desk',
    text: 'Front desk members can view and change bookings, and view contact details and the catalog.',
  },
};

type InvitationProps = { token: string; invitation: OpenInvitation; person: SignedIn | null };

function Invitation({ token, invitation, person }: InvitationProps) {
  const { tenantName, invitedBy, email, role } = invitation;
  const provider = oidcSettings();
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {invitedBy} invited <b>{email}</b> to join <b>{tenantName}</b>’s Control Center.
      </Text>
      <Text size="sm">
        Your role: <b>{ROLES[role].name}</b>. {ROLES[role].text}
      </Text>
      {person && person.email !== email ? (
        <Alert color="yellow" title={`You are signed in as ${person.email}`}>
          This invitation is for another email address. To accept the invitation, sign out of the Control Center. Then
          open this link again.
        </Alert>
      ) : person?.addressProven ? (
        <JoinForm token={token} />
      ) : person ? (
        <>
          <Text size="sm">
            You are signed in with an account of another business. Choose a password for {tenantName}.
          </Text>
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
