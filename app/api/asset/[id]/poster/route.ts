import { deleteAssetPoster, requestAssetPosterUpload } from '@/lib/contract/assets/poster';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as assets from '@/lib/domain/assets';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(requestAssetPosterUpload, ({ ctx, params }) => assets.requestAssetPosterUpload(ctx, params.id)),
  route(deleteAssetPoster, ({ ctx, params }) => assets.deleteAssetPoster(ctx, params.id)),
);
