// Generates the client types and the published client. Run this script after every change to the contract.
import { generateAll } from './client-types';

await generateAll();
