import * as access from '@/lib/domain/access';
import { deleteSigningKey, getSigningKey, updateSigningKey } from '@/lib/contract/access/signing-key';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getSigningKey, ({ ctx, params }) => access.getSigningKey(ctx, params.id)),
  route(updateSigningKey, ({ ctx, params, body }) =>
    access.updateSigningKey(ctx, { id: params.id, change: body }),
  ),
  route(deleteSigningKey, ({ ctx, params }) => access.deleteSigningKey(ctx, params.id)),
);
