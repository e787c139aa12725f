import { pageTitle } from '@/app/_components/messages';
import { TeamView } from './_components/team-view';

export const generateMetadata = pageTitle('team', 'title');

export default function TeamPage() {
  return <TeamView />;
}
