import { Anchor, Stack, Text } from '@mantine/core';
import { redirect } from 'next/navigation';
import { Hint } from '@/app/_components/hint';
import { Messages, pageTitle, translator } from '@/app/_components/messages';
import { ProviderAgain } from '@/app/_components/sign-in/provider-again';
import { signInPath } from '@/app/_components/sign-in/sign-in-path';
import { currentPerson } from '@/app/_session';
import { Frame } from '@/app/(auth)/_components/frame';
import { RequiredPasswordPage } from '@/app/t/[tenant]/_components/shell/late-pages';
import { Providers } from '@/app/t/[tenant]/_components/shell/providers';
import { offersTo } from '@/lib/access/owners/address-proof';
import { CONFIRMED_MINUTES, isConfirmed } from '@/lib/access/owners/confirmed-minutes';
import { lastTenantOf } from '@/lib/access/owners/memberships';
import { env, oidcSettings } from '@/lib/platform/env';
import { Offers } from './_components/offers';
import { SignOut } from './_components/sign-out';

export const generateMetadata = pageTitle('signIn', 'join.title');

const NO_TENANT = { id: '', name: '' };

/**
 * Asks a person who has proven an address whether the other accounts with this address are theirs. With a password that the
 * operator issued, the person first sets a new one.
 */
export default async function JoinPage() {
  const person = await currentPerson();
  if (!person) redirect(signInPath('/join'));
  const [offers, tenantId] = await Promise.all([offersTo(person), lastTenantOf(person.userId)]);
  if (offers.length === 0 || (person.mustChangePassword && tenantId !== null)) redirect('/');
  if (person.mustChangePassword) {
    const who = { name: person.name, email: person.email, role: 'SUPPORT', tenantName: '' } as const;
    return (
      <Messages of={['shell', 'account']}>
        <Providers tenant={{ ...NO_TENANT, environment: env().ENVIRONMENT }} who={who} onPhone={false}>
          <RequiredPasswordPage />
        </Providers>
      </Messages>
    );
  }
  const t = await translator('signIn.join');
  const provider = oidcSettings();
  const mayJoin = isConfirmed(new Date(), person);
  return (
    <Frame title={t('title')}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('lead', { email: person.email, count: offers.length, b: (chunks) => <b>{chunks}</b> })}
      </Text>
      {!mayJoin && (
        <Stack gap="xs">
          <Text size="sm">{t('proofOld', { minutes: CONFIRMED_MINUTES })}</Text>
          {provider && <ProviderAgain name={provider.name} />}
        </Stack>
      )}
      <Offers offers={offers.map(({ joined_at, ...offer }) => offer)} mayJoin={mayJoin} />
      <Hint>{t('unknown')}</Hint>
      {tenantId === null ? <SignOut /> : <Anchor href="/">{t('without')}</Anchor>}
    </Frame>
  );
}
