import { pageTitle } from '@/app/_components/messages';
import { NothingHerePage } from './_components/shell/nothing-here-page';

export const generateMetadata = pageTitle('shell', 'notFound.title');

export default function NotFoundPage() {
  return <NothingHerePage />;
}
