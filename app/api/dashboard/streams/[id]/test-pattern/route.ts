import { getTestPattern, setTestPattern } from '@/lib/contract/streams/test-pattern';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getTestPattern, ({ ctx, params }) => streams.getTestPattern(ctx, params.id)),
  route(setTestPattern, ({ ctx, params, body }) => streams.setTestPattern(ctx, { ...body, id: params.id })),
);
