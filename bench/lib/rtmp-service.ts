import type { Scope } from './scope';

/** One place to publish to, and where its viewers look. */
export interface Channel {
  readonly publishUrl: string;
  readonly playlistUrl: string;
}

/** A server under measurement, running and idle. */
export interface RtmpService {
  readonly name: string;
  /** Which processes are counted, by what the row says they are: each entry is one row. */
  readonly counted: readonly { readonly what: string; readonly pids: readonly number[] }[];
  readonly openChannels: (count: number) => Promise<readonly Channel[]>;
}

export type StartService = (scope: Scope, directory: string) => Promise<RtmpService>;
