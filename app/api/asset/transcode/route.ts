import * as assets from '@/lib/domain/assets';
import { transcodeAssetFlat } from '@/lib/contract/assets/transcode';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(transcodeAssetFlat, ({ ctx, body }) => assets.transcodeAsset(ctx, body)),
);
