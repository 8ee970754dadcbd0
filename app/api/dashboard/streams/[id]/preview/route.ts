import { getStreamPreview } from '@/lib/contract/access/preview';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getStreamPreview, ({ ctx, params }) => streams.getPreview(ctx, params.id)),
);
