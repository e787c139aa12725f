// Regenerates the client types after a change of the contract.
import { writeFileSync } from 'node:fs';
import { GENERATED, generateTypes } from './client-types';

writeFileSync(GENERATED, await generateTypes());
