import * as assets from '@/lib/domain/assets';
import { replaceAsset } from '@/lib/contract/assets/replace';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(replaceAsset, ({ ctx, params, body }) => assets.replaceAsset(ctx, { ...body, id: params.id })),
);
