import { createStreamPreview } from '@/lib/contract/streams/viewers';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(createStreamPreview, ({ ctx, params }) => streams.createPreview(ctx, params.id)),
);
