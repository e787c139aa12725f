import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { MailedLink } from '@/app/(auth)/_components/mailed-link';
import { addressOfLink } from '@/lib/access/owners/password-link';
import { NewPasswordForm } from './_components/new-password-form';

export const generateMetadata = pageTitle('signIn', 'newPassword.tab');

type Props = { params: Promise<{ token: string }> };

export default async function NewPasswordPage({ params }: Props) {
  const [{ token }, t] = await Promise.all([params, translator('signIn')]);
  const otherwise = { href: '/password', label: t('newPassword.newLink') };
  return (
    <Frame title={t('newPassword.title')}>
      <MailedLink token={token} addressOf={addressOfLink} otherwise={otherwise}>
        {(email) => <NewPasswordForm token={token} email={email} />}
      </MailedLink>
    </Frame>
  );
}
