import type { Scope } from './scope';

/** Publish and playback URLs of one stream. */
export interface Channel {
  readonly publishUrl: string;
  readonly playlistUrl: string;
}

/** A running server to measure. */
export interface RtmpService {
  readonly name: string;
  /** Processes to measure; each entry is one row of the table, labeled `what`. */
  readonly measuredProcesses: readonly { readonly subject: string; readonly pids: readonly number[] }[];
  readonly openChannels: (count: number) => Promise<readonly Channel[]>;
}

export type StartService = (scope: Scope, directory: string) => Promise<RtmpService>;
