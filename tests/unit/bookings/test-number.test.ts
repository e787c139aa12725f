import { expect, test } from 'vitest';
import { isTestNumber } from '@/lib/booking/bookings/test-number';

test.for([
  '+12125550100',
  '+442079460018',
  '+447700900123',
  '+441614960999',
  '+493023125234',
  '+491713920012',
  '+33199001234',
  '+33639981234',
  '+61491570156',
  '+61255501234',
  '+353209112345',
  '+46313900650',
  '+999000000111',
])('%s belongs to nobody', (phone) => {
  expect(isTestNumber(phone)).toBe(true);
});

test.for([
  '+493055501234',
  '+12125550200',
  '+442079461018',
  '+447700901123',
  '+33199011234',
  '+46313900750',
  '+870773111632',
])('%s may belong to a person', (phone) => {
  expect(isTestNumber(phone)).toBe(false);
});
