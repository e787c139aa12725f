import { pageTitle } from '@/app/_components/messages';
import { EnvironmentView } from './_components/environment-view';

export const generateMetadata = pageTitle('environment', 'title');

export default function EnvironmentPage() {
  return <EnvironmentView />;
}
