import { pageTitle } from '@/app/_components/messages';
import { RecordListPage } from '../_components/lists/record-list';
import { listRoute } from '../_components/routes';

export const generateMetadata = pageTitle('catalog', 'pages.specialists');

export default listRoute('specialist', RecordListPage);
