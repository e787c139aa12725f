import { pageTitle } from '@/app/_components/messages';
import { editRoute } from '../_components/routes';
import { BlocksView } from './_components/blocks-view';

export const generateMetadata = pageTitle('catalog', 'pages.blocks');

export default editRoute(BlocksView);
