import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { Logger } from '@/lib/infra/logger';
import type { Renditions } from './rendition';

/**
 * Works alongside a live session: transcoding, recording, multistreaming. A session has one of each kind from its first
 * publish to its end; a failing companion never affects playback of the source.
 */
export interface SessionFeature {
  /** At the start of every publish, and whenever the settings changed while it runs. Does not throw, does not wait. */
  follow(publish: AuthorizedPublish): void;
  /** The session is over. May be called twice; resolves when nothing of it is left. */
  close(): Promise<void>;
  /** Shutdown waits for `close`: abort slow work. */
  hurry?(): void;
}

/** What a companion sees of its session. */
export interface FeatureHost {
  readonly streamId: string;
  readonly renditions: Renditions;
  readonly log: Logger;
  /** The complete list of what is wrong with the companion's work now; shown among the stream's issues. */
  report(issues: readonly string[]): void;
}

export type StartFeature = (host: FeatureHost) => SessionFeature;
