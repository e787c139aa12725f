import { request } from 'undici';

export const METRICS_TOKEN = 'a-token-for-tests-only';

export async function askMetrics(origin: string, token: string | null = METRICS_TOKEN) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, headers: answered, body } = await request(`${origin}/api/metrics`, { headers });
  return { status: statusCode, headers: answered, text: await body.text() };
}

/** By name and labels, such as `name{a="b"}`. */
export type Metrics = Map<string, number>;

export async function readMetrics(origin: string): Promise<Metrics> {
  const { status, text } = await askMetrics(origin);
  if (status !== 200) throw new Error(`no metrics: ${status}`);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

export function sumOf(metrics: Metrics, beginning: string): number {
  return [...metrics].reduce((sum, [name, value]) => (name.startsWith(beginning) ? sum + value : sum), 0);
}
