import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const labels = z.record(z.string(), z.string());
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/api/health', '/api/health/live']), port: z.literal('http') }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number(),
});
const quantities = z.strictObject({ cpu: z.string().optional(), memory: z.string() });

const container = z.strictObject({
  name: z.string(),
  image: z.string().regex(/:\d+\.\d+\.\d+$/),
  command: z.array(z.string()).optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })).optional(),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  resources: z.strictObject({ requests: quantities, limits: quantities }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true).optional() }),
  ),
});

const template = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    restartPolicy: z.literal('Never').optional(),
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number().optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.literal(1000),
      runAsGroup: z.literal(1000),
      fsGroup: z.literal(1000),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    topologySpreadConstraints: z.array(z.object({ labelSelector: z.object({ matchLabels: labels }) })).optional(),
    containers: z.tuple([container]),
    volumes: z.array(
      z.strictObject({
        name: z.string(),
        secret: z.strictObject({ secretName: z.string(), defaultMode: z.number() }).optional(),
        emptyDir: z.strictObject({}).optional(),
      }),
    ),
  }),
});

const selector = z.strictObject({ matchLabels: labels });
const metadata = z.strictObject({ name: z.string(), labels });
const strategy = z.strictObject({
  rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }),
});

/** The kinds of Kubernetes objects that the files may contain, with the API version and the fields of each kind. */
const resource = z.discriminatedUnion('kind', [
  z.strictObject({ apiVersion: z.literal('v1'), kind: z.literal('ConfigMap'), metadata, data: labels }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    metadata,
    spec: z.strictObject({ replicas: z.literal(2), selector, strategy, template }),
  }),
  z.strictObject({
    apiVersion: z.literal('batch/v1'),
    kind: z.literal('Job'),
    metadata,
    spec: z.strictObject({ backoffLimit: z.number(), ttlSecondsAfterFinished: z.number(), template }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({ minAvailable: z.literal(1), selector }),
  }),
]);

const resources = ['booking', 'migrate'].flatMap((name) =>
  parseAllDocuments(readFileSync(`deploy/kubernetes/${name}.yaml`, 'utf8')).map((document) =>
    resource.parse(document.toJS()),
  ),
);

function only<Kind extends (typeof resources)[number]['kind']>(kind: Kind) {
  const found = resources.find((one): one is Extract<typeof one, { kind: Kind }> => one.kind === kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}

const deployment = only('Deployment');
const pods = [deployment.spec.template, only('Job').spec.template];

test('the selectors match the pods of the deployment, and only these', () => {
  const { labels: server } = deployment.spec.template.metadata;
  const selectors = [
    deployment.spec.selector.matchLabels,
    only('PodDisruptionBudget').spec.selector.matchLabels,
    only('Service').spec.selector,
    ...(deployment.spec.template.spec.topologySpreadConstraints ?? []).map((one) => one.labelSelector.matchLabels),
  ];
  expect(selectors.length).toBe(4);
  for (const one of selectors) expect(one).toEqual(server);
  expect(only('Job').spec.template.metadata.labels).not.toEqual(server);
});

test('every mounted volume exists, and everything that a start writes is on a volume', () => {
  for (const { spec } of pods) {
    const mounts = spec.containers[0].volumeMounts;
    expect(mounts.map(({ name }) => name).sort()).toEqual(spec.volumes.map(({ name }) => name).sort());
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(['/run/secrets/booking', '/data', '/tmp']);
  }
});

test('the probes distinguish readiness and liveness, and a stop has time to drain', () => {
  const [server] = deployment.spec.template.spec.containers;
  expect(server.readinessProbe?.httpGet.path).toBe('/api/health');
  expect(server.livenessProbe?.httpGet.path).toBe('/api/health/live');
  expect(server.startupProbe?.httpGet.path).toBe('/api/health/live');
  expect(server.ports).toEqual([{ name: 'http', containerPort: 3000 }]);
  const drain = Number(only('ConfigMap').data.DRAIN_DELAY);
  expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 15);
});

test('every setting exists, and all pods run the same version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const page = readFileSync('docs/settings.md', 'utf8');
  const migration = Object.fromEntries((pods[1]?.spec.containers[0].env ?? []).map(({ name, value }) => [name, value]));
  const { data } = only('ConfigMap');
  // Only the job that migrates has the URL of the role that owns the database.
  const { MIGRATION_DATABASE_URL_FILE: ownerFile, ...others } = migration;
  expect(ownerFile).toBe('/run/secrets/booking/migration_database_url');
  expect(pods.map(({ spec }) => spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []))).toEqual([
    ['booking'],
    ['booking-migrate'],
  ]);
  for (const name of Object.keys(data)) expect(page).toContain(`\`${name.replace(/_FILE$/, '')}\``);
  expect(data).toMatchObject(others);
  expect(data).not.toHaveProperty('MIGRATION_DATABASE_URL_FILE');
  for (const { spec } of pods) expect(spec.containers[0].image).toBe(`registry.example/partner-booking:${version}`);
});
