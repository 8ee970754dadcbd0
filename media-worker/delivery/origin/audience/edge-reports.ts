import type { IncomingMessage } from 'node:http';
import { errorAnswer, pathOf, type Answer } from '@/media-worker/kit/http/answer';
import { edgeReportPath, isHash, readEdgeReport } from '@/media-worker/kit/http/edge-report';
import type { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { bodyOf, type AnswerWrite } from '@/media-worker/kit/http/internal-writes';
import type { AssetViews } from './asset-views';
import type { ViewerCount } from './viewer-count';
import type { ViewerTokens } from '@/media-worker/delivery/origin/live/watch-playlists';

interface EdgeReportsOptions {
  readonly count: Pick<ViewerCount, 'saw'>;
  readonly views: Pick<AssetViews, 'saw'>;
  readonly tokens: Pick<ViewerTokens, 'valid' | 'home'>;
  /** Whether this client is trusted to report viewers. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
  readonly perAddress: Pick<ViewsPerAddress, 'counts'>;
}

const unreadable = errorAnswer(400, 'Not a report of viewers.');
const acceptedAnswer: Answer = { status: 204 };

/**
 * Counts the viewers of edges, which have no secret to sign with. Viewers with a signed token always
 * count. Viewers without a token count only from edges in TRUSTED_PROXIES, because anyone could invent them.
 */
export function takeEdgeReports(options: EdgeReportsOptions): AnswerWrite {
  const { count, views, tokens, isTrusted, perAddress } = options;
  return (request) => {
    if (request.method !== 'POST' || pathOf(request.url) !== edgeReportPath) return null;
    return bodyOf(request).then(
      (body) => {
        if (!Buffer.isBuffer(body)) return body;
        const viewers = readEdgeReport(body.toString('utf8'));
        if (!viewers) return unreadable;
        const isTrustedEdge = isTrusted(request);
        for (const [playbackId, viewer, of] of viewers) {
          if (isHash(viewer)) {
            if (isTrustedEdge && of === 'asset') views.saw(playbackId, viewer);
            else if (isTrustedEdge) count.saw(playbackId, tokens.home + viewer);
          } else if (!tokens.valid(playbackId, viewer)) continue;
          // A trusted edge applies the limit per address itself.
          else if (isTrustedEdge || perAddress.counts(request, playbackId, viewer))
            count.saw(playbackId, viewer);
        }
        return acceptedAnswer;
      },
      () => unreadable,
    );
  };
}
