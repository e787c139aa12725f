import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { BlocksView } from './_components/blocks-view';

export const generateMetadata = pageTitle('catalog', 'pages.blocks');

export default async function Page() {
  const member = await currentMember();
  return <BlocksView canEdit={member?.role === 'OWNER'} />;
}
