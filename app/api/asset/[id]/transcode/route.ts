import * as assets from '@/lib/domain/assets';
import { transcodeAsset } from '@/lib/contract/assets/transcode';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(transcodeAsset, ({ ctx, params, body }) =>
    assets.transcodeAssetById(ctx, { ...body, id: params.id }),
  ),
);
