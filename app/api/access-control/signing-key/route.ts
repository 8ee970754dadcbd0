import * as access from '@/lib/domain/access';
import { createSigningKey, listSigningKeys } from '@/lib/contract/access/signing-key';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listSigningKeys, ({ ctx }) => access.listSigningKeys(ctx)),
  route(createSigningKey, ({ ctx, body }) => access.createSigningKey(ctx, body)),
);
