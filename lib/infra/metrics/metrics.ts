import { queueNames } from '@/lib/contract/jobs';
import { nodeRoles, nodeStates } from '@/lib/core/nodes/node-state';
import { publishRejectionReasons } from '@/lib/core/streams/publish-admission';
import { version } from '@/lib/infra/version';
// Re-exported from here, because the definitions are complete only after this file has run.
export { metricDefinitions } from './define-metric';
import { defineCounter, defineGauge, defineHistogram, metricRoles } from './define-metric';

/**
 * Metrics of the service; those of Node.js come from prom-client. Labels have few values, which are listed here: no ids,
 * addresses or users. docs/operations.md documents the metrics; a test keeps both consistent.
 */

/** Roles that use the database. */
const rolesWithDatabase = ['web', 'live', 'origin', 'jobs'] as const;
/** Roles that store files in DATA_DIR. */
const rolesWithFiles = ['live', 'origin', 'jobs', 'edge'] as const;
/** Upper bounds of histogram buckets, in seconds. */
const requestBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const waitBucketsSeconds = [0.25, 0.5, 1, 2, 4, 8, 16, 32];
const taskBucketsSeconds = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400];

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** Reasons for which a publish did not start, or was cut immediately. */
const failedPublishReasons = [
  ...publishRejectionReasons,
  'no_key',
  'unknown_key',
  'too_many_keys',
  'too_many_connections',
  'unavailable',
] as const;

export const metrics = {
  buildInfo: defineGauge({
    name: 'headwater_build_info',
    help: '1; the labels say what runs.',
    roles: metricRoles,
    labels: { version: [version], role: metricRoles },
  }),
  processUp: defineGauge({
    name: 'headwater_process_up',
    help: 'Whether this process of the role answered the scrape: 0 while it starts or does not respond.',
    roles: metricRoles,
  }),
  databaseConnections: defineGauge({
    name: 'headwater_database_connections',
    help: 'Open connections of the pool.',
    roles: rolesWithDatabase,
    labels: { state: ['in_use', 'idle'] },
  }),
  databaseConnectionsMax: defineGauge({
    name: 'headwater_database_connections_max',
    help: 'Most connections of the pool (DATABASE_POOL_SIZE).',
    roles: rolesWithDatabase,
  }),
  databaseWaiting: defineGauge({
    name: 'headwater_database_waiting_requests',
    help: 'Statements that wait for a connection of the pool.',
    roles: rolesWithDatabase,
  }),
  diskFree: defineGauge({
    name: 'headwater_disk_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR.',
    roles: rolesWithFiles,
  }),
  diskSize: defineGauge({
    name: 'headwater_disk_size_bytes',
    help: 'Size of the disk of DATA_DIR.',
    roles: rolesWithFiles,
  }),

  requestDuration: defineHistogram({
    name: 'headwater_http_request_duration_seconds',
    help: 'Time to the end of a response of the dashboard or API.',
    roles: ['web'],
    labels: { status: statusClasses },
    buckets: requestBucketsSeconds,
  }),

  liveStreams: defineGauge({
    name: 'headwater_live_streams',
    help: 'Streams that can be played, waiting for a reconnect included.',
    roles: ['live'],
  }),
  publishers: defineGauge({
    name: 'headwater_publishers',
    help: 'Connected encoders that publish.',
    roles: ['live'],
  }),
  rtmpConnections: defineGauge({
    name: 'headwater_rtmp_connections',
    help: 'Open RTMP connections, publishing or not.',
    roles: ['live'],
  }),
  rtcConnections: defineGauge({
    name: 'headwater_rtc_connections',
    help: 'WebRTC connections, those that are being made included.',
    roles: ['rtc'],
  }),
  rtcViewers: defineGauge({
    name: 'headwater_rtc_viewers',
    help: 'Viewers over WebRTC.',
    roles: ['rtc'],
  }),
  srtConnections: defineGauge({
    name: 'headwater_srt_connections',
    help: 'SRT callers that publish, or wait to be admitted.',
    roles: ['live'],
  }),
  srtPackets: defineCounter({
    name: 'headwater_srt_packets_total',
    help: 'SRT data packets: received, found missing, received after all, given up, or not decrypted.',
    roles: ['live'],
    labels: { result: ['received', 'lost', 'recovered', 'dropped', 'undecrypted'] },
  }),
  roomStreams: defineGauge({
    name: 'headwater_room_streams',
    help: 'How many more streams like the present ones this process has room for, an estimate.',
    roles: ['live'],
  }),
  full: defineGauge({
    name: 'headwater_full',
    help: '1 while new streams are rejected because of overload or MAX_STREAMS, else 0.',
    roles: ['live'],
  }),
  publishesAdmitted: defineCounter({
    name: 'headwater_publishes_admitted_total',
    help: 'Publishes that started.',
    roles: ['live', 'rtc'],
  }),
  publishesRejected: defineCounter({
    name: 'headwater_publishes_refused_total',
    help: 'Publishes that were rejected, or cut because of what they send.',
    roles: ['live', 'rtc'],
    labels: { reason: failedPublishReasons },
  }),
  receivedBytes: defineCounter({
    name: 'headwater_ingest_received_bytes_total',
    help: 'Bytes received from encoders, over RTMP, SRT and WebRTC.',
    roles: ['live', 'rtc'],
  }),
  segmentLateness: defineHistogram({
    name: 'headwater_segment_lateness_seconds',
    help: 'How much longer than its media a segment took since the segment before it.',
    roles: ['live'],
    labels: { rendition: ['source', 'transcoded'] },
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8],
  }),
  droppedPackets: defineCounter({
    name: 'headwater_dropped_packets_total',
    help: 'Media packets that a multistream target or a transcoder was too slow for.',
    roles: ['live'],
    labels: { reader: ['multistream', 'transcoder'] },
  }),
  multistreamBytes: defineCounter({
    name: 'headwater_multistream_sent_bytes_total',
    help: 'Bytes handed to multistream targets.',
    roles: ['live'],
  }),

  viewers: defineGauge({
    name: 'headwater_viewers',
    help: 'Viewers of live streams, measured every 5 s. Each viewer counts at one origin.',
    roles: ['origin'],
  }),
  viewerResponses: defineCounter({
    name: 'headwater_viewer_responses_total',
    help: 'Responses to viewers.',
    roles: ['origin', 'edge'],
    labels: { status: statusClasses },
  }),
  sentBytes: defineCounter({
    name: 'headwater_viewer_sent_bytes_total',
    help: 'Bytes sent to viewers and edges, headers included.',
    roles: ['origin', 'edge'],
  }),
  viewerReports: defineCounter({
    name: 'headwater_viewer_reports_total',
    help: 'Lines that players reported.',
    roles: ['origin'],
    labels: { outcome: ['accepted', 'malformed'] },
  }),
  playbackStartup: defineHistogram({
    name: 'headwater_playback_startup_seconds',
    help: 'From the start of playback to the first frame, as players report it.',
    roles: ['origin'],
    buckets: waitBucketsSeconds,
  }),
  playbackStall: defineHistogram({
    name: 'headwater_playback_stall_seconds',
    help: 'Pauses in which a player had nothing to play, as players report them.',
    roles: ['origin'],
    buckets: waitBucketsSeconds,
  }),
  playbackPlayed: defineCounter({
    name: 'headwater_playback_played_seconds_total',
    help: 'Time that viewers watched, as players report it.',
    roles: ['origin'],
  }),
  playbackFailures: defineCounter({
    name: 'headwater_playback_failures_total',
    help: 'Views that ended with an error, as players report it.',
    roles: ['origin'],
  }),

  nodes: defineGauge({
    name: 'headwater_nodes',
    help: 'Processes of all machines in the database, the same number at every jobs process.',
    roles: ['jobs'],
    labels: { role: nodeRoles, state: nodeStates },
  }),
  queueJobs: defineGauge({
    name: 'headwater_queue_jobs',
    help: 'Jobs of a queue, the same number at every jobs process. `waiting` could run now.',
    roles: ['jobs'],
    labels: { queue: queueNames, state: ['waiting', 'active', 'delayed', 'failed'] },
  }),
  queueOldest: defineGauge({
    name: 'headwater_queue_oldest_seconds',
    help: 'Age of the oldest job that could run now.',
    roles: ['jobs'],
    labels: { queue: queueNames },
  }),
  jobsEnded: defineCounter({
    name: 'headwater_queue_jobs_ended_total',
    help: 'Jobs that this process ended; failed ones are retried.',
    roles: ['jobs'],
    labels: { queue: queueNames, outcome: ['completed', 'failed'] },
  }),
  taskDuration: defineHistogram({
    name: 'headwater_task_duration_seconds',
    help: 'Runs of tasks. `interrupted` ones are retried while attempts are left, `released` ones continue elsewhere.',
    roles: ['jobs'],
    labels: {
      type: ['import', 'export', 'transcode', 'clip', 'transcribe'],
      outcome: ['completed', 'failed', 'interrupted', 'released', 'lost'],
    },
    buckets: taskBucketsSeconds,
  }),
  deliveryDuration: defineHistogram({
    name: 'headwater_webhook_attempt_duration_seconds',
    help: 'Attempts of webhook deliveries. `failed`: the last one was rejected too.',
    roles: ['jobs'],
    labels: { outcome: ['accepted', 'retried', 'failed'] },
    buckets: requestBucketsSeconds,
  }),
};
