import type { AuthorizedPublish } from '@/lib/streams';
import type { Logger } from '@/lib/infra/logger';
import type { Renditions } from './rendition';

/**
 * Works along with a live session beside the source's path: makes renditions, records, sends elsewhere. A session
 * has one of each kind from its first publish to its end; whatever happens to it, the source plays on.
 */
export interface Companion {
  /** At the start of every publish, and whenever the settings changed while it runs. Does not throw, does not wait. */
  follow(publish: AuthorizedPublish): void;
  /** The session is over. May be called twice; resolves when nothing of it is left. */
  close(): Promise<void>;
  /** Something waits for `close`: slow work is aborted. */
  hurry?(): void;
}

/** What a companion sees of its session. */
export interface CompanionHost {
  readonly streamId: string;
  readonly renditions: Renditions;
  readonly log: Logger;
  /** The complete list of what is wrong with the companion's work now; shown among the stream's issues. */
  report(issues: readonly string[]): void;
}

export type StartCompanion = (host: CompanionHost) => Companion;
