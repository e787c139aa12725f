import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core';
import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { offersTo } from '@/lib/access/owners/address-proof';
import { hasPassword } from '@/lib/access/owners/proof';
import { isMailOn } from '@/lib/activity/mail/queue';
import { PageHeader } from '../_components/shell/page-header';
import { EmailSection } from './_components/email-section';
import { LanguageSection } from './_components/language-section';
import { MailSection } from './_components/mail-section';
import { PasswordForm } from './_components/password-form';
import { SecondFactorSection } from './_components/second-factor/second-factor-section';
import { SessionSection } from './_components/session-section';

export const generateMetadata = pageTitle('account', 'page.title');

export default async function AccountPage() {
  const [member, t] = await Promise.all([currentMember(), translator('account.page')]);
  const [withPassword, offers] = member
    ? await Promise.all([hasPassword(member.userId), offersTo(member)])
    : [true, []];
  return (
    <>
      <PageHeader title={t('title')} lead={withPassword ? t('lead') : t('leadNoPassword')} />
      <Stack gap="md" maw={1080}>
        {offers.length > 0 && (
          <Alert title={t('elsewhere')}>
            {offers.map(({ tenant_name }) => tenant_name).join(', ')} · <Anchor href="/join">{t('join')}</Anchor>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack gap="md">
            {withPassword && <PasswordForm />}
            {member && (
              <EmailSection
                email={member.email}
                proven={member.addressProven}
                withPassword={withPassword}
                mail={isMailOn()}
              />
            )}
            <SecondFactorSection />
          </Stack>
          <Stack gap="md">
            {member && <LanguageSection language={member.language} hourCycle={member.hourCycle} />}
            <MailSection />
            <SessionSection withPassword={withPassword} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </>
  );
}
