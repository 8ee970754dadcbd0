import type { Scope } from './scope';

/** Publish and playback URLs of one stream. */
export interface StreamUrls {
  readonly publishUrl: string;
  readonly playlistUrl: string;
}

/** A running RTMP server to measure. */
export interface RtmpService {
  readonly name: string;
  /** Processes to measure. Each entry is one row of the table, with `subject` as its label. */
  readonly measuredProcesses: readonly { readonly subject: string; readonly pids: readonly number[] }[];
  /** Creates streams to publish to. */
  readonly openStreams: (count: number) => Promise<readonly StreamUrls[]>;
}

/** Starts a server with a temporary folder. */
export type StartService = (scope: Scope, directory: string) => Promise<RtmpService>;
