import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { Logger } from '@/lib/infra/logger';
import type { Renditions } from './rendition';

/**
 * Work alongside a live session: transcoding, recording, multistreaming. A session has one feature of each kind
 * from its first publish to its end; a failing feature never affects playback of the source.
 */
export interface SessionFeature {
  /** Called at the start of every publish, and when its settings change. Neither throws nor waits. */
  follow(publish: AuthorizedPublish): void;
  /** Called when the session is over. Idempotent; resolves when all resources are released. */
  close(): Promise<void>;
  /** Called when a shutdown waits for `close`: aborts slow work. */
  finishSoon?(): void;
}

/** The session as a feature sees it. */
export interface FeatureHost {
  readonly streamId: string;
  readonly renditions: Renditions;
  readonly log: Logger;
  /** Reports the complete list of current issues of the feature, shown among the stream's issues. */
  report(issues: readonly string[]): void;
}

export type StartFeature = (host: FeatureHost) => SessionFeature;
