import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { TransferView } from './_components/transfer-view';

export const generateMetadata = pageTitle('catalog', 'pages.transfer');

export default async function TransferPage() {
  const member = await currentMember();
  return <TransferView canEdit={member?.role === 'OWNER'} />;
}
