import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; action: string; runbook_url: string };
};
type Config = {
  global: { external_labels: Record<string, string> };
  scrape_configs: { job_name: string }[];
};

const read = (path: string) => readFileSync(path, 'utf8');
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const config = parse(read('deploy/prometheus/prometheus.yml')) as Config;

const page = read('docs/alerts.md');
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text): [string, string] => [text.split('\n')[0] ?? '', text.split(/^##? /m)[0] ?? '']),
);

test('each alert has a name of its own and links to its section, and each section has an alert', () => {
  expect(rules.map(({ alert }) => alert).sort()).toEqual([...sections.keys()].sort());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(`{{ $externalLabels.docs }}/alerts.md#${alert.toLowerCase()}`);
});

test.each(['prometheus/prometheus.yml', 'docker/prometheus.yml'])('%s states where the page is', (path) => {
  const { global } = parse(read(`deploy/${path}`)) as Config;
  expect(global.external_labels.docs).toMatch(/^https:\/\/[^#]*[^/]$/);
});

test.each(rules)('the section of $alert says what it means and what to do, and its severity', ({ alert, labels }) => {
  const section = sections.get(alert) ?? '';
  expect(section).toMatch(/^\*\*Meaning\.\*\* /m);
  expect(section).toMatch(/^\*\*Do\.\*\* /m);
  const urgent = page.slice(page.indexOf('## Critical'), page.indexOf('## Warnings'));
  expect(urgent.includes(`### ${alert}\n`)).toBe(labels.severity === 'critical');
});

test('no alert has braces, quotes, or parentheses that do not match', () => {
  const unbalanced = rules.filter(({ expr }) => {
    const bare = expr.replaceAll(/"[^"]*"/g, '');
    const count = (character: string) => bare.split(character).length;
    return bare.includes('"') || ['()', '{}', '[]'].some(([open = '', close = '']) => count(open) !== count(close));
  });
  expect(unbalanced).toEqual([]);
});

const SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };

function secondsOf(duration = '0m'): number {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(duration) ?? [];
  return Number(count) * (SECONDS[unit] ?? Number.NaN);
}

test('a critical alert waits at least two minutes, and one about 5xx longer than it looks back', () => {
  for (const { alert, expr, ...rule } of rules.filter(({ labels }) => labels.severity === 'critical')) {
    const waits = secondsOf(rule.for);
    expect(waits, alert).toBeGreaterThanOrEqual(120);
    const windows = [...expr.matchAll(/5xx"\}\[(\d+m)\]/g)].map(([, window]) => secondsOf(window));
    if (!expr.includes('count_over_time')) for (const window of windows) expect(waits, alert).toBeGreaterThan(window);
  }
});

test('every job of the alerts is scraped', () => {
  const jobs = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/\bjob=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|')),
  );
  expect([...new Set(jobs)].sort()).toEqual(config.scrape_configs.map(({ job_name }) => job_name).sort());
});

/** Runs the script with a `curl` that prints a response. Returns its exit code and the files that it leaves. */
function runZones(response: string) {
  const [programs = '', directory = ''] = ['bin-', 'files-'].map((name) => mkdtempSync(join(tmpdir(), name)));
  try {
    writeFileSync(join(programs, 'curl'), `#!/bin/sh\n${response}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` };
    const { status } = spawnSync('/bin/sh', ['deploy/prometheus/zones.sh', directory], { env });
    return { status, files: readdirSync(directory).map((name) => [name, read(join(directory, name))]) };
  } finally {
    for (const path of [programs, directory]) rmSync(path, { recursive: true });
  }
}

test('the release that IANA states becomes a metric', () => {
  const metric = 'iana_time_zone_rules{version="2026f"} 1\n';
  expect(runZones('echo 2026f')).toEqual({ status: 0, files: [['booking-zones.prom', metric]] });
  expect(rules.map(({ expr }) => expr).join('\n')).toContain('iana_time_zone_rules');
});

const OTHER = ['exit 22', "echo '<html>'", "printf '2026f\\nx'", 'echo'];

test.each(OTHER)('another response leaves no file: %s', (response) => {
  const { status, files } = runZones(response);
  expect(status).not.toBe(0);
  expect(files).toEqual([]);
});
