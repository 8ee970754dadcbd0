import { deleteStreamPoster, requestStreamPosterUpload } from '@/lib/contract/assets/poster';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(requestStreamPosterUpload, ({ ctx, params }) => streams.requestStreamPosterUpload(ctx, params.id)),
  route(deleteStreamPoster, ({ ctx, params }) => streams.deleteStreamPoster(ctx, params.id)),
);
