import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { NewSpecialistPage } from '../../_components/pages/specialist';

export const generateMetadata = pageTitle('catalog', 'pages.newSpecialist');

export default async function Page() {
  const member = await currentMember();
  return <NewSpecialistPage canEdit={member?.role === 'OWNER'} />;
}
