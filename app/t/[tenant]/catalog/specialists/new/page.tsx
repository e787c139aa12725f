import { pageTitle } from '@/app/_components/messages';
import { NewSpecialistPage } from '../../_components/pages/specialist';
import { editRoute } from '../../_components/routes';

export const generateMetadata = pageTitle('catalog', 'pages.newSpecialist');

export default editRoute(NewSpecialistPage);
