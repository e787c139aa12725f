import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { NewLocationPage } from '../../_components/pages/location';

export const generateMetadata = pageTitle('catalog', 'pages.newLocation');

export default async function Page() {
  const member = await currentMember();
  return <NewLocationPage canEdit={member?.role === 'OWNER'} />;
}
