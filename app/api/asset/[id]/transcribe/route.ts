import * as assets from '@/lib/domain/assets';
import { transcribeAsset } from '@/lib/contract/assets/transcribe';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(transcribeAsset, ({ ctx, params, body }) => assets.transcribeAsset(ctx, { id: params.id, body })),
);
