import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { SessionFeature } from '@/media-worker/media/packaging/session-feature';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveSessionOptions } from './live-session-options';

interface FeatureSession {
  readonly publish: AuthorizedPublish;
  readonly renditions: Renditions;
}

/**
 * Starts the features of a session.
 * @param report receives the complete list of issues of one feature
 */
export function startFeatures(
  { features, log }: Pick<LiveSessionOptions, 'features' | 'log'>,
  { publish: { streamId }, renditions }: FeatureSession,
  report: (key: unknown, issues: readonly string[]) => void,
): SessionFeature[] {
  return features.map((start) => {
    // Identifies the issues of this feature.
    const key = {};
    return start({ streamId, renditions, log, report: (issues) => report(key, issues) });
  });
}
