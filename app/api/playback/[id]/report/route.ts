import { createPlaybackReport } from '@/lib/contract/audience/playback-report';
import * as audience from '@/lib/domain/audience';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(createPlaybackReport, ({ ctx, params, body }) =>
    audience.createPlaybackReport(ctx, { playbackId: params.id, lines: body.lines }),
  ),
);
