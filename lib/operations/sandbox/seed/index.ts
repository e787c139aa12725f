export { seedCatalogue } from './catalogue';
export type { SandboxCredentials } from './credentials';
export { reissueCredentials } from './reissue';
export { seedSandbox } from './sandbox';
