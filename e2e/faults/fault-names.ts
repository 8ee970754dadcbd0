/** Faults of the service. `kill` is SIGKILL, `term` is SIGTERM, `freeze` is SIGSTOP and later SIGCONT. */
export const faultNames = [
  'kill-live',
  'kill-jobs',
  'kill-origin',
  'kill-web',
  'kill-postgres',
  'kill-ffmpeg',
  'kill-supervisor',
  'kill-backend',
  'kill-live-and-jobs',
  'kill-everything',
  'term-live',
  'term-jobs',
  'term-origin',
  'term-web',
  'restart-postgres',
  'restart-service',
  'freeze-live',
  'freeze-jobs',
  'freeze-origin',
  'freeze-web',
  'freeze-ffmpeg',
  'freeze-postgres',
  'freeze-everything',
] as const;

/** Faults of the S3 server, with `--storage s3`. */
export const s3FaultNames = ['freeze-s3', 'kill-s3'] as const;

export type FaultName = (typeof faultNames)[number] | (typeof s3FaultNames)[number];
