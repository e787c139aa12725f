// Generates the client types. Must be run after a change to the contract.
import { writeFileSync } from 'node:fs';
import { GENERATED, generateTypes } from './client-types';

writeFileSync(GENERATED, await generateTypes());
