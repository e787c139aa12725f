import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { NewServicePage } from '../../_components/pages/service';

export const generateMetadata = pageTitle('catalog', 'pages.newService');

export default async function Page() {
  const member = await currentMember();
  return <NewServicePage canEdit={member?.role === 'OWNER'} />;
}
