import { listLocations, listServices, listSpecialists, readChoices } from '../../catalog/edit/list';
import { LOCATIONS } from '../../catalog/edit/location-kind';
import type { LocationInput, ServiceInput, SpecialistInput } from '../../catalog/edit/schemas';
import { SERVICES } from '../../catalog/edit/service-kind';
import { SPECIALISTS } from '../../catalog/edit/specialist-kind';
import { memberProcedure, router } from '../init';
import { recordInput, recordRouter } from './catalog-records';
import {
  choicesShape,
  locationShape,
  locationSummary,
  serviceShape,
  serviceSummary,
  specialistShape,
  specialistSummary,
} from './catalog-shapes';

/** The catalogue: services, locations, specialists. Members read, owners change. */
export const catalogRouter = router({
  choices: memberProcedure.output(choicesShape).query(async ({ ctx: { member } }) => {
    const { locales, defaultLocale, ...choices } = await readChoices(member.tenantId);
    return { ...choices, locales: [...locales], default_locale: defaultLocale };
  }),
  services: recordRouter({
    kind: SERVICES,
    input: recordInput<ServiceInput>(),
    shape: serviceShape,
    summary: serviceSummary,
    list: listServices,
  }),
  locations: recordRouter({
    kind: LOCATIONS,
    input: recordInput<LocationInput>(),
    shape: locationShape,
    summary: locationSummary,
    list: listLocations,
  }),
  specialists: recordRouter({
    kind: SPECIALISTS,
    input: recordInput<SpecialistInput>(),
    shape: specialistShape,
    summary: specialistSummary,
    list: listSpecialists,
  }),
});
