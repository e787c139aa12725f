import type { Outputs } from '../../_components/api-types';

export type RequestRow = Outputs['requests']['list']['rows'][number];
/** The numbers of requests over time. */
export type Histogram = Outputs['requests']['histogram'];
/** The filters' options. */
export type Choices = Outputs['requests']['choices'];
/** A request with its related requests and events. */
export type RequestDetail = Outputs['requests']['get'];
