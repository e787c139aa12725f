import { pageTitle, translator } from '@/app/_components/messages';
import { Frame } from '@/app/(auth)/_components/frame';
import { MailedLink } from '@/app/(auth)/_components/mailed-link';
import { newAddressOf } from '@/lib/access/owners/address-change';
import { ConfirmForm } from './_components/confirm-form';

export const generateMetadata = pageTitle('signIn', 'address.tab');

type Props = { params: Promise<{ token: string }> };

export default async function NewAddressPage({ params }: Props) {
  const [{ token }, t] = await Promise.all([params, translator('signIn')]);
  return (
    <Frame title={t('address.title')}>
      <MailedLink token={token} addressOf={newAddressOf} otherwise={{ href: '/', label: t('frame.open') }}>
        {(email) => <ConfirmForm token={token} email={email} />}
      </MailedLink>
    </Frame>
  );
}
