export { seedCatalog } from './catalog';
export { hasCredentials, type SandboxCredentials } from './credentials';
export { reissueCredentials } from './reissue';
export { seedSandbox } from './sandbox';
