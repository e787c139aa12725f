import { pageTitle } from '@/app/_components/messages';
import { NothingHerePage } from './_components/shell/late-pages';

export const generateMetadata = pageTitle('shell', 'notFound.title');

export default function NotFoundPage() {
  return <NothingHerePage />;
}
