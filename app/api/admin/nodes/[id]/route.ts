import { updateNode } from '@/lib/contract/nodes/node';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as nodes from '@/lib/domain/nodes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateNode, async ({ ctx, params, body }) => {
    await nodes.setDraining(ctx, { nodeId: params.id }, body.draining);
  }),
);
