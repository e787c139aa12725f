import { pageTitle } from '@/app/_components/messages';
import { PreviewView } from './_components/preview-view';

export const generateMetadata = pageTitle('catalog', 'pages.preview');

export default function PreviewPage() {
  return <PreviewView />;
}
