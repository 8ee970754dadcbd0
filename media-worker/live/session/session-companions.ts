import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { Companion } from '@/media-worker/media/packaging/companion';
import type { Renditions } from '@/media-worker/media/packaging/rendition';
import type { LiveSessionOptions } from './live-session-options';

interface Accompanied {
  readonly publish: AuthorizedPublish;
  readonly renditions: Renditions;
}

/** @param report the complete list of what is wrong with the work of one of them */
export function startCompanions(
  { companions, log }: Pick<LiveSessionOptions, 'companions' | 'log'>,
  { publish: { streamId }, renditions }: Accompanied,
  report: (who: unknown, issues: readonly string[]) => void,
): Companion[] {
  return companions.map((start) => {
    const who = {};
    return start({ streamId, renditions, log, report: (issues) => report(who, issues) });
  });
}
