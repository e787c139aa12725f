import { pageTitle } from '@/app/_components/messages';
import { NewLocationPage } from '../../_components/pages/location';
import { editRoute } from '../../_components/routes';

export const generateMetadata = pageTitle('catalog', 'pages.newLocation');

export default editRoute(NewLocationPage);
