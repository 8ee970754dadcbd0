import { createTarget, listTargets } from '@/lib/contract/targets/multistream';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as multistream from '@/lib/domain/multistream';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listTargets, ({ ctx, query }) => multistream.listTargets(ctx, query)),
  route(createTarget, ({ ctx, body }) => multistream.createTarget(ctx, body)),
);
