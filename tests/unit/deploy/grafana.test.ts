import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

type Dashboard = {
  uid: string;
  panels: {
    id: number;
    title: string;
    datasource: { uid: string };
    gridPos: { h: number; w: number; x: number; y: number };
    targets: { expr: string }[];
  }[];
};

const read = (file: string) => readFileSync(`deploy/grafana/${file}`, 'utf8');
const { panels } = JSON.parse(read('dashboards/booking.json')) as Dashboard;

test('the panels use the provisioned data source and do not overlap', () => {
  const { datasources } = parse(read('provisioning/datasources/prometheus.yml')) as { datasources: { uid: string }[] };
  expect(panels.length).toBeGreaterThan(10);
  for (const { datasource } of panels) expect(datasource.uid).toBe(datasources[0]?.uid);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

test('every metric of the panels is documented', () => {
  const page = readFileSync('docs/monitoring.md', 'utf8');
  const metrics = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:partner_booking|nodejs|process)_\w+/g)].map(([name]) => name),
    ),
  );
  for (const name of new Set(metrics))
    expect(page).toContain(`\`${name.replace(/_seconds_(count|sum|bucket)$/, '_seconds')}\``);
});
