// A test runs this with TEST_ZONE_RULES, and kills it.
import { bringRulesIntoForce } from '@/lib/operations/environment/zone-rules';
import { closeDb } from '@/lib/platform/db';

const derived = await bringRulesIntoForce(new Date(), new AbortController().signal);
console.log(JSON.stringify(derived));
await closeDb();
