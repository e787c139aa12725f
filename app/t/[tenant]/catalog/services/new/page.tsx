import { pageTitle } from '@/app/_components/messages';
import { NewServicePage } from '../../_components/pages/service';
import { editRoute } from '../../_components/routes';

export const generateMetadata = pageTitle('catalog', 'pages.newService');

export default editRoute(NewServicePage);
