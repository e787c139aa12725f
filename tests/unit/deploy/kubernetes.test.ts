import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { hasProgram } from '@/tests/support/programs';

const DIRECTORY = 'deploy/kubernetes';
/** What an operator applies. The other directories are parts of these. */
const OVERLAYS = ['live', 'migrate', 'rotate'];

// Kubernetes refuses unknown fields, so these shapes do, too. They were compared with the schemas of the API by hand
// (docs/kubernetes.md).
const labels = z.record(z.string(), z.string());
const named = z.strictObject({ name: z.string() });
const selector = z.strictObject({ matchLabels: labels });
const metadata = z.strictObject({ name: z.string(), labels });
const file = <Kind extends string, Spec extends z.ZodType>(apiVersion: string, kind: Kind, spec: Spec) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, spec });

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/api/health', '/api/health/live']), port: z.literal('http') }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number(),
});
const quantities = z.strictObject({ cpu: z.string().optional(), memory: z.string() });

const container = z.strictObject({
  name: z.string(),
  image: z.literal('partner-booking'),
  command: z.array(z.string()).optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z.tuple([z.strictObject({ configMapRef: z.strictObject({ name: z.literal('booking') }) })]),
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

const volume = z.strictObject({
  name: z.string(),
  secret: z.strictObject({ secretName: z.string(), defaultMode: z.literal(0o440) }).optional(),
  projected: z
    .strictObject({ defaultMode: z.literal(0o440), sources: z.array(z.strictObject({ secret: named })) })
    .optional(),
  persistentVolumeClaim: z.strictObject({ claimName: z.literal('booking-backups') }).optional(),
  emptyDir: z.strictObject({}).optional(),
});

const template = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    restartPolicy: z.literal('Never').optional(),
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number().optional(),
    // The level `restricted` of the Pod Security Standards.
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.literal(1000),
      runAsGroup: z.literal(1000),
      fsGroup: z.literal(1000),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.number(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.literal('ScheduleAnyway'),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.tuple([container]),
    volumes: z.array(volume),
  }),
});

const job = z.strictObject({ backoffLimit: z.number(), ttlSecondsAfterFinished: z.number(), template });
const rule = z.looseObject({ ports: z.array(z.looseObject({ port: z.union([z.string(), z.number()]) })).optional() });

const resource = z.discriminatedUnion('kind', [
  file(
    'apps/v1',
    'Deployment',
    z.strictObject({
      selector,
      strategy: z.strictObject({
        rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }),
      }),
      template,
    }),
  ),
  file('batch/v1', 'Job', job),
  file(
    'batch/v1',
    'CronJob',
    z.strictObject({
      schedule: z.string().regex(/^\d+ \d+ \* \* \*$/),
      timeZone: z.literal('Etc/UTC'),
      concurrencyPolicy: z.literal('Forbid'),
      startingDeadlineSeconds: z.number(),
      jobTemplate: z.strictObject({ spec: job }),
    }),
  ),
  file(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    z.strictObject({
      scaleTargetRef: z.strictObject({
        apiVersion: z.literal('apps/v1'),
        kind: z.literal('Deployment'),
        name: z.literal('booking'),
      }),
      minReplicas: z.literal(2),
      maxReplicas: z.number(),
      metrics: z.array(z.looseObject({ type: z.literal('Resource') })),
      behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.number() }) }),
    }),
  ),
  file(
    'v1',
    'Service',
    z.strictObject({
      selector: labels,
      ports: z.tuple([z.strictObject({ name: z.literal('http'), port: z.literal(80), targetPort: z.literal('http') })]),
    }),
  ),
  file(
    'v1',
    'PersistentVolumeClaim',
    z.strictObject({
      accessModes: z.tuple([z.literal('ReadWriteOnce')]),
      resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
    }),
  ),
  file('policy/v1', 'PodDisruptionBudget', z.strictObject({ minAvailable: z.literal(1), selector })),
  file(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(rule).optional(),
      egress: z.array(rule).optional(),
    }),
  ),
  file(
    'k8s.nginx.org/v1',
    'VirtualServer',
    z.strictObject({
      host: z.string(),
      tls: z.strictObject({ secret: z.string(), redirect: z.strictObject({ enable: z.literal(true) }) }),
      upstreams: z.array(z.record(z.string(), z.unknown())).length(2),
      routes: z.array(z.strictObject({ path: z.string(), action: z.record(z.string(), z.unknown()) })),
    }),
  ),
  file(
    'monitoring.coreos.com/v1',
    'PodMonitor',
    z.strictObject({
      jobLabel: z.string(),
      selector,
      podMetricsEndpoints: z.tuple([z.record(z.string(), z.unknown())]),
    }),
  ),
]);

const kustomization = z.strictObject({
  apiVersion: z.enum(['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1']),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).optional(),
  components: z.array(z.string()).optional(),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).optional(),
  configMapGenerator: z
    .array(
      z.strictObject({
        name: z.literal('booking'),
        behavior: z.literal('merge').optional(),
        envs: z.array(z.string()).optional(),
        literals: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

const read = (path: string) =>
  parseAllDocuments(readFileSync(join(DIRECTORY, path), 'utf8')).map((one) => one.toJS() as unknown);

/** Returns the files that a directory applies, and those of which it consists, both relative to DIRECTORY. */
function filesOf(directory: string): { resources: string[]; parts: string[] } {
  const own = join(directory, 'kustomization.yaml');
  const [read_] = read(own);
  const { resources = [], components = [], configMapGenerator = [] } = kustomization.parse(read_);
  const found = [...resources, ...components].map((name) => {
    const path = join(directory, name);
    return name.endsWith('.yaml') ? { resources: [path], parts: [path] } : filesOf(path);
  });
  return {
    resources: found.flatMap((one) => one.resources),
    parts: [
      own,
      ...configMapGenerator.flatMap(({ envs = [] }) => envs.map((name) => join(directory, name))),
      ...found.flatMap(({ parts }) => parts),
    ],
  };
}

const resources = [...new Set(OVERLAYS.flatMap((name) => filesOf(name).resources))].flatMap((path) =>
  read(path).map((one) => resource.parse(one)),
);

function all<Kind extends (typeof resources)[number]['kind']>(kind: Kind) {
  return resources.filter((one): one is Extract<typeof one, { kind: Kind }> => one.kind === kind);
}
function only<Kind extends (typeof resources)[number]['kind']>(kind: Kind) {
  const [found] = all(kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}

const server = only('Deployment').spec.template;
const jobs = [...all('Job').map(({ spec }) => spec.template), only('CronJob').spec.jobTemplate.spec.template];
const pods = [server, ...jobs];

const settings = Object.fromEntries(
  readFileSync(join(DIRECTORY, 'settings/settings.env'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]),
);

test('every file is part of something that an operator applies', () => {
  const used = new Set(OVERLAYS.flatMap((name) => filesOf(name).parts));
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => statSync(join(DIRECTORY, path)).isFile()).sort()).toEqual([...used].sort());
  for (const path of used) expect([path, existsSync(join(DIRECTORY, path))]).toEqual([path, true]);
});

test('the selectors match the pods of the servers, and only these', () => {
  const own = server.metadata.labels;
  const selectors = [
    only('Deployment').spec.selector.matchLabels,
    only('PodDisruptionBudget').spec.selector.matchLabels,
    only('Service').spec.selector,
    only('PodMonitor').spec.selector.matchLabels,
    ...(server.spec.topologySpreadConstraints ?? []).map((one) => one.labelSelector.matchLabels),
  ];
  expect(selectors.length).toBe(5);
  for (const one of selectors) expect(one).toEqual(own);
  for (const { metadata } of jobs) expect(metadata.labels).not.toEqual(own);
});

test('the network policies apply to all pods, and let no pod reach a private address except for names and PostgreSQL', () => {
  const [incoming, outgoing] = all('NetworkPolicy').map(({ spec }) => spec);
  for (const policy of [incoming, outgoing])
    for (const { metadata } of pods) expect(metadata.labels).toMatchObject(policy?.podSelector.matchLabels ?? {});
  expect(incoming?.policyTypes).toEqual(['Ingress']);
  expect(incoming?.ingress?.flatMap(({ ports = [] }) => ports.map(({ port }) => port))).toEqual(['http']);
  const [own, open] = outgoing?.egress ?? [];
  expect([...new Set(own?.ports?.map(({ port }) => port))]).toEqual([53, 5432, 6432]);
  expect(JSON.stringify(open)).toContain('"169.254.0.0/16"');
});

test('every mounted volume exists, and everything that a pod writes is on a volume', () => {
  for (const { spec } of pods) {
    const mounts = spec.containers[0].volumeMounts;
    expect(mounts.map(({ name }) => name).sort()).toEqual(spec.volumes.map(({ name }) => name).sort());
    expect(mounts.slice(0, 3).map(({ mountPath }) => mountPath)).toEqual(['/run/secrets/booking', '/data', '/tmp']);
  }
  const [backup] = only('CronJob').spec.jobTemplate.spec.template.spec.containers;
  expect(backup.command).toEqual(['node', 'scripts/launch.mjs', 'backup', '/backups', '--keep', '14']);
  expect(backup.volumeMounts.at(-1)).toEqual({ name: 'backups', mountPath: '/backups' });
});

test('a database that is down for half a minute takes no pod out of the service, and a stop has time to drain', () => {
  const [{ startupProbe, readinessProbe, livenessProbe, ports }] = server.spec.containers;
  expect([startupProbe, readinessProbe, livenessProbe].map((one) => one?.httpGet.path)).toEqual([
    '/api/health/live',
    '/api/health',
    '/api/health/live',
  ]);
  expect((readinessProbe?.periodSeconds ?? 0) * (readinessProbe?.failureThreshold ?? 0)).toBe(30);
  expect(ports).toEqual([{ name: 'http', containerPort: 3000 }]);
  expect(server.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(settings.DRAIN_DELAY) + 15);
});

test('the ingress has the limits of nginx.conf, and does not lead to the metrics', () => {
  const nginx = readFileSync('deploy/nginx/booking.conf', 'utf8');
  const limitOf = (name: string) => new RegExp(`^\\s*${name} (.*);$`, 'm').exec(nginx)?.[1];
  const { spec } = only('VirtualServer');
  const upstream = {
    service: only('Service').metadata.name,
    'client-max-body-size': limitOf('client_max_body_size'),
    'read-timeout': limitOf('proxy_read_timeout'),
    keepalive: Number(limitOf('keepalive')),
  };
  const [, again] = /location \^~ \/api\/partner\/ \{[^}]*proxy_next_upstream (.*);/.exec(nginx) ?? [];
  expect(spec.upstreams).toMatchObject([
    { ...upstream, name: 'booking', 'next-upstream': limitOf('proxy_next_upstream') },
    { ...upstream, name: 'partner', 'next-upstream': again },
  ]);
  const [refused, partner, passed] = spec.routes;
  expect(nginx).toContain(`location ${refused?.path} { return 404; }`);
  expect([refused?.action, partner, passed]).toMatchObject([
    { return: { code: 404 } },
    { path: '/api/partner/', action: { pass: 'partner' } },
    { path: '/', action: { pass: 'booking' } },
  ]);
  expect(settings.PUBLIC_ORIGIN).toBe(`https://${spec.host}`);
  const page = readFileSync('docs/kubernetes.md', 'utf8');
  expect(page).toContain(`large_client_header_buffers ${limitOf('large_client_header_buffers')};`);
});

test('Prometheus reads each pod with the token, under the name in the alerts', () => {
  const { jobLabel, podMetricsEndpoints } = only('PodMonitor').spec;
  expect(server.metadata.labels[jobLabel]).toBe('booking');
  expect(podMetricsEndpoints[0]).toMatchObject({
    port: 'http',
    path: '/api/metrics',
    authorization: { credentials: { name: 'booking', key: 'metrics_token' } },
  });
});

test('every setting exists, the number of pods is no setting, and only jobs get the role that owns the database', () => {
  const page = readFileSync('docs/settings.md', 'utf8');
  for (const name of Object.keys(settings)) expect(page).toContain(`\`${name.replace(/_FILE$/, '')}\``);
  expect(settings.INSTANCES).toBe('auto');
  expect(settings).not.toHaveProperty('MIGRATION_DATABASE_URL_FILE');
  expect(server.spec.containers[0].env).toBeUndefined();
  const secrets = ({ spec }: (typeof pods)[number]) =>
    spec.volumes.flatMap(({ secret, projected }) => [
      ...(secret ? [secret.secretName] : []),
      ...(projected?.sources ?? []).map((one) => one.secret.name),
    ]);
  expect(secrets(server)).toEqual(['booking']);
  for (const one of jobs) {
    expect(secrets(one)).toEqual(['booking', 'booking-owner']);
    expect(one.spec.containers[0].env).toEqual([
      { name: 'MIGRATION_DATABASE_URL_FILE', value: '/run/secrets/booking/migration_database_url' },
    ]);
  }
});

test('all pods run this version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { images, namespace } = kustomization.parse(read('settings/kustomization.yaml')[0]);
  expect(images).toEqual([{ name: 'partner-booking', newName: 'registry.example/partner-booking', newTag: version }]);
  expect(namespace).toBe('booking');
});

test('the setup link is read when all pods are ready, because each start replaces it', () => {
  const page = readFileSync('docs/kubernetes.md', 'utf8');
  const { minReplicas } = only('HorizontalPodAutoscaler').spec;
  expect(page).toMatch(new RegExp(`readyReplicas\\}'=${minReplicas} [\\s\\S]*setup-link`));
});

const HAS_KUBECTL = hasProgram('kubectl', OVERLAYS.length, 'the check of the overlays', ['version', '--client']);

test.each(HAS_KUBECTL ? OVERLAYS : [])('Kustomize accepts %s', (name) => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(DIRECTORY, name)], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const built = parseAllDocuments(stdout).map((one) => one.toJS());
  const kinds = filesOf(name).resources.flatMap((path) => read(path).map((one) => (one as { kind: string }).kind));
  expect(built.map(({ kind }) => kind).sort()).toEqual([...kinds, 'ConfigMap'].sort());
  const { metadata, data } = built.find(({ kind }) => kind === 'ConfigMap');
  const previous = { SECRET_KEY_PREVIOUS_FILE: '/run/secrets/booking/secret_key_previous' };
  expect(data).toEqual(name === 'rotate' ? { ...settings, ...previous } : settings);
  expect(stdout.split(`name: ${metadata.name}\n`).length).toBeGreaterThan(2);
});
