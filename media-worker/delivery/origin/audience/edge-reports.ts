import type { IncomingMessage } from 'node:http';
import { errorAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { edgeReportPath, isHash, parseEdgeReport } from '@/media-worker/kit/http/edge-report';
import type { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import type { AnswerWrite } from '@/media-worker/kit/http/internal-writes';
import { readBody } from '@/media-worker/kit/http/read-body';
import type { AssetViews } from './asset-views';
import type { ViewerCount } from './viewer-count';
import type { ViewerTokens } from '@/media-worker/delivery/origin/live/watch-playlists';

interface EdgeReportsOptions {
  readonly count: Pick<ViewerCount, 'recordPlaylist'>;
  readonly views: Pick<AssetViews, 'recordStart'>;
  readonly tokens: Pick<ViewerTokens, 'isValid' | 'home'>;
  /** Whether this client is trusted to report viewers. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
  readonly perAddress: Pick<ViewsPerAddress, 'counts'>;
}

const malformedAnswer = errorAnswer(400, 'Not a report of viewers.');
const acceptedAnswer: Answer = { status: 204 };

/**
 * Creates the handler that counts the viewers that edges report. Edges have no secret to sign their reports. Viewers
 * with a signed token count from every edge, and those without a token only from edges in TRUSTED_PROXIES, because
 * anyone could invent them.
 */
export function createEdgeReportHandler(options: EdgeReportsOptions): AnswerWrite {
  const { count, views, tokens, isTrusted, perAddress } = options;
  return (request) => {
    if (request.method !== 'POST' || pathOf(request.url) !== edgeReportPath) return null;
    return readBody(request).then(
      (body) => {
        if (!Buffer.isBuffer(body)) return body;
        const viewers = parseEdgeReport(body.toString('utf8'));
        if (!viewers) return malformedAnswer;
        const isTrustedEdge = isTrusted(request);
        for (const [playbackId, viewer, objectType] of viewers) {
          if (isHash(viewer)) {
            if (isTrustedEdge && objectType === 'asset') views.recordStart(playbackId, viewer);
            else if (isTrustedEdge) count.recordPlaylist(playbackId, tokens.home + viewer);
          } else if (!tokens.isValid(playbackId, viewer)) continue;
          // A trusted edge applies the limit per address itself.
          else if (isTrustedEdge || perAddress.counts(request, playbackId, viewer))
            count.recordPlaylist(playbackId, viewer);
        }
        return acceptedAnswer;
      },
      () => malformedAnswer,
    );
  };
}
