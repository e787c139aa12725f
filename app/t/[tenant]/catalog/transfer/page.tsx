import { pageTitle } from '@/app/_components/messages';
import { editRoute } from '../_components/routes';
import { TransferView } from './_components/transfer-view';

export const generateMetadata = pageTitle('catalog', 'pages.transfer');

export default editRoute(TransferView);
