// Generates the client types. Run this script after every change to the contract.
import { writeFileSync } from 'node:fs';
import { GENERATED, generateTypes } from './client-types';

writeFileSync(GENERATED, await generateTypes());
