export { seedCatalog } from './catalog';
export type { SandboxCredentials } from './credentials';
export { reissueCredentials } from './reissue';
export { seedSandbox } from './sandbox';
