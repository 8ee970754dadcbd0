/** Numbers of operations in a round of load. */
export interface Counters {
  streamsCreated: number;
  namesChanged: number;
  uploads: number;
  resumableUploads: number;
  imports: number;
  transcodes: number;
  exports: number;
  publishes: number;
  viewerSegments: number;
  /** Writes that needed more than one attempt. */
  writesRetried: number;
}

export const createCounters = (): Counters => ({
  streamsCreated: 0,
  namesChanged: 0,
  uploads: 0,
  resumableUploads: 0,
  imports: 0,
  transcodes: 0,
  exports: 0,
  publishes: 0,
  viewerSegments: 0,
  writesRetried: 0,
});
