// Generates the client types and the published client. Run this program after every change to the contract.
import { generateAll } from './client-types';

await generateAll();
